// The content of a study as it is stored and sent: chapters, each a set-up with a tree of moves.
import type { Branch, Note, Setup } from '../api/types';
import { isEmpty } from '../tree/note';
import type { Eval } from './evals';

export interface Chapter {
  name?: string;
  setup: Setup;
  /** What is said and drawn before the first move. */
  root?: Note;
  branches: Branch[];
  /** Moves to the position shown. */
  at: string[];
  /** Evaluations by the moves that lead to them. */
  evals: [string[], Eval][];
}

export interface Kept {
  name?: string;
  chapters: Chapter[];
  /** Index of the chapter shown. */
  chapter: number;
}

/** A study of one chapter. */
export const single = (chapter: Chapter): Kept => ({ chapters: [chapter], chapter: 0 });

/** A chapter that begins on an empty board. */
export const emptyChapter = (setup: Setup): Chapter => ({ setup, branches: [], at: [], evals: [] });

/** A line of moves as a tree. */
export const lineOf = (moves: string[]): Branch[] => moves.reduceRight<Branch[]>((children, move) => [{ move, comment: '', children }], []);

/** Reads what was stored; earlier versions stored one chapter alone. Null if it is neither. */
export function readKept(value: unknown): Kept | null {
  if (typeof value !== 'object' || value === null) return null;
  const { chapters, chapter, name } = value as Partial<Kept>;
  const list = (Array.isArray(chapters) ? chapters : [value]).map(readChapter).filter((c) => c !== null);
  if (!list.length) return null;
  const shown = Number.isInteger(chapter) ? Math.min(Math.max(chapter ?? 0, 0), list.length - 1) : 0;
  return { ...(typeof name === 'string' && name ? { name } : {}), chapters: list, chapter: shown };
}

function readChapter(value: unknown): Chapter | null {
  const { setup, branches, at, evals, root, name } = (value ?? {}) as Partial<Chapter>;
  if (typeof setup?.game !== 'string') return null;
  return {
    ...(typeof name === 'string' && name ? { name } : {}),
    setup,
    ...(root ? { root } : {}),
    branches: Array.isArray(branches) ? branches : [],
    at: Array.isArray(at) ? at : [],
    evals: Array.isArray(evals) ? evals : [],
  };
}

/** What makes a study worth keeping, as text; the position shown and evaluations do not. */
export const content = ({ name, chapters }: Kept) =>
  JSON.stringify([name, chapters.map(({ name, setup, root, branches }) => [name, setup, root, branches])]);

const blankChapter = ({ setup, branches, root }: Chapter) => !branches.length && !setup.stones?.length && isEmpty(root ?? {});

export const blank = ({ name, chapters }: Kept) => !name && chapters.length < 2 && chapters.every(blankChapter);

/** Moves in all chapters. */
export function countMoves({ chapters }: Kept): number {
  let count = 0;
  const work = chapters.flatMap((chapter) => chapter.branches);
  for (let branch = work.pop(); branch; branch = work.pop()) {
    count++;
    if (branch.children) work.push(...branch.children);
  }
  return count;
}
