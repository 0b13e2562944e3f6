// The position that is to be searched: a board set up by hand or from the examples, and how to ask the server.
import { post } from '../api/client';
import type { Setup, Side } from '../api/types';
import { stonesOn } from '../board/marks';
import { checkRecord, type SeeRecord } from './record';

export type SeeGame = 'tictactoe' | 'gomoku' | 'hex';

export interface Example {
  /** Its name in the tables of texts is `see.example.NAME`. */
  name: string;
  game: SeeGame;
  board: string[];
}

const empty = (rows: number, cols = rows) => Array.from({ length: rows }, () => '.'.repeat(cols));

/** The published check position. */
export const LEVEL_16 = [
  '...............',
  '...............',
  '...............',
  '...............',
  '......OX.O.....',
  '......O........',
  '....OX..X.OX...',
  '.......XO.X....',
  '...............',
  '...............',
  '...............',
  '...............',
  '...............',
  '...............',
  '...............',
];

export const examples: Example[] = [
  { name: 'ttt-middle', game: 'tictactoe', board: ['XO.', '.X.', '..O'] },
  { name: 'ttt-opening', game: 'tictactoe', board: ['X..', '.O.', '...'] },
  { name: 'ttt-empty', game: 'tictactoe', board: empty(3) },
  { name: 'gomoku-small', game: 'gomoku', board: ['......', '..X...', '..XO..', '..OX..', '......', '......'] },
  {
    name: 'gomoku-threes',
    game: 'gomoku',
    board: ['.........', '.........', '....O....', '...XX....', '...OXO...', '.....X...', '.........', '.........', '.........'],
  },
  { name: 'gomoku-level16', game: 'gomoku', board: LEVEL_16 },
  { name: 'hex-4', game: 'hex', board: ['....', '.X..', '..O.', '....'] },
  { name: 'hex-5', game: 'hex', board: ['.....', '...O.', '..X..', '.....', '.....'] },
  { name: 'hex-3', game: 'hex', board: empty(3) },
];

export class Stage {
  game = $state<SeeGame>('tictactoe');
  board = $state.raw<string[]>(['XO.', '.X.', '..O']);
  /** A game is being played: stones stay where they are. */
  playing = $state(false);
  /** And the game is over. */
  frozen = false;
  /** Stones put by hand, for taking back. */
  #before: string[][] = [];

  rows = $derived(this.board.length);
  cols = $derived(this.board[0]?.length ?? 0);
  black = $derived(this.board.join('').split('X').length - 1);
  white = $derived(this.board.join('').split('O').length - 1);
  toMove = $derived<Side>(this.black > this.white ? 'white' : 'black');

  show(example: { game: SeeGame; board: string[] }) {
    this.game = example.game;
    this.board = example.board;
    this.#before = [];
  }

  clear(size: number) {
    this.show({ game: this.game, board: empty(size) });
  }

  /** A stone of the side to move on an empty cell; a stone is taken off by touching it. */
  touch(row: number, col: number) {
    const line = this.board[row];
    if (line === undefined) return;
    const now = line[col];
    if (this.playing && (this.frozen || now !== '.')) return;
    const put = now === '.' ? (this.toMove === 'black' ? 'X' : 'O') : '.';
    const board = this.board.map((text, r) => (r === row ? text.slice(0, col) + put + text.slice(col + 1) : text));
    // Taking a stone off must not leave a side two moves ahead.
    const count = (c: string) => board.join('').split(c).length - 1;
    if (Math.abs(count('X') - count('O')) > 1 || count('O') > count('X')) return;
    this.#before.push(this.board);
    this.board = board;
  }

  undo() {
    const last = this.#before.pop();
    if (last) this.board = last;
  }

  get setup(): Setup {
    return { game: this.game, rows: this.rows, cols: this.cols, rule: '', opening: '', stones: stonesOn(this.board), to_move: this.toMove };
  }

  /** Asks for a record of a search of this position. */
  async explain(ask: Record<string, unknown>): Promise<SeeRecord> {
    const where = this.game === 'tictactoe' ? { tictactoe: this.board.join('') } : { setup: this.setup };
    return checkRecord(await post<unknown>('/explain', { ...where, ...ask }));
  }

  /** The position in an address, and back. */
  get encoded(): string {
    return `${this.game}:${this.board.join('/')}`;
  }

  read(encoded: string | null): boolean {
    const [game, cells] = (encoded ?? '').split(':');
    const board = cells?.split('/') ?? [];
    const known = game === 'tictactoe' || game === 'gomoku' || game === 'hex';
    const cols = board[0]?.length ?? 0;
    if (!known || !cols || board.length > 22 || cols > 22 || board.some((l) => l.length !== cols || /[^.XO]/.test(l))) return false;
    this.show({ game, board });
    return true;
  }
}
