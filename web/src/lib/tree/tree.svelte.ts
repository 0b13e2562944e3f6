// A tree of moves with a place in it. It knows moves as words only; whether they are legal the server says.
import type { Branch } from '../api/types';

export interface Node {
  id: number;
  parent: number | null;
  /** The main continuation first. */
  children: number[];
  move: string;
  comment: string;
}

export class MoveTree {
  nodes = $state<Node[]>([{ id: 0, parent: null, children: [], move: '', comment: '' }]);
  at = $state(0);
  /** Which child of a node was visited last: where "forward" goes. */
  #visited = new Map<number, number>();

  node(id: number): Node {
    const node = this.nodes[id];
    if (!node) throw new RangeError(`no node ${id}`);
    return node;
  }

  /** Node ids from the first move to this one; empty for the root. */
  path(id = this.at): number[] {
    const path: number[] = [];
    for (let n = this.node(id); n.parent !== null; n = this.node(n.parent)) path.unshift(n.id);
    return path;
  }

  moves(id = this.at): string[] {
    return this.path(id).map((n) => this.node(n).move);
  }

  ply(id = this.at): number {
    return this.path(id).length;
  }

  /** The child of `id` reached by a move, if there is one. */
  child(id: number, move: string): number | undefined {
    return this.node(id).children.find((c) => this.node(c).move === move);
  }

  add(parent: number, move: string, comment = ''): number {
    const id = this.nodes.length;
    this.nodes.push({ id, parent, children: [], move, comment });
    this.node(parent).children.push(id);
    return id;
  }

  /** Goes to a move from here, adding it as a variation where it is new. */
  play(move: string): number {
    this.jump(this.child(this.at, move) ?? this.add(this.at, move));
    return this.at;
  }

  jump(id: number) {
    this.at = id;
    for (const step of this.path(id)) this.#visited.set(this.node(step).parent ?? 0, step);
  }

  back() {
    const parent = this.node(this.at).parent;
    if (parent !== null) this.at = parent;
  }

  forward() {
    const { children } = this.node(this.at);
    const last = this.#visited.get(this.at);
    const next = last !== undefined && children.includes(last) ? last : children[0];
    if (next !== undefined) this.jump(next);
  }

  /** Next (or previous) sibling variation. */
  sibling(step: number) {
    const { parent } = this.node(this.at);
    if (parent === null) return;
    const { children } = this.node(parent);
    const next = children[children.indexOf(this.at) + step];
    if (next !== undefined) this.jump(next);
  }

  /** From a node along main continuations to the end. */
  end(id = this.at): number {
    let n = this.node(id);
    while (n.children[0] !== undefined) n = this.node(n.children[0]);
    return n.id;
  }

  /** The whole line through the current node: the path to it, and on along main continuations. */
  line(id = this.at): number[] {
    return this.path(this.end(id));
  }

  /** Makes a node and all above it the main line. */
  promote(id: number) {
    for (const step of this.path(id)) {
      const parent = this.node(this.node(step).parent ?? 0);
      parent.children = [step, ...parent.children.filter((c) => c !== step)];
    }
  }

  /** How many nodes a subtree has, its root included. */
  below(id: number): number {
    return this.node(id).children.reduce((sum, child) => sum + this.below(child), 1);
  }

  /** Cuts a node with all that follows it. */
  remove(id: number) {
    const { parent } = this.node(id);
    if (parent === null) return;
    if (this.path(this.at).includes(id)) this.at = parent;
    const above = this.node(parent);
    above.children = above.children.filter((c) => c !== id);
  }

  /** Makes sure a line of moves is there and is the main line; returns its last node. */
  sync(moves: string[]): number {
    let id = 0;
    for (const move of moves) id = this.child(id, move) ?? this.add(id, move);
    this.promote(id);
    return id;
  }

  comment(id: number, text: string) {
    this.node(id).comment = text;
  }

  toBranches(): Branch[] {
    // Children have larger ids than their parents, so one pass from the back builds the nested form.
    const made: Branch[] = this.nodes.map((n) => ({ move: n.move, comment: n.comment, children: [] }));
    for (const n of [...this.nodes].reverse()) {
      const branch = made[n.id];
      if (branch) branch.children = n.children.flatMap((c) => made[c] ?? []);
    }
    return made[0]?.children ?? [];
  }

  static from(branches: Branch[]): MoveTree {
    const tree = new MoveTree();
    const nodes: Node[] = [{ id: 0, parent: null, children: [], move: '', comment: '' }];
    const queue: [number, Branch[]][] = [[0, branches]];
    for (let work = queue.shift(); work; work = queue.shift()) {
      const [parent, list] = work;
      for (const branch of list) {
        const id = nodes.length;
        nodes.push({ id, parent, children: [], move: branch.move, comment: branch.comment ?? '' });
        nodes[parent]?.children.push(id);
        if (branch.children?.length) queue.push([id, branch.children]);
      }
    }
    tree.nodes = nodes;
    return tree;
  }
}
