// What a search and a layer look like on a board, and numbers in words short enough for a point.
import type { LayerData, Proof, Report, Side } from '../api/types';
import type { Mark, Stone } from '../board/marks';
import { word } from '../i18n';

export type OverlayNumber = 'win' | 'visits' | 'score';

export function short(n: number): string {
  const a = Math.abs(n);
  if (a < 1000) return String(Math.round(n));
  for (const [unit, letter] of [
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const) {
    if (a >= unit) return `${(n / unit).toFixed(a / unit < 10 ? 1 : 0)}${letter}`;
  }
  return String(n);
}

/** A proved end in plies as the number of moves of the side it is good for, as chess programs count mates. */
export const winnersMoves = (mate: number) => Math.ceil(Math.abs(mate) / 2);

/** `#3` wins with the third move from here, `-#2` loses to the opponent's second. */
export function mateText(mate: number): string {
  return `${mate < 0 ? '-' : ''}#${winnersMoves(mate)}`;
}

export function scoreText(score: number): string {
  if (Math.abs(score) >= 1000) return short(score);
  return `${score >= 0 ? '+' : ''}${Math.abs(score) < 10 ? score.toFixed(1) : Math.round(score)}`;
}

export const percent = (rate: number) => (rate * 100).toFixed(rate > 0.005 && rate < 0.995 ? 0 : 1).replace(/\.0$/, '');

const boundSign = (bound?: string) => (bound === 'upper' ? '≤' : bound === 'lower' ? '≥' : '');

/** Candidate moves as marks: the best and most visited strongest, at most `count` of them. */
export function candidates(report: Report, number: OverlayNumber, count = 12): Mark[] {
  const best = report.lines[0]?.cells[0];
  const moves = report.root.filter((m) => m.row !== undefined && m.col !== undefined);
  const list: { row: number; col: number; win: number; score: number; nodes: number; bound?: string; mate?: number | undefined }[] =
    moves.map((m) => ({
      row: m.row ?? 0,
      col: m.col ?? 0,
      win: m.win_rate,
      score: m.score,
      nodes: m.nodes,
      bound: m.bound,
    }));
  for (const line of report.lines) {
    const cell = line.cells[0];
    if (!cell) continue;
    const same = list.find((m) => m.row === cell[0] && m.col === cell[1]);
    // The score of a line is exact.
    if (same) Object.assign(same, { mate: line.mate, bound: 'exact' });
    else list.push({ row: cell[0], col: cell[1], win: line.win_rate, score: line.score, nodes: line.nodes, mate: line.mate });
  }
  const isBest = (m: { row: number; col: number }) => !!best && m.row === best[0] && m.col === best[1];
  // What was hardly looked at says little, however good it looks: moves are ranked by the work spent on them.
  const rank = (m: (typeof list)[number]) => (number !== 'visits' && isBest(m) ? Infinity : m.nodes);
  const shown = list.sort((a, b) => rank(b) - rank(a) || b.win - a.win).slice(0, count);
  const most = Math.max(1, ...shown.map((m) => m.nodes));
  const top = (list.find(isBest) ?? list[0])?.win ?? 0;
  return shown.map((m) => {
    const share = m.nodes / most;
    const near = Math.min(1, Math.max(0, 1 - (top - m.win) * 4));
    const value = number === 'visits' ? share : isBest(m) ? 1 : near * (0.25 + 0.75 * Math.sqrt(share));
    const text =
      m.mate !== undefined
        ? mateText(m.mate)
        : number === 'win'
          ? boundSign(m.bound) + percent(m.win)
          : number === 'score'
            ? boundSign(m.bound) + scoreText(m.score)
            : short(m.nodes);
    const mark: Mark = { row: m.row, col: m.col, shade: value, colour: isBest(m) ? '#15803d' : '#2269a3', text };
    if (number !== 'visits' && m.nodes > 0) mark.sub = short(m.nodes);
    return mark;
  });
}

/** Moves proved to win, and those left undecided. */
export function provedMarks(proof: Proof): Mark[] {
  const mark = (text: string, colour: string, shade: number) => (m: { row?: number; col?: number }) => ({
    row: m.row ?? 0,
    col: m.col ?? 0,
    shade,
    colour,
    text,
  });
  return [...(proof.winning_moves ?? []).map(mark('✓', '#1f9d55', 0.8)), ...(proof.undecided ?? []).map(mark('?', '#8a5a00', 0.3))];
}

/** The moves of a line as ghost stones, the side to move first. Stops at a move without a cell. */
export function ghostsOf(cells: ([number, number] | null)[], toMove: Side): Stone[] {
  const stones: Stone[] = [];
  let side = toMove;
  for (const cell of cells.slice(0, 20)) {
    if (!cell) break;
    stones.push({ row: cell[0], col: cell[1], side, number: stones.length + 1 });
    side = side === 'black' ? 'white' : 'black';
  }
  return stones;
}

/** A layer's cells as marks, one a point: where both sides have something there, the stronger one above. */
export function layerMarks(layer: LayerData, colour: (side?: Side) => string): Mark[] {
  const marks = new Map<string, Mark>();
  for (const cell of [...layer.cells].sort((a, b) => b.value - a.value)) {
    const key = `${cell.row},${cell.col}`;
    const above = marks.get(key);
    if (above) above.sub ??= word('mark', cell.label);
    else {
      const shade = Math.min(1, Math.max(0, cell.value));
      marks.set(key, { row: cell.row, col: cell.col, shade, colour: colour(cell.side), text: word('mark', cell.label) });
    }
  }
  return [...marks.values()];
}
