// A position being set up by hand: stones put and taken off without rules; the server checks the result.
import { catalog } from '../api/catalog.svelte';
import type { Setup, Side, View } from '../api/types';
import { stonesOn } from '../board/marks';

export class PositionEditor {
  /** The position so far; null while nothing is edited. */
  setup = $state.raw<Setup | null>(null);
  tool = $state<Side | 'empty'>('black');

  start(setup: Setup, view: View) {
    this.setup = { ...setup, stones: stonesOn(view.board), to_move: view.to_move };
  }

  stop() {
    this.setup = null;
  }

  /** Changes to an empty board of another game. */
  change(game: string) {
    const { rows = 11, cols = 11 } = catalog.game(game) ?? {};
    this.setup = { game, rows, cols, rule: '', opening: '', stones: [] };
  }

  /** Puts the tool's stone; the same stone again takes it off. */
  pick(row: number, col: number) {
    if (!this.setup) return;
    const { tool } = this;
    const here = (s: { row: number; col: number }) => s.row === row && s.col === col;
    const old = this.setup.stones?.find(here);
    const others = (this.setup.stones ?? []).filter((s) => !here(s));
    this.setup = { ...this.setup, stones: tool === 'empty' || old?.side === tool ? others : [...others, { side: tool, row, col }] };
  }

  /** The edited position as a board can show it. */
  viewOver(view: View): View {
    const { setup } = this;
    if (!setup) return view;
    const { game, rows, cols } = setup;
    const at = new Map(setup.stones?.map((s) => [`${s.row},${s.col}`, s.side === 'black' ? 'X' : 'O']));
    const board = Array.from({ length: rows }, (_, r) => Array.from({ length: cols }, (_, c) => at.get(`${r},${c}`) ?? '.').join(''));
    const { last: _last, outcome: _outcome, ...rest } = view;
    return { ...rest, game, rows, cols, board, moves: [], forbidden: [] };
  }
}
