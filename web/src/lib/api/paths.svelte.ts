// Which addresses this server has, from its own description: panels for what it cannot do stay away.
import { get } from './client';

class Paths {
  #known = $state.raw<ReadonlySet<string> | null>(null);
  #asked = false;

  /** Does the server answer at this address? False until its description has come. */
  has(path: string): boolean {
    if (!this.#asked) {
      this.#asked = true;
      get<{ paths: Record<string, unknown> }>('/openapi.json').then(
        (api) => (this.#known = new Set(Object.keys(api.paths).map((p) => p.replace(/^\/api\/v1/, '')))),
        () => (this.#asked = false),
      );
    }
    return this.#known?.has(path) ?? false;
  }
}

export const paths = new Paths();
