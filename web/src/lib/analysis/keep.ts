// Keeping a study in the browser and on the server, so that neither's crash loses it.
import { get, post, put } from '../api/client';
import type { Setup } from '../api/types';
import type { Branch } from '../tree/tree.svelte';
import type { Eval } from './evals';

export interface Kept {
  setup: Setup;
  branches: Branch[];
  /** Moves to the place shown. */
  at: string[];
  /** Evaluations by the moves that lead to them. */
  evals: [string[], Eval][];
}

const BODY = 'tengen.study';
const PLACE = 'tengen.study.place';

interface Place {
  id: string;
  secret: string;
  version: number;
}

function read<T>(key: string): T | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') as T | null;
  } catch {
    return null;
  }
}

/** What was kept last: the browser's copy, or the server's where a full browser has none. */
export async function kept(): Promise<Kept | null> {
  const place = read<Place>(PLACE);
  return read<Kept>(BODY) ?? (place ? await published(place.id).catch(() => null) : null);
}

let waiting: (() => Kept) | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

function flush() {
  clearTimeout(timer);
  timer = undefined;
  const body = waiting?.();
  waiting = null;
  if (!body) return;
  try {
    localStorage.setItem(BODY, JSON.stringify(body));
  } catch {
    // Then the server's copy is the only one; an older one here must not hide it.
    localStorage.removeItem(BODY);
  }
  void upload(body).catch(() => {});
}

/** Keeps a study soon: at most once a second, however often it changes, and when the page is left. */
export function keep(study: () => Kept) {
  waiting = study;
  timer ??= setTimeout(flush, 1000);
}
addEventListener('pagehide', flush);

async function upload(body: Kept): Promise<Place> {
  let place = read<Place>(PLACE);
  const version = (place?.version ?? 0) + 1;
  if (place) {
    // Noted before it is sent: a page that is left while the answer is on its way must not use the number again.
    place = { ...place, version };
    localStorage.setItem(PLACE, JSON.stringify(place));
    try {
      await put(`/studies/${place.id}`, { version, body }, place.secret);
    } catch {
      place = null;
    }
  }
  if (!place) place = { ...(await post<{ id: string; secret: string }>('/studies', { version, body })), version };
  localStorage.setItem(PLACE, JSON.stringify(place));
  return place;
}

/** Stores a copy for others and returns its address. */
export async function publish(body: Kept): Promise<string> {
  const { id } = await post<{ id: string }>('/studies', { version: 1, body });
  return new URL(`/analysis?study=${id}`, location.href).href;
}

export async function published(id: string): Promise<Kept> {
  return (await get<{ body: Kept }>(`/studies/${id}`)).body;
}
