import { describe, expect, test } from 'vitest';
import { en } from './en';
import { zh } from './zh';

const holes = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1]).sort();
const files = import.meta.glob<string>(['../../**/*.svelte', '../../**/*.ts', '!../../**/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

describe('the tables of texts', () => {
  test('have the same keys and no empty text', () => {
    expect(Object.keys(zh).sort()).toEqual(Object.keys(en).sort());
    for (const [key, text] of Object.entries({ ...en })) expect(text, key).not.toBe('');
    for (const [key, text] of Object.entries(zh)) expect(text, key).not.toBe('');
  });

  test('have the same places to fill in', () => {
    for (const [key, text] of Object.entries(en)) expect(holes(zh[key as keyof typeof en]), key).toEqual(holes(text));
  });

  test('the Chinese table is Chinese', () => {
    const latin = Object.entries(zh).filter(([, text]) => !/[一-鿿]/.test(text));
    // Names that are the same in both languages.
    expect(latin.map(([key]) => key).filter((key) => !/^(algorithm|generator)\./.test(key))).toEqual([]);
  });

  test('every key of the English table is used', () => {
    const source = Object.values(files).join('\n');
    const fromServer =
      /^(game|about|side|hexside|level|rule|opening|forbidden|reason|layer|goal|result|grade|algorithm|generator|puzzle|problem)\./;
    const built = /^(new\.mode-|maze\.tool-|see\.(example|algorithm|way|published|direction|term|map|heuristic|fault|file)\.)/;
    const unused = Object.keys(en).filter((key) => !fromServer.test(key) && !built.test(key) && !source.includes(`'${key}'`));
    expect(unused).toEqual([]);
  });
});
