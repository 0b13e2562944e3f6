// A recorded search played back: which cells are open and closed after so many events.
import type { Place } from './map';

export const OPEN = 1;
export const CLOSED = 2;

const RESTART = 3;

export interface MazeAnswer {
  algorithm: string;
  /** `unknown`: the time was over before an answer. */
  result: 'found' | 'none' | 'unknown';
  cost: number | null;
  path: Place[];
  expanded: number;
  /** Of the search alone. */
  seconds: number;
  /** What the algorithm made of the map once, before the search. */
  prepareSeconds: number;
  /** Of search state and of what was prepared. */
  memoryBytes: number;
  /** Four times a cell's number, row by row, plus what became of it: opened, closed, or (3) IDA* starts again. */
  trace: Uint32Array;
  /** Events that the trace had no room for. */
  dropped: number;
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
      const kind = event & 3;
      const cell = event >>> 2;
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

  /** Events since an earlier moment; `null` if cells changed that they do not name. */
  changedSince(at: number): Uint32Array | null {
    if (at > this.at) return null;
    const events = this.events.subarray(at, this.at);
    return events.includes(RESTART) ? null : events;
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
