// Short messages at the bottom of the page: refusals in the person's language, and good news.
import { Problem } from '../api/client';
import { isKey, t } from '../i18n';

interface Notice {
  id: number;
  text: string;
  bad: boolean;
}

class Notices {
  list = $state<Notice[]>([]);
  #next = 1;

  say(text: string, bad = false) {
    const id = this.#next++;
    this.list = [...this.list.filter((n) => n.text !== text), { id, text, bad }].slice(-3);
    setTimeout(() => this.drop(id), bad ? 8000 : 4000);
  }

  drop(id: number) {
    this.list = this.list.filter((n) => n.id !== id);
  }
}

export const notices = new Notices();

/** A refusal in words: by its code where we know it, with the server's own detail otherwise. */
export function inWords(error: unknown): string {
  if (error instanceof Problem) {
    const key = `problem.${error.code}`;
    if (isKey(key)) return t(key, { detail: error.message, ...error.params });
    return t('problem.other', { detail: error.message, code: error.code });
  }
  return t('problem.other', { detail: String(error), code: 'browser' });
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
