// Where Hex cells lie on the screen. Three orientations of the same board:
// `flat` leans right with rows level, `pointy` turns it so that columns are upright, `diamond` stands it on a corner.

export type Orientation = 'flat' | 'pointy' | 'diamond';
export interface Point {
  x: number;
  y: number;
}

const SQ3 = Math.sqrt(3);

const turn: Record<Orientation, number> = { flat: 0, pointy: Math.PI / 6, diamond: -Math.PI / 6 };

function rotate(p: Point, angle: number): Point {
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  return { x: p.x * c - p.y * s, y: p.x * s + p.y * c };
}

/** Centre of a cell; neighbouring centres are `√3` apart. */
export function centre(row: number, col: number, orientation: Orientation): Point {
  const angle = orientation === 'diamond' ? -Math.PI / 6 : turn[orientation];
  return rotate({ x: SQ3 * (col + row / 2), y: 1.5 * row }, angle);
}

/** The six corners of a cell around its centre, from the top clockwise before turning. */
export function corners(orientation: Orientation, size = 1): Point[] {
  return Array.from({ length: 6 }, (_, k) => {
    const a = (Math.PI / 3) * k - Math.PI / 2;
    return rotate({ x: Math.cos(a) * size, y: Math.sin(a) * size }, turn[orientation]);
  });
}

/** `a1` style name: column letter, row number from the top. */
export function name(row: number, col: number): string {
  return `${String.fromCharCode(97 + col)}${row + 1}`;
}

/** Where the names of columns and rows stand: outside the first row and the first column. */
export const columnName = (col: number, orientation: Orientation): Point => centre(-1.12, col + 0.56, orientation);
export const rowName = (row: number, orientation: Orientation): Point => centre(row, -1.1, orientation);

/** The rectangle that holds a board with its edges and, if wanted, its names. */
export function frame(
  rows: number,
  cols: number,
  orientation: Orientation,
  names: boolean,
): { x: number; y: number; w: number; h: number } {
  const ends = [0, rows - 1].flatMap((r) => [0, cols - 1].map((c) => centre(r, c, orientation)));
  const outside = names
    ? [columnName(0, orientation), columnName(cols - 1, orientation), rowName(0, orientation), rowName(rows - 1, orientation)]
    : [];
  const points = [...ends.map((p) => ({ ...p, pad: 1.35 })), ...outside.map((p) => ({ ...p, pad: 0.6 }))];
  const x = Math.min(...points.map((p) => p.x - p.pad));
  const y = Math.min(...points.map((p) => p.y - p.pad));
  return { x, y, w: Math.max(...points.map((p) => p.x + p.pad)) - x, h: Math.max(...points.map((p) => p.y + p.pad)) - y };
}
