// Asking the server to search, and to make maps.
import { post } from '../api/client';
import { read, write, type MazeMap, type Place } from './map';
import type { MazeAnswer } from './playback';

export interface Wish {
  algorithm: string;
  neighbours: string;
  weight: number;
}

interface Raw {
  result: MazeAnswer['result'];
  cost?: number | null;
  path?: Place[];
  expanded?: number;
  seconds?: number;
  prepare_seconds?: number;
  memory_bytes?: number;
  trace?: number[];
  dropped?: number;
}

/** Searches; with `trace`, every cell opened and closed comes with the answer. */
export async function solve(map: MazeMap, wish: Wish, trace = true): Promise<MazeAnswer> {
  const raw = await post<Raw>('/maze/solve', {
    map: write(map, false),
    from: map.start,
    to: map.goal,
    algorithm: wish.algorithm,
    neighbours: wish.neighbours,
    ...(wish.algorithm === 'wastar' ? { weight: wish.weight } : {}),
    trace,
  });
  return {
    algorithm: wish.algorithm,
    result: raw.result,
    cost: raw.cost ?? null,
    path: raw.path ?? [],
    expanded: raw.expanded ?? 0,
    seconds: raw.seconds ?? 0,
    prepareSeconds: raw.prepare_seconds ?? 0,
    memoryBytes: raw.memory_bytes ?? 0,
    trace: Uint32Array.from(raw.trace ?? []),
    dropped: raw.dropped ?? 0,
  };
}

/** A map of a style; `braided` is a winding maze with circles. The same seed gives the same map. */
export async function generate(style: string, rows: number, cols: number, seed: number): Promise<MazeMap> {
  const braided = style === 'braided';
  const made = await post<{ map: string[] }>('/maze/generate', {
    style: braided ? 'backtracker' : style,
    rows,
    cols,
    seed,
    ...(braided ? { braid: 0.6 } : {}),
  });
  return read(made.map.join('\n'));
}
