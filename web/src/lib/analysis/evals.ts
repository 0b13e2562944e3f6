// Evaluations by node, from black's view, and what a review says about each move.
import type { Report, Side } from '../api/types';

export interface Eval {
  /** Black's chance, 0 to 1. */
  black: number;
  depth: number;
  best?: string | undefined;
  mate?: number | undefined;
}

export function evalOf(report: Report, toMove: Side): Eval {
  return {
    black: toMove === 'black' ? report.win_rate : 1 - report.win_rate,
    depth: report.depth,
    best: report.lines[0]?.moves[0],
    mate: report.mate,
  };
}

/** Whole-game evaluation as series for a graph: ply 0 is the start. Holes are null. */
export function series(line: number[], evals: ReadonlyMap<number, Eval>): (number | null)[] {
  return [0, ...line].map((id) => evals.get(id)?.black ?? null);
}

export type Grade = 'good' | 'inaccuracy' | 'mistake' | 'blunder';

/** How bad a loss of winning chance is. */
export function grade(loss: number): Grade {
  if (loss >= 0.3) return 'blunder';
  if (loss >= 0.15) return 'mistake';
  if (loss >= 0.07) return 'inaccuracy';
  return 'good';
}

export const gradeMark: Record<Grade, string> = { good: '', inaccuracy: '?!', mistake: '?', blunder: '??' };
