// The puzzle of the day: the same for everybody on a server, and another one tomorrow.
import type { PuzzleEntry } from '../api/types';

const DAY = 86_400_000;

/** Games take turns; each goes through its puzzles in an order that mixes the grades. */
export function daily(puzzles: PuzzleEntry[], now: number): PuzzleEntry | undefined {
  const day = Math.floor(now / DAY);
  const games = [...new Set(puzzles.map((p) => p.game))];
  const own = puzzles.filter((p) => p.game === games[day % games.length]);
  // A step without a common divisor visits every puzzle before one comes again.
  const step = [61, 59, 53, 47].find((prime) => own.length % prime) ?? 1;
  return own[(Math.floor(day / Math.max(games.length, 1)) * step) % Math.max(own.length, 1)];
}
