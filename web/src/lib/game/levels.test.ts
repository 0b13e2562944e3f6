import { expect, test } from 'vitest';
import type { GameBody } from '../api/types';
import { climbed, suits, type Climbed } from './levels';

const played = (...games: [number, number][]): Climbed[] => games.map(([level, score], id) => ({ id: String(id), level, score }));

test('a level is proposed after three games, towards the results', () => {
  expect(suits(played([3, 1], [3, 1]))).toBeNull();
  expect(suits(played([3, 1], [3, 0], [3, 1], [3, 0]))).toBe(3);
  expect(suits(played([3, 1], [3, 1], [3, 1]))).toBeGreaterThan(3);
  expect(suits(played([3, 0], [3, 0], [3, 0]))).toBeLessThan(3);
  expect(suits(played([9, 1], [9, 1], [9, 1]))).toBe(9);
  expect(suits(played([1, 0], [1, 0], [1, 0], [1, 0]))).toBe(1);
});

test('old games are forgotten', () => {
  const climbing = [...Array<[number, number]>(10).fill([2, 0]), ...Array<[number, number]>(10).fill([5, 0.5])];
  expect(suits(played(...climbing))).toBe(5);
});

test('only a whole game against the recommended engine counts', () => {
  const view = { ply: 20, colours: { first: 'black', second: 'white' } };
  const players = { first: { kind: 'human' }, second: { kind: 'engine', engine: 'tengen', level: 4 } };
  const game = { id: 'g', status: 'over', winner: 'black', view, players, setup: { game: 'hex' } } as unknown as GameBody;
  expect(climbed(game, 'first', 'tengen')).toEqual({ id: 'g', level: 4, score: 1 });
  expect(climbed({ ...game, winner: 'white' }, 'first', 'tengen')?.score).toBe(0);
  expect(climbed(game, undefined, 'tengen')).toBeNull();
  expect(climbed({ ...game, status: 'live' }, 'first', 'tengen')).toBeNull();
  expect(climbed(game, 'first', 'another')).toBeNull();
  expect(climbed({ ...game, view: { ...view, ply: 3 } } as unknown as GameBody, 'first', 'tengen')).toBeNull();
});
