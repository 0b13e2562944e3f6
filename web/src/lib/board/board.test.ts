import { describe, expect, test } from 'vitest';
import { gomokuName, starPoints } from './gomoku';
import { centre, corners, name, type Orientation } from './hex';
import { moveCursor } from './keyboard';
import { moveName } from './names';

const orientations: Orientation[] = ['flat', 'pointy', 'diamond'];

describe('hex geometry', () => {
  test.each(orientations)('%s: a cell has six neighbours at the same distance, and no cell is nearer', (orientation) => {
    const at = (r: number, c: number) => centre(r, c, orientation);
    const distance = (r: number, c: number) => Math.hypot(at(r, c).x - at(5, 5).x, at(r, c).y - at(5, 5).y);
    const neighbours = [
      [4, 5],
      [4, 6],
      [5, 4],
      [5, 6],
      [6, 4],
      [6, 5],
    ].map(([r = 0, c = 0]) => distance(r, c));
    for (const d of neighbours) expect(d).toBeCloseTo(Math.sqrt(3), 9);
    let near = 0;
    for (let r = 0; r < 11; r++) for (let c = 0; c < 11; c++) if (distance(r, c) > 0.1 && distance(r, c) < 1.74) near++;
    expect(near).toBe(6);
  });

  test.each(orientations)('%s: neighbours share two corners', (orientation) => {
    const points = (r: number, c: number) => {
      const o = centre(r, c, orientation);
      return corners(orientation).map((p) => `${(p.x + o.x).toFixed(6)},${(p.y + o.y).toFixed(6)}`.replace(/-0\.000000/g, '0.000000'));
    };
    const own = new Set(points(3, 3));
    for (const [r = 0, c = 0] of [
      [2, 3],
      [2, 4],
      [3, 2],
      [3, 4],
      [4, 2],
      [4, 3],
    ]) {
      expect(points(r, c).filter((p) => own.has(p))).toHaveLength(2);
    }
  });

  test('the diamond stands on a corner: a1 and the far corner lie on one level line or one upright', () => {
    const a = centre(0, 0, 'diamond');
    const b = centre(10, 10, 'diamond');
    const c = centre(0, 10, 'diamond');
    const d = centre(10, 0, 'diamond');
    expect(Math.abs(a.y - b.y) < 1e-9 || Math.abs(a.x - b.x) < 1e-9).toBe(true);
    expect(Math.abs(c.y - d.y) < 1e-9 || Math.abs(c.x - d.x) < 1e-9).toBe(true);
  });
});

describe('names', () => {
  test('Gomoku counts rows from the bottom, Hex from the top', () => {
    expect(gomokuName(7, 7, 15)).toBe('H8');
    expect(moveName('gomoku', 14, 0, 15)).toBe('a1');
    expect(moveName('hex', 0, 0, 11)).toBe('a1');
    expect(name(4, 3)).toBe('d5');
  });
  test('star points are on the board and symmetrical', () => {
    for (let size = 5; size <= 22; size++) {
      for (const [r, c] of starPoints(size)) {
        expect(r).toBeLessThan(size);
        expect(starPoints(size)).toContainEqual([size - 1 - r, size - 1 - c]);
      }
    }
    expect(starPoints(15)).toHaveLength(5);
  });
});

test('the cursor stays on the board', () => {
  expect(moveCursor('ArrowUp', [0, 3], 15, 15)).toEqual([0, 3]);
  expect(moveCursor('ArrowRight', [2, 3], 15, 15)).toEqual([2, 4]);
  expect(moveCursor('End', [2, 3], 9, 11)).toEqual([2, 10]);
  expect(moveCursor('PageDown', [2, 3], 9, 11)).toEqual([8, 3]);
  expect(moveCursor('x', [0, 0], 9, 9)).toBeNull();
});
