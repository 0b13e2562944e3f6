// Who played a game, when, and how it ended, as SGF says it in its root.
import type { GameBody } from '../api/types';
import { playerName } from './words';

/** SGF's letters for ends that the board does not show. */
const ENDS: Record<string, string> = { resign: 'R', timeout: 'T', forbidden: 'F', 'engine-failed': 'F' };

/** `PB`, `PW`, `DT`, and `RE` once the game is over. */
export function factsOf({ players, view, created, winner, reason, result }: GameBody): Record<string, string[]> {
  const seat = (colour: 'black' | 'white') => (view.colours.first === colour ? 'first' : 'second');
  const won = winner && `${winner === 'black' ? 'B' : 'W'}+${ENDS[reason ?? ''] ?? ''}`;
  const end = won ?? (result === 'draw' ? '0' : undefined);
  return {
    PB: [playerName(players[seat('black')])],
    PW: [playerName(players[seat('white')])],
    DT: [new Date(created).toISOString().slice(0, 10)],
    ...(end ? { RE: [end] } : {}),
  };
}
