// Names and star points of Gomoku boards.

/** `h8` style name in capitals: column letter, row number from the bottom. */
export function gomokuName(row: number, col: number, size: number): string {
  return `${String.fromCharCode(65 + col)}${size - row}`;
}

/** The dots on the grid: the centre, and four more on boards that are large enough. */
export function starPoints(size: number): [number, number][] {
  const mid = (size - 1) / 2;
  const points: [number, number][] = Number.isInteger(mid) ? [[mid, mid]] : [];
  if (size >= 11) {
    const near = 3;
    const far = size - 1 - near;
    points.push([near, near], [near, far], [far, near], [far, far]);
  }
  return points;
}
