import { beforeEach, describe, expect, test, vi } from 'vitest';
import { FakeDatabase } from './fake-database';

const forgets = vi.hoisted(() => vi.fn());
vi.mock('../storage', () => ({ forgets, local: { keys: () => [] } }));

let database: FakeDatabase;

/** The module as another tab has it: with a memory of its own. */
async function tab() {
  vi.resetModules();
  return import('./store');
}

beforeEach(() => {
  database = new FakeDatabase();
  vi.stubGlobal('indexedDB', database.factory);
  forgets.mockClear();
});

describe('what is kept', () => {
  test('is read from the database, where another tab may have changed it', async () => {
    const [one, other] = [await tab(), await tab()];
    expect(await one.keep('games', 'g', 1)).toBe(true);
    expect(await other.keep('games', 'g', 2)).toBe(true);
    expect(await one.kept('games', 'g')).toBe(2);
    expect(await one.all('games')).toEqual(new Map([['g', 2]]));
  });

  test('on a full disk stays in memory, and the person is told', async () => {
    const store = await tab();
    await store.keep('games', 'g', 1);
    expect(forgets).not.toHaveBeenCalled();
    database.full = true;
    expect(await store.keep('games', 'g', 2)).toBe(false);
    expect(await store.keep('games', 'h', 3)).toBe(false);
    expect(forgets).toHaveBeenCalledTimes(2);
    expect(await store.kept('games', 'g')).toBe(2);
    expect(database.stores.get('games')).toEqual(new Map([['g', 1]]));
    database.full = false;
    expect(await store.keep('games', 'g', 4)).toBe(true);
    expect(await store.kept('games', 'g')).toBe(4);
    expect(database.stores.get('games')?.get('g')).toBe(4);
  });

  test('comes back from a file, and what finds no room is said', async () => {
    const one = await tab();
    await one.keep('games', 'g', 1);
    const file = await one.backup();
    expect(await one.restore('{}')).toBe('unreadable');
    database.stores.get('games')?.clear();
    expect(await one.restore(file)).toBe('restored');
    expect(await one.kept('games', 'g')).toBe(1);
    database.full = true;
    expect(await one.restore(file)).toBe('no-room');
  });

  test('without a database stays in memory', async () => {
    vi.stubGlobal('indexedDB', undefined);
    const store = await tab();
    expect(await store.keep('games', 'g', 1)).toBe(false);
    expect(await store.kept('games', 'g')).toBe(1);
    expect(await store.all('games')).toEqual(new Map([['g', 1]]));
  });
});
