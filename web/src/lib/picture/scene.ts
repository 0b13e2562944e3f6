// A board as a list of shapes, from which every picture format is made.
import type { View } from '../api/types';
import { starPoints } from '../board/gomoku';
import { centre, corners, type Orientation } from '../board/hex';
import { stonesOf, type Position } from '../board/marks';

export type Point = [number, number];
export type Shape =
  | { kind: 'circle'; at: Point; r: number; fill: string; stroke?: string; width?: number }
  | { kind: 'line'; points: Point[]; stroke: string; width: number }
  | { kind: 'area'; points: Point[]; fill: string; stroke?: string; width?: number }
  | { kind: 'text'; at: Point; size: number; text: string; fill: string };

export interface Scene {
  width: number;
  height: number;
  shapes: Shape[];
}

export interface Look {
  coordinates: boolean;
  numbers: boolean;
  orientation: Orientation;
  black: string;
  white: string;
  red: string;
  blue: string;
  /** Of Hex boards: what is behind the board (nothing if empty), the cells and their borders. */
  paper: string;
  cell: string;
  border: string;
}

export const plainLook: Look = {
  coordinates: true,
  numbers: false,
  orientation: 'flat',
  black: '#151515',
  white: '#f7f5f0',
  red: '#c8352b',
  blue: '#2a62b8',
  paper: '#f6f4ef',
  cell: '#fdfcf9',
  border: '#b9b2a2',
};

/** A small picture within a page, light or dark. */
export function thumbnail(dark: boolean): Look {
  const bare = { ...plainLook, coordinates: false, paper: '' };
  return dark ? { ...bare, red: '#e2665c', blue: '#6a9be8', cell: '#2a2f39', border: '#525b6b' } : bare;
}

const CELL = 32;

/** What a picture needs to know of a position. */
export type Shown = Position & Partial<Pick<View, 'last' | 'outcome'>>;

/** The picture of a position. */
export function sceneOf(view: Shown, look: Look): Scene {
  return view.game === 'hex' ? hexScene(view, look) : gomokuScene(view, look);
}

function gomokuScene(view: Shown, look: Look): Scene {
  const size = view.rows;
  const margin = CELL * (look.coordinates ? 1.25 : 0.75);
  const side = (size - 1) * CELL + 2 * margin;
  const at = (row: number, col: number): Point => [margin + col * CELL, margin + row * CELL];
  const shapes: Shape[] = [
    {
      kind: 'area',
      points: [
        [0, 0],
        [side, 0],
        [side, side],
        [0, side],
      ],
      fill: '#e0b872',
    },
  ];
  for (let i = 0; i < size; i++) {
    shapes.push({ kind: 'line', points: [at(i, 0), at(i, size - 1)], stroke: '#6b4f22', width: 1 });
    shapes.push({ kind: 'line', points: [at(0, i), at(size - 1, i)], stroke: '#6b4f22', width: 1 });
    if (look.coordinates) {
      const [x] = at(0, i);
      shapes.push({ kind: 'text', at: [x, side - 13], size: 12, text: String.fromCharCode(65 + i), fill: '#5a4119' });
      shapes.push({ kind: 'text', at: [13, at(i, 0)[1]], size: 12, text: String(size - i), fill: '#5a4119' });
    }
  }
  for (const [row, col] of starPoints(size)) shapes.push({ kind: 'circle', at: at(row, col), r: 3.5, fill: '#6b4f22' });
  const winning = new Set((view.outcome?.cells ?? []).map(([r, c]) => r * size + c));
  for (const stone of stonesOf(view)) {
    const p = at(stone.row, stone.col);
    const won = winning.has(stone.row * size + stone.col);
    shapes.push({
      kind: 'circle',
      at: p,
      r: CELL * 0.45,
      fill: stone.side === 'black' ? look.black : look.white,
      stroke: won ? '#e5432d' : '#00000066',
      width: won ? 3 : 1,
    });
    if (look.numbers && stone.number) {
      shapes.push({ kind: 'text', at: p, size: 12, text: String(stone.number), fill: stone.side === 'black' ? '#fff' : '#111' });
    }
  }
  if (!look.numbers && view.last?.row !== undefined && view.last.col !== undefined) {
    shapes.push({ kind: 'circle', at: at(view.last.row, view.last.col), r: 4.5, fill: '#e5432d' });
  }
  return { width: side, height: side, shapes };
}

