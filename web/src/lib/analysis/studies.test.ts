import { beforeEach, expect, test, vi } from 'vitest';
import { FakeDatabase } from '../engine/fake-database';
import { emptyChapter, lineOf, single, type Kept } from './kept';
import { packed, unpacked } from './pack';
import type { Place, Server, Studies } from './studies';

const browser = vi.hoisted(() => new Map<string, string>());
vi.mock('../storage', () => ({
  forgets: () => {},
  local: {
    keys: () => [...browser.keys()],
    getItem: (key: string) => browser.get(key) ?? null,
    setItem: (key: string, value: string) => void browser.set(key, value),
    removeItem: (key: string) => void browser.delete(key),
  },
}));

class TabStore {
  data = new Map<string, string>();
  getItem = (key: string) => this.data.get(key) ?? null;
  setItem = (key: string, value: string) => void this.data.set(key, value);
}

const setup = { game: 'gomoku', rows: 15, cols: 15, rule: '', opening: '' };
const study = (...moves: string[]): Kept => single({ ...emptyChapter(setup), branches: lineOf(moves), at: moves });

let database: FakeDatabase;
let stored: Map<string, Kept>;
let server: Server;

beforeEach(() => {
  database = new FakeDatabase();
  vi.stubGlobal('indexedDB', database.factory);
  browser.clear();
  stored = new Map();
  server = {
    save(kept, place): Promise<Place> {
      const id = place?.id ?? `s${stored.size}`;
      stored.set(id, kept);
      return Promise.resolve({ id, secret: 'secret', version: place?.version ?? 1 });
    },
    load(id) {
      return Promise.resolve(stored.get(id)!);
    },
  };
});

/** A tab of its own: nothing in its memory is another one's. */
async function tab(its: { server?: Server; forgets?: () => void } = {}): Promise<Studies> {
  vi.resetModules();
  const { Studies } = await import('./studies');
  return new Studies(new TabStore(), its.server ?? server, 0, its.forgets);
}
/** Until the server has answered and that is written down. */
async function settle(studies: Studies) {
  await studies.flush();
  await new Promise((done) => setTimeout(done, 1));
  await studies.list();
}
async function kept(studies: Studies, value: Kept) {
  studies.keep(() => value);
  await settle(studies);
}

test('a foreign study opened and changed leaves the own one as it was, in the browser and on the server', async () => {
  const studies = await tab();
  const own = study('h8', 'i9');
  await kept(studies, own);
  const foreign = study('a1');
  await studies.begin(foreign);
  await kept(studies, foreign);
  await kept(studies, study('a1', 'b2'));
  const list = await studies.list();
  expect(list).toHaveLength(2);
  const ownId = list.find((e) => e.moves === 2 && e.id !== studies.id)!.id;
  expect(await studies.open(ownId)).toEqual(own);
  expect([...stored.values()]).toContainEqual(own);
});

test('opening the same link twice makes one copy', async () => {
  const studies = await tab();
  for (let i = 0; i < 2; i++) {
    await studies.begin(study('a1'));
    await kept(studies, study('a1'));
  }
  expect(await studies.list()).toHaveLength(1);
});

test('an empty board is not kept, and starting one leaves the study before it', async () => {
  const studies = await tab();
  await kept(studies, study('h8'));
  await studies.begin(study());
  await kept(studies, study());
  expect(await studies.list()).toHaveLength(1);
  expect(await studies.resume()).toEqual(study('h8'));
});

test('two tabs on one study: the changes of both are kept, and looking on changes nothing', async () => {
  await kept(await tab(), study('h8'));
  const [a, b, onlooker] = [await tab(), await tab(), await tab()];
  for (const studies of [a, b, onlooker]) expect(await studies.resume()).toEqual(study('h8'));
  await kept(a, study('h8', 'i9'));
  await kept(b, study('h8', 'g7'));
  await kept(onlooker, single({ ...study('h8').chapters[0]!, at: [] }));
  const other = await tab();
  const all = [];
  for (const { id } of await a.list()) all.push(await other.open(id));
  expect(all).toHaveLength(2);
  expect(all).toContainEqual(study('h8', 'i9'));
  expect(all).toContainEqual(study('h8', 'g7'));
});

test('a full disk drops what the server has, never the only copy', async () => {
  const studies = await tab();
  await kept(studies, study('a1'));
  await studies.begin(study('b2'));
  database.limit = database.used + 240;
  await kept(studies, study('b2', 'c3', 'd4'));
  const list = await studies.list();
  expect(list).toHaveLength(2);
  expect(database.stores.get('bodies')?.size, 'the other one is on the server').toBe(1);
  for (const entry of list) expect((await (await tab()).open(entry.id))?.chapters[0]?.branches).toHaveLength(1);
});

test('without a server a full disk keeps what it had, and the person is told that the rest is lost', async () => {
  let told = 0;
  const alone: Server = { save: () => Promise.reject(new Error('no server')), load: () => Promise.resolve(null) };
  const studies = await tab({ server: alone, forgets: () => told++ });
  await kept(studies, study('a1'));
  expect(told).toBe(0);
  database.full = true;
  await kept(studies, study('a1', 'b2', 'c3', 'd4', 'e5'));
  expect(told).toBeGreaterThan(0);
  expect((await studies.peek(studies.id!))?.chapters[0]?.branches[0]?.children, 'until the page is closed').toHaveLength(1);
  database.full = false;
  expect((await (await tab()).open((await studies.list())[0]!.id))?.chapters[0]?.branches).toHaveLength(1);
});

