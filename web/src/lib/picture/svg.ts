// Scenes as SVG text, one or many: a game as a picture that moves by itself.
import type { Scene, Shape } from './scene';

const num = (value: number) => String(Math.round(value * 100) / 100);
const escape = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
const paint = (shape: { stroke?: string; width?: number }) =>
  shape.stroke ? ` stroke="${escape(shape.stroke)}" stroke-width="${num(shape.width ?? 1)}"` : '';

function element(shape: Shape, inside = ''): string {
  const end = (name: string) => (inside ? `>${inside}</${name}>` : '/>');
  switch (shape.kind) {
    case 'circle':
      return `<circle cx="${num(shape.at[0])}" cy="${num(shape.at[1])}" r="${num(shape.r)}" fill="${escape(shape.fill)}"${paint(shape)}${end('circle')}`;
    case 'line':
      return `<polyline points="${points(shape.points)}" fill="none" stroke-linejoin="round" stroke-linecap="round"${paint(shape)}${end('polyline')}`;
    case 'area':
      return `<polygon points="${points(shape.points)}" fill="${escape(shape.fill)}"${paint(shape)}${end('polygon')}`;
    case 'text':
      return `<text x="${num(shape.at[0])}" y="${num(shape.at[1] + shape.size * 0.35)}" font-size="${num(shape.size)}" text-anchor="middle" font-family="sans-serif" fill="${escape(shape.fill)}">${escape(shape.text)}${inside}</text>`;
  }
}

const points = (list: [number, number][]) => list.map(([x, y]) => `${num(x)},${num(y)}`).join(' ');

function wrap(scene: Scene, body: string): string {
  const [w, h] = [num(scene.width), num(scene.height)];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}">\n${body}\n</svg>\n`;
}

export function toSvg(scene: Scene): string {
  return wrap(scene, scene.shapes.map((s) => element(s)).join('\n'));
}

/** The picture as an address for an image element. */
export const asImage = (scene: Scene) => `data:image/svg+xml,${encodeURIComponent(toSvg(scene))}`;

/**
 * A game as one picture that moves, `seconds` a frame. A shape that several frames share is written once, with the
 * times at which it shows.
 */
export function toAnimatedSvg(frames: Scene[], seconds: number): string {
  const first = frames[0];
  if (!first) return '';
  const shown = new Map<string, { shape: Shape; frames: Set<number> }>();
  frames.forEach((frame, i) => {
    for (const shape of frame.shapes) {
      const key = JSON.stringify(shape);
      const entry = shown.get(key) ?? { shape, frames: new Set<number>() };
      entry.frames.add(i);
      shown.set(key, entry);
    }
  });
  const total = frames.length;
  const body = [...shown.values()].map((entry) => {
    if (entry.frames.size === total) return element(entry.shape);
    const values: string[] = [];
    const times: string[] = [];
    for (let i = 0; i < total; i++) {
      const value = entry.frames.has(i) ? 'visible' : 'hidden';
      if (values.at(-1) === value) continue;
      values.push(value);
      times.push((i / total).toFixed(4));
    }
    return element(
      entry.shape,
      `<animate attributeName="visibility" calcMode="discrete" repeatCount="indefinite" dur="${num(total * seconds)}s" values="${values.join(';')}" keyTimes="${times.join(';')}"/>`,
    );
  });
  return wrap(first, body.join('\n'));
}
