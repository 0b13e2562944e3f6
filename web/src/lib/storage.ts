// The browser's storage, or memory where the browser forbids it (a private window, a policy): then everything works until
// the page is closed, and the person is told once.
import { t } from './i18n';
import { notices } from './ui/notices.svelte';

let told = false;

/** Says that what is done here will be lost. */
export function forgets() {
  if (!told) notices.say(t('store.forgets'), true);
  told = true;
}

/** `localStorage` or `sessionStorage`. A full one throws as ever: whoever writes much can make room. */
export class KeptStorage {
  #memory = new Map<string, string>();

  constructor(readonly find: () => Storage) {}

  /** Null where even to look is forbidden. */
  get #browser(): Storage | null {
    try {
      return this.find();
    } catch {
      return null;
    }
  }

  getItem(key: string): string | null {
    const browser = this.#browser;
    return browser ? browser.getItem(key) : (this.#memory.get(key) ?? null);
  }

  setItem(key: string, value: string) {
    const browser = this.#browser;
    if (browser) browser.setItem(key, value);
    else {
      this.#memory.set(key, value);
      forgets();
    }
  }

  removeItem(key: string) {
    this.#browser?.removeItem(key);
    this.#memory.delete(key);
  }

  keys(): string[] {
    const browser = this.#browser;
    return browser ? Object.keys(browser) : [...this.#memory.keys()];
  }
}

export const local = new KeptStorage(() => localStorage);
export const session = new KeptStorage(() => sessionStorage);
