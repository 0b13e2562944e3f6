import { expect, test } from 'vitest';
import type { PuzzleEntry } from '../api/types';
import { daily } from './daily';

const puzzles = [...Array(7).keys()].flatMap((i) => ['gomoku', 'hex'].map((game) => ({ game, id: `${game}-${i}` }) as PuzzleEntry));
const on = (day: number) => daily(puzzles, day * 86_400_000 + 5000);

test('the puzzle stays for a day, games take turns, and every puzzle has its day', () => {
  expect(on(3)).toBe(daily(puzzles, 3 * 86_400_000 + 80_000_000));
  expect(on(3)?.game).not.toBe(on(4)?.game);
  expect(new Set([...Array(14).keys()].map((day) => on(day)?.id)).size).toBe(14);
  expect(daily([], 0)).toBeUndefined();
});
