import { expect, test } from 'vitest';
import { readSummary } from './summary';

test('a report is read as far as it makes sense', () => {
  expect(readSummary(null)).toEqual({ points: [] });
  expect(readSummary({ games: 'many', points: 3, bounds: [1] })).toEqual({ points: [] });
  const report = { games: 4, wins: 2, losses: 1, draws: 1, bounds: [-2.9, 2.9], points: [{ games: 2, elo: 10 }, null, {}] };
  expect(readSummary(report)).toEqual({ ...report, points: [{ games: 2, elo: 10 }] });
});
