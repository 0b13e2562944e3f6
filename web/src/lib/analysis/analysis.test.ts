import { describe, expect, test } from 'vitest';
import type { Report } from '../api/types';
import { evalOf, grade, series } from './evals';
import { candidates, ghostsOf, layerMarks, mateText, percent, scoreText, short } from './overlay';
import { judge } from './review';

const report: Report = {
  depth: 5,
  selective_depth: 9,
  score: 1.5,
  win_rate: 0.7,
  nodes: 1500,
  seconds: 1,
  speed: 1500,
  lines: [
    {
      moves: ['h8', 'i9'],
      cells: [
        [7, 7],
        [6, 8],
      ],
      score: 1.5,
      win_rate: 0.7,
      depth: 5,
      nodes: 900,
    },
  ],
  root: [
    { move: 'h8', row: 7, col: 7, score: 1.5, bound: 'exact', win_rate: 0.7, nodes: 900 },
    { move: 'g7', row: 8, col: 6, score: 0.5, bound: 'upper', win_rate: 0.55, nodes: 1200 },
    { move: 'swap', score: 0, bound: 'exact', win_rate: 0.5, nodes: 3 },
  ],
};

describe('the overlay', () => {
  test('the best move comes first, moves without a cell not at all', () => {
    const marks = candidates(report, 'win');
    expect(marks.map((m) => m.text)).toEqual(['70', '≤55']);
    expect(marks[0]?.shade).toBe(1);
    expect(marks[1]?.shade).toBeLessThan(1);
  });
  test('a move that was hardly looked at is pale and comes last, however good it seems', () => {
    const lucky = { move: 'a1', row: 14, col: 0, score: 9, bound: 'exact', win_rate: 0.95, nodes: 3 };
    const marks = candidates({ ...report, root: [lucky, ...report.root] }, 'win');
    expect(marks.map((m) => m.text)).toEqual(['70', '≤55', '95']);
    expect(marks[2]?.shade).toBeLessThan(0.35);
  });
  test('a bound is shown as one', () => {
    expect(candidates(report, 'score').map((m) => m.text)).toEqual(['+1.5', '≤+0.5']);
  });
  test('by visits the most visited comes first', () => {
    expect(candidates(report, 'visits')[0]).toMatchObject({ row: 8, col: 6, text: '1.2k' });
  });
  test('a proved line shows its length', () => {
    const line = { ...report.lines[0]!, mate: 5 };
    expect(candidates({ ...report, lines: [line] }, 'win')[0]?.text).toBe('#3');
  });
  test('numbers are short', () => {
    expect([short(999), short(1234), short(56_789), short(12_345_678)]).toEqual(['999', '1.2k', '57k', '12M']);
    expect([scoreText(0.25), scoreText(-12.4), scoreText(40_000)]).toEqual(['+0.3', '-12', '40k']);
    expect([percent(0.5), percent(0.999), percent(1)]).toEqual(['50', '99.9', '100']);
    expect([mateText(1), mateText(3), mateText(-4)]).toEqual(['#1', '#2', '-#2']);
  });
  test('a layer gives one mark a point, the stronger side above', () => {
    const cells = [
      { row: 3, col: 5, value: 0.2, label: '2', side: 'white' as const },
      { row: 3, col: 5, value: 0.7, label: '4', side: 'black' as const },
      { row: 4, col: 5, value: 2, label: '5' },
    ];
    const marks = layerMarks({ cells, links: [] }, (side) => side ?? 'none');
    expect(marks).toEqual([
      { row: 4, col: 5, shade: 1, colour: 'none', text: '5' },
      { row: 3, col: 5, shade: 0.7, colour: 'black', text: '4', sub: '2' },
    ]);
  });
  test('ghosts change colour and stop at a move without a cell', () => {
    expect(ghostsOf([[1, 1], [2, 2], null, [3, 3]], 'white').map((g) => g.side)).toEqual(['white', 'black']);
  });
});

describe('evaluations', () => {
  test('are black’s whoever is to move', () => {
    expect(evalOf(report, 'black').black).toBeCloseTo(0.7);
    expect(evalOf(report, 'white').black).toBeCloseTo(0.3);
  });
  test('a graph has holes where nothing is known', () => {
    expect(
      series(
        [4, 5],
        new Map([
          [0, { black: 0.5, depth: 1 }],
          [5, { black: 0.8, depth: 1 }],
        ]),
      ),
    ).toEqual([0.5, null, 0.8]);
  });
  test('a review finds who gave away what', () => {
    const evals = new Map([
      [0, { black: 0.5, depth: 1, best: 'a' }],
      [1, { black: 0.5, depth: 1, best: 'b' }],
      [2, { black: 0.9, depth: 1, best: 'c' }],
      [3, { black: 0.7, depth: 1 }],
    ]);
    const played = (['a', 'x', 'y'] as const).map((move, i) => ({ move, side: i % 2 ? ('white' as const) : ('black' as const) }));
    const verdicts = judge([0, 1, 2, 3], played, evals);
    expect(verdicts.get(1)?.loss).toBe(0);
    expect(verdicts.get(2)).toMatchObject({ grade: 'blunder', best: 'b' });
    expect(verdicts.get(3)?.loss).toBeCloseTo(0.2);
    expect(grade(0.1)).toBe('inaccuracy');
  });
  test('a review names the move that lost, not the forced replies after it', () => {
    // White errs with b; the search of the forced reply c knows nothing, the one after it that White is lost.
    const evals = new Map([
      [0, { black: 0.2, depth: 8, best: 'a' }],
      [1, { black: 0.18, depth: 8, best: 'x' }],
      [2, { black: 0.2, depth: 9, best: 'c' }],
      [3, { black: 0.25, depth: 1, best: 'd' }],
      [4, { black: 1, depth: 9 }],
    ]);
    const played = ['a', 'b', 'c', 'd'].map((move, i) => ({ move, side: i % 2 ? ('white' as const) : ('black' as const) }));
    const verdicts = judge([0, 1, 2, 3, 4], played, evals);
    expect(verdicts.get(2)).toMatchObject({ grade: 'blunder', losing: true, side: 'white', best: 'x' });
    expect([1, 3, 4].map((id) => verdicts.get(id)?.grade)).toEqual(['good', 'good', 'good']);
  });
});
