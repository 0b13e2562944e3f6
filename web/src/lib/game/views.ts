// Views of positions from the server, remembered so that walking through a game asks once for each.
import { post } from '../api/client';
import type { Setup, View } from '../api/types';

const KEPT = 800;
const known = new Map<string, Promise<View>>();

/** The view after some moves from a set-up; refused with a `Problem` where a move is not possible. */
export function viewOf(setup: Setup, moves: string[]): Promise<View> {
  const key = JSON.stringify([setup, moves]);
  let view = known.get(key);
  if (!view) {
    view = post<View>('/view', { setup, moves });
    known.set(key, view);
    view.catch(() => known.delete(key));
    if (known.size > KEPT) known.delete(known.keys().next().value ?? '');
  }
  return view;
}

/** Keeps a view that arrived by another way. */
export function remember(setup: Setup, view: View) {
  known.set(JSON.stringify([setup, view.moves.map((m) => m.move)]), Promise.resolve(view));
}
