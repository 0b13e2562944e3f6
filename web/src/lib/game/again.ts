// Another game like the last one, against a program: with the seats changed or not, at another level.
import type { GameBody, Level, NewGame } from '../api/types';
import { createAndGo } from './create';

export interface Variant {
  /** Everybody keeps the seat. */
  sameSeats?: boolean;
  /** The level of the engine. */
  level?: Level;
}

export function quickAgain(game: GameBody, variant: Variant = {}): Promise<void> {
  return createAndGo(again(game, variant));
}

/** The same set-up and time control. */
export function again({ setup, players, time_control, visibility }: GameBody, { sameSeats, level }: Variant = {}): NewGame {
  const at = (seat: 'first' | 'second') => {
    const player = players[seat];
    return player.kind === 'engine' && level ? { ...player, level } : player;
  };
  return {
    setup,
    players: sameSeats ? { first: at('first'), second: at('second') } : { first: at('second'), second: at('first') },
    ...(time_control ? { clock: time_control } : {}),
    visibility,
  };
}
