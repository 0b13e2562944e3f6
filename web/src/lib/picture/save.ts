// Handing files to the person, and reading those they bring.
import type { Setup, View } from '../api/types';
import { settings } from '../settings.svelte';
import type { Orientation } from '../board/hex';
import { viewOf } from '../game/views';
import { paint, toPng } from './canvas';
import { toGif } from './gif';
import { plainLook, sceneOf, type Look } from './scene';
import { toAnimatedSvg, toSvg } from './svg';

export function download(name: string, content: Blob | string, type = 'text/plain;charset=utf-8') {
  const blob = typeof content === 'string' ? new Blob([content], { type }) : content;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** The look that the person's settings give a picture. */
export function look(): Look {
  return {
    ...plainLook,
    coordinates: settings.coordinates,
    numbers: settings.numbers,
    orientation: settings.hexOrientation as Orientation,
    black: settings.blackColour || plainLook.black,
    white: settings.whiteColour || plainLook.white,
    red: settings.redColour || plainLook.red,
    blue: settings.blueColour || plainLook.blue,
  };
}

export const svgOf = (view: View) => toSvg(sceneOf(view, look()));
export const pngOf = (view: View) => toPng(sceneOf(view, look()));

/** The scene after each move of a game, the start first. */
async function frames(setup: Setup, moves: string[]) {
  const scenes = [];
  for (let ply = 0; ply <= moves.length; ply++) scenes.push(sceneOf(await viewOf(setup, moves.slice(0, ply)), look()));
  return scenes;
}

export async function animatedSvg(setup: Setup, moves: string[]): Promise<string> {
  const scenes = await frames(setup, moves);
  const last = scenes.at(-1);
  return toAnimatedSvg(last ? [...scenes, last, last] : scenes, 0.8);
}

export async function animatedGif(setup: Setup, moves: string[]): Promise<Blob> {
  const pixels = (await frames(setup, moves)).map((scene) => {
    const canvas = paint(scene, Math.min(1, 520 / Math.max(scene.width, scene.height)));
    const g = canvas.getContext('2d');
    const { width, height } = canvas;
    return { width, height, data: g?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray(width * height * 4) };
  });
  return new Blob([toGif(pixels, 80)], { type: 'image/gif' });
}
