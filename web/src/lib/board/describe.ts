// What a screen reader says of a cell.
import { t, word } from '../i18n';
import type { Drawing } from '../api/types';
import type { Mark, Stone } from './marks';
import { sideName } from './names';

interface Shown {
  game: string;
  cols: number;
  stones: Stone[];
  marks: Mark[];
  drawings?: Drawing[];
  forbidden?: { row: number; col: number; kind: string }[];
}

/** A function that describes the cells of a board. */
export function describer({ game, cols, stones, marks, drawings = [], forbidden = [] }: Shown): (row: number, col: number) => string {
  const key = (p: { row: number; col: number }) => p.row * cols + p.col;
  const stoneAt = new Map(stones.map((s) => [key(s), s]));
  const markAt = new Map(marks.filter((m) => m.text).map((m) => [key(m), m]));
  const kindAt = new Map(forbidden.map((f) => [key(f), f.kind]));
  const drawnAt = new Map(drawings.map((d) => [key(d), d.text ?? word('draw', d.kind)]));
  const what = (at: number) => {
    const stone = stoneAt.get(at);
    const kind = kindAt.get(at);
    if (!stone) return kind ? t('board.forbidden', { kind: word('forbidden', kind) }) : t('board.empty');
    const side = sideName(game, stone.side);
    return stone.number ? t('board.stone-numbered', { side, number: stone.number }) : side;
  };
  return (row, col) => {
    const at = key({ row, col });
    const mark = markAt.get(at);
    const drawn = drawnAt.get(at);
    return what(at) + (mark ? `, ${mark.text}${mark.sub ? ` ${mark.sub}` : ''}` : '') + (drawn ? `, ${drawn}` : '');
  };
}
