// Positions to show where there is no game: on the home page and beside the settings.
import type { View } from '../api/types';

function sample(game: string, board: string[], cells: [number, number][]): View {
  const [row, col] = cells.at(-1) ?? [0, 0];
  return {
    game,
    rows: board.length,
    cols: board.length,
    rule: '',
    opening: '',
    board,
    to_move: 'black',
    turn: 'first',
    colours: { first: 'black', second: 'white' },
    ply: cells.length,
    moves: cells.map(([row, col], i) => ({ move: '', row, col, side: i % 2 ? 'white' : 'black' })),
    last: { move: '', row, col },
    legal: { place: true, swap: false, extend: false },
    forbidden: [],
  };
}

export const samples: Record<string, View> = {
  gomoku: sample(
    'gomoku',
    ['.........', '.........', '.....O...', '..OXXX...', '...OX....', '..XOX....', '.....O...', '.........', '.........'],
    [
      [4, 4],
      [3, 2],
      [3, 4],
      [4, 3],
      [3, 3],
      [5, 3],
      [5, 2],
      [2, 5],
      [5, 4],
      [6, 5],
      [3, 5],
    ],
  ),
  hex: sample(
    'hex',
    ['.......', '...X...', '..O.O..', '..XX...', '.OXO...', '...O...', '.......'],
    [
      [3, 3],
      [4, 3],
      [4, 2],
      [5, 3],
      [1, 3],
      [2, 2],
      [3, 2],
      [4, 1],
      [3, 3],
      [2, 4],
    ],
  ),
};
