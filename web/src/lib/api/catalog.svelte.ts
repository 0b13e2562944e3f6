// What the server can do, asked once.
import { get } from './client';
import type { Catalog, GameEntry } from './types';

class Known {
  value = $state.raw<Catalog | null>(null);
  error = $state.raw<unknown>(null);
  #asked: Promise<Catalog> | null = null;

  /** Asks the server unless it has answered already. */
  load(): Promise<Catalog> {
    this.#asked ??= get<Catalog>('/catalog').then(
      (value) => {
        this.value = value;
        this.error = null;
        return value;
      },
      (error: unknown) => {
        this.error = error;
        this.#asked = null;
        throw error;
      },
    );
    return this.#asked;
  }

  game(name: string): GameEntry | undefined {
    return this.value?.games.find((g) => g.name === name);
  }
}

export const catalog = new Known();
