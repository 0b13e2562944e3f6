import { describe, expect, test } from 'vitest';
import type { View } from '../api/types';
import { around, byGrade, startOf, stateOf } from './puzzles';
import type { PuzzleEntry } from '../api/types';

const entry = (more: Partial<PuzzleEntry>): PuzzleEntry => ({
  game: 'gomoku',
  id: 'x',
  grade: 1,
  goal: 'vcf',
  side: 'black',
  rows: 15,
  cols: 15,
  rule: '',
  plies: 5,
  unique: true,
  solved: 0,
  wrong: 0,
  hints: 0,
  ...more,
});

describe('puzzles', () => {
  test('what was done with one', () => {
    expect(stateOf(entry({}))).toBe('new');
    expect(stateOf(entry({ wrong: 2 }))).toBe('tried');
    expect(stateOf(entry({ hints: 1, solved: 1 }))).toBe('helped');
    expect(stateOf(entry({ wrong: 3, solved: 1 }))).toBe('solved');
  });
  test('by grade, easy ones first', () => {
    const found = byGrade([entry({ id: 'b', grade: 3 }), entry({ id: 'a' }), entry({ id: 'c', grade: 3 })]);
    expect(found.map(([grade, list]) => [grade, list.map((p) => p.id)])).toEqual([
      [1, ['a']],
      [3, ['b', 'c']],
    ]);
  });
  test('the position becomes a set-up', () => {
    const view = { game: 'hex', rows: 2, cols: 2, board: ['X.', '.O'], to_move: 'black' } as unknown as View;
    expect(startOf(view, 'classic').stones).toEqual([
      { side: 'black', row: 0, col: 0 },
      { side: 'white', row: 1, col: 1 },
    ]);
  });
  test('a region stays on the board', () => {
    expect(around(0, 0, 3, 3)).toHaveLength(9);
    expect(around(7, 7, 15, 15)).toHaveLength(25);
  });
});
