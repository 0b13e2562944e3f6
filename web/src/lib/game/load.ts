// Reading files and links that people bring: any notation the server understands opens on the analysis page.
import { post } from '../api/client';
import type { Imported } from '../api/types';
import { go } from '../router.svelte';
import { attempt } from '../ui/notices.svelte';
import { hand } from './handoff';

/** A grid or a list of moves, which does not say of which game it is. */
const PLAIN = /^[\w\s.,;-]+$/;

/** An SGF without what stands before it, such as the head of a mail; any other text as it is. */
export function sgfOf(text: string): string {
  const start = text.search(/\(\s*;\s*[A-Z]/);
  return start > 0 ? text.slice(start) : text;
}

/** Opens a text on the analysis page; plain moves belong to `game`. Says whether the server understood it. */
export async function openText(whole: string, name?: string, game?: string): Promise<boolean> {
  const text = sgfOf(whole);
  const hint = game && PLAIN.test(text) ? { game } : {};
  const found = await attempt(() => post<Imported>('/import', { text, ...(name ? { name } : {}), ...hint }));
  if (!found) return false;
  const at: string[] = [];
  for (let list = found.tree; list[0]; list = list[0].children ?? []) at.push(list[0].move);
  hand({ setup: found.setup, branches: found.tree, at, ...(found.root ? { root: found.root } : {}) });
  go(`/analysis?opened=${Date.now()}`);
  return true;
}

/** The text of a file: SGF names its charset in `CA`, everything else is UTF-8. */
export function decode(bytes: ArrayBuffer): string {
  // The names are ASCII, which reads the same in every charset that SGF is written in.
  const head = new TextDecoder('latin1').decode(bytes.slice(0, 4096));
  const named = /\bCA\s*\[\s*([\w:.-]+)\s*\]/.exec(head)?.[1];
  let decoder = new TextDecoder();
  try {
    if (named) decoder = new TextDecoder(named);
  } catch {
    // A charset nobody knows: the moves can be read all the same.
  }
  // What is sent on is UTF-8, whatever the file said of itself.
  return decoder.decode(bytes).replace(/\bCA\s*\[[^\]]*\]/, 'CA[UTF-8]');
}

/** For `ondrop`: opens the first file or the text that was dropped. */
export async function dropped(event: DragEvent, game?: string): Promise<boolean> {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  const text = file ? decode(await file.arrayBuffer()) : event.dataTransfer?.getData('text/plain');
  return text ? openText(text, file?.name, game) : false;
}

/** For `onchange` of a file input. */
export async function openFile(event: Event & { currentTarget: HTMLInputElement }, game?: string): Promise<boolean> {
  const input = event.currentTarget;
  const file = input.files?.[0];
  const opened = !!file && (await openText(decode(await file.arrayBuffer()), file.name, game));
  // The same file can be chosen again.
  input.value = '';
  return opened;
}
