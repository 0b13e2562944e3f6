// Clock faces.
import type { Clock, Seat } from '../api/types';

/** What a clock shows now, when it was told `since` ms ago. */
export function left(clock: Clock, seat: Seat, since: number): number {
  const told = seat === 'first' ? clock.first_ms : clock.second_ms;
  return Math.max(0, clock.running === seat ? told - since : told);
}

/** `1:05:09`, `5:09`, and tenths in the last twenty seconds. */
export function formatClock(ms: number): string {
  if (ms < 20_000) return (Math.floor(ms / 100) / 10).toFixed(1);
  const s = Math.floor(ms / 1000);
  const two = (n: number) => String(n).padStart(2, '0');
  const hours = Math.floor(s / 3600);
  const minutes = Math.floor(s / 60) % 60;
  return hours ? `${hours}:${two(minutes)}:${two(s % 60)}` : `${minutes}:${two(s % 60)}`;
}
