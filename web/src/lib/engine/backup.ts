// Everything that this browser keeps, as one file and back.
import { local } from '../storage';
import { adopt, alone, type Shelved } from './shelf';
import { all, keep, STORES } from './store';

const FORMAT = 'tengen-backup';
/** Files of version 1 have their studies among the values of the browser's storage, where they are looked for at the start. */
const VERSION = 2;

interface File {
  format?: unknown;
  version?: unknown;
  stores?: Record<string, Record<string, unknown>>;
  local?: Record<string, unknown>;
}

/** The file's text. */
export async function backup(): Promise<string> {
  const stores: Record<string, Record<string, unknown>> = {};
  for (const store of STORES) stores[store] = Object.fromEntries(await all(store));
  const values: Record<string, string> = {};
  for (const key of local.keys()) if (key.startsWith('tengen.')) values[key] = local.getItem(key) ?? '';
  return JSON.stringify({ format: FORMAT, version: VERSION, stores, local: values });
}

function read(text: string): File | null {
  try {
    const file = JSON.parse(text) as File | null;
    const known = file?.format === FORMAT && (file.version === 1 || file.version === VERSION);
    return known && typeof file.stores === 'object' && typeof file.local === 'object' ? file : null;
  } catch {
    return null;
  }
}

const isEntry = (value: unknown): value is Shelved =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string' && 'revision' in value;

/** Reads such a file. What it has is added; what is here and not in it stays, and so does a study that differs from the file's. */
export async function restore(text: string): Promise<'restored' | 'unreadable' | 'no-room'> {
  const file = read(text);
  if (!file) return 'unreadable';
  let stored = true;
  const valuesOf = (store: string) => Object.entries(file.stores?.[store] ?? {});
  for (const store of ['games', 'progress'] as const) {
    for (const [key, value] of valuesOf(store)) stored = (await keep(store, key, value)) && stored;
  }
  const bodies = new Map(valuesOf('bodies'));
  for (const [id, entry] of valuesOf('studies')) {
    if (isEntry(entry) && entry.id === id) stored = (await alone(() => adopt(entry, bodies.get(id)))) && stored;
  }
  for (const [key, value] of Object.entries(file.local ?? {})) {
    if (!key.startsWith('tengen.') || typeof value !== 'string') continue;
    try {
      local.setItem(key, value);
    } catch {
      stored = false;
    }
  }
  return stored ? 'restored' : 'no-room';
}
