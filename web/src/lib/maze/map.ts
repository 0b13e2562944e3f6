// A map to walk on: cells of cost 1 to 9, walls, a start and a goal. Texts as the server reads and writes them.

export const WALL = 0;
export type Place = [number, number];

export interface MazeMap {
  rows: number;
  cols: number;
  /** Row by row: 0 a wall, otherwise the cost of entering. */
  cells: Uint8Array;
  start: Place;
  goal: Place;
}

export function blank(rows: number, cols: number): MazeMap {
  return {
    rows,
    cols,
    cells: new Uint8Array(rows * cols).fill(1),
    start: [rows >> 1, Math.min(2, cols - 1)],
    goal: [rows >> 1, Math.max(0, cols - 3)],
  };
}

const same = (a: Place, r: number, c: number) => a[0] === r && a[1] === c;

/** `#` wall, `.` free, `2` to `9` dearer, `S` and `G`. */
export function write(map: MazeMap, withEnds = true): string {
  const lines: string[] = [];
  for (let r = 0; r < map.rows; r++) {
    let line = '';
    for (let c = 0; c < map.cols; c++) {
      const cost = map.cells[r * map.cols + c] ?? WALL;
      if (withEnds && same(map.start, r, c)) line += 'S';
      else if (withEnds && same(map.goal, r, c)) line += 'G';
      else line += cost === WALL ? '#' : cost === 1 ? '.' : String(cost);
    }
    lines.push(line);
  }
  return `${lines.join('\n')}\n`;
}

/** Why a text is not a map. */
export class MapError extends Error {}

const LARGEST = 1024;

/** Reads a drawing, a matrix of 0 and 1, or a MovingAI map. */
export function read(text: string): MazeMap {
  const lines = text.replace(/\r/g, '').replace(/\n+$/, '').split('\n');
  const first = lines.find((l) => l.trim() !== '')?.trim() ?? '';
  if (first.startsWith('type'))
    return build(
      lines.slice(lines.findIndex((l) => l.trim() === 'map') + 1).map((l) => [...l.trim()].map((c) => ('.GS'.includes(c) ? '.' : '#'))),
    );
  if (/^[01]/.test(first)) {
    const rows = lines.map((l) => l.trim()).filter((l) => /^[01][01\s]*$/.test(l));
    return build(rows.map((l) => [...l.replace(/\s+/g, '')].map((c) => (c === '1' ? '#' : '.'))));
  }
  return build(lines.filter((l) => l !== '').map((l) => [...l]));
}

function build(grid: string[][]): MazeMap {
  const rows = grid.length;
  const cols = Math.max(0, ...grid.map((l) => l.length));
  if (!rows || !cols || rows > LARGEST || cols > LARGEST) throw new MapError('size');
  const map = blank(rows, cols);
  let start: Place | null = null;
  let goal: Place | null = null;
  grid.forEach((line, r) => {
    for (let c = 0; c < cols; c++) {
      const mark = line[c] ?? '#';
      if (!/[#. *SG@2-9]/.test(mark)) throw new MapError(`${r + 1}:${c + 1}`);
      map.cells[r * cols + c] = mark === '#' || mark === '@' ? WALL : /[2-9]/.test(mark) ? Number(mark) : 1;
      if (mark === 'S') start = [r, c];
      if (mark === 'G') goal = [r, c];
    }
  });
  const gates = openings(map);
  map.start = start ?? gates[0] ?? firstFree(map, 1);
  map.goal = goal ?? gates.at(-1) ?? firstFree(map, -1);
  return map;
}

/** Free cells on the border of a map that is walled in otherwise: its entry and exit. */
function openings(map: MazeMap): Place[] {
  const found: Place[] = [];
  for (let r = 0; r < map.rows; r++) {
    for (let c = 0; c < map.cols; c++) {
      const border = r === 0 || c === 0 || r === map.rows - 1 || c === map.cols - 1;
      if (border && map.cells[r * map.cols + c] !== WALL) found.push([r, c]);
    }
  }
  return found.length === 2 ? found : [];
}

function firstFree(map: MazeMap, step: 1 | -1): Place {
  const from = step === 1 ? 0 : map.cells.length - 1;
  for (let i = from; i >= 0 && i < map.cells.length; i += step) {
    if (map.cells[i] !== WALL) return [Math.floor(i / map.cols), i % map.cols];
  }
  return [0, 0];
}

const LETTERS: Record<string, string> = { '-1,0': 'U', '1,0': 'D', '0,-1': 'L', '0,1': 'R' };

/** The path as a word of U, D, L and R, where it has no diagonal steps. */
export function moveWord(path: Place[]): string | null {
  let word = '';
  for (let i = 1; i < path.length; i++) {
    const [r0, c0] = path[i - 1] ?? [0, 0];
    const [r1, c1] = path[i] ?? [0, 0];
    const letter = LETTERS[`${r1 - r0},${c1 - c0}`];
    if (!letter) return null;
    word += letter;
  }
  return word;
}

/** The three-line answer file: seconds, moves, steps. */
export function answerFile(path: Place[], seconds: number): string | null {
  const word = moveWord(path);
  return word === null ? null : `${seconds}\n${word}\n${word.length}\n`;
}
