// Another game like the last one, with the seats changed.
import type { GameBody } from '../api/types';
import { createAndGo } from './create';

export function quickAgain(game: GameBody): Promise<void> {
  const { setup, players, clock, visibility } = game;
  return createAndGo({
    setup,
    players: { first: players.second, second: players.first },
    ...(clock ? { clock: { initial_ms: 300_000, increment_ms: clock.increment_ms ?? 0 } } : {}),
    visibility,
  });
}
