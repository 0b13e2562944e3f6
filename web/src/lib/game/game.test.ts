import { describe, expect, test, vi } from 'vitest';
import type { GameBody, GameMessage, View } from '../api/types';
import { again } from './again';
import { decode, sgfOf } from './load';
import { formatClock, left } from './clock';
import { readQuery, shareQuery } from './handoff';
import { hear } from './news';
import { seatFromHash } from './seats';

// The router reads the page's address.
vi.mock('../router.svelte', () => ({ go: () => undefined }));

const view = { ply: 1 } as View;
const game = { id: 'g', view, status: 'live', offer: { seat: 'first', what: 'draw' }, comments: [] } as unknown as GameBody;

describe('news of a live game', () => {
  test('a move brings its view and ends offers', () => {
    const after = hear(game, { type: 'move', ply: 2, view: { ...view, ply: 2 } });
    expect(after?.view.ply).toBe(2);
    expect(after).not.toHaveProperty('offer');
  });
  test('the end brings winner and reason', () => {
    expect(hear(game, { type: 'end', game_id: 'g', result: 'first', winner: 'black', reason: 'five', view })).toMatchObject({
      status: 'over',
      winner: 'black',
      reason: 'five',
    });
  });
  test('an offer comes and goes', () => {
    expect(hear(game, { type: 'offer' })).not.toHaveProperty('offer');
    expect(hear(game, { type: 'offer', offer: { seat: 'second', what: 'undo' } })?.offer?.what).toBe('undo');
  });
  test('a state replaces everything, the unknown nothing', () => {
    expect(hear(null, { type: 'state', game })).toEqual(game);
    const chat = [{ seat: 'first' as const, at: 1, text: 'hello' }];
    expect(hear({ ...game, chat }, { type: 'state', game }), 'players keep their chat').toEqual({ ...game, chat });
    expect(hear(game, { type: 'ack' } as unknown as GameMessage)).toBeNull();
    expect(hear(null, { type: 'move', ply: 1, view })).toBeNull();
  });
});

test('a rematch changes seats and keeps the time control', () => {
  const time_control = { initial_ms: 60_000, increment_ms: 1_000 };
  const players = { first: { kind: 'human' }, second: { kind: 'engine', engine: 'tengen', level: 2 } };
  const over = { ...game, players, time_control, clock: { first_ms: 5, second_ms: 6 } } as unknown as GameBody;
  expect(again(over)).toMatchObject({ clock: time_control, players: { first: players.second, second: players.first } });
  expect(again({ ...game, players } as unknown as GameBody)).not.toHaveProperty('clock');
});

test('clock format', () => {
  expect(formatClock(65_000)).toBe('1:05');
  expect(formatClock(3_661_000)).toBe('1:01:01');
  expect(formatClock(9_950)).toBe('9.9');
  expect(left({ first_ms: 5000, second_ms: 4000, increment_ms: 0, running: 'first' }, 'first', 700)).toBe(4300);
  expect(left({ first_ms: 5000, second_ms: 4000, increment_ms: 0, running: 'first' }, 'second', 700)).toBe(4000);
  expect(left({ first_ms: 5, second_ms: 4000, increment_ms: 0, running: 'first' }, 'first', 700)).toBe(0);
});

test('an address carries a position', () => {
  const setup = {
    game: 'hex',
    rows: 11,
    cols: 11,
    rule: '',
    opening: 'swap-pieces',
    stones: [{ side: 'black' as const, row: 3, col: 10 }],
    to_move: 'white' as const,
  };
  expect(readQuery(`?${shareQuery(setup, ['a1', 'swap', 'b2'])}`)).toEqual({ setup, moves: ['a1', 'swap', 'b2'] });
  expect(readQuery('?x=1')).toBeNull();
  expect(readQuery('?game=gomoku&size=zz')?.setup.rows).toBe(0);
});

test('a link hands over one seat', () => {
  expect(seatFromHash('#second=abc-_9')).toEqual({ second: 'abc-_9' });
  expect(seatFromHash('#watch=0f')).toEqual({ watch: '0f' });
  expect(seatFromHash('#third=abc')).toEqual({});
  expect(seatFromHash('#first=<x>')).toEqual({});
});

describe('files', () => {
  const bytes = (text: string, ...more: number[]) => new Uint8Array([...new TextEncoder().encode(text), ...more, 93, 41]).buffer;
  test('SGF is read in the charset it names', () => {
    // 黑 in GB2312, あ in Shift-JIS, é in Latin-1, 黑 in Big5.
    expect(decode(bytes('(;CA[GB2312]C[', 0xba, 0xda))).toBe('(;CA[UTF-8]C[黑])');
    expect(decode(bytes('(;FF[4]CA[Shift_JIS]C[', 0x82, 0xa0))).toBe('(;FF[4]CA[UTF-8]C[あ])');
    expect(decode(bytes('(;CA[ISO-8859-1]C[', 0xe9))).toBe('(;CA[UTF-8]C[é])');
    expect(decode(bytes('(;CA[Big5]C[', 0xb6, 0xc2))).toBe('(;CA[UTF-8]C[黑])');
  });
  test('text before an SGF is skipped, other texts are left alone', () => {
    expect(sgfOf('Subject: our game\n\n(;GM[4];B[hh])')).toBe('(;GM[4];B[hh])');
    for (const text of ['(;GM[4])', 'h8 i9 (a remark; and another)', '{"a":1}']) expect(sgfOf(text)).toBe(text);
  });
  test('everything else is UTF-8, also with an unknown charset', () => {
    expect(decode(new TextEncoder().encode('天元 h8').buffer)).toBe('天元 h8');
    expect(decode(bytes('(;CA[nonsense]C[', 0x61))).toBe('(;CA[UTF-8]C[a])');
  });
});
