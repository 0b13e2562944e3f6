// Moving a cursor over a board with the keyboard.

const STEPS: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, -99],
  End: [0, 99],
  PageUp: [-99, 0],
  PageDown: [99, 0],
};

/** Where the cursor goes for a key, or null for other keys. */
export function moveCursor(key: string, at: readonly number[], rows: number, cols: number): [number, number] | null {
  const step = STEPS[key];
  if (!step) return null;
  const clamp = (value: number, max: number) => Math.min(Math.max(value, 0), max);
  return [clamp((at[0] ?? 0) + step[0], rows - 1), clamp((at[1] ?? 0) + step[1], cols - 1)];
}
