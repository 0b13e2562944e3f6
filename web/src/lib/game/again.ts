// Another game like the last one, with the seats changed.
import type { GameBody, NewGame } from '../api/types';
import { createAndGo } from './create';

export function quickAgain(game: GameBody): Promise<void> {
  return createAndGo(rematch(game));
}

/** The same set-up and time control, the players in each other's seats. */
export function rematch({ setup, players, time_control, visibility }: GameBody): NewGame {
  return {
    setup,
    players: { first: players.second, second: players.first },
    ...(time_control ? { clock: time_control } : {}),
    visibility,
  };
}
