// Progress with puzzles, where this device judges the moves: counted here, and added to what the server has counted.
import type { PuzzleEntry } from '../api/types';
import { all, keep, kept } from './store';

interface Counts {
  solved: number;
  wrong: number;
  hints: number;
}

const NONE: Counts = { solved: 0, wrong: 0, hints: 0 };
const keyOf = (game: string, id: string) => `${game}/${id}`;

/** Puzzles with this browser's counts added. */
export async function withProgress<P extends PuzzleEntry>(puzzles: P[]): Promise<P[]> {
  const counts = await all<Counts>('progress');
  return puzzles.map((p) => {
    const { solved, wrong, hints } = counts.get(keyOf(p.game, p.id)) ?? NONE;
    return { ...p, solved: p.solved + solved, wrong: p.wrong + wrong, hints: p.hints + hints };
  });
}

/** Counts what was done with a puzzle. */
export async function count(game: string, id: string, what: keyof Counts): Promise<void> {
  const key = keyOf(game, id);
  const before = (await kept<Counts>('progress', key)) ?? NONE;
  await keep('progress', key, { ...before, [what]: before[what] + 1 });
}
