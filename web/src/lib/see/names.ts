// How a cell's number is written in the notation of its game.
import { moveName } from '../board/names';

/** `h8`, `b2`; tic-tac-toe counts rows from the top, as Hex does. */
export function cellName(game: string, rows: number, cols: number, cell: number): string {
  if (cell < 0) return '';
  const row = Math.floor(cell / cols);
  return moveName(game === 'tictactoe' ? 'hex' : game, row, cell % cols, rows);
}
