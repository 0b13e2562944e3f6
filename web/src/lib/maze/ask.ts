// Asking the server to search.
import { post } from '../api/client';
import { write, type MazeMap, type Place } from './map';
import type { MazeAnswer, MazeEvent } from './playback';

export interface Wish {
  algorithm: string;
  neighbours: string;
  weight: number;
}

interface Raw {
  cost?: number | null;
  path?: Place[];
  expanded?: number;
  seconds?: number;
  events?: MazeEvent[];
  dropped?: number;
}

export async function solve(map: MazeMap, wish: Wish): Promise<MazeAnswer> {
  const raw = await post<Raw>('/maze/solve', {
    map: write(map, false),
    from: map.start,
    to: map.goal,
    algorithm: wish.algorithm,
    neighbours: wish.neighbours,
    ...(wish.algorithm === 'wastar' ? { weight: wish.weight } : {}),
    record: true,
  });
  return {
    algorithm: wish.algorithm,
    cost: raw.cost ?? null,
    path: raw.path ?? [],
    expanded: raw.expanded ?? 0,
    seconds: raw.seconds ?? 0,
    events: raw.events ?? [],
    dropped: raw.dropped ?? 0,
  };
}
