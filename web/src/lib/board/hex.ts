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
