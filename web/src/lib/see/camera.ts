// Where a wide tree is looked at from: how far it is stretched and where its left end lies, in pixels.

export interface Camera {
  /** Pixels of the whole tree's width. */
  width: number;
  /** Where the tree begins on the screen. */
  x: number;
  y: number;
}

/** Pixels left free at both ends, so that the outermost nodes are seen whole. */
const MARGIN = 16;
const innerWidth = (screen: number) => Math.max(1, screen - 2 * MARGIN);

export const fit = (screen: number): Camera => ({ width: innerWidth(screen), x: MARGIN, y: 0 });

/** Stretches around a point of the screen. */
export function zoom(camera: Camera, factor: number, around: number, screen: number, most: number): Camera {
  const width = Math.min(Math.max(camera.width * factor, innerWidth(screen)), Math.max(innerWidth(screen), most));
  const real = width / camera.width;
  return keep({ ...camera, width, x: around - (around - camera.x) * real }, screen);
}

/** The tree's ends stay at or beyond the margins. */
export function keep(camera: Camera, screen: number): Camera {
  return { ...camera, x: Math.min(MARGIN, Math.max(screen - MARGIN - camera.width, camera.x)) };
}

/** The camera that shows an interval of the tree in most of the screen. */
export function focus(left: number, right: number, screen: number, most: number, y: number): Camera {
  const share = Math.max(right - left, 1e-12);
  const width = Math.min(Math.max((screen * 0.92) / share, innerWidth(screen)), Math.max(innerWidth(screen), most));
  return keep({ width, x: screen / 2 - ((left + right) / 2) * width, y }, screen);
}

/** A step of the way from one camera to another; width by its logarithm, so that zooming looks even. */
export function ease(from: Camera, to: Camera, part: number): Camera {
  const width = Math.exp(Math.log(from.width) + (Math.log(to.width) - Math.log(from.width)) * part);
  // The point that both see at the same place stays there.
  const centre = (c: Camera) => -c.x / c.width;
  const start = centre(from) + (centre(to) - centre(from)) * part;
  const y = from.y + (to.y - from.y) * part;
  if (Math.abs(width / to.width - 1) < 0.002 && Math.abs(start - centre(to)) * width < 0.5 && Math.abs(y - to.y) < 0.5) return to;
  return { width, x: -start * width, y };
}
