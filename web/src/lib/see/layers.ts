// Knowledge about a position as marks on its board.
import type { LayerData } from '../api/types';
import type { Mark } from '../board/marks';

/** One mark per cell; where both sides have something to say there, the stronger is drawn and the other written below. */
export function layerMarks(layer: LayerData | null): Mark[] {
  const marks = new Map<string, Mark & { value: number }>();
  for (const c of [...(layer?.cells ?? [])].sort((a, b) => b.value - a.value)) {
    const key = `${c.row},${c.col}`;
    const first = marks.get(key);
    if (first) first.sub = c.label;
    else {
      const colour = c.side ? { colour: c.side === 'white' ? 'var(--blue)' : 'var(--red)' } : {};
      marks.set(key, { row: c.row, col: c.col, shade: c.value * 0.8, text: c.label, value: c.value, ...colour });
    }
  }
  return [...marks.values()];
}
