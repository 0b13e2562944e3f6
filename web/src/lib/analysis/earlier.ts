// Studies that are still in the browser's storage: earlier versions kept all of them there, and a page that is closed leaves its
// last changes there, because a database may not finish in time. They are taken in when the next page begins.
import { adopt, entryOf, putEntry } from '../engine/shelf';
import { local } from '../storage';
import { countMoves, readKept, type Kept } from './kept';
import type { Entry, Place } from './studies';

const LIST = 'tengen.studies';
const LEFT = 'tengen.studies.left.';
const REMOVED = 'tengen.studies.removed.';
const bodyKey = (id: string) => `tengen.studies.${id}`;

function read<T>(key: string): T | null {
  try {
    return JSON.parse(local.getItem(key) ?? 'null') as T | null;
  } catch {
    return null;
  }
}

/** Leaves the last changes of a page that is closed. */
export function leave(entry: Entry, kept: Kept) {
  try {
    local.setItem(LEFT + entry.id, JSON.stringify({ entry, kept }));
  } catch {
    // A full one takes nothing; the database has been given the same.
  }
}

/** Notes that a study is about to be taken off the list, or put back, until the database has it. */
export function noteRemoval(id: string, removed: number | undefined) {
  try {
    local.setItem(REMOVED + id, String(removed ?? 0));
  } catch {
    // As above.
  }
}

export const forgetRemoval = (id: string) => local.removeItem(REMOVED + id);

async function takeInRemovals() {
  for (const key of local.keys().filter((name) => name.startsWith(REMOVED))) {
    const entry = await entryOf<Entry>(key.slice(REMOVED.length));
    const time = Number(local.getItem(key));
    if (entry) {
      const { removed: _, ...rest } = entry;
      const noted: Entry = time ? { ...rest, removed: time } : rest;
      await putEntry(noted);
    }
    local.removeItem(key);
  }
}

/** Takes in everything that is there. What finds no room stays where it is. */
export async function takeIn(): Promise<void> {
  for (const key of local.keys().filter((name) => name.startsWith(LEFT))) {
    const left = read<{ entry: Entry; kept: Kept }>(key);
    if (!left?.entry?.id || (await adopt(left.entry, left.kept, true))) local.removeItem(key);
  }
  await takeInRemovals();
  const list = read<Entry[]>(LIST);
  if (Array.isArray(list)) {
    let all = true;
    for (const entry of list) {
      const stored = await adopt(entry, read(bodyKey(entry.id)) ?? undefined);
      if (stored) local.removeItem(bodyKey(entry.id));
      all &&= stored;
    }
    if (all) local.removeItem(LIST);
  }
  await takeInSingle();
}

/** Versions before 0.2 kept a single study. */
async function takeInSingle() {
  const kept = readKept(read('tengen.study'));
  if (!kept) return;
  const place = read<Place>('tengen.study.place');
  const game = kept.chapters[0]?.setup.game ?? '';
  const entry: Entry = { id: 'first', game, moves: countMoves(kept), changed: 0, revision: 1, ...(place ? { place } : {}) };
  if (!(await adopt(entry, kept))) return;
  local.removeItem('tengen.study');
  local.removeItem('tengen.study.place');
}
