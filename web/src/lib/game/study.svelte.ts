// A position to look at: where it starts, the tree of moves from there, and the view of the current place.
import type { Branch, Note, Setup, View } from '../api/types';
import { attempt } from '../ui/notices.svelte';
import { MoveTree } from '../tree/tree.svelte';
import { moveName } from '../board/names';
import { viewOf } from './views';

export class Study {
  setup = $state.raw<Setup>({ game: 'gomoku', rows: 15, cols: 15, rule: '', opening: '' });
  tree = $state.raw(new MoveTree());
  /** The last view that arrived: kept while the next is on its way, so that nothing flickers. */
  view = $state.raw<View | null>(null);
  #asked = 0;

  constructor(setup?: Setup) {
    if (setup) this.setup = setup;
  }

  /** Starts over from a set-up and perhaps a tree; goes to the end of its main line if asked. */
  async open(setup: Setup, branches: Branch[] = [], toEnd = false) {
    this.place(setup, branches);
    if (toEnd) this.tree.jump(this.tree.end(0));
    await this.show();
  }

  /** Starts over without showing anything yet. */
  place(setup: Setup, branches: Branch[], root?: Note) {
    this.setup = setup;
    this.tree = MoveTree.from(branches, root);
  }

  /** Fetches the view of the current place. */
  async show() {
    const mine = ++this.#asked;
    const view = await attempt(() => viewOf(this.setup, this.tree.moves()));
    if (view && mine === this.#asked) this.view = view;
  }

  /** Goes to a node and shows it. */
  jump(id: number) {
    this.tree.jump(id);
    void this.show();
  }

  step(how: 'back' | 'forward' | 'first' | 'last' | 'next' | 'previous') {
    if (how === 'back') this.tree.back();
    else if (how === 'forward') this.tree.forward();
    else if (how === 'first') this.tree.jump(0);
    else if (how === 'last') this.tree.jump(this.tree.end());
    else this.tree.sibling(how === 'next' ? 1 : -1);
    void this.show();
  }

  /** Plays moves from here if the server finds them possible; says whether it did. */
  async play(...moves: string[]): Promise<boolean> {
    const from = this.tree.at;
    const view = await attempt(() => viewOf(this.setup, [...this.tree.moves(from), ...moves]));
    if (!view || this.tree.at !== from) return false;
    // The server's own spelling of the moves goes into the tree.
    for (const played of view.moves.slice(-moves.length)) this.tree.play(played.move);
    this.#asked++;
    this.view = view;
    return true;
  }

  pick(row: number, col: number): Promise<boolean> {
    return this.play(moveName(this.setup.game, row, col, this.setup.rows));
  }
}
