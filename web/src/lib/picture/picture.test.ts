import { expect, test } from 'vitest';
import type { View } from '../api/types';
import { lzw, toGif } from './gif';
import { plainLook, sceneOf } from './scene';
import { toAnimatedSvg, toSvg } from './svg';

const view = (game: string, board: string[]): View => ({
  game,
  rows: board.length,
  cols: board.length,
  rule: '',
  opening: '',
  board,
  to_move: 'black',
  turn: 'first',
  colours: { first: 'black', second: 'white' },
  ply: 0,
  moves: [],
  legal: { place: true, swap: false, extend: false },
  forbidden: [],
});

/** A plain LZW reader, to check the writer against. */
function unpack(blocks: number[]): number[] {
  const bytes: number[] = [];
  for (let i = 0; blocks[i]; i += (blocks[i] ?? 0) + 1) bytes.push(...blocks.slice(i + 1, i + 1 + (blocks[i] ?? 0)));
  let bit = 0;
  const take = (size: number) => {
    let code = 0;
    for (let k = 0; k < size; k++, bit++) code |= (((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1) << k;
    return code;
  };
  const out: number[] = [];
  let table: number[][] = [];
  let size = 9;
  let last: number[] | null = null;
  for (;;) {
    const code = take(size);
    if (code === 257) return out;
    if (code === 256) {
      table = Array.from({ length: 258 }, (_, i) => (i < 256 ? [i] : []));
      size = 9;
      last = null;
      continue;
    }
    const entry: number[] = table[code] ?? [...(last ?? []), last?.[0] ?? 0];
    out.push(...entry);
    if (last && table.length < 4096) table.push([...last, entry[0] ?? 0]);
    last = entry;
    if (table.length === 1 << size && size < 12) size++;
  }
}

test('the LZW of a GIF reads back', () => {
  let seed = 7;
  const random = () => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) >> 16;
  for (const length of [1, 2, 300, 5000, 60_000]) {
    for (const colours of [1, 3, 256]) {
      const pixels = Uint8Array.from({ length }, () => random() % colours);
      expect(unpack(lzw(pixels)), `${length} of ${colours}`).toEqual([...pixels]);
    }
  }
});

test('a GIF begins and ends as it should', () => {
  const frame = { width: 2, height: 1, data: Uint8ClampedArray.from([255, 0, 0, 255, 0, 0, 255, 255]) };
  const file = toGif([frame, frame], 50);
  expect(String.fromCharCode(...file.slice(0, 6))).toBe('GIF89a');
  expect(file.at(-1)).toBe(0x3b);
});

test.each(['gomoku', 'hex'])('%s: a picture has every stone and lies inside its frame', (game) => {
  const scene = sceneOf(view(game, ['X....', '.O...', '..X..', '...O.', '....X']), plainLook);
  expect(scene.shapes.filter((s) => s.kind === 'circle' && s.r > 8)).toHaveLength(5);
  for (const shape of scene.shapes) {
    for (const [x, y] of 'points' in shape ? shape.points : [shape.at]) {
      expect(x).toBeGreaterThanOrEqual(-0.01);
      expect(y).toBeGreaterThanOrEqual(-0.01);
      expect(x).toBeLessThanOrEqual(scene.width + 0.01);
      expect(y).toBeLessThanOrEqual(scene.height + 0.01);
    }
  }
  expect(toSvg(scene)).toMatch(/^<svg .*<\/svg>\s*$/s);
});

test('a moving picture writes a shape once', () => {
  const one = sceneOf(view('gomoku', ['.....', '.....', '.....', '.....', '.....']), plainLook);
  const two = sceneOf(view('gomoku', ['.....', '.....', '..X..', '.....', '.....']), plainLook);
  const svg = toAnimatedSvg([one, two], 1);
  expect(svg.match(/<animate /g)).toHaveLength(1);
  expect(svg).toContain('values="hidden;visible" keyTimes="0.0000;0.5000"');
});
