import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { en } from './en';
import { zh } from './zh';

const holes = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1]).sort();
const files = import.meta.glob<string>(['../../**/*.svelte', '../../**/*.ts', '!../../**/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** The Rust sources under a folder. */
function rust(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.rs'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}

describe('the tables of texts', () => {
  test('have the same keys and no empty text', () => {
    expect(Object.keys(zh).sort()).toEqual(Object.keys(en).sort());
    for (const [key, text] of Object.entries({ ...en })) expect(text, key).not.toBe('');
    for (const [key, text] of Object.entries(zh)) expect(text, key).not.toBe('');
  });

  test('have the same places to fill in', () => {
    for (const [key, text] of Object.entries(en)) expect(holes(zh[key as keyof typeof en]), key).toEqual(holes(text));
  });

  test('every problem of the server is told in both languages, without its English words', () => {
    const crates = join(import.meta.dirname, '../../../../crates');
    const source = ['api/src', 'server/src', 'wasm/src'].flatMap((folder) => rust(join(crates, folder))).join('\n');
    const codes = [
      ...source.matchAll(/Problem::(?:new|bad|missing|conflict|refused|too_many|said)\(\s*(?:[\w:]+,\s*)?"([a-z-]+\.[a-z.-]+)"/g),
    ];
    expect(codes.length).toBeGreaterThan(100);
    expect(codes.map(([, code]) => code).filter((code) => !(`problem.${code}` in en))).toEqual([]);
    const told = Object.entries(en).filter(([key]) => key.startsWith('problem.') && !key.startsWith('problem.class.'));
    expect(told.filter(([, text]) => holes(text).includes('detail'))).toEqual([]);
  });

  test('the Chinese table is Chinese', () => {
    const latin = Object.entries(zh).filter(([, text]) => !/[一-鿿]/.test(text));
    // Names that are the same in both languages.
    expect(latin.map(([key]) => key).filter((key) => !/^(algorithm|generator)\.|^opening\.swap2$/.test(key))).toEqual([]);
  });

  test('every key is used', () => {
    const source = Object.values(files).join('\n');
    const server = rust(join(import.meta.dirname, '../../../../crates')).join('\n');
    // Words of the server, and of lists in the page, that a key is built from.
    const fromServer =
      /^(?:game|about|rule(?:-about)?|opening(?:-about)?|forbidden|mark|reason|layer(?:-about)?|goal(?:-about)?|option(?:-about)?|engine-about|result|algorithm|generator|problem|level)\.(.+)$/;
    const built =
      /^(?:side|hexside|grade|puzzle|new\.mode|class(?:\.failed|\.format)?|maze\.tool|status|see\.(?:example|algorithm|way|published|direction|term|map|heuristic|fault|file|[a-z]+))[.-](.+)$/;
    const used = (key: string) => {
      if (source.includes(`'${key}'`)) return true;
      const word = fromServer.exec(key)?.[1];
      if (word !== undefined && server.includes(`"${word}"`)) return true;
      const part = built.exec(key)?.[1];
      return part !== undefined && new RegExp(`['"\`]${part}['"\`]|\\b${part}:`).test(source);
    };
    expect(Object.keys(en).filter((key) => !used(key))).toEqual([]);
  });
});
