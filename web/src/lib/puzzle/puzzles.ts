// Puzzles as the server tells them, and the secret under which it keeps this browser's progress.
import { get, post } from '../api/client';
import type { Branch, Judged, PlayedMove, PuzzleBody, PuzzleEntry, Setup, View } from '../api/types';
import { stonesOn } from '../board/marks';
import { place } from '../engine/place.svelte';
import { count, withProgress } from '../engine/progress';

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

export const list = () => get<{ puzzles: PuzzleEntry[] }>('/puzzles', secret()).then((found) => withProgress(found.puzzles));

const path = (p: { game: string; id: string }) => `/puzzles/${encodeURIComponent(p.game)}/${encodeURIComponent(p.id)}`;

/** Asks whoever judges here. The server counts by a secret; what this device judges is counted in this browser. */
async function ask<T>(p: PuzzleEntry, what: string, body: unknown): Promise<T> {
  return post<T>(`${path(p)}/${what}`, body, place.where === 'server' ? await keeper() : undefined);
}

async function counted(p: PuzzleEntry, what: 'solved' | 'wrong' | 'hints') {
  if (place.where === 'device') await count(p.game, p.id, what);
}

export const show = async (game: string, id: string) => (await withProgress([await get<PuzzleBody>(path({ game, id }), secret())]))[0]!;
export async function judge(p: PuzzleEntry, moves: string[]): Promise<Judged> {
  const judged = await ask<Judged>(p, 'moves', { moves });
  if (judged.verdict === 'solved' || judged.verdict === 'wrong') await counted(p, judged.verdict);
  return judged;
}
export async function hint(p: PuzzleEntry, moves: string[]): Promise<PlayedMove> {
  const move = await ask<PlayedMove>(p, 'hint', { moves });
  await counted(p, 'hints');
  return move;
}
export async function solution(p: PuzzleEntry): Promise<Branch[]> {
  const { tree } = await ask<{ tree: Branch[] }>(p, 'solution', null);
  await counted(p, 'hints');
  return tree;
}

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