function hexScene(view: Shown, look: Look): Scene {
  const { rows, cols } = view;
  const unit = CELL / Math.sqrt(3);
  const ends = [
    centre(-1, -1, look.orientation),
    centre(-1, cols, look.orientation),
    centre(rows, -1, look.orientation),
    centre(rows, cols, look.orientation),
  ];
  const left = Math.min(...ends.map((p) => p.x)) - 0.3;
  const top = Math.min(...ends.map((p) => p.y)) - 0.3;
  const width = (Math.max(...ends.map((p) => p.x)) + 0.3 - left) * unit;
  const height = (Math.max(...ends.map((p) => p.y)) + 0.3 - top) * unit;
  const place = (x: number, y: number): Point => [(x - left) * unit, (y - top) * unit];
  const at = (row: number, col: number): Point => {
    const p = centre(row, col, look.orientation);
    return place(p.x, p.y);
  };
  const shape = corners(look.orientation);
  const around = (row: number, col: number, from = 0, to = 5, grow = 1): Point[] => {
    const c = centre(row, col, look.orientation);
    return Array.from({ length: to - from + 1 }, (_, i) => {
      const s = shape[(from + i + 6) % 6] ?? { x: 0, y: 0 };
      return place(c.x + s.x * grow, c.y + s.y * grow);
    });
  };
  const shapes: Shape[] = look.paper
    ? [
        {
          kind: 'area',
          points: [
            [0, 0],
            [width, 0],
            [width, height],
            [0, height],
          ],
          fill: look.paper,
        },
      ]
    : [];
  const edge = (stroke: string, points: Point[]) => shapes.push({ kind: 'line', points, stroke, width: unit * 0.45 });
  const across = Array.from({ length: cols }, (_, c) => c);
  const down = Array.from({ length: rows }, (_, r) => r);
  edge(
    look.red,
    across.flatMap((c) => around(0, c, -1, 1, 1.06)),
  );
  edge(
    look.red,
    across.flatMap((c) => around(rows - 1, cols - 1 - c, 2, 4, 1.06)),
  );
  edge(
    look.blue,
    down.flatMap((r) => around(rows - 1 - r, 0, 3, 5, 1.06)),
  );
  edge(
    look.blue,
    down.flatMap((r) => around(r, cols - 1, 0, 2, 1.06)),
  );
  for (const r of down) {
    for (const c of across) shapes.push({ kind: 'area', points: around(r, c), fill: look.cell, stroke: look.border, width: 1 });
  }
  if (look.coordinates) {
    for (const c of across)
      shapes.push({ kind: 'text', at: at(-1, c + 0.5), size: 11, text: String.fromCharCode(65 + c), fill: '#5d6068' });
    for (const r of down) shapes.push({ kind: 'text', at: at(r, -1), size: 11, text: String(r + 1), fill: '#5d6068' });
  }
  for (const stone of stonesOf(view)) {
    const p = at(stone.row, stone.col);
    shapes.push({ kind: 'circle', at: p, r: unit * 0.7, fill: stone.side === 'black' ? look.red : look.blue });
    if (look.numbers && stone.number) shapes.push({ kind: 'text', at: p, size: 12, text: String(stone.number), fill: '#fff' });
  }
  const path = (view.outcome?.cells ?? []).map(([r, c]) => at(r, c));
  if (path.length) shapes.push({ kind: 'line', points: path, stroke: '#ffd54a', width: unit * 0.3 });
  if (!look.numbers && view.last?.row !== undefined && view.last.col !== undefined) {
    shapes.push({ kind: 'circle', at: at(view.last.row, view.last.col), r: unit * 0.22, fill: '#fff' });
  }
  return { width, height, shapes };
}