test('without a database studies live until the page is closed', async () => {
  vi.stubGlobal('indexedDB', undefined);
  const studies = await tab();
  await kept(studies, study('h8'));
  expect(await studies.list()).toHaveLength(1);
  expect(await studies.resume()).toEqual(study('h8'));
});

/** A study as versions before chapters stored it. */
const old = (...moves: string[]) => study(...moves).chapters[0]!;

test('studies of earlier versions are moved into the database once, and nothing is lost', async () => {
  browser.set('tengen.study', JSON.stringify(old('h8')));
  expect(await (await tab()).resume()).toEqual(study('h8'));
  const entry = (id: string) => ({ id, game: 'gomoku', moves: 1, changed: 1, revision: 1 });
  browser.set('tengen.studies', JSON.stringify([entry('x'), { ...entry('y'), removed: Date.now() }, entry('z')]));
  browser.set('tengen.studies.x', JSON.stringify(old('g7')));
  browser.set('tengen.studies.y', JSON.stringify(study('a1')));
  const studies = await tab();
  expect(await studies.open('x')).toEqual(study('g7'));
  expect((await studies.removed()).map((e) => e.id)).toEqual(['y']);
  expect((await studies.list()).map((e) => e.id)).toContain('z');
  expect([...browser.keys()]).toEqual([]);
  await kept(studies, study('g7', 'h8'));
  expect(await (await tab()).open('x'), 'moved once').toEqual(study('g7', 'h8'));
});

test('without room the studies of earlier versions stay where they are', async () => {
  browser.set('tengen.studies', JSON.stringify([{ id: 'x', game: 'gomoku', moves: 1, changed: 1, revision: 1 }]));
  browser.set('tengen.studies.x', JSON.stringify(study('g7')));
  database.full = true;
  expect(await (await tab()).open('x')).toEqual(study('g7'));
  expect(browser.size).toBe(2);
  database.full = false;
  expect(await (await tab()).open('x')).toEqual(study('g7'));
  expect(browser.size).toBe(0);
});

test('what was changed last when the page was closed is there, also where the database did not finish', async () => {
  const studies = await tab();
  await kept(studies, { ...study('h8'), name: 'Mine' });
  const { id } = studies;
  const before = structuredClone(database.stores);
  studies.keep(() => ({ ...study('h8', 'i9'), name: 'Mine' }));
  studies.leave();
  await settle(studies);
  for (const [name, values] of before) database.stores.set(name, values);
  const next = await tab();
  expect(await next.open(id!)).toEqual({ ...study('h8', 'i9'), name: 'Mine' });
  expect(await next.list()).toHaveLength(1);
  expect((await next.list())[0]?.place, 'its copy on the server is still known').toBeDefined();
  expect([...browser.keys()]).toEqual([]);
});

test('a removed study is off the list and comes back whole', async () => {
  const studies = await tab();
  await kept(studies, { ...study('h8'), name: 'Mine' });
  const { id } = (await studies.list())[0]!;
  await studies.remove(id);
  expect(await studies.list()).toEqual([]);
  expect(await studies.removed()).toMatchObject([{ id, name: 'Mine' }]);
  await studies.restore(id);
  expect(await (await tab()).open(id)).toEqual({ ...study('h8'), name: 'Mine' });
});

test('a study that was removed when the page was closed is off the list, also where the database did not finish', async () => {
  const studies = await tab();
  await kept(studies, study('h8'));
  const { id } = (await studies.list())[0]!;
  const removing = studies.remove(id);
  const noted = new Map(browser);
  const before = structuredClone(database.stores);
  await removing;
  expect([...browser.keys()]).toEqual([]);
  for (const [name, values] of before) database.stores.set(name, values);
  for (const [key, value] of noted) browser.set(key, value);
  const next = await tab();
  expect((await next.removed()).map((entry) => entry.id)).toEqual([id]);
  expect([...browser.keys()]).toEqual([]);
});

test('a study is found by the id it has on the server, and a new one has its id at once', async () => {
  const studies = await tab();
  studies.keep(() => study('h8'));
  expect(studies.id).not.toBeNull();
  await settle(studies);
  expect(await (await tab()).open((await studies.list())[0]!.place!.id)).toEqual(study('h8'));
});

test('a whole study goes into an address and comes back', async () => {
  const chapter = { ...old('h8', 'i9'), name: '第二章', root: { comment: 'root', marks: [{ kind: 'circle' as const, row: 1, col: 2 }] } };
  const whole: Kept = { name: 'Two', chapters: [old('g7'), chapter], chapter: 1 };
  const hash = `#${await packed(whole)}`;
  expect(hash).toMatch(/^#s=[\w-]+$/);
  expect(hash.length).toBeLessThan(500);
  const found = await unpacked(hash);
  expect(found?.chapters.map((c) => c.name)).toEqual([undefined, '第二章']);
  expect(found?.chapters[1]).toMatchObject({ root: chapter.root, at: ['h8', 'i9'] });
  expect(await unpacked(hash.slice(0, -9))).toBeNull();
});
