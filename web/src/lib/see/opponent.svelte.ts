// Tic-tac-toe against a level, in the tree theatre: every move of the opponent is the result of a search that is then
// watched. A level is how many plies it looks ahead. Who has won is said by the search, never here.
import type { Side } from '../api/types';
import type { Stage } from './stage.svelte';
import type { TreeRecord } from './record';

export type Level = 'easy' | 'medium' | 'hard' | 'max';

export const plies: Record<Level, number> = { easy: 1, medium: 2, hard: 4, max: 9 };

/** Makes the search of the position on the stage with so many plies; null where it failed. */
type Search = (depth: number) => Promise<TreeRecord | null>;

export class Opponent {
  level = $state<Level | ''>('');
  /** Whom the person plays. */
  side = $state<Side>('black');
  /** The result, for the side that moves first; null while the game goes on. */
  over = $state<number | null>(null);
  busy = $state(false);
  #search: Search;

  constructor(
    readonly stage: Stage,
    search: Search,
  ) {
    this.#search = search;
  }

  /** Begins a game from the empty board; an empty level ends it. */
  async begin(level: Level | '', side: Side) {
    this.level = level;
    this.side = side;
    this.over = null;
    this.stage.playing = level !== '';
    this.stage.frozen = false;
    if (!level) return;
    this.stage.clear(3);
    await this.reply();
  }

  /** Answers where it is the opponent's turn, and finds out whether the game is over. */
  async reply() {
    if (!this.level || this.busy) return;
    this.over = null;
    this.busy = true;
    this.stage.frozen = false;
    if (this.stage.toMove !== this.side) {
      const record = await this.#search(plies[this.level]);
      const best = record?.result.best ?? null;
      if (record && best === null) this.over = record.result.value ?? 0;
      else if (best !== null) this.stage.touch(Math.floor(best / 3), best % 3);
    }
    if (this.over === null && this.stage.toMove === this.side) await this.#checkGameOver();
    this.stage.frozen = this.over !== null;
    this.busy = false;
  }

  /** Is there nothing left to do for the person? The search is not shown. */
  async #checkGameOver() {
    const record = await this.stage.explain({ algorithm: 'alphabeta', depth: 1, keep: 0 }).catch(() => null);
    if (record?.kind === 'tree' && record.result.best === null) this.over = record.result.value ?? 0;
  }

  /** Takes back to the person's own last move. */
  async undone() {
    if (this.stage.toMove !== this.side) this.stage.undo();
    await this.reply();
  }
}
