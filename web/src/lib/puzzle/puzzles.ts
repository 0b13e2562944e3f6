// Puzzles as the server tells them, and the secret under which it keeps this browser's progress.
import { get, post } from '../api/client';
import type { Branch, Judged, PlayedMove, PuzzleBody, PuzzleEntry, Setup, View } from '../api/types';
import { stonesOn } from '../board/marks';

const KEY = 'tengen.puzzles';

function secret(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

/** The secret, asked for when something is first worth keeping. */
async function keeper(): Promise<string | undefined> {
  const known = secret();
  if (known) return known;
  const made = await post<{ secret: string }>('/puzzles/progress', null).then(
    (m) => m.secret,
    () => undefined,
  );
  try {
    if (made) localStorage.setItem(KEY, made);
  } catch {
    // A browser that keeps nothing still lets people solve.
  }
  return made;
}

export const list = () => get<{ puzzles: PuzzleEntry[] }>('/puzzles', secret()).then((found) => found.puzzles);

const path = (p: { game: string; id: string }) => `/puzzles/${encodeURIComponent(p.game)}/${encodeURIComponent(p.id)}`;

export const show = (game: string, id: string) => get<PuzzleBody>(path({ game, id }), secret());
export const judge = async (p: PuzzleEntry, moves: string[]) => post<Judged>(`${path(p)}/moves`, { moves }, await keeper());
export const hint = async (p: PuzzleEntry, moves: string[]) => post<PlayedMove>(`${path(p)}/hint`, { moves }, await keeper());
export const solution = async (p: PuzzleEntry) => (await post<{ tree: Branch[] }>(`${path(p)}/solution`, null, await keeper())).tree;

/** The puzzle's position as a set-up of its own, so that the tree of moves starts there. */
export function startOf(view: View, rule: string): Setup {
  return { game: view.game, rows: view.rows, cols: view.cols, rule, opening: '', stones: stonesOn(view.board), to_move: view.to_move };
}

export type State = 'solved' | 'helped' | 'tried' | 'new';

/** Solved without help shines; solved with help counts too. */
export function stateOf(p: PuzzleEntry): State {
  if (p.solved) return p.hints ? 'helped' : 'solved';
  return p.wrong || p.hints ? 'tried' : 'new';
}

/** Puzzles of one game by grade, easy ones first. */
export function byGrade(puzzles: PuzzleEntry[]): [number, PuzzleEntry[]][] {
  const grades = [...new Set(puzzles.map((p) => p.grade))].sort((a, b) => a - b);
  return grades.map((grade) => [grade, puzzles.filter((p) => p.grade === grade)]);
}

/** Cells around a move: a hint that leaves something to find. */
export function around(row: number, col: number, rows: number, cols: number, reach = 2): [number, number][] {
  const cells: [number, number][] = [];
  for (let r = Math.max(0, row - reach); r <= Math.min(rows - 1, row + reach); r++) {
    for (let c = Math.max(0, col - reach); c <= Math.min(cols - 1, col + reach); c++) cells.push([r, c]);
  }
  return cells;
}
