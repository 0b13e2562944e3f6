/** A time as people read it: in seconds from one second on, below that in milliseconds with two digits that count. */
export function durationText(seconds: number): string {
  if (seconds >= 1) return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
  return `${Number((seconds * 1000).toPrecision(2))} ms`;
}
