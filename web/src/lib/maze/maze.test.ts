import { describe, expect, test } from 'vitest';
import { answerFile, MapError, moveWord, read, WALL, write } from './map';
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
    expect(
      moveWord([
        [1, 0],
        [1, 1],
        [2, 1],
        [1, 1],
        [1, 0],
      ]),
    ).toBe('RDUL');
    expect(
      answerFile(
        [
          [0, 0],
          [0, 1],
        ],
        0.5,
      ),
    ).toBe('0.5\nR\n1\n');
    expect(
      answerFile(
        [
          [0, 0],
          [1, 1],
        ],
        0.5,
      ),
    ).toBeNull();
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
