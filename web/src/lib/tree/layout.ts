// How a move tree is written down: the main line runs on, each variation is an indented line of its own.
import type { Node } from './tree.svelte';

export interface TreeLine {
  depth: number;
  /** Nodes in reading order. */
  ids: number[];
  /** Ply of the first of them, from 1. */
  ply: number;
}

/** Lines in reading order. Without recursion, so that a deep tree cannot overflow the stack. */
export function layout(nodes: readonly Node[]): TreeLine[] {
  const lines: TreeLine[] = [];
  const stack: { id: number; depth: number; ply: number }[] = [];
  const root = nodes[0];
  if (!root) return lines;
  const push = (children: number[], depth: number, ply: number) => {
    const [main, ...others] = children;
    if (main !== undefined) stack.push({ id: main, depth, ply });
    // Variations are read right after the move they replace, so before the main line goes on.
    for (const other of others.reverse()) stack.push({ id: other, depth: depth + 1, ply });
  };
  const [first, ...rest] = root.children;
  // A branch at the very root: the main line first, then its rivals.
  for (const other of rest.reverse()) stack.push({ id: other, depth: 1, ply: 1 });
  if (first !== undefined) stack.push({ id: first, depth: 0, ply: 1 });
  for (let work = stack.pop(); work; work = stack.pop()) {
    const line: TreeLine = { depth: work.depth, ids: [], ply: work.ply };
    let at: number | undefined = work.id;
    let ply = work.ply;
    while (at !== undefined) {
      line.ids.push(at);
      const children: number[] = nodes[at]?.children ?? [];
      ply += 1;
      if (children.length > 1) {
        push([...children], work.depth, ply);
        break;
      }
      at = children[0];
    }
    lines.push(line);
  }
  return lines;
}
