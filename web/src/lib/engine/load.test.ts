import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';

/** The smallest module there is. */
const MODULE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
const NETWORK = new TextEncoder().encode('a network');
const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const file = (path: string, bytes: Uint8Array) => ({ path, sha256: hash(bytes), bytes: bytes.length });

const build = { ...file('engine.wasm', MODULE), script: 'engine.js' };
const description = {
  relaxed: build,
  simd: build,
  networks: { gomoku: file('gomoku.bin', NETWORK), hex: file('hex.bin', NETWORK) },
};

let served: Record<string, Uint8Array<ArrayBuffer> | undefined>;
let asked: string[];
let cache: Map<string, Uint8Array<ArrayBuffer>>;

beforeEach(() => {
  vi.resetModules();
  served = {
    '/engine.json': new TextEncoder().encode(JSON.stringify(description)),
    '/engine.wasm': MODULE,
    '/gomoku.bin': NETWORK,
    '/hex.bin': NETWORK,
  };
  asked = [];
  cache = new Map();
  vi.stubGlobal('Worker', class {});
  vi.stubGlobal('location', { href: 'https://host/' });
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path);
    const body = served[path];
    return Promise.resolve(body ? new Response(body) : new Response(null, { status: 404 }));
  });
  vi.stubGlobal('caches', {
    open: () =>
      Promise.resolve({
        match: (path: string) => Promise.resolve(cache.has(path) ? new Response(cache.get(path)) : undefined),
        put: async (path: string, response: Response) => void cache.set(path, new Uint8Array(await response.arrayBuffer())),
        delete: (path: string) => Promise.resolve(cache.delete(path)),
        keys: () => Promise.resolve([]),
      }),
  });
});

const load = async () => (await import('./load')).loaded();

describe('the engines', () => {
  test('are fetched once, and each network when its game needs it', async () => {
    const { network } = await load();
    expect(asked).toEqual(['/engine.json', '/engine.wasm']);
    expect(new Uint8Array(await network('gomoku'))).toEqual(NETWORK);
    await Promise.all([network('gomoku'), network('gomoku')]);
    expect(asked).toEqual(['/engine.json', '/engine.wasm', '/gomoku.bin']);
    vi.resetModules();
    await (await load()).network('gomoku');
    expect(asked).toEqual(['/engine.json', '/engine.wasm', '/gomoku.bin', '/engine.json']);
  });

  test('are kept for use without a network, without those that are there', async () => {
    cache.set('/gomoku.bin', NETWORK);
    await (await import('./load')).keepAll();
    expect(asked).toEqual(['/engine.json', '/engine.wasm', '/hex.bin']);
    expect([...cache.keys()].sort()).toEqual(['/engine.wasm', '/gomoku.bin', '/hex.bin']);
  });

  test('with a wrong hash are not used, not kept, and fetched again at the next try', async () => {
    const { network } = await load();
    served['/hex.bin'] = new TextEncoder().encode('a netw0rk');
    await expect(network('hex')).rejects.toMatchObject({ code: 'damaged' });
    expect(cache.has('/hex.bin')).toBe(false);
    served['/hex.bin'] = NETWORK;
    expect(new Uint8Array(await network('hex'))).toEqual(NETWORK);
  });

  test('that were damaged in the cache are deleted there', async () => {
    cache.set('/engine.wasm', NETWORK);
    await expect(load()).rejects.toMatchObject({ code: 'damaged' });
    expect(cache.has('/engine.wasm')).toBe(false);
    vi.resetModules();
    await expect(load()).resolves.toBeDefined();
  });

  test('that are not there are missing, with or without a page in their place', async () => {
    served['/engine.json'] = undefined;
    await expect(load()).rejects.toMatchObject({ code: 'missing' });
    served['/engine.json'] = new TextEncoder().encode('<!doctype html>');
    await expect(load()).rejects.toMatchObject({ code: 'missing' });
  });
});
