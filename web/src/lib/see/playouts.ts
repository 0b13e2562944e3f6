// A Monte Carlo record at any moment: visits and wins of every node after so many playouts.
import type { MctsRecord } from './record';

/** A move at a node as UCB1 sees it. */
export interface Term {
  node: number;
  cell: number;
  visits: number;
  /** w / n of the mover; null: not tried yet. */
  exploitation: number | null;
  /** C sqrt(ln N / n). */
  exploration: number | null;
  sum: number | null;
  /** PUCT only: what the network says of the move. */
  prior: number | null;
  value: number | null;
  chosen: boolean;
}

export class Playouts {
  readonly visits: Uint32Array;
  readonly wins: Float64Array;
  /** Where each playout's steps and random moves begin. */
  readonly stepsFrom: Uint32Array;
  readonly movesFrom: Uint32Array;
  readonly first: Int32Array;
  readonly next: Int32Array;
  readonly depth: Uint16Array;
  /** Playouts counted in. */
  done = 0;

  constructor(readonly record: MctsRecord) {
    const n = record.parent.length;
    this.visits = new Uint32Array(n);
    this.wins = new Float64Array(n);
    this.stepsFrom = sums(record.steps);
    this.movesFrom = sums(record.moves);
    this.first = new Int32Array(n).fill(-1);
    this.next = new Int32Array(n).fill(-1);
    this.depth = new Uint16Array(n);
    const last = new Int32Array(n).fill(-1);
    for (let i = 1; i < n; i++) {
      const p = record.parent[i]!;
      this.depth[i] = this.depth[p]! + 1;
      if (last[p] === -1) this.first[p] = i;
      else this.next[last[p]!] = i;
      last[p] = i;
    }
  }

  get count(): number {
    return this.record.results.length;
  }

  /** Goes to the moment after so many playouts. */
  seek(to: number) {
    if (to < this.done) {
      this.visits.fill(0);
      this.wins.fill(0);
      this.done = 0;
    }
    for (; this.done < Math.min(to, this.count); this.done++) {
      const result = this.record.results[this.done]!;
      this.visits[0]!++;
      this.wins[0]! += result;
      for (let at = this.stepsFrom[this.done]!; at < this.stepsFrom[this.done + 1]!; at++) {
        const node = this.record.node[at]!;
        this.visits[node] = this.record.visits[at]!;
        this.wins[node] = this.record.wins[at]!;
      }
    }
  }

  /** Does MAX move at this node? */
  max(node: number): boolean {
    return (this.depth[node]! % 2 === 0) === (this.record.to_move === this.record.max);
  }

  /** The mover's share of wins of a node reached by one of its moves. */
  rate(node: number): number {
    const n = this.visits[node]!;
    if (!n) return 0;
    const share = this.wins[node]! / n;
    return this.max(this.record.parent[node]!) ? share : 1 - share;
  }

  /** The nodes of a playout's way down, the root left out. */
  way(playout: number): number[] {
    return this.record.node.slice(this.stepsFrom[playout], this.stepsFrom[playout + 1]);
  }

  randomMoves(playout: number): number[] {
    return this.record.playout.slice(this.movesFrom[playout], this.movesFrom[playout + 1]);
  }

  /** What the playout after this moment chose from at one of its steps. The chosen move's terms are the record's own;
   *  its siblings' follow from the visits and wins in the record. */
  terms(step: number): Term[] {
    const { record } = this;
    const at = this.stepsFrom[this.done]! + step;
    const chosen = record.node[at]!;
    const parent = record.parent[chosen]!;
    const log = Math.log(Math.max(1, this.visits[parent]!));
    const list: Term[] = [];
    for (let node = this.first[parent]!; node >= 0; node = this.next[node]!) {
      const n = this.visits[node]!;
      if (!n && node !== chosen) continue;
      const exploitation = node === chosen ? record.exploitation[at]! : this.rate(node);
      // What PUCT weighs for the others is not in the record; only the chosen move's terms are shown.
      const exploration = node === chosen ? record.exploration[at]! : record.prior ? null : record.c * Math.sqrt(log / n);
      const sum = exploitation === null || exploration === null ? null : exploitation + exploration;
      list.push({
        node,
        cell: record.move[node]!,
        visits: n,
        exploitation: n ? exploitation : null,
        exploration,
        sum,
        prior: record.prior?.[node] ?? null,
        value: record.value?.[node] ?? null,
        chosen: node === chosen,
      });
    }
    return list.sort((a, b) => Number(b.chosen) - Number(a.chosen) || (b.sum ?? Infinity) - (a.sum ?? Infinity));
  }

  /** Visits of the root's moves so far. */
  root(): { cell: number; node: number; visits: number; rate: number }[] {
    const list = [];
    for (let node = this.first[0]!; node >= 0; node = this.next[node]!) {
      list.push({ cell: this.record.move[node]!, node, visits: this.visits[node]!, rate: this.rate(node) });
    }
    return list;
  }

  /** For the picture over time: visits of each of the root's moves in each of `bins` equal parts of the search. */
  history(bins: number): { cells: number[]; counts: number[][] } {
    const nodes: number[] = [];
    for (let node = this.first[0]!; node >= 0; node = this.next[node]!) nodes.push(node);
    const index = new Map(nodes.map((node, i) => [node, i]));
    const counts = nodes.map(() => new Array<number>(bins).fill(0));
    for (let p = 0; p < this.count; p++) {
      const node = this.record.node[this.stepsFrom[p]!];
      const row = node === undefined ? undefined : counts[index.get(node) ?? -1];
      if (row) row[Math.min(bins - 1, Math.floor((p * bins) / this.count))]!++;
    }
    const total = counts.map((row) => row.reduce((a, b) => a + b, 0));
    const order = nodes.map((_, i) => i).sort((a, b) => total[b]! - total[a]!);
    return { cells: order.map((i) => this.record.move[nodes[i]!]!), counts: order.map((i) => counts[i]!) };
  }
}

function sums(list: number[]): Uint32Array {
  const out = new Uint32Array(list.length + 1);
  for (let i = 0; i < list.length; i++) out[i + 1] = out[i]! + list[i]!;
  return out;
}
