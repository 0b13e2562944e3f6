import { expect, test } from 'vitest';

const files = import.meta.glob<string>(['../../**/*.svelte', '../../**/*.ts', '!../../**/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Labels that say the same of different things: the next one, the one before, from the start again, play. */
const same = [
  ['puzzles.next', 'see.next'],
  ['puzzles.previous', 'see.previous'],
  ['puzzles.restart', 'keys.maze-rewind'],
];

test('a letter means one thing wherever it is a key', () => {
  const meanings = new Map<string, Set<string>>();
  for (const source of Object.values(files)) {
    for (const [, keys, label] of source.matchAll(/\{ keys: \[([^\]]+)\], label: '([\w.-]+)'/g)) {
      const meaning = same.find((labels) => labels.includes(label!))?.[0] ?? label!;
      for (const [, letter] of keys!.matchAll(/'([a-zA-Z])'/g)) meanings.set(letter!, (meanings.get(letter!) ?? new Set()).add(meaning));
    }
  }
  expect(meanings.size).toBeGreaterThan(15);
  expect([...meanings].filter(([, said]) => said.size > 1).map(([letter, said]) => [letter, ...said])).toEqual([]);
});
