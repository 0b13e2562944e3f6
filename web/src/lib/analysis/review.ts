// What a review says about each move: how much of the mover's winning chance it gave away.
import type { Side } from '../api/types';
import { grade, type Eval, type Grade } from './evals';

export interface Verdict {
  grade: Grade;
  loss: number;
  best?: string | undefined;
}

/** Verdicts by node. `ids` starts with the root; `sides` and `moves` belong to `ids[1]` and on. */
export function judge(ids: number[], sides: Side[], moves: string[], evals: ReadonlyMap<number, Eval>): Map<number, Verdict> {
  const verdicts = new Map<number, Verdict>();
  sides.forEach((side, i) => {
    const before = evals.get(ids[i] ?? -1);
    const node = ids[i + 1];
    const after = evals.get(node ?? -1);
    if (!before || !after || node === undefined) return;
    const change = before.black - after.black;
    const given = before.best === moves[i] ? 0 : Math.max(0, side === 'black' ? change : -change);
    verdicts.set(node, { grade: grade(given), loss: given, best: before.best });
  });
  return verdicts;
}
