// What boards draw besides their grid.
import type { Drawing, Side, View } from '../api/types';

export interface Stone {
  row: number;
  col: number;
  side: Side;
  number?: number;
}

export interface Mark {
  row: number;
  col: number;
  /** Strength of the shade, 0 to 1; none if left out. */
  shade?: number;
  colour?: string;
  text?: string;
  sub?: string;
}

/** What every board draws and says. */
export interface BoardProps {
  stones: Stone[];
  last?: [number, number] | undefined;
  marks?: Mark[];
  /** Moves of a line being previewed, as ghost stones with numbers. */
  ghosts?: Stone[];
  /** What somebody drew by hand. */
  drawings?: Drawing[];
  numbers?: boolean;
  animate?: boolean;
  blackColour?: string;
  whiteColour?: string;
  interactive?: boolean;
  /** `small`, `always` or `never`. */
  confirmTap?: string;
  label: string;
  describe: (row: number, col: number) => string;
  /** Why a cell may not be played, and who is told when somebody tries. */
  refusal?: ((row: number, col: number) => string | undefined) | undefined;
  onrefused?: ((why: string) => void) | undefined;
  onpick?: ((row: number, col: number) => void) | undefined;
  onhover?: ((row: number, col: number, inside: boolean) => void) | undefined;
  /** Drawing with the right button, from a cell to a cell (the same for a click). */
  ondraw?: ((from: [number, number], to: [number, number]) => void) | undefined;
}

/** The stones on a board of `.`, `X` and `O`. */
export function stonesOn(board: readonly string[]): Stone[] {
  return board.flatMap((line, row) =>
    [...line].flatMap((c, col): Stone[] => (c === 'X' || c === 'O' ? [{ side: c === 'X' ? 'black' : 'white', row, col }] : [])),
  );
}

/** What a board needs to know of a position. */
export type Position = { game: string; rows: number; cols: number; board: readonly string[] } & Partial<Pick<View, 'moves'>>;

/** The stones of a position, numbered by the moves that put them there. */
export function stonesOf(view: Position): Stone[] {
  const numbers = new Map((view.moves ?? []).map((move, i) => [`${move.row},${move.col}`, i + 1]));
  return stonesOn(view.board).map((stone) => {
    const number = numbers.get(`${stone.row},${stone.col}`);
    return number === undefined ? stone : { ...stone, number };
  });
}
