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

/** A board is drawn as if it were at least so many cells wide. */
const LEAST = 12;

const hexFrame = ({ rows, cols }: Size, look: Look) => frame(rows, cols, look.hexOrientation as Orientation, look.coordinates);

/** Width over height. */
function shapeOf(size: Size, look: Look): number {
  if (size.game !== 'hex') return 1;
  const { w, h } = hexFrame(size, look);
  return w / h;
}

/** In pixels. The cells of a small board may be larger, or it would be lost on a wide page. */
export function widestOf(size: Size, look: Look): number {
  // Neighbouring Hex cells are √3 of the frame's units apart.
  const cells = size.game === 'hex' ? hexFrame(size, look).w / Math.sqrt(3) : size.cols + 1;
  return Math.round(look.cell * Math.max(cells, LEAST));
}

/** What a board page's layout needs to know of its board. */
export const measures = (size: Size, look: Look) => `--shape: ${shapeOf(size, look).toFixed(3)}; --widest: ${widestOf(size, look)}px`;
