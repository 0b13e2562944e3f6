// What a review says about each move: how much of the mover's winning chance it gave away.
import type { PlayedMove, Side } from '../api/types';
import { grade, type Eval, type Grade } from './evals';

export interface Verdict {
  side: Side;
  grade: Grade;
  /** The mover's chance before and after, and how much of it was given away. */
  before: number;
  after: number;
  loss: number;
  /** The game was open before this move and is lost after it. */
  losing: boolean;
  best?: string | undefined;
  cell?: [number, number] | undefined;
}

/** A chance from which a game is as good as lost, and one from which it is still open. */
const LOST = 0.05;
const OPEN = 0.2;

/** Black's chances with what was found later: a position whose best move was played is worth what that led to. A search
    of a forced reply ends at once and knows little; the ones after it know more. */
function withHindsight(ids: number[], moves: readonly PlayedMove[], evals: ReadonlyMap<number, Eval>): (number | undefined)[] {
  const values = ids.map((id) => evals.get(id)?.black);
  for (let i = moves.length - 1; i >= 0; i--) {
    const [found, later] = [evals.get(ids[i] ?? -1), evals.get(ids[i + 1] ?? -1)];
    if (!found || !later || found.best !== moves[i]?.move) continue;
    const decided = values[i + 1] === 0 || values[i + 1] === 1;
    if (decided || later.depth > found.depth) values[i] = values[i + 1];
  }
  return values;
}

/** Verdicts by node. `ids` starts with the root; the moves belong to `ids[1]` and on. */
export function judge(ids: number[], moves: readonly PlayedMove[], evals: ReadonlyMap<number, Eval>): Map<number, Verdict> {
  const verdicts = new Map<number, Verdict>();
  const values = withHindsight(ids, moves, evals);
  moves.forEach(({ move, side = 'black', row, col }, i) => {
    const [value, next, node] = [values[i], values[i + 1], ids[i + 1]];
    if (value === undefined || next === undefined || node === undefined) return;
    const best = evals.get(ids[i] ?? -1)?.best;
    const [before, after] = side === 'black' ? [value, next] : [1 - value, 1 - next];
    const loss = best === move ? 0 : Math.max(0, before - after);
    const cell: [number, number] | undefined = row !== undefined && col !== undefined ? [row, col] : undefined;
    const losing = loss > 0 && before >= OPEN && after <= LOST;
    verdicts.set(node, { side, grade: grade(loss), before, after, loss, losing, best, cell });
  });
  return verdicts;
}
