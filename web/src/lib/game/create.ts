// Making a game on the server and going to its board.
import { post } from '../api/client';
import type { Created, Level, NewGame, Player, View, Visibility } from '../api/types';
import { stonesOn } from '../board/marks';
import { go } from '../router.svelte';
import { keepSeats, openBoard } from './seats';

/** Creates a game and keeps its secrets. */
export async function create(order: NewGame): Promise<Created> {
  const made = await post<Created>('/games', order);
  keepSeats(made.id, { ...made.seats, ...(made.owner ? { owner: made.owner } : {}) });
  return made;
}

export async function createAndGo(order: NewGame) {
  const made = await create(order);
  openBoard(made.id);
  go(`/game/${made.id}`);
}

/** The opening that is proposed: whoever moves first in Hex has the better game, unless the other may swap. */
export const usualOpening = (game: string) => (game === 'hex' ? 'swap-pieces' : '');

/** A game against the recommended engine, the person moving first. */
export function quick(game: string, level: Level): NewGame {
  return {
    setup: { game, rows: 0, cols: 0, rule: '', opening: usualOpening(game) },
    players: { first: { kind: 'human' }, second: { kind: 'engine', engine: '', level } },
    visibility: 'private',
  };
}

/** A game from a position on: whoever is to move there makes its first decision. */
export function fromHere(view: View, mover: Player, other: Player, visibility: Visibility = 'private'): NewGame {
  const { game, rows, cols, rule, to_move } = view;
  return {
    setup: { game, rows, cols, rule, opening: '', stones: stonesOn(view.board), to_move },
    players: { first: mover, second: other },
    visibility,
  };
}
