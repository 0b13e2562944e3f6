import { expect, test } from 'vitest';
import { measures, widestOf } from './size';

const look = { hexOrientation: 'flat', coordinates: true, cell: 50 };

test('a board grows with its cells, and small boards have larger ones', () => {
  const gomoku = (rows: number) => ({ game: 'gomoku', rows, cols: rows });
  expect(widestOf(gomoku(15), look)).toBe(16 * 50);
  expect(widestOf(gomoku(15), { ...look, cell: 25 })).toBe(16 * 25);
  expect(widestOf(gomoku(5), look)).toBe(12 * 50);
});

test('a flat Hex board is half as wide again as it is high, an upright one is not', () => {
  const shape = (hexOrientation: string) =>
    Number(/--shape: ([\d.]+)/.exec(measures({ game: 'hex', rows: 11, cols: 11 }, { ...look, hexOrientation }))?.[1]);
  expect(shape('flat')).toBeGreaterThan(1.4);
  expect(shape('pointy')).toBeLessThan(1);
  expect(shape('diamond')).toBeGreaterThan(1.5);
});
