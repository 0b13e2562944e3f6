// What the page keeps without a server: games and progress in IndexedDB. Where the browser keeps nothing (a private
// window, a full disk) everything stays in memory until the page is closed, and the person is told once.
import { forgets, local } from '../storage';

const NAME = 'tengen';
const STORES = ['games', 'progress'] as const;
export type Store = (typeof STORES)[number];

let database: Promise<IDBDatabase | null> | null = null;
/** What the database did not take. */
const memory = new Map<string, unknown>();

function open(): Promise<IDBDatabase | null> {
  database ??= new Promise((done) => {
    const none = () => {
      forgets();
      done(null);
    };
    let asked: IDBOpenDBRequest;
    try {
      asked = indexedDB.open(NAME, 1);
    } catch {
      none();
      return;
    }
    asked.onupgradeneeded = () => STORES.forEach((store) => asked.result.createObjectStore(store));
    asked.onsuccess = () => {
      // A browser may close it, to make room or because the person cleared it.
      asked.result.onclose = () => (database = null);
      done(asked.result);
    };
    asked.onerror = none;
    asked.onblocked = none;
  });
  return database;
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

/** Keeps a value; false if it will be lost when the page is closed. */
export async function keep(store: Store, key: string, value: unknown): Promise<boolean> {
  const place = `${store}/${key}`;
  // Until it is stored nobody here may read what was there before.
  memory.set(place, value);
  const db = await open();
  if (!db) return false;
  try {
    const transaction = db.transaction(store, 'readwrite');
    const end = committed(transaction);
    transaction.objectStore(store).put(value, key);
    await end;
  } catch {
    forgets();
    return false;
  }
  if (memory.get(place) === value) memory.delete(place);
  return true;
}

/** A value as the database has it, where other tabs write too; from memory if it could not be stored. */
export async function kept<T>(store: Store, key: string): Promise<T | undefined> {
  const db = await open();
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
  const db = await open();
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

const FORMAT = 'tengen-backup';

/** Everything kept here, as one file. */
export async function backup(): Promise<string> {
  const stores: Record<string, Record<string, unknown>> = {};
  for (const store of STORES) stores[store] = Object.fromEntries(await all(store));
  const values: Record<string, string> = {};
  for (const key of local.keys()) if (key.startsWith('tengen.')) values[key] = local.getItem(key) ?? '';
  return JSON.stringify({ format: FORMAT, version: 1, stores, local: values });
}

/** Reads such a file. What it has is added; what is here and not in it stays. */
export async function restore(text: string): Promise<'restored' | 'unreadable' | 'no-room'> {
  let read: { format?: unknown; version?: unknown; stores?: Record<string, Record<string, unknown>>; local?: Record<string, unknown> };
  try {
    read = JSON.parse(text) as typeof read;
  } catch {
    return 'unreadable';
  }
  if (read?.format !== FORMAT || read.version !== 1 || typeof read.stores !== 'object' || typeof read.local !== 'object')
    return 'unreadable';
  let stored = true;
  for (const store of STORES) {
    for (const [key, value] of Object.entries(read.stores?.[store] ?? {})) stored = (await keep(store, key, value)) && stored;
  }
  for (const [key, value] of Object.entries(read.local ?? {})) {
    if (!key.startsWith('tengen.') || typeof value !== 'string') continue;
    try {
      local.setItem(key, value);
    } catch {
      stored = false;
    }
  }
  return stored ? 'restored' : 'no-room';
}
