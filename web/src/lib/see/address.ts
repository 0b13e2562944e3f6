// The state of a theatre in the address, so that a link opens it as it was.
import { here } from '../router.svelte';

/** The words after `?`. */
export const asked = () => new URLSearchParams(here.query);

/** A whole number of the address within bounds, or the usual one. */
export function number(words: URLSearchParams, name: string, usual: number, least: number, most: number): number {
  const text = words.get(name);
  const value = text === null || text === '' ? NaN : Number(text);
  return Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : usual;
}

/** Writes the state into the address without going anywhere. */
export function keep(state: Record<string, string | number | boolean | null>) {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) if (value !== null && value !== '') words.set(name, String(value));
  history.replaceState(null, '', `${location.pathname}?${words.toString().replaceAll('%2F', '/').replaceAll('%3A', ':')}`);
}
