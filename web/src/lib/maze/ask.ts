// Asking the server to search, make and read maps.
import { post } from '../api/client';
import { write, type MazeMap, type Place } from './map';
import type { MazeAnswer } from './playback';

export interface Wish {
  algorithm: string;
  neighbours: 4 | 8;
  corner_cutting: boolean;
  weight: number;
}

interface Raw {
  cost?: number | null;
  path?: (Place | { row: number; col: number })[] | null;
  expanded?: number;
  seconds?: number;
  events?: unknown[];
  dropped?: number;
}

export async function solve(map: MazeMap, wish: Wish): Promise<MazeAnswer> {
  const raw = await post<Raw>('/maze/solve', {
    map: write(map, false),
    from: map.start,
    to: map.goal,
    algorithm: wish.algorithm,
    neighbours: wish.neighbours,
    corner_cutting: wish.corner_cutting,
    ...(wish.algorithm === 'wastar' ? { weight: wish.weight } : {}),
    record: true,
  });
  return {
    algorithm: wish.algorithm,
    cost: raw.cost ?? null,
    path: (raw.path ?? []).map((p) => (Array.isArray(p) ? p : [p.row, p.col])),
    expanded: raw.expanded ?? 0,
    seconds: raw.seconds ?? 0,
    events: raw.events ?? [],
    dropped: raw.dropped ?? 0,
  };
}
