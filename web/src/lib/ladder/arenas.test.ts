import { expect, test } from 'vitest';
import { forgetArena, isArenaId, keepArena, keyFromHash, keyOf, knownArenas } from './arenas';

const id = (digit: string) => digit.repeat(32);

test('arenas are remembered with their key, the newest first, and only so many', () => {
  keepArena({ id: id('a'), name: 'A', key: '1' });
  keepArena({ id: id('b'), name: 'B', key: '2' });
  keepArena({ id: id('a'), name: 'A', key: '3' });
  expect(knownArenas().map((arena) => arena.name)).toEqual(['A', 'B']);
  expect(keyOf(id('a'))).toBe('3');
  forgetArena(id('a'));
  expect(keyOf(id('a'))).toBe('');
  for (let i = 0; i < 60; i++) keepArena({ id: `${i}`, name: `${i}`, key: 'k' });
  expect(knownArenas().length).toBe(50);
});

test('an address tells an arena from a game, and hands over a key', () => {
  expect(isArenaId(id('0'))).toBe(true);
  expect(isArenaId('gomoku')).toBe(false);
  expect(keyFromHash(`#key=${id('f')}`)).toBe(id('f'));
  expect(keyFromHash('#key=<x>')).toBe('');
});
