import { describe, expect, test } from 'vitest';
import { answerFile, MapError, moveWord, read, WALL, write, type MazeMap, type Place } from './map';
import { generate, kinds } from './generate';
import { pack, Playback, type MazeEvent } from './playback';

describe('maps', () => {
  test('a matrix with openings in its border', () => {
    const map = read('1 1 1 1\n0 0 0 1\n1 1 0 0\n1 1 1 1\nentry (1,0) exit (2,3)\n');
    expect([map.rows, map.cols, map.start, map.goal]).toEqual([4, 4, [1, 0], [2, 3]]);
    expect(map.cells[0]).toBe(WALL);
  });
  test('a drawing comes back as it was', () => {
    const text = '#####\n#S.5#\n#.#G#\n#####\n';
    const map = read(text);
    expect(write(map)).toBe(text);
    expect(map.cells[8]).toBe(5);
  });
  test('a MovingAI map', () => {
    const map = read('type octile\nheight 2\nwidth 3\nmap\n.@.\n..T\n');
    expect([...map.cells]).toEqual([1, 0, 1, 1, 1, 0]);
  });
  test('what is not a map is refused', () => {
    expect(() => read('hello')).toThrow(MapError);
    expect(() => read('')).toThrow(MapError);
    expect(() => read('.'.repeat(600))).toThrow(MapError);
  });
  test('the answer file', () => {
    expect(moveWord([[1, 0], [1, 1], [2, 1], [1, 1], [1, 0]])).toBe('RDUL');
    expect(answerFile([[0, 0], [0, 1]], 0.5)).toBe('0.5\nR\n1\n');
    expect(answerFile([[0, 0], [1, 1]], 0.5)).toBeNull();
  });
});

describe('playback', () => {
  const events: MazeEvent[] = [
    ['open', 0, 0, 0, 3],
    ['close', 0, 0, 0, 3],
    ['open', 0, 1, 1, 2],
    ['jump', 0, 0, 0, 1],
    ['bound', 3],
    ['open', 1, 2, 3, 0],
  ];
  test('counts open and closed cells, and forgets them at a new bound', () => {
    const play = new Playback(pack(events, 3), 6);
    expect(play.events).toHaveLength(5);
    play.step(3);
    expect([play.open, play.closed, [...play.state]]).toEqual([1, 1, [2, 1, 0, 0, 0, 0]]);
    play.step(99);
    expect([play.open, play.closed, play.done, play.state[5]]).toEqual([1, 0, true, 1]);
  });
  test('going back gives the same as going there afresh', () => {
    const one = new Playback(pack(events, 3), 6);
    one.seek(5);
    one.seek(2);
    const two = new Playback(pack(events, 3), 6);
    two.step(2);
    expect([one.state, one.open, one.closed]).toEqual([two.state, two.open, two.closed]);
  });
});

describe('made maps', () => {
  /** Cells that can be reached from the start by four neighbours. */
  function reached(map: MazeMap): Set<number> {
    const seen = new Set([map.start[0] * map.cols + map.start[1]]);
    for (const at of seen) {
      const [r, c] = [Math.floor(at / map.cols), at % map.cols];
      for (const [y, x] of [[r - 1, c], [r + 1, c], [r, c - 1], [r, c + 1]] as Place[]) {
        if (y >= 0 && x >= 0 && y < map.rows && x < map.cols && map.cells[y * map.cols + x] !== WALL) seen.add(y * map.cols + x);
      }
    }
    return seen;
  }
  test.each(kinds)('%s: the same seed gives the same map, and its ends are free', (kind) => {
    const map = generate(kind, 31, 41, 7);
    expect(write(generate(kind, 31, 41, 7))).toBe(write(map));
    expect(write(generate(kind, 31, 41, 8))).not.toBe(write(map));
    for (const [r, c] of [map.start, map.goal]) expect(map.cells[r * map.cols + c]).not.toBe(WALL);
  });
  test('a perfect maze joins all its cells without a loop', () => {
    const map = generate('backtracker', 31, 41, 3);
    const free = [...map.cells].filter((c) => c !== WALL).length;
    expect(reached(map).size).toBe(free);
    // A tree over 15x20 rooms has one passage less than rooms.
    expect(free).toBe(2 * 15 * 20 - 1);
  });
});
