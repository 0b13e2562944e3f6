// Where the keyboard stands on a board, and what a first tap aims at: the same on every board.
import { moveCursor } from './keyboard';
import type { BoardProps } from './marks';

type Asked = { rows: number; cols: number } & Pick<BoardProps, 'interactive' | 'confirmTap' | 'onpick' | 'refusal' | 'onrefused'>;

/** Cells narrower than this are easily missed, in pixels. */
const FINGERTIP = 32;

const widthOf = (event: MouseEvent) => (event.target as Element | null)?.getBoundingClientRect().width ?? FINGERTIP;

export class Cursor {
  /** The cell that a first tap chose and a second one plays. */
  pending = $state<[number, number] | null>(null);
  #at = $state<[number, number] | null>(null);
  /** Is a pointer down, and did the keyboard bring the focus here? Only then the board takes the arrow keys. */
  #pointing = false;
  #byKeyboard = false;
  readonly #board: () => Asked;

  constructor(board: () => Asked) {
    this.#board = board;
  }

  /** The cell that has the keyboard: the middle until somebody moves. */
  get at(): [number, number] {
    const { rows, cols } = this.#board();
    return this.#at ?? [(rows - 1) >> 1, (cols - 1) >> 1];
  }

  focus(row: number, col: number) {
    this.#at = [row, col];
    this.#byKeyboard = !this.#pointing;
  }

  /** A pointer went down or up on the board. */
  point(down: boolean) {
    this.#pointing = down;
    if (down) this.#byKeyboard = false;
  }

  /** Tells why a cell may not be played, if it may not. */
  #refuses(row: number, col: number): boolean {
    const { refusal, onrefused } = this.#board();
    const why = onrefused && refusal?.(row, col);
    if (why) onrefused(why);
    return !!why;
  }

  touch(row: number, col: number, event: MouseEvent) {
    const { interactive, confirmTap, onpick } = this.#board();
    if (this.#refuses(row, col) || !interactive) return;
    this.#at = [row, col];
    // A finger hides what it touches: the first tap aims, the second plays.
    const finger = 'pointerType' in event && event.pointerType === 'touch';
    const asks = confirmTap === 'always' || (confirmTap === 'small' && widthOf(event) < FINGERTIP);
    if (asks && finger && !(this.pending?.[0] === row && this.pending[1] === col)) {
      this.pending = [row, col];
      return;
    }
    this.pending = null;
    onpick?.(row, col);
  }

  keydown(event: KeyboardEvent & { currentTarget: SVGElement }) {
    const { rows, cols, interactive, onpick } = this.#board();
    const next = this.#byKeyboard ? moveCursor(event.key, this.at, rows, cols) : null;
    if (next) {
      event.preventDefault();
      this.#at = next;
      event.currentTarget.querySelector<SVGElement>(`[data-cell="${next[0]},${next[1]}"]`)?.focus();
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      if (this.#at && !this.#refuses(...this.#at) && interactive) onpick?.(...this.#at);
    }
  }
}
