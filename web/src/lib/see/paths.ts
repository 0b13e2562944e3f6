// A recorded path search at any moment: which cells are open, closed or turned back at, with their g and h.
import type { PathRecord } from './record';

export const OPEN = 1;
export const CLOSED = 2;
export const TURNED = 3;

const [E_OPEN, E_CLOSE, E_REOPEN, E_BOUND, E_CUT, E_JUMP, E_MEET] = [0, 1, 2, 3, 4, 5, 6];

export class PathPlay {
  readonly state: Uint8Array;
  readonly g: Float64Array;
  readonly h: Float64Array;
  /** In which order open cells came, for equals on the heap. */
  readonly order: Uint32Array;
  /** How often a cell was expanded, over all rounds. */
  readonly times: Uint16Array;
  readonly jump: Uint8Array;
  at = 0;
  closed = 0;
  reopened = 0;
  cuts = 0;
  rounds = 0;
  bound: number | null = null;
  bounds: number[] = [];
  #met = 0;

  constructor(readonly record: PathRecord) {
    const cells = record.rows * record.cols;
    this.state = new Uint8Array(cells);
    this.g = new Float64Array(cells);
    this.h = new Float64Array(cells);
    this.order = new Uint32Array(cells);
    this.times = new Uint16Array(cells);
    this.jump = new Uint8Array(cells);
  }

  get total(): number {
    return this.record.event.length;
  }

  seek(to: number) {
    if (to < this.at) {
      this.state.fill(0);
      this.order.fill(0);
      this.times.fill(0);
      this.jump.fill(0);
      this.at = this.closed = this.reopened = this.cuts = this.rounds = this.#met = 0;
      this.bound = null;
      this.bounds = [];
    }
    const { event, cell, g, h } = this.record;
    for (; this.at < Math.min(to, this.total); this.at++) {
      const [kind, where] = [event[this.at]!, cell[this.at]!];
      if (kind === E_BOUND) {
        // IDA* forgets what it saw and starts again.
        this.state.fill(0);
        this.bound = g[this.at]!;
        this.bounds.push(this.bound);
        this.rounds++;
        continue;
      }
      if (where < 0) continue;
      if (kind === E_JUMP) {
        this.jump[where] = 1;
        continue;
      }
      if (kind === E_MEET) continue;
      this.g[where] = g[this.at] ?? 0;
      this.h[where] = h[this.at] ?? 0;
      if (kind === E_OPEN) {
        if (this.state[where] === 0 && !this.order[where]) this.order[where] = ++this.#met;
        this.state[where] = OPEN;
      } else if (kind === E_CLOSE) {
        this.state[where] = CLOSED;
        this.closed++;
        this.times[where]!++;
      } else if (kind === E_REOPEN) {
        this.reopened++;
      } else if (kind === E_CUT) {
        this.cuts++;
        if (this.state[where] === 0) this.state[where] = TURNED;
      }
    }
  }

  /** What the last event was about. */
  get last(): { kind: number; cell: number; from: number; g: number; h: number } | null {
    const i = this.at - 1;
    if (i < 0) return null;
    const { event, cell, from, g, h } = this.record;
    return { kind: event[i]!, cell: cell[i]!, from: from[i]!, g: g[i] ?? 0, h: h[i] ?? 0 };
  }

  /** The first cells of the open list: least f, then most g, then the one met first. */
  top(count: number): { cell: number; g: number; h: number; f: number }[] {
    const list: { cell: number; g: number; h: number; f: number; order: number }[] = [];
    for (let i = 0; i < this.state.length; i++) {
      if (this.state[i] === OPEN) list.push({ cell: i, g: this.g[i]!, h: this.h[i]!, f: this.g[i]! + this.h[i]!, order: this.order[i]! });
    }
    return list.sort((a, b) => a.f - b.f || b.g - a.g || a.order - b.order).slice(0, count);
  }

  get open(): number {
    let count = 0;
    for (let i = 0; i < this.state.length; i++) if (this.state[i] === OPEN) count++;
    return count;
  }
}
