// The private arenas that this browser has a key to. Kept in the browser only.
import { forgets, local } from '../storage';

const ARENAS = 'tengen.arenas';
/** Arenas that are remembered. */
const MOST = 50;

export interface KnownArena {
  id: string;
  name: string;
  /** Of whoever made it, or its invitation: either shows it. */
  key: string;
}

function isArena(value: unknown): value is KnownArena {
  const arena = value as Partial<KnownArena> | null;
  return [arena?.id, arena?.name, arena?.key].every((text) => typeof text === 'string');
}

/** Newest first. */
export function knownArenas(): KnownArena[] {
  try {
    const found: unknown = JSON.parse(local.getItem(ARENAS) ?? '[]');
    return Array.isArray(found) ? found.filter(isArena) : [];
  } catch {
    return [];
  }
}

function write(list: KnownArena[]) {
  try {
    local.setItem(ARENAS, JSON.stringify(list.slice(0, MOST)));
  } catch {
    forgets();
  }
}

export function keepArena(arena: KnownArena) {
  write([arena, ...knownArenas().filter((known) => known.id !== arena.id)]);
}

export function forgetArena(id: string) {
  write(knownArenas().filter((known) => known.id !== id));
}

export const keyOf = (id: string): string => knownArenas().find((known) => known.id === id)?.key ?? '';

/** Does this name a private arena? Public ladders are named after their game. */
export const isArenaId = (ladder: string): boolean => /^[0-9a-f]{32}$/.test(ladder);

/** `#key=KEY` in a link shows an arena. */
export const keyFromHash = (hash: string): string => /^#key=([0-9a-f]{32})$/.exec(hash)?.[1] ?? '';
