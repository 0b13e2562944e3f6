// The studies of this browser, and their copies on the server.
import { get, post, Problem, put } from '../api/client';
import { whole } from '../router.svelte';
import { forgets, session } from '../storage';
import { readKept, type Kept } from './kept';
import { packed } from './pack';
import { Studies, type Place } from './studies';

/** A published study, read by its id. */
export async function published(id: string): Promise<Kept | null> {
  return readKept((await get<{ body: unknown }>(`/studies/${encodeURIComponent(id)}`)).body);
}

/** The address of a study of this browser, or of one that the server has. */
export const addressOf = (id: string) => `/analysis?study=${id}`;

/** Stores a copy for others and returns its address. */
export async function publish(body: Kept): Promise<string> {
  const { id } = await post<{ id: string }>('/studies', { version: 1, body });
  return whole(addressOf(id));
}

/** The longest address that chats and mail programs pass on whole. */
const LONGEST = 8000;

/** An address that holds the whole study and needs no server to keep it; null if the study is too large for one. */
export async function selfContained(study: Kept): Promise<string | null> {
  const address = whole(`/analysis#${await packed(study)}`);
  return address.length <= LONGEST ? address : null;
}

async function save(body: Kept, place: Place | undefined): Promise<Place> {
  const version = place?.version ?? 1;
  try {
    if (place) await put(`/studies/${place.id}`, { version, body }, place.secret);
  } catch (error) {
    if (error instanceof Problem && error.status === 0) throw error;
    place = undefined;
  }
  return place ?? { ...(await post<{ id: string; secret: string }>('/studies', { version, body })), version };
}

export const studies = new Studies(session, { save, load: published }, 1000, forgets);
addEventListener('pagehide', () => studies.leave());
