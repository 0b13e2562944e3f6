// How points and sides are written in each game.
import type { Side } from '../api/types';
import { t, word } from '../i18n';
import { gomokuName } from './gomoku';
import { name as hexName } from './hex';

/** The move that puts a stone on a point. */
export function moveName(game: string, row: number, col: number, rows: number): string {
  return game === 'hex' ? hexName(row, col) : gomokuName(row, col, rows).toLowerCase();
}

/** A move for people: points in capitals, as on the board; words such as `swap` in their language. */
export function pointName(move: string): string {
  // A point, or in brackets an offered fifth move.
  if (/^\(?[a-z]\d+\)?$/.test(move)) return move.toUpperCase();
  const declared = /^declare(\d+)$/.exec(move)?.[1];
  return declared ? t('move.declare', { n: declared }) : word('move', move);
}

/** A side by what its stones look like. */
export function sideName(game: string, side: Side): string {
  if (game === 'tictactoe') return side === 'black' ? 'X' : 'O';
  return word(game === 'hex' ? 'hexside' : 'side', side);
}
