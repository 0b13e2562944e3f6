// How a point is written in each game's notation.
import { gomokuName } from './gomoku';
import { name as hexName } from './hex';

/** The move that puts a stone on a point. */
export function moveName(game: string, row: number, col: number, rows: number): string {
  return game === 'hex' ? hexName(row, col) : gomokuName(row, col, rows).toLowerCase();
}
