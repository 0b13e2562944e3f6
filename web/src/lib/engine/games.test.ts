import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { GameMessage } from '../api/types';
import { FakeDatabase } from './fake-database';
import type { Engines } from './games';

vi.mock('../storage', () => ({ forgets: () => {} }));

/** Rules that take every move, some time later. */
const engines: Engines = {
  async ask<T>(path: string, body: unknown): Promise<T> {
    const { game, ask, order } = body as { game: { events: unknown[] }; ask: string; order?: { move: string } };
    const players = { first: { kind: 'human' }, second: { kind: 'human' } };
    if (path === '/local/new') return { kept: { events: [] }, game: { players, status: 'over' } } as T;
    await new Promise((done) => setTimeout(done, 5));
    const events = ask === 'move' ? [order?.move] : [];
    return { events, game: { players, status: 'over', moves: [...game.events, ...events] }, answer: null } as T;
  },
  think: () => () => {},
};

/** `navigator.locks`: one at a time for each name. */
function locks() {
  const last = new Map<string, Promise<unknown>>();
  return {
    request(name: string, work: () => Promise<unknown>) {
      const turn = (last.get(name) ?? Promise.resolve()).catch(() => {}).then(work);
      last.set(name, turn);
      return turn;
    },
  };
}

/** What another tab has: modules and games of its own. */
async function tab() {
  vi.resetModules();
  return new (await import('./games')).LocalGames(engines);
}

const moved = (move: string) => JSON.stringify({ move });
let database: FakeDatabase;

beforeEach(() => {
  database = new FakeDatabase();
  vi.stubGlobal('indexedDB', database.factory);
  vi.stubGlobal('navigator', { locks: locks() });
});
afterEach(() => vi.unstubAllGlobals());

describe('a game in two tabs', () => {
  test('keeps the moves of both, also when they are made at once', async () => {
    const [one, other] = [await tab(), await tab()];
    const { id } = (await one.request('POST', '/games', '{}', undefined)) as { id: string };
    const play = (games: typeof one, move: string) => games.request('POST', `/games/${id}/moves`, moved(move), 'first');
    await Promise.all([play(one, 'a1'), play(other, 'b2'), play(one, 'c3'), play(other, 'd4')]);
    const { events } = database.stores.get('games')?.get(id) as { events: string[] };
    expect(events.sort()).toEqual(['a1', 'b2', 'c3', 'd4']);
  });

  test('shows in each what the other did', async () => {
    const [one, other] = [await tab(), await tab()];
    const { id } = (await one.request('POST', '/games', '{}', undefined)) as { id: string };
    const states: GameMessage[] = [];
    other.connect(`/games/${id}/events`, { message: (state) => states.push(state) });
    await one.request('POST', `/games/${id}/moves`, moved('a1'), 'first');
    await vi.waitFor(() => expect(states.at(-1)).toMatchObject({ type: 'state', game: { moves: ['a1'] } }));
  });

  test('shows at once what was done since it read the game', async () => {
    const [one, other] = [await tab(), await tab()];
    const { id } = (await one.request('POST', '/games', '{}', undefined)) as { id: string };
    await other.request('GET', `/games/${id}`, undefined, 'first');
    await one.request('POST', `/games/${id}/moves`, moved('a1'), 'first');
    const state = new Promise<GameMessage>((message) => other.connect(`/games/${id}/events`, { message }));
    expect(await state).toMatchObject({ type: 'state', game: { moves: ['a1'] } });
  });
});

describe('an engine to move', () => {
  const players = { first: { kind: 'human' }, second: { kind: 'engine' } };
  const game = { players, status: 'live', view: { turn: 'second', ply: 1 }, takebacks: 0 };

  /** What is asked about a game whose engine answers so. */
  async function asked(answer: { type: string; detail?: string }): Promise<string[]> {
    const asks: string[] = [];
    vi.resetModules();
    const { LocalGames } = await import('./games');
    const games = new LocalGames({
      ask<T>(path: string, body: unknown): Promise<T> {
        if (path === '/local/ask') asks.push((body as { ask: string }).ask);
        return Promise.resolve({ kept: { events: [] }, events: [], game, answer: null } as T);
      },
      think(_, hear) {
        queueMicrotask(() => hear(answer));
        return () => {};
      },
    });
    await games.request('POST', '/games', '{}', undefined);
    await new Promise((done) => setTimeout(done, 30));
    return asks;
  }

  test('that has failed loses its game', async () => {
    expect(await asked({ type: 'failed', detail: 'a bug' })).toEqual(['forfeit']);
  });

  test('that cannot be loaded loses nothing', async () => {
    expect(await asked({ type: 'unavailable' })).toEqual([]);
  });
});
