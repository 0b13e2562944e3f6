// The studies of this browser, and their copies on the server.
import { get, post, Problem, put } from '../api/client';
import { Studies, type Kept, type Place } from './studies';

/** A published study, read by its id. */
export async function published(id: string): Promise<Kept> {
  return (await get<{ body: Kept }>(`/studies/${id}`)).body;
}

/** Stores a copy for others and returns its address. */
export async function publish(body: Kept): Promise<string> {
  const { id } = await post<{ id: string }>('/studies', { version: 1, body });
  return new URL(`/analysis?study=${id}`, location.href).href;
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

export const studies = new Studies(localStorage, sessionStorage, { save, load: published });
addEventListener('pagehide', () => studies.flush());
