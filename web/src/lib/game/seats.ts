// The secrets of seats this browser holds, and the boards it has open. Kept in the browser only.
import type { Seat } from '../api/types';
import { forgets, local } from '../storage';

const SEATS = 'tengen.seats';
const OPEN = 'tengen.open';
const TITLES = 'tengen.boards';
const WATCH = 'tengen.watch';
/** `invite` is the hash of a link for somebody else, `invited` says that one came by such a link, `watch` only shows a game. */
export type Held = Partial<Record<Seat | 'owner' | 'invite' | 'invited' | 'watch', string>>;

function read<T>(key: string, fallback: T): T {
  try {
    return (JSON.parse(local.getItem(key) ?? 'null') as T | null) ?? fallback;
  } catch {
    return fallback;
  }
}

function write(key: string, value: unknown) {
  try {
    local.setItem(key, JSON.stringify(value));
  } catch {
    forgets();
  }
}

/** The secrets held for a game. */
export function seatsOf(id: string): Held {
  const watch = read<Record<string, string>>(WATCH, {})[id];
  return { ...read<Record<string, Held>>(SEATS, {})[id], ...(watch ? { watch } : {}) };
}

/** Keeps the key with which a private game can be watched, those of the newest 200 games. It is no seat of this browser's. */
export function keepWatch(id: string, key: string) {
  const others = Object.entries(read<Record<string, string>>(WATCH, {})).filter(([other]) => other !== id);
  write(WATCH, Object.fromEntries([...others.slice(-199), [id, key]]));
}

/** Keeps secrets for a game, the newest 200 games of them, and forgets those that were given away. */
export function keepSeats(id: string, seats: Held, forget: Seat[] = []) {
  const all = read<Record<string, Held>>(SEATS, {});
  const old = all[id] ?? {};
  delete all[id];
  const held = { ...old, ...seats };
  for (const seat of forget) delete held[seat];
  all[id] = held;
  const names = Object.keys(all);
  for (const name of names.slice(0, Math.max(0, names.length - 200))) delete all[name];
  write(SEATS, all);
}

/** Whoever holds seats in a game holds the others in its rematch, with the same secrets. */
export function keepRematchSeats(id: string, rematch: string) {
  const { first, second, owner } = seatsOf(id);
  const seats = { ...(second ? { first: second } : {}), ...(first ? { second: first } : {}), ...(owner ? { owner } : {}) };
  keepSeats(rematch, seats);
}

/** Ids of games that this browser has a seat in, newest first. */
export function myGames(): string[] {
  return Object.keys(read<Record<string, Held>>(SEATS, {})).reverse();
}

/** What a board is called in the list of tabs. */
export interface BoardTitle {
  game: string;
  rows: number;
  cols: number;
}

export function boardTitle(id: string): BoardTitle | undefined {
  return read<Record<string, BoardTitle>>(TITLES, {})[id];
}

/** Remembers what an open board is, and forgets those of boards that were closed. */
export function keepTitle(id: string, { game, rows, cols }: BoardTitle) {
  const open = new Set([...openBoards(), id]);
  const kept = Object.entries(read<Record<string, BoardTitle>>(TITLES, {})).filter(([other]) => open.has(other));
  write(TITLES, { ...Object.fromEntries(kept), [id]: { game, rows, cols } });
}

/** Boards open as tabs. */
export function openBoards(): string[] {
  return read<string[]>(OPEN, []).filter((id) => typeof id === 'string');
}

export function openBoard(id: string): string[] {
  const open = openBoards();
  const list = open.includes(id) ? open : [...open, id].slice(-6);
  write(OPEN, list);
  return list;
}

export function closeBoard(id: string): string[] {
  const list = openBoards().filter((other) => other !== id);
  write(OPEN, list);
  return list;
}

/** `#first=SECRET` in a link hands over a seat, `#watch=KEY` what shows a private game. */
export function seatFromHash(hash: string): Held {
  const found = /^#(first|second|watch)=([\w.~-]+)$/.exec(hash);
  return found?.[1] && found[2] ? { [found[1]]: found[2] } : {};
}

/** Takes over the seat that the page's address hands to this browser, if it does. */
export function claimSeat(id: string) {
  if (!location.pathname.endsWith(`/game/${id}`)) return;
  const handed = seatFromHash(location.hash);
  if (handed.watch) keepWatch(id, handed.watch);
  else if (Object.keys(handed).length) keepSeats(id, { ...handed, invited: 'yes' });
}
