import { beforeEach, describe, expect, test, vi } from 'vitest';
import { FakeDatabase } from './fake-database';

const forgets = vi.hoisted(() => vi.fn());
vi.mock('../storage', () => ({ forgets }));

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

  test('without a database stays in memory', async () => {
    vi.stubGlobal('indexedDB', undefined);
    const store = await tab();
    expect(await store.keep('games', 'g', 1)).toBe(false);
    expect(await store.kept('games', 'g')).toBe(1);
    expect(await store.all('games')).toEqual(new Map([['g', 1]]));
  });

  test('is gone once it is kept no longer, from the disk and from memory', async () => {
    const store = await tab();
    await store.keep('bodies', 'a', 1);
    database.full = true;
    await store.keep('bodies', 'b', 2);
    for (const id of ['a', 'b']) await store.drop('bodies', id);
    expect(await store.all('bodies')).toEqual(new Map());
    expect(await (await tab()).all('bodies')).toEqual(new Map());
  });
});
