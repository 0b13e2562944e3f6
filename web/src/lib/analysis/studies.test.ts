import { beforeEach, expect, test } from 'vitest';
import { emptyChapter, lineOf, single, type Kept } from './kept';
import { packed, unpacked } from './pack';
import { Studies, type Place, type Server } from './studies';

class Store {
  data = new Map<string, string>();
  limit = Infinity;
  getItem = (key: string) => this.data.get(key) ?? null;
  removeItem = (key: string) => void this.data.delete(key);
  setItem(key: string, value: string) {
    const others = [...this.data].reduce((sum, [k, v]) => sum + (k === key ? 0 : v.length), 0);
    if (others + value.length > this.limit) throw new Error('full');
    this.data.set(key, value);
  }
}

const setup = { game: 'gomoku', rows: 15, cols: 15, rule: '', opening: '' };
const study = (...moves: string[]): Kept => single({ ...emptyChapter(setup), branches: lineOf(moves), at: moves });

let browser: Store;
let stored: Map<string, Kept>;
let server: Server;

beforeEach(() => {
  browser = new Store();
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

const tab = () => new Studies(browser, new Store(), server, 0);
const settle = () => new Promise((done) => setTimeout(done, 5));
async function kept(studies: Studies, value: Kept) {
  studies.keep(() => value);
  studies.flush();
  await settle();
}

test('a foreign study opened and changed leaves the own one as it was, in the browser and on the server', async () => {
  const studies = tab();
  const own = study('h8', 'i9');
  await kept(studies, own);
  const foreign = study('a1');
  studies.begin(foreign);
  await kept(studies, foreign);
  await kept(studies, study('a1', 'b2'));
  expect(studies.list()).toHaveLength(2);
  const ownId = studies.list().find((e) => e.moves === 2 && e.id !== studies.id)!.id;
  expect(await studies.open(ownId)).toEqual(own);
  expect([...stored.values()]).toContainEqual(own);
});

test('opening the same link twice makes one copy', async () => {
  const studies = tab();
  for (let i = 0; i < 2; i++) {
    studies.begin(study('a1'));
    await kept(studies, study('a1'));
  }
  expect(studies.list()).toHaveLength(1);
});

test('an empty board is not kept, and starting one leaves the study before it', async () => {
  const studies = tab();
  await kept(studies, study('h8'));
  studies.begin(study());
  await kept(studies, study());
  expect(studies.list()).toHaveLength(1);
  expect(await studies.resume()).toEqual(study('h8'));
});

test('two tabs on one study: the changes of both are kept, and looking on changes nothing', async () => {
  await kept(tab(), study('h8'));
  const [a, b, onlooker] = [tab(), tab(), tab()];
  for (const studies of [a, b, onlooker]) expect(await studies.resume()).toEqual(study('h8'));
  await kept(a, study('h8', 'i9'));
  await kept(b, study('h8', 'g7'));
  await kept(onlooker, single({ ...study('h8').chapters[0]!, at: [] }));
  const all = await Promise.all(a.list().map((e) => tab().open(e.id)));
  expect(all).toHaveLength(2);
  expect(all).toContainEqual(study('h8', 'i9'));
  expect(all).toContainEqual(study('h8', 'g7'));
});

test('a full browser drops what the server has, never the only copy', async () => {
  const studies = tab();
  await kept(studies, study('a1'));
  studies.begin(study('b2'));
  browser.limit = [...browser.data.values()].join('').length + 100;
  await kept(studies, study('b2', 'c3', 'd4'));
  expect(studies.list()).toHaveLength(2);
  for (const entry of studies.list()) expect((await tab().open(entry.id))?.chapters[0]?.branches).toHaveLength(1);
});

test('without a server a full browser keeps what it had, and says that the rest is lost', async () => {
  let told = 0;
  const alone = { save: () => Promise.reject(new Error('no server')), load: () => Promise.resolve(null) };
  const studies = new Studies(browser, new Store(), alone, 0, () => told++);
  await kept(studies, study('a1'));
  expect(told).toBe(0);
  browser.limit = [...browser.data.values()].join('').length + 20;
  await kept(studies, study('a1', 'b2', 'c3', 'd4', 'e5'));
  expect(told).toBeGreaterThan(0);
  browser.limit = Infinity;
  expect((await tab().open(studies.list()[0]!.id))?.chapters[0]?.branches).toHaveLength(1);
});

/** A study as versions before chapters stored it. */
const old = (...moves: string[]) => study(...moves).chapters[0]!;

test('studies of earlier versions open, from the browser and from the server', async () => {
  browser.setItem('tengen.study', JSON.stringify(old('h8')));
  expect(await tab().resume()).toEqual(study('h8'));
  browser.setItem('tengen.studies', JSON.stringify([{ id: 'x', game: 'gomoku', moves: 1, changed: 1, revision: 1 }]));
  browser.setItem('tengen.studies.x', JSON.stringify(old('g7')));
  expect(await tab().open('x')).toEqual(study('g7'));
});

test('a removed study is off the list and comes back whole', async () => {
  const studies = tab();
  await kept(studies, { ...study('h8'), name: 'Mine' });
  const { id } = studies.list()[0]!;
  studies.remove(id);
  expect(studies.list()).toEqual([]);
  expect(studies.removed()).toMatchObject([{ id, name: 'Mine' }]);
  studies.restore(id);
  expect(await tab().open(id)).toEqual({ ...study('h8'), name: 'Mine' });
});

test('a study is found by the id it has on the server, and a new one has its id at once', async () => {
  const studies = tab();
  studies.keep(() => study('h8'));
  expect(studies.id).not.toBeNull();
  await settle();
  expect(await tab().open(studies.list()[0]!.place!.id)).toEqual(study('h8'));
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
