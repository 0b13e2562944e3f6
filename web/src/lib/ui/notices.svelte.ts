// Short messages at the bottom of the page: refusals in the person's language, and good news.
import { Problem } from '../api/client';
import { isKey, t, word } from '../i18n';

interface Notice {
  id: number;
  text: string;
  bad: boolean;
  /** What the person can do about it, such as undo. */
  action?: { label: string; run: () => void } | undefined;
  /** Until the person acts on it or closes it. */
  stays: boolean;
}

/** A notice is read in a moment: of a whole file that was copied or refused, the beginning is enough. */
const LONGEST = 240;

class Notices {
  list = $state<Notice[]>([]);
  #next = 1;

  say(whole: string, bad = false, action?: Notice['action'], stays = false) {
    const id = this.#next++;
    const text = whole.length > LONGEST ? `${whole.slice(0, LONGEST)}…` : whole;
    const others = this.list.filter((n) => n.text !== text);
    const passing = others.filter((n) => !n.stays).slice(-2);
    this.list = [...others.filter((n) => n.stays || passing.includes(n)), { id, text, bad, action, stays }];
    if (!stays) setTimeout(() => this.drop(id), bad || action ? 8000 : 4000);
  }

  drop(id: number) {
    this.list = this.list.filter((n) => n.id !== id);
  }
}

export const notices = new Notices();

/** A refusal in the reader's language: the server's own words are English and are not shown. */
export function inWords(error: unknown): string {
  if (!(error instanceof Problem)) {
    console.warn(error);
    return t('problem.browser');
  }
  const key = `problem.${error.code}`;
  if (!isKey(key)) return t('problem.other', { code: error.code });
  const { kind, ...params } = error.params;
  return t(key, kind === undefined ? params : { ...params, kind: word('forbidden', String(kind)) });
}

/** Runs something and shows what was refused; undefined if it failed. */
export async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    notices.say(inWords(error), true);
    return undefined;
  }
}
