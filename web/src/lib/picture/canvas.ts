// Scenes painted on a canvas: PNG files and the frames of a GIF.
import type { Scene } from './scene';

export function paint(scene: Scene, scale: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(scene.width * scale);
  canvas.height = Math.round(scene.height * scale);
  const g = canvas.getContext('2d', { willReadFrequently: true });
  if (!g) return canvas;
  g.scale(scale, scale);
  g.lineJoin = 'round';
  g.lineCap = 'round';
  g.textAlign = 'center';
  g.textBaseline = 'middle';
  for (const shape of scene.shapes) {
    g.beginPath();
    if (shape.kind === 'text') {
      g.font = `${shape.size}px sans-serif`;
      g.fillStyle = shape.fill;
      g.fillText(shape.text, shape.at[0], shape.at[1]);
      continue;
    }
    if (shape.kind === 'circle') g.arc(shape.at[0], shape.at[1], shape.r, 0, 2 * Math.PI);
    else shape.points.forEach(([x, y], i) => (i ? g.lineTo(x, y) : g.moveTo(x, y)));
    if (shape.kind === 'area') g.closePath();
    if (shape.kind !== 'line') {
      g.fillStyle = shape.fill;
      g.fill();
    }
    if (shape.stroke) {
      g.strokeStyle = shape.stroke;
      g.lineWidth = shape.width ?? 1;
      g.stroke();
    }
  }
  return canvas;
}

export function toPng(scene: Scene): Promise<Blob> {
  return new Promise((done, fail) => {
    paint(scene, 2).toBlob((blob) => (blob ? done(blob) : fail(new Error('PNG'))), 'image/png');
  });
}
