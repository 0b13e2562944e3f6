// How a move tree is written down: the main line runs on, and where it branches, the other moves follow the main
// one as indented lines of their own.
import type { Node } from './tree.svelte';

export interface TreeLine {
  depth: number;
  /** Nodes in reading order. */
  ids: number[];
  /** Ply of the first of them, from 1. */
  ply: number;
}

/** A line to be written: the one that begins with a node, or the one that goes on after it. */
interface Work {
  id: number;
  after: boolean;
  depth: number;
  ply: number;
}

/** Lines in reading order. Without recursion, so that a deep tree cannot overflow the stack. */
export function layout(nodes: readonly Node[]): TreeLine[] {
  const lines: TreeLine[] = [];
  const stack: Work[] = [{ id: 0, after: true, depth: 0, ply: 1 }];
  for (let work = stack.pop(); work; work = stack.pop()) {
    const { depth, ply } = work;
    const ids = work.after ? [] : [work.id];
    let at = work.id;
    for (;;) {
      const [main, ...others] = nodes[at]?.children ?? [];
      if (main === undefined) break;
      ids.push(main);
      at = main;
      if (others.length === 0) continue;
      stack.push({ id: main, after: true, depth, ply: ply + ids.length });
      for (const other of others.reverse()) stack.push({ id: other, after: false, depth: depth + 1, ply: ply + ids.length - 1 });
      break;
    }
    if (ids.length) lines.push({ depth, ids, ply });
  }
  return lines;
}
