// Reading files and links that people bring: any notation the server understands opens on the analysis page.
import { post } from '../api/client';
import type { Imported } from '../api/types';
import { go } from '../router.svelte';
import { attempt } from '../ui/notices.svelte';
import { hand } from './handoff';

/** A grid or a list of moves, which does not say of which game it is. */
const PLAIN = /^[\w\s.,;-]+$/;

/** Opens a text on the analysis page; plain moves belong to `game`. Says whether the server understood it. */
export async function openText(text: string, name?: string, game?: string): Promise<boolean> {
  const hint = game && PLAIN.test(text) ? { game } : {};
  const found = await attempt(() => post<Imported>('/import', { text, ...(name ? { name } : {}), ...hint }));
  if (!found) return false;
  const at: string[] = [];
  for (let list = found.tree; list[0]; list = list[0].children ?? []) at.push(list[0].move);
  hand({ setup: found.setup, branches: found.tree, at, ...(found.root ? { root: found.root } : {}) });
  go(`/analysis?opened=${Date.now()}`);
  return true;
}

/** For `ondrop`: opens the first file or the text that was dropped. */
export async function dropped(event: DragEvent, game?: string): Promise<boolean> {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  const text = file ? await file.text() : event.dataTransfer?.getData('text/plain');
  return text ? openText(text, file?.name, game) : false;
}

/** For `onchange` of a file input. */
export async function openFile(event: Event & { currentTarget: HTMLInputElement }, game?: string): Promise<boolean> {
  const input = event.currentTarget;
  const file = input.files?.[0];
  const opened = !!file && (await openText(await file.text(), file.name, game));
  // The same file can be chosen again.
  input.value = '';
  return opened;
}
