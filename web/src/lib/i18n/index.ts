// Texts in two languages. `en` names the keys; the compiler refuses a missing or extra one in `zh`.

import { settings } from '../settings.svelte';
import { en } from './en';
import { zh } from './zh';

export type Key = keyof typeof en;

const tables: Record<'en' | 'zh', Record<Key, string>> = { en, zh };

/** The text for a key in the chosen language, with `{name}` replaced from `values`, and `{count|move|moves}` by number. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  const text = tables[settings.language][key];
  return text
    .replace(/\{(\w+)\|([^|}]*)\|([^}]*)\}/g, (_, name: string, one: string, many: string) => (Number(values[name]) === 1 ? one : many))
    .replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** Is this a key? For words that come from the server, such as problem codes. */
export function isKey(word: string): word is Key {
  return word in en;
}

/** The text for a server word, or where we have none what the server says of it: the word itself if left out. */
export function word(prefix: string, name: string, otherwise = name): string {
  const key = `${prefix}.${name}`;
  return isKey(key) ? t(key) : otherwise;
}
