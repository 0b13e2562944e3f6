// Canvases that match the screen's resolution.

/** Device pixels per CSS pixel; more than two is not visible and costs time. */
export const ratio = typeof devicePixelRatio === 'number' ? Math.min(devicePixelRatio, 2) : 1;

/** Sizes and clears a canvas of `width` by `height` CSS pixels; its context, or `null` while it has no width. */
export function clearedContext(canvas: HTMLCanvasElement | undefined, width: number, height: number): CanvasRenderingContext2D | null {
  const g = canvas?.getContext('2d');
  if (!canvas || !g || !width) return null;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== h) canvas.height = h;
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  g.clearRect(0, 0, width, height);
  return g;
}
