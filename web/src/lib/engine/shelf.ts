// Studies in the database: what a list shows of each (its entry), and its body. Nothing here looks into a body.
import { all, drop, keep, kept } from './store';

/** What is needed of an entry. */
export interface Shelved {
  id: string;
  /** Grows with every save. */
  revision: number;
  /** Where the server keeps it, if it does. */
  place?: unknown;
}

/** Reads and writes while no other tab does. */
export async function alone<T>(work: () => Promise<T>): Promise<T> {
  // Plain HTTP on another host has no locks.
  return globalThis.navigator?.locks ? await navigator.locks.request('tengen-studies', work) : work();
}

export const entries = async <E extends Shelved>(): Promise<E[]> => [...(await all<E>('studies')).values()];
export const entryOf = <E extends Shelved>(id: string): Promise<E | undefined> => kept<E>('studies', id);
export const bodyOf = (id: string): Promise<unknown> => kept('bodies', id);

/** Keeps an entry. */
export const putEntry = (entry: Shelved): Promise<boolean> => keep('studies', entry.id, entry);

/**
 * Keeps a body; where there is no room, those that the server has too make some, the first of `droppable` first. False if
 * there is none even then: this page has the body until it is closed, and what was stored before stays.
 */
export async function putBody(id: string, body: unknown, droppable: readonly Shelved[]): Promise<boolean> {
  const rest = droppable.filter((entry) => entry.place && entry.id !== id);
  for (;;) {
    if (await keep('bodies', id, body, false)) return true;
    const next = rest.shift();
    if (!next) return false;
    await drop('bodies', next.id);
  }
}

export const dropBody = (id: string): Promise<void> => drop('bodies', id);

export async function dropStudy(id: string): Promise<void> {
  await drop('bodies', id);
  await drop('studies', id);
}

/**
 * Takes in a study from elsewhere: a file, or where an earlier version kept it. One that is here with another body stays as it
 * is, and the other becomes a study beside it, unless `follows` says that it is the same one, saved later. False if there is no room.
 */
export async function adopt(entry: Shelved, body: unknown, follows = false): Promise<boolean> {
  const there = await entryOf(entry.id);
  const other = there ? await bodyOf(entry.id) : undefined;
  if (there && (body === undefined || JSON.stringify(other) === JSON.stringify(body))) return true;
  let taken = { ...there, ...entry };
  if (there && other !== undefined && !(follows && there.revision < entry.revision)) {
    // Named after what it differs from, so that the same file read twice makes one copy.
    const id = `${entry.id}-${entry.revision}`;
    const { place: _, ...rest } = entry;
    taken = { ...rest, id };
    if (await entryOf(id)) return true;
  }
  const stored = body === undefined || (await keep('bodies', taken.id, body));
  return (await putEntry(taken)) && stored;
}
