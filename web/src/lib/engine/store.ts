// What the page keeps in IndexedDB: studies, and what a site without a server keeps besides, games and progress. Where the
// browser keeps nothing (a private window, a full disk) everything stays in memory until the page is closed, and the person
// is told once.
import { forgets } from '../storage';

/** Databases with their stores. Studies came later: a database of their own needs no upgrade that an older tab could block. */
const DATABASES = { tengen: ['games', 'progress'], 'tengen-studies': ['studies', 'bodies'] } as const;
type Database = keyof typeof DATABASES;
export type Store = (typeof DATABASES)[Database][number];

export const STORES: readonly Store[] = Object.values(DATABASES).flat();

const databaseOf = (store: Store): Database => (store === 'studies' || store === 'bodies' ? 'tengen-studies' : 'tengen');

const opened = new Map<Database, Promise<IDBDatabase | null>>();
/** What the database did not take. */
const memory = new Map<string, unknown>();

function open(store: Store): Promise<IDBDatabase | null> {
  const name = databaseOf(store);
  const known = opened.get(name);
  if (known) return known;
  const opening = new Promise<IDBDatabase | null>((done) => {
    const none = () => {
      forgets();
      done(null);
    };
    let asked: IDBOpenDBRequest;
    try {
      asked = indexedDB.open(name, 1);
    } catch {
      none();
      return;
    }
    asked.onupgradeneeded = () => DATABASES[name].forEach((each) => asked.result.createObjectStore(each));
    asked.onsuccess = () => {
      // A browser may close it, to make room or because the person cleared it.
      asked.result.onclose = () => opened.delete(name);
      done(asked.result);
    };
    asked.onerror = none;
    asked.onblocked = none;
  });
  opened.set(name, opening);
  return opening;
}

function finished<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error ?? new Error('storage failed'));
  });
}

/** The end of a transaction. A full disk is noticed there, after every request has succeeded. */
function committed(transaction: IDBTransaction): Promise<void> {
  return new Promise((done, fail) => {
    transaction.oncomplete = () => done();
    transaction.onabort = () => fail(transaction.error ?? new Error('storage failed'));
  });
}

async function write(store: Store, change: (objects: IDBObjectStore) => void): Promise<boolean> {
  const db = await open(store);
  if (!db) return false;
  try {
    const transaction = db.transaction(store, 'readwrite');
    const end = committed(transaction);
    change(transaction.objectStore(store));
    await end;
    return true;
  } catch {
    return false;
  }
}

/** Keeps a value; false if it will be lost when the page is closed, which the person is told unless `tell` is false. */
export async function keep(store: Store, key: string, value: unknown, tell = true): Promise<boolean> {
  const place = `${store}/${key}`;
  // Until it is stored nobody here may read what was there before.
  memory.set(place, value);
  if (!(await write(store, (objects) => objects.put(value, key)))) {
    if (tell) forgets();
    return false;
  }
  if (memory.get(place) === value) memory.delete(place);
  return true;
}

/** Keeps a value no longer. */
export async function drop(store: Store, key: string): Promise<void> {
  memory.delete(`${store}/${key}`);
  await write(store, (objects) => objects.delete(key));
}

/** A value as the database has it, where other tabs write too; from memory if it could not be stored. */
export async function kept<T>(store: Store, key: string): Promise<T | undefined> {
  const db = await open(store);
  const unsaved = memory.get(`${store}/${key}`) as T | undefined;
  if (!db || unsaved !== undefined) return unsaved;
  try {
    return await finished(db.transaction(store).objectStore(store).get(key) as IDBRequest<T | undefined>);
  } catch {
    forgets();
    return undefined;
  }
}

/** Everything in a store, by key. */
export async function all<T>(store: Store): Promise<Map<string, T>> {
  const db = await open(store);
  const found = new Map<string, T>();
  try {
    if (db) {
      const objects = db.transaction(store).objectStore(store);
      const [keys, values] = await Promise.all([finished(objects.getAllKeys()), finished(objects.getAll() as IDBRequest<T[]>)]);
      keys.forEach((key, at) => typeof key === 'string' && found.set(key, values[at] as T));
    }
  } catch {
    forgets();
  }
  for (const [key, value] of memory) if (key.startsWith(`${store}/`)) found.set(key.slice(store.length + 1), value as T);
  return found;
}
