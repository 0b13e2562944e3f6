// Drawing on the board by hand: a chosen tool turns clicks into signs, labels and arrows.
import type { Drawing } from '../api/types';
import type { MoveTree } from '../tree/tree.svelte';

export type Tool = Drawing['kind'];
export const tools: Tool[] = ['circle', 'square', 'triangle', 'cross', 'label', 'arrow'];

export class Pen {
  tool = $state<Tool | null>(null);
  /** Where an arrow begins, until its end is chosen. */
  from = $state.raw<[number, number] | null>(null);

  choose(tool: Tool) {
    this.tool = this.tool === tool ? null : tool;
    this.from = null;
  }

  /** A click with the chosen tool. */
  pick(tree: MoveTree, row: number, col: number) {
    const { tool } = this;
    if (tool === 'arrow' || tool === 'line') {
      if (!this.from) this.from = [row, col];
      else {
        if (this.from[0] !== row || this.from[1] !== col)
          this.#draw(tree, { kind: tool, row: this.from[0], col: this.from[1], to: [row, col] });
        this.from = null;
      }
    } else if (tool === 'label') this.#draw(tree, { kind: tool, row, col, text: nextLabel(tree.node(tree.at).marks, row, col) });
    else if (tool) this.#draw(tree, { kind: tool, row, col });
  }

  /** The right button: a click draws a circle, a drag an arrow. */
  drag(tree: MoveTree, from: [number, number], to: [number, number]) {
    const [row, col] = from;
    const same = row === to[0] && col === to[1];
    this.#draw(tree, same ? { kind: 'circle', row, col } : { kind: 'arrow', row, col, to });
  }

  #draw(tree: MoveTree, drawing: Drawing) {
    tree.draw(tree.at, drawing);
  }
}

/** The first of A, B, C, … that is not on the board yet; the label of the point itself, which a click takes away. */
function nextLabel(marks: Drawing[], row: number, col: number): string {
  const labels = marks.filter((mark) => mark.kind === 'label');
  const here = labels.find((mark) => mark.row === row && mark.col === col);
  if (here?.text) return here.text;
  const used = new Set(labels.map((mark) => mark.text));
  const letters = Array.from({ length: 26 }, (_, i) => String.fromCharCode(65 + i));
  return letters.find((letter) => !used.has(letter)) ?? String(labels.length + 1);
}
