import { beforeEach, expect, test, vi } from 'vitest';
import { FakeDatabase } from './fake-database';

const local = vi.hoisted(() => new Map<string, string>());
vi.mock('../storage', () => ({
  forgets: () => {},
  local: {
    keys: () => [...local.keys()],
    getItem: (key: string) => local.get(key) ?? null,
    setItem: (key: string, value: string) => void local.set(key, value),
  },
}));

let database: FakeDatabase;

/** The modules of a browser that has just been opened. */
async function browser() {
  vi.resetModules();
  const [file, store, shelf] = await Promise.all([import('./backup'), import('./store'), import('./shelf')]);
  return { ...file, ...store, ...shelf };
}

function emptied() {
  database = new FakeDatabase();
  vi.stubGlobal('indexedDB', database.factory);
  local.clear();
}

beforeEach(emptied);

test('everything goes into a file and comes back in another browser', async () => {
  const one = await browser();
  await one.keep('games', 'g', { moves: ['h8'] });
  await one.keep('progress', 'hex/1', { solved: 1 });
  await one.adopt({ id: 's', revision: 3 }, { chapters: ['body'] });
  local.set('tengen.settings', '{}');
  local.set('foreign', 'x');
  const file = await one.backup();
  emptied();
  const other = await browser();
  expect(await other.restore(file)).toBe('restored');
  expect(await other.kept('games', 'g')).toEqual({ moves: ['h8'] });
  expect(await other.kept('progress', 'hex/1')).toEqual({ solved: 1 });
  expect(await other.entries()).toEqual([{ id: 's', revision: 3 }]);
  expect(await other.bodyOf('s')).toEqual({ chapters: ['body'] });
  expect([...local.keys()]).toEqual(['tengen.settings']);
});

test('a study that is here and another one of the file with the same id both stay, and reading again adds nothing', async () => {
  const tab = await browser();
  await tab.adopt({ id: 's', revision: 3, place: 'server' }, 'of the file');
  const file = await tab.backup();
  await tab.keep('bodies', 's', 'newer');
  await tab.putEntry({ id: 's', revision: 4, place: 'server' });
  for (let i = 0; i < 2; i++) {
    expect(await tab.restore(file)).toBe('restored');
    expect(await tab.entries()).toHaveLength(2);
  }
  expect(await tab.bodyOf('s')).toBe('newer');
  expect(await tab.bodyOf('s-3')).toBe('of the file');
  // The server's copy belongs to the one that was here.
  expect(await tab.entryOf('s-3')).toEqual({ id: 's-3', revision: 3 });
});

test('a file of the first version is read, another one is refused, and what finds no room is said', async () => {
  const tab = await browser();
  const first = { format: 'tengen-backup', version: 1, stores: { games: { g: 1 } }, local: { 'tengen.studies': '[]' } };
  expect(await tab.restore(JSON.stringify(first))).toBe('restored');
  expect([await tab.kept('games', 'g'), local.get('tengen.studies')]).toEqual([1, '[]']);
  for (const bad of ['', '{}', 'null', '[]', JSON.stringify({ ...first, version: 3 }), JSON.stringify({ ...first, stores: 1 })]) {
    expect(await tab.restore(bad), bad).toBe('unreadable');
  }
  const file = await tab.backup();
  database.full = true;
  expect(await tab.restore(file)).toBe('no-room');
});
