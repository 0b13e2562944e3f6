import { describe, expect, test } from 'vitest';
import { answerFile, MapError, moveWord, read, WALL, write } from './map';
import { CLOSED, OPEN, Playback } from './playback';

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
    expect(() => read('.'.repeat(1025))).toThrow(MapError);
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
  // A cell is its number times four, plus what became of it; 3 alone is a new bound of IDA*.
  const events = Uint32Array.from([0 * 4 + OPEN, 0 * 4 + CLOSED, 1 * 4 + OPEN, 3, 5 * 4 + OPEN]);
  test('counts open and closed cells, and forgets them at a new bound', () => {
    const play = new Playback(events, 6);
    play.step(3);
    expect([play.open, play.closed, [...play.state]]).toEqual([1, 1, [2, 1, 0, 0, 0, 0]]);
    play.step(99);
    expect([play.open, play.closed, play.done, play.state[5]]).toEqual([1, 0, true, 1]);
  });
  test('what changed since a moment is known, unless everything did', () => {
    const play = new Playback(events, 6);
    play.step(3);
    expect([...(play.changedSince(1) ?? [])]).toEqual([0 * 4 + CLOSED, 1 * 4 + OPEN]);
    play.step(1);
    expect(play.changedSince(1)).toBeNull();
    play.seek(1);
    expect(play.changedSince(4)).toBeNull();
  });
  test('going back gives the same as going there afresh', () => {
    const one = new Playback(events, 6);
    one.seek(5);
    one.seek(2);
    const two = new Playback(events, 6);
    two.step(2);
    expect([one.state, one.open, one.closed]).toEqual([two.state, two.open, two.closed]);
  });
});
