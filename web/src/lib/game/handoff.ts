// Carrying a position from one page to another, and addresses that carry one to other people.
import type { Branch, Note, Setup, Side } from '../api/types';
import { session } from '../storage';

const KEY = 'tengen.handoff';

export interface Carried {
  setup: Setup;
  root?: Note;
  branches: Branch[];
  /** Moves to the place that was shown. */
  at: string[];
  /** Whose mistakes to walk through. */
  review?: Side | 'both';
}

export function hand(carried: Carried) {
  session.setItem(KEY, JSON.stringify(carried));
}

export function taken(): Carried | null {
  try {
    const text = session.getItem(KEY);
    session.removeItem(KEY);
    return text ? (JSON.parse(text) as Carried) : null;
  } catch {
    return null;
  }
}

/** The address of a position: set-up and moves, nothing that needs the server's memory. */
export function shareQuery(setup: Setup, moves: string[]): string {
  const query = new URLSearchParams({ game: setup.game, size: `${setup.rows}x${setup.cols}` });
  if (setup.rule) query.set('rule', setup.rule);
  if (setup.opening) query.set('opening', setup.opening);
  if (setup.stones?.length) query.set('stones', setup.stones.map((s) => `${s.side === 'black' ? 'x' : 'o'}${s.row}.${s.col}`).join('_'));
  if (setup.to_move) query.set('to', setup.to_move);
  if (moves.length) query.set('moves', moves.join('_'));
  return query.toString();
}

export function readQuery(text: string): { setup: Setup; moves: string[] } | null {
  const query = new URLSearchParams(text);
  const game = query.get('game');
  if (!game) return null;
  const [rows = 0, cols = rows] = (query.get('size') ?? '').split('x').map((n) => Number(n) || 0);
  const setup: Setup = { game, rows, cols, rule: query.get('rule') ?? '', opening: query.get('opening') ?? '' };
  const stones = [...(query.get('stones') ?? '').matchAll(/([xo])(\d+)\.(\d+)/g)].map((m) => ({
    side: m[1] === 'x' ? ('black' as const) : ('white' as const),
    row: Number(m[2]),
    col: Number(m[3]),
  }));
  if (stones.length) setup.stones = stones;
  const to = query.get('to');
  if (to === 'black' || to === 'white') setup.to_move = to;
  return { setup, moves: (query.get('moves') ?? '').split('_').filter((m) => m) };
}
