// A stand-in for IndexedDB in tests: databases in memory, on one disk that can be full.

type Request = { result?: unknown; error?: unknown; onsuccess?: (() => void) | null; onupgradeneeded?: (() => void) | null };

export class FakeDatabase {
  stores = new Map<string, Map<string, unknown>>();
  /** As with a real quota, each request succeeds and the transaction is aborted. */
  full = false;
  /** Characters that there is room for, in all values. */
  limit = Infinity;
  #made = new Set<string>();

  /** What stands for `indexedDB`. */
  factory = {
    open: (name: string) => {
      const request: Request = { result: this };
      queueMicrotask(() => {
        if (!this.#made.has(name)) request.onupgradeneeded?.();
        this.#made.add(name);
        request.onsuccess?.();
      });
      return request;
    },
  };

  createObjectStore(name: string) {
    this.stores.set(name, new Map());
  }

  get used(): number {
    return [...this.stores.values()].flatMap((store) => [...store.values()]).reduce<number>((sum, value) => sum + size(value), 0);
  }

  transaction(name: string, mode = 'readonly') {
    const stored = this.stores.get(name)!;
    const transaction: { error: unknown; oncomplete?: () => void; onabort?: () => void; objectStore(): object } = {
      error: null,
      objectStore: () => objects,
    };
    const writes: [key: string, value: unknown][] = [];
    const removals: string[] = [];
    const answer = (result: unknown) => {
      const request: Request = { result };
      setTimeout(() => request.onsuccess?.());
      return request;
    };
    const objects = {
      put: (value: unknown, key: string) => {
        writes.push([key, structuredClone(value)]);
        return answer(key);
      },
      delete: (key: string) => {
        removals.push(key);
        return answer(undefined);
      },
      get: (key: string) => answer(stored.get(key)),
      getAll: () => answer([...stored.values()]),
      getAllKeys: () => answer([...stored.keys()]),
    };
    if (mode === 'readwrite') {
      setTimeout(() => {
        const room = this.limit - this.used;
        const more = writes.reduce((sum, [key, value]) => sum + size(value) - size(stored.get(key)), 0);
        if (writes.length && (this.full || more > room)) {
          transaction.error = new DOMException('no room', 'QuotaExceededError');
          transaction.onabort?.();
        } else {
          for (const [key, value] of writes) stored.set(key, value);
          for (const key of removals) stored.delete(key);
          transaction.oncomplete?.();
        }
      }, 2);
    }
    return transaction;
  }
}

const size = (value: unknown) => (value === undefined ? 0 : JSON.stringify(value).length);
