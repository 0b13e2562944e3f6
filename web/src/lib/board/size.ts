// How large a board is drawn: its shape, and the widest it may become at the person's largest cell.
import { frame, type Orientation } from './hex';

interface Size {
  game: string;
  rows: number;
  cols: number;
}
interface Look {
  hexOrientation: string;
  coordinates: boolean;
  cell: number;
}

const hexFrame = ({ rows, cols }: Size, look: Look) => frame(rows, cols, look.hexOrientation as Orientation, look.coordinates);

/** Width over height. */
export function shapeOf(size: Size, look: Look): number {
  if (size.game !== 'hex') return 1;
  const { w, h } = hexFrame(size, look);
  return w / h;
}

/** In pixels. */
export function widestOf(size: Size, look: Look): number {
  // Neighbouring Hex cells are √3 of the frame's units apart.
  const cells = size.game === 'hex' ? hexFrame(size, look).w / Math.sqrt(3) : size.cols + 1;
  return Math.round(look.cell * cells);
}
