import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';

const source = readFileSync(join(import.meta.dirname, '../../../scripts/sw.js'), 'utf8');

type Listener = (event: { waitUntil(work: Promise<unknown>): void }) => void;

/** The caches of a host, which all its sites share. */
let kept: Map<string, string[]>;
const caches = {
  open: (name: string) => {
    kept.set(name, kept.get(name) ?? []);
    return Promise.resolve({ addAll: (files: string[]) => Promise.resolve(void kept.get(name)?.push(...files)) });
  },
  keys: () => Promise.resolve([...kept.keys()]),
  delete: (name: string) => Promise.resolve(kept.delete(name)),
};

/** Installs and activates a version of a site's service worker. */
async function visit(scope: string, version: string) {
  const listeners = new Map<string, Listener>();
  const self = {
    registration: { scope },
    addEventListener: (type: string, listener: Listener) => void listeners.set(type, listener),
    clients: { claim: () => Promise.resolve() },
  };
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- it is a script, not a module
  new Function('self', 'caches', 'VERSION', 'FILES', source)(self, caches, version, ['index.html']);
  for (const type of ['install', 'activate']) {
    let work: Promise<unknown> = Promise.resolve();
    listeners.get(type)?.({ waitUntil: (promise) => void (work = promise) });
    await work;
  }
}

beforeEach(() => (kept = new Map([['another app', []]])));

test('a new version replaces the old one of its own site alone', async () => {
  await visit('https://host/', 'aaaa');
  await visit('https://host/one/', 'aaaa');
  await visit('https://host/two/', 'bbbb');
  await visit('https://host/one/', 'cccc');
  expect([...kept.keys()]).toEqual(['another app', 'tengen / aaaa', 'tengen /two/ bbbb', 'tengen /one/ cccc']);
  expect(kept.get('tengen /one/ cccc')).toEqual(['https://host/one/index.html']);
});
