// Keys of the page that is open. Pages name theirs while they are shown; `?` lists them all.
import { untrack } from 'svelte';
import type { Key } from '../i18n';
import { settings } from '../settings.svelte';

export interface Binding {
  /** `event.key` values that run it, with `Ctrl+` before one that needs it (on a Mac, ⌘). */
  keys: string[];
  label: Key;
  run: () => void;
}

interface Group {
  title: Key;
  bindings: Binding[];
}

class Keymap {
  groups = $state.raw<Group[]>([]);
  /** Is the list of keys open? */
  shown = $state(false);
}

export const keymap = new Keymap();

/** Adds a group of keys for as long as the calling component lives. */
export function useKeys(title: Key, bindings: Binding[]) {
  $effect(() => {
    const group = { title, bindings };
    const others = () => untrack(() => keymap.groups).filter((g) => g !== group);
    keymap.groups = [...others(), group];
    return () => {
      keymap.groups = others();
    };
  });
}

const typing = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Runs what a key stands for, unless somebody is typing or a board has used it. */
export function onkey(event: KeyboardEvent) {
  if (event.defaultPrevented || event.altKey || typing(event.target)) return;
  // Somebody who dictates or uses a screen reader needs the letters for that.
  if (!settings.letterKeys && /^[a-z]$/i.test(event.key) && !event.ctrlKey && !event.metaKey) return;
  const key = event.ctrlKey || event.metaKey ? `Ctrl+${event.key}` : event.key;
  for (const group of [...keymap.groups].reverse()) {
    const binding = group.bindings.find((b) => b.keys.includes(key));
    if (binding) {
      event.preventDefault();
      binding.run();
      return;
    }
  }
}
