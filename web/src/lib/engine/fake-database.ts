// A stand-in for IndexedDB in tests: one database in memory, whose disk can be full.

type Request = { result?: unknown; error?: unknown; onsuccess?: (() => void) | null; onupgradeneeded?: (() => void) | null };

export class FakeDatabase {
  stores = new Map<string, Map<string, unknown>>();
  /** As with a real quota, each request succeeds and the transaction is aborted. */
  full = false;

  /** What stands for `indexedDB`. */
  factory = {
    open: () => {
      const request: Request = { result: this };
      queueMicrotask(() => {
        if (!this.stores.size) request.onupgradeneeded?.();
        request.onsuccess?.();
      });
      return request;
    },
  };

  createObjectStore(name: string) {
    this.stores.set(name, new Map());
  }

  transaction(name: string, mode = 'readonly') {
    const stored = this.stores.get(name)!;
    const transaction: { error: unknown; oncomplete?: () => void; onabort?: () => void; objectStore(): object } = {
      error: null,
      objectStore: () => objects,
    };
    const writes: [string, unknown][] = [];
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
      get: (key: string) => answer(stored.get(key)),
      getAll: () => answer([...stored.values()]),
      getAllKeys: () => answer([...stored.keys()]),
    };
    if (mode === 'readwrite') {
      setTimeout(() => {
        if (this.full) {
          transaction.error = new DOMException('no room', 'QuotaExceededError');
          transaction.onabort?.();
        } else {
          for (const [key, value] of writes) stored.set(key, value);
          transaction.oncomplete?.();
        }
      }, 2);
    }
    return transaction;
  }
}
