// Maps to search in, made from a seed: the same seed gives the same map.
import { blank, WALL, type MazeMap, type Place } from './map';

export const kinds = ['backtracker', 'braided', 'noise', 'caves'] as const;
export type Kind = (typeof kinds)[number];

/** Numbers from 0 up to 1, by the mulberry32 generator. */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function generate(kind: Kind, rows: number, cols: number, seed: number): MazeMap {
  const random = numbers(seed);
  const map = blank(clamp(rows), clamp(cols));
  if (kind === 'noise') noise(map, random, 0.3);
  else if (kind === 'caves') caves(map, random);
  else passages(map, random, kind === 'braided' ? 0.12 : 0);
  return map;
}

const clamp = (n: number) => Math.min(301, Math.max(3, Math.floor(n) || 3));

/** A perfect maze by walking until stuck and stepping back; `loops` is the share of inner walls then opened. */
function passages(map: MazeMap, random: () => number, loops: number) {
  map.rows -= (map.rows + 1) % 2;
  map.cols -= (map.cols + 1) % 2;
  const { rows, cols } = map;
  map.cells = new Uint8Array(rows * cols).fill(WALL);
  const open = (r: number, c: number) => (map.cells[r * cols + c] = 1);
  const isOpen = (r: number, c: number) => map.cells[r * cols + c] !== WALL;
  const trail: Place[] = [[1, 1]];
  open(1, 1);
  for (let at = trail.at(-1); at; at = trail.at(-1)) {
    const [r, c] = at;
    const ways = ([[-2, 0], [2, 0], [0, -2], [0, 2]] as Place[])
      .map(([dr, dc]): Place => [r + dr, c + dc])
      .filter(([y, x]) => y > 0 && x > 0 && y < rows - 1 && x < cols - 1 && !isOpen(y, x));
    const next = ways[Math.floor(random() * ways.length)];
    if (!next) {
      trail.pop();
      continue;
    }
    open((r + next[0]) / 2, (c + next[1]) / 2);
    open(...next);
    trail.push(next);
  }
  for (let r = 1; r < rows - 1; r++) {
    for (let c = 1; c < cols - 1; c++) if ((r + c) % 2 && random() < loops) open(r, c);
  }
  map.start = [1, 1];
  map.goal = [rows - 2, cols - 2];
}

/** Walls here and there; the ends stay free, a way between them is not promised. */
function noise(map: MazeMap, random: () => number, share: number) {
  for (let i = 0; i < map.cells.length; i++) if (random() < share) map.cells[i] = WALL;
  clear(map);
}

/** Noise smoothed until it looks like caves. */
function caves(map: MazeMap, random: () => number) {
  const { rows, cols } = map;
  noise(map, random, 0.44);
  for (let round = 0; round < 4; round++) {
    const before = map.cells.slice();
    const wall = (r: number, c: number) => r < 0 || c < 0 || r >= rows || c >= cols || before[r * cols + c] === WALL;
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < cols; c++) {
        let walls = 0;
        for (let dr = -1; dr <= 1; dr++) for (let dc = -1; dc <= 1; dc++) if ((dr || dc) && wall(r + dr, c + dc)) walls++;
        map.cells[r * cols + c] = walls > 4 || (walls === 4 && wall(r, c)) ? WALL : 1;
      }
    }
  }
  clear(map);
}

/** Frees the ends and puts them in opposite corners' free cells. */
function clear(map: MazeMap) {
  const { rows, cols, cells } = map;
  const first = cells.findIndex((cost) => cost !== WALL);
  const last = cells.findLastIndex((cost) => cost !== WALL);
  if (first < 0) cells.fill(1);
  map.start = [Math.floor(Math.max(first, 0) / cols), Math.max(first, 0) % cols];
  map.goal = last < 0 ? [rows - 1, cols - 1] : [Math.floor(last / cols), last % cols];
}
