// A recorded game tree laid out and ready to be shown at any moment: nothing is replayed, every node knows when it
// was entered and left, so going back costs as little as going on.
import type { Cut, TreeRecord } from './record';

export const ENTER = 0;
export const LEAVE = 1;
export const RAISE = 2;
export const CUT = 3;
export const HIT = 4;

/** Later than any moment of a record. */
export const NEVER = 0x7fffffff;

export class Tree {
  readonly count: number;
  readonly depth: Uint16Array;
  /** Moves played on the way to a node: a test without the hash move plays none. */
  readonly plies: Uint16Array;
  readonly deepest: number;
  readonly first: Int32Array;
  readonly next: Int32Array;
  /** Nodes of the subtree, the node included. Nodes are numbered depth first, so it is `node .. node + size`. */
  readonly size: Int32Array;
  readonly children: Int32Array;
  /** The event after which the node is there, has its value, moved its parent's bound, was cut, was known. */
  readonly enterAt: Int32Array;
  readonly leaveAt: Int32Array;
  readonly raiseAt: Int32Array;
  readonly cutAt: Int32Array;
  readonly hitAt: Int32Array;
  readonly cutOf: Map<number, Cut>;
  /** Moments of cutoffs, in order. */
  readonly cutMoments: number[];
  /** Where the node's share of the width begins and ends, 0 to 1. */
  readonly left: Float64Array;
  readonly right: Float64Array;

  constructor(readonly record: TreeRecord) {
    const n = (this.count = record.parent.length);
    this.depth = new Uint16Array(n);
    this.plies = new Uint16Array(n);
    this.first = new Int32Array(n).fill(-1);
    this.next = new Int32Array(n).fill(-1);
    this.size = new Int32Array(n).fill(1);
    this.children = new Int32Array(n);
    const last = new Int32Array(n).fill(-1);
    let deepest = 0;
    for (let i = 1; i < n; i++) {
      const p = record.parent[i]!;
      const d = (this.depth[i] = this.depth[p]! + 1);
      this.plies[i] = this.plies[p]! + (record.move[i]! >= 0 ? 1 : 0);
      if (d > deepest) deepest = d;
      if (last[p] === -1) this.first[p] = i;
      else this.next[last[p]!] = i;
      last[p] = i;
      this.children[p]!++;
    }
    this.deepest = deepest;
    for (let i = n - 1; i > 0; i--) this.size[record.parent[i]!]! += this.size[i]!;

    this.enterAt = new Int32Array(n).fill(NEVER);
    this.leaveAt = new Int32Array(n).fill(NEVER);
    this.raiseAt = new Int32Array(n).fill(NEVER);
    this.cutAt = new Int32Array(n).fill(NEVER);
    this.hitAt = new Int32Array(n).fill(NEVER);
    this.enterAt[0] = 0;
    this.cutOf = new Map();
    this.cutMoments = [];
    const times = [this.enterAt, this.leaveAt, this.raiseAt, this.cutAt, this.hitAt];
    const { events, cuts } = record;
    let cut = 0;
    for (let t = 0; t < events.length; t++) {
      const event = events[t]!;
      const node = Math.floor(event / 8);
      const kind = event % 8;
      const list = times[kind];
      if (list) list[node] = t + 1;
      if (kind === CUT) {
        this.cutOf.set(node, cuts[cut++]!);
        this.cutMoments.push(t + 1);
      }
    }

    // A big subtree gets more room than a small one, but not in proportion: small ones must stay visible.
    const weight = new Float64Array(n).fill(1);
    const sum = new Float64Array(n);
    for (let i = n - 1; i >= 0; i--) {
      if (this.cutOf.has(i)) sum[i]! += 0.8;
      if (sum[i]! > 0) weight[i] = Math.max(1, sum[i]! ** 0.82);
      if (i > 0) sum[record.parent[i]!]! += weight[i]!;
    }
    this.left = new Float64Array(n);
    this.right = new Float64Array(n);
    this.right[0] = 1;
    const used = new Float64Array(n);
    for (let i = 1; i < n; i++) {
      const p = record.parent[i]!;
      const unit = (this.right[p]! - this.left[p]!) / sum[p]!;
      this.left[i] = this.left[p]! + used[p]! * unit;
      used[p]! += weight[i]!;
      this.right[i] = this.left[p]! + used[p]! * unit;
    }
  }

  get moments(): number {
    return this.record.events.length;
  }

  /** How many nodes besides the root are there at a moment. Nodes are entered in the order of their numbers. */
  entered(at: number): number {
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const mid = (low + high + 1) >> 1;
      if (this.enterAt[mid]! <= at) low = mid;
      else high = mid - 1;
    }
    return low;
  }

  /** How many cutoffs have happened. */
  cutoffs(at: number): number {
    return lower(this.cutMoments, at + 1);
  }

  nextCut(at: number): number | null {
    return this.cutMoments[lower(this.cutMoments, at + 1)] ?? null;
  }

  previousCut(at: number): number | null {
    return this.cutMoments[lower(this.cutMoments, at) - 1] ?? null;
  }

  /** The node that the search is at: the one entered, or the one it came back to. */
  current(at: number): number {
    if (at <= 0) return 0;
    const event = this.record.events[Math.min(at, this.moments) - 1]!;
    const node = Math.floor(event / 8);
    const kind = event % 8;
    return kind === LEAVE || kind === RAISE ? Math.max(0, this.record.parent[node]!) : node;
  }

  /** What happened last: the kind and its node. */
  last(at: number): { kind: number; node: number } | null {
    if (at <= 0 || this.moments === 0) return null;
    const event = this.record.events[Math.min(at, this.moments) - 1]!;
    return { kind: event % 8, node: Math.floor(event / 8) };
  }

  /** From the root to a node, both included. */
  line(node: number): number[] {
    const path: number[] = [];
    for (let i = node; i >= 0; i = this.record.parent[i]!) path.push(i);
    return path.reverse();
  }

  /** Does MAX move in this node? */
  max(node: number): boolean {
    const { to_move, max } = this.record;
    return (this.plies[node]! % 2 === 0) === (to_move === max);
  }

  /** The window at a node now: what it was entered with, moved by its children that have come back. */
  window(node: number, at: number): { alpha: number | null; beta: number | null } {
    let alpha = this.record.alpha[node] ?? null;
    let beta = this.record.beta[node] ?? null;
    const max = this.max(node);
    for (let child = this.first[node]!; child >= 0; child = this.next[child]!) {
      if (this.raiseAt[child]! > at) continue;
      const value = this.record.value[child] ?? null;
      if (value === null) continue;
      if (max) alpha = value;
      else beta = value;
    }
    return { alpha, beta };
  }
}

/** The first index whose entry is not below `value`. */
function lower(list: number[], value: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (list[mid]! < value) low = mid + 1;
    else high = mid;
  }
  return low;
}
