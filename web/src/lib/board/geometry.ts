// Where the cells of a board lie on the screen. Every board is drawn in units in which a stone has radius 0.46, so
// that stones, marks and texts have the same sizes on all of them.
import { gomokuName } from './gomoku';
import { centre, columnName, corners, frame, name as hexName, rowName, type Orientation, type Point } from './hex';

export interface Geometry {
  rows: number;
  cols: number;
  /** The visible rectangle. */
  box: { x: number; y: number; w: number; h: number };
  at: (row: number, col: number) => Point;
  /** The outline of a cell as SVG points, at a share of its size. */
  outline: (row: number, col: number, scale?: number) => string;
  /** A cell in the game's notation. */
  name: (row: number, col: number) => string;
  /** Names of columns and rows, where they are drawn. */
  names: (Point & { text: string })[];
}

/** SVG points around an origin. */
export const pointsText = (points: Point[], o: Point = { x: 0, y: 0 }) =>
  points.map((p) => `${(p.x + o.x).toFixed(3)},${(p.y + o.y).toFixed(3)}`).join(' ');

const letter = (col: number) => String.fromCharCode(65 + col);
const indices = (count: number) => Array.from({ length: count }, (_, i) => i);

const square = (row: number, col: number, scale = 1) => {
  const half = scale / 2;
  return pointsText(
    [
      { x: -half, y: -half },
      { x: half, y: -half },
      { x: half, y: half },
      { x: -half, y: half },
    ],
    { x: col, y: row },
  );
};

/** Stones stand on the crossings of lines that are 1 apart. */
export function gomokuGeometry(size: number, coordinates: boolean): Geometry {
  // Room for names on the left and below only: on a phone every bit of a cell counts.
  const near = 0.7;
  const far = coordinates ? 1.3 : near;
  const extent = size - 1 + near + far;
  return {
    rows: size,
    cols: size,
    box: { x: -far, y: -near, w: extent, h: extent },
    at: (row, col) => ({ x: col, y: row }),
    outline: square,
    name: (row, col) => gomokuName(row, col, size),
    names: coordinates
      ? indices(size).flatMap((i) => [
          { x: i, y: size + 0.02, text: letter(i) },
          { x: -0.88, y: i + 0.13, text: String(size - i) },
        ])
      : [],
  };
}

/** The size of a Hex cell, centre to corner. */
export const HEX_CELL = 0.625;

export function hexGeometry(rows: number, cols: number, orientation: Orientation, coordinates: boolean): Geometry {
  const scaled = (p: Point): Point => ({ x: p.x * HEX_CELL, y: p.y * HEX_CELL });
  const at = (row: number, col: number) => scaled(centre(row, col, orientation));
  const { x, y, w, h } = frame(rows, cols, orientation, coordinates);
  const label = (p: Point, text: string) => ({ x: scaled(p).x, y: scaled(p).y + 0.11, text });
  return {
    rows,
    cols,
    box: { x: x * HEX_CELL, y: y * HEX_CELL, w: w * HEX_CELL, h: h * HEX_CELL },
    at,
    outline: (row, col, scale = 1) => pointsText(corners(orientation, HEX_CELL * scale), at(row, col)),
    name: hexName,
    names: coordinates
      ? [
          ...indices(cols).map((col) => label(columnName(col, orientation), letter(col))),
          ...indices(rows).map((row) => label(rowName(row, orientation), String(row + 1))),
        ]
      : [],
  };
}

/** Tic-tac-toe: three by three squares. */
export const threeGeometry: Geometry = {
  rows: 3,
  cols: 3,
  box: { x: -0.6, y: -0.6, w: 3.2, h: 3.2 },
  at: (row, col) => ({ x: col, y: row }),
  outline: square,
  name: hexName,
  names: [],
};
