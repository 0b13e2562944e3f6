// A recorded search played back: which cells are open and closed after so many events.
import type { Place } from './map';

export const OPEN = 1;
export const CLOSED = 2;

// Packed events have their kind in the high bits and the cell's index below.
const KIND = 28;
const CELL = (1 << KIND) - 1;
const RESTART = 3;

/** `["open", row, column, …]`, `["bound", value]` and so on: there are many, so they are short. */
export type MazeEvent = [name: string, row?: number, col?: number, ...more: number[]];

export interface MazeAnswer {
  algorithm: string;
  cost: number | null;
  path: Place[];
  expanded: number;
  seconds: number;
  events: MazeEvent[];
  dropped: number;
}

/** Events as the server sends them, packed. Those of kinds we do not draw are left out. */
export function pack(events: MazeEvent[], cols: number): Uint32Array {
  const packed: number[] = [];
  for (const [name, row, col] of events) {
    if (name === 'bound') {
      // IDA* forgets what it saw and starts again.
      packed.push(RESTART * 2 ** KIND);
      continue;
    }
    const kind = name === 'open' ? OPEN : name === 'close' || name === 'meet' ? CLOSED : 0;
    if (kind && row !== undefined && col !== undefined) packed.push(kind * 2 ** KIND + row * cols + col);
  }
  return Uint32Array.from(packed);
}

export class Playback {
  readonly state: Uint8Array;
  at = 0;
  open = 0;
  closed = 0;

  constructor(
    readonly events: Uint32Array,
    cells: number,
  ) {
    this.state = new Uint8Array(cells);
  }

  get done(): boolean {
    return this.at >= this.events.length;
  }

  /** Goes on by some events. */
  step(count: number) {
    const end = Math.min(this.at + count, this.events.length);
    for (; this.at < end; this.at++) {
      const event = this.events[this.at] ?? 0;
      const kind = event >>> KIND;
      const cell = event & CELL;
      if (kind === RESTART) {
        this.state.fill(0);
        this.open = this.closed = 0;
        continue;
      }
      const before = this.state[cell] ?? 0;
      if (kind === OPEN && before !== OPEN) this.open++;
      if (kind === CLOSED) {
        this.closed++;
        if (before === OPEN) this.open--;
      }
      this.state[cell] = kind;
    }
  }

  /** Goes to a moment, back or forth. */
  seek(at: number) {
    if (at < this.at) {
      this.at = this.open = this.closed = 0;
      this.state.fill(0);
    }
    this.step(at - this.at);
  }
}
