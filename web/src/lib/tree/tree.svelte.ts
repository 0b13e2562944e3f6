// A tree of moves with a place in it. It knows moves as words only; whether they are legal the server says.
import type { Branch, Drawing, Note } from '../api/types';
import { isEmpty, noteOf } from './note';

export interface Node {
  id: number;
  parent: number | null;
  /** The main continuation first. */
  children: number[];
  move: string;
  comment: string;
  /** What somebody drew on the board here. */
  marks: Drawing[];
  /** What a file said here that the app has no use for, kept for the next file. */
  properties: Record<string, string[]>;
}

const blank = (id: number, parent: number | null, move: string, note: Note = {}): Node => ({
  id,
  parent,
  children: [],
  move,
  comment: note.comment ?? '',
  marks: note.marks ?? [],
  properties: note.properties ?? {},
});

export class MoveTree {
  nodes = $state<Node[]>([blank(0, null, '')]);
  at = $state(0);
  /** Grows with every change of what the tree holds, so that it can be kept. */
  changes = $state(0);
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

  add(parent: number, move: string): number {
    const id = this.nodes.length;
    this.nodes.push(blank(id, parent, move));
    this.node(parent).children.push(id);
    this.changes++;
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
    this.changes++;
    for (const step of this.path(id)) {
      const parent = this.node(this.node(step).parent ?? 0);
      parent.children = [step, ...parent.children.filter((c) => c !== step)];
    }
  }

  /** How many nodes a subtree has, its root included. */
  below(id: number): number {
    return this.node(id).children.reduce((sum, child) => sum + this.below(child), 1);
  }

  /** Cuts a node with all that follows it. What is returned puts it back where it was, whatever was added meanwhile. */
  remove(id: number): () => void {
    const { parent, move } = this.node(id);
    if (parent === null) return () => {};
    const at = this.at;
    if (this.path(at).includes(id)) this.at = parent;
    const above = this.node(parent);
    const place = above.children.indexOf(id);
    above.children = above.children.filter((c) => c !== id);
    this.changes++;
    return () => {
      this.changes++;
      // The same move may have been played again since.
      const again = this.child(parent, move);
      if (again !== undefined) this.#merge(id, again);
      const others = above.children.filter((c) => c !== again);
      above.children = [...others.slice(0, place), id, ...others.slice(place)];
      this.jump(at);
    };
  }

  /** Moves all that follows a node to another one with the same move. */
  #merge(into: number, from: number) {
    const work: [number, number][] = [[into, from]];
    for (let pair = work.pop(); pair; pair = work.pop()) {
      const [to, old] = [this.node(pair[0]), this.node(pair[1])];
      to.comment ||= old.comment;
      if (!to.marks.length) to.marks = old.marks;
      for (const child of old.children) {
        const same = this.child(to.id, this.node(child).move);
        if (same !== undefined) {
          work.push([same, child]);
          continue;
        }
        this.node(child).parent = to.id;
        to.children = [...to.children, child];
      }
    }
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
    this.changes++;
  }

  /** Draws on the board at a node, or takes away what is drawn there already. */
  draw(id: number, drawing: Drawing) {
    const node = this.node(id);
    const same = (other: Drawing) =>
      other.row === drawing.row &&
      other.col === drawing.col &&
      (other.to ?? []).join() === (drawing.to ?? []).join() &&
      other.kind === drawing.kind;
    // A point has one sign; lines and arrows may cross it.
    const replaced = (other: Drawing) => !other.to && !drawing.to && other.row === drawing.row && other.col === drawing.col;
    const others = node.marks.filter((other) => !same(other) && !replaced(other));
    node.marks = node.marks.some(same) ? others : [...others, drawing];
    this.changes++;
  }

  /** Takes away all that is drawn at a node. What is returned puts it back. */
  wipe(id: number): () => void {
    const node = this.node(id);
    const { marks } = node;
    const set = (to: Drawing[]) => {
      node.marks = to;
      this.changes++;
    };
    set([]);
    return () => set(marks);
  }

  /** What is said and drawn at the root, where no move is. */
  root(): Note {
    return noteOf(this.node(0));
  }

  /** Is there nothing in it that somebody made? */
  get blank(): boolean {
    return this.node(0).children.length === 0 && isEmpty(this.root());
  }

  /** The nested form. */
  toBranches(): Branch[] {
    // Children have larger ids than their parents, so one pass from the back builds the nested form.
    const made: Branch[] = this.nodes.map((n) => ({ move: n.move, comment: n.comment, ...noteOf(n), children: [] }));
    for (const n of [...this.nodes].reverse()) {
      const branch = made[n.id];
      if (branch) branch.children = n.children.flatMap((c) => made[c] ?? []);
    }
    return made[0]?.children ?? [];
  }

  static from(branches: Branch[], root: Note = {}): MoveTree {
    const tree = new MoveTree();
    const nodes: Node[] = [blank(0, null, '', root)];
    const queue: [number, Branch[]][] = [[0, branches]];
    // Not shift(): it takes time in proportion to what is left of the list.
    for (let next = 0; next < queue.length; next++) {
      const [parent, list] = queue[next] ?? [0, []];
      for (const branch of list) {
        const id = nodes.length;
        nodes.push(blank(id, parent, branch.move, branch));
        nodes[parent]?.children.push(id);
        if (branch.children?.length) queue.push([id, branch.children]);
      }
    }
    tree.nodes = nodes;
    return tree;
  }
}
