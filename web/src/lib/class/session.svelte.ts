// Who this browser is in a class: the token of a student or the key of a teacher, and requests made with it.
import { del, get, post, put, upload } from '../api/client';
import type { ClassSession } from '../api/types';
import { local } from '../storage';

const KEY = 'tengen.class.';

function read(id: string): string {
  try {
    return local.getItem(KEY + id) ?? '';
  } catch {
    return '';
  }
}

/** The classes that this browser has entered. */
export function enteredClasses(): string[] {
  try {
    const keys = local.keys().filter((key) => key.startsWith(KEY));
    return keys.map((key) => key.slice(KEY.length)).sort();
  } catch {
    return [];
  }
}

export class Entry {
  token = $state('');

  constructor(readonly id: string) {
    this.token = read(id);
  }

  /** Exchanges a key; without a number it is the teacher's. */
  async enter(student: string, key: string) {
    const session = await post<ClassSession>(`${this.#path}/sessions`, student ? { student, key } : { key });
    this.token = session.token;
    local.setItem(KEY + this.id, session.token);
  }

  leave() {
    this.token = '';
    local.removeItem(KEY + this.id);
  }

  get #path(): string {
    return `/classes/${encodeURIComponent(this.id)}`;
  }

  get = <T>(path: string): Promise<T> => get<T>(this.#path + path, this.token || undefined);
  post = <T>(path: string, body: unknown): Promise<T> => post<T>(this.#path + path, body, this.token || undefined);
  put = <T>(path: string, body: unknown): Promise<T> => put<T>(this.#path + path, body, this.token || undefined);
  remove = (path: string): Promise<void> => del(this.#path + path, this.token || undefined);
  addStudents = <T>(list: File): Promise<T> => upload<T>(`${this.#path}/students`, list, this.token);
  handIn = <T>(file: File, language: string): Promise<T> =>
    upload<T>(`${this.#path}/submissions?${new URLSearchParams({ file: file.name, lang: language }).toString()}`, file, this.token);
}

/** What was asked for, or null where it was refused or the server is away: a page that asks again shows what it has. */
export const quiet = <T>(asked: Promise<T>): Promise<T | null> => asked.catch(() => null);

/** Does something now and again every few seconds while somebody looks, until the answer is called. */
export function repeat(work: () => Promise<unknown>, seconds: number): () => void {
  let busy = false;
  const once = () => {
    if (busy) return;
    busy = true;
    void work().finally(() => (busy = false));
  };
  once();
  const timer = setInterval(() => !document.hidden && once(), 1000 * seconds);
  return () => clearInterval(timer);
}
