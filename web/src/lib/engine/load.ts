// Fetching the engines: which build the browser can run, compiled once; and networks, when their game needs them. All
// are checked by their hashes.
import type { NetworkGame } from './jobs';

/** `engine.json`, written by scripts/engine.mjs. */
interface Description {
  relaxed: Build;
  simd: Build;
  networks: Record<NetworkGame, File>;
}

interface File {
  path: string;
  sha256: string;
  bytes: number;
}

/** A module, and the bindings that load it. */
interface Build extends File {
  script: string;
}

/** Why there are no engines in the page. */
export class NoEngine extends Error {
  constructor(
    /** `missing` (this build has none), `unsupported` (the browser), `blocked` (workers), `network` or `damaged` (wrong hash). */
    readonly code: 'missing' | 'unsupported' | 'blocked' | 'network' | 'damaged',
    detail = '',
  ) {
    super(detail || code);
  }
}

export interface Loaded {
  script: string;
  module: WebAssembly.Module;
  /** The network of a game, fetched at the first call. */
  network: (game: NetworkGame) => Promise<ArrayBuffer>;
}

/** A module with one relaxed instruction: valid only where the browser knows it. */
const RELAXED = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 15, 1, 13, 0, 65, 0, 253, 15, 65, 0, 253, 15, 253, 128, 2, 11,
]);

const base = import.meta.env.BASE_URL;

/** Large files, kept by the page itself: their addresses change with their content. Other sites of the host have their own. */
const KEPT = `tengen-engine ${base}`;

async function keeper(): Promise<Cache | null> {
  // Plain HTTP has none, and private windows may forbid even to look.
  try {
    return await caches.open(KEPT);
  } catch {
    return null;
  }
}

async function fetched(path: string): Promise<Response> {
  const response = await fetch(base + path).catch((error: unknown) => {
    throw new NoEngine('network', String(error));
  });
  if (response.ok) return response;
  throw new NoEngine(response.status === 404 ? 'missing' : 'network', `${path}: ${response.status}`);
}

const hex = (bytes: ArrayBuffer) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** A file, checked. Where the page has no `crypto.subtle` (plain HTTP on another host) the length has to do. */
async function checked({ path, sha256, bytes }: File): Promise<ArrayBuffer> {
  const cache = await keeper();
  const before = await cache?.match(base + path);
  const content = await (before ?? (await fetched(path))).arrayBuffer();
  const right = globalThis.crypto?.subtle ? hex(await crypto.subtle.digest('SHA-256', content)) === sha256 : content.byteLength === bytes;
  if (!right) {
    await cache?.delete(base + path);
    throw new NoEngine('damaged', path);
  }
  // A full disk keeps nothing, and the page fetches it again next time.
  if (!before) await cache?.put(base + path, new Response(content)).catch(() => {});
  return content;
}

const coming = new Map<string, Promise<ArrayBuffer>>();

/** A file, fetched once however many ask for it at the same time. */
function file(wanted: File): Promise<ArrayBuffer> {
  const { path } = wanted;
  const content = coming.get(path) ?? checked(wanted).finally(() => coming.delete(path));
  coming.set(path, content);
  return content;
}

/** Removes what an earlier version kept. */
async function tidy(files: File[]) {
  const cache = await keeper();
  const wanted = new Set(files.map(({ path }) => new URL(base + path, location.href).href));
  for (const request of (await cache?.keys()) ?? []) if (!wanted.has(request.url)) await cache?.delete(request);
}

let known: Promise<Loaded> | null = null;

/** The engines, fetched once. */
export function loaded(): Promise<Loaded> {
  known ??= load().catch((error: unknown) => {
    // The next job tries again: the network may be back.
    known = null;
    throw error;
  });
  return known;
}

/** The build for this browser, and the networks. */
async function describe(): Promise<{ build: Build; networks: Description['networks'] }> {
  const response = await fetched('engine.json');
  // A server without the file answers with the app's page.
  const description = (await response.json().catch(() => null)) as Description | null;
  if (!description) throw new NoEngine('missing');
  return { build: WebAssembly.validate(RELAXED) ? description.relaxed : description.simd, networks: description.networks };
}

/** Fetches what is not kept yet, for use without a network. */
export async function keepAll(): Promise<void> {
  const cache = await keeper();
  if (!cache) return;
  const { build, networks } = await describe();
  for (const wanted of [build, ...Object.values(networks)]) if (!(await cache.match(base + wanted.path))) await file(wanted);
}

async function load(): Promise<Loaded> {
  if (typeof WebAssembly !== 'object' || typeof Worker !== 'function') throw new NoEngine('unsupported');
  const { build, networks } = await describe();
  const code = await file(build);
  const module = await WebAssembly.compile(code).catch((error: unknown) => {
    throw new NoEngine('unsupported', String(error));
  });
  void tidy([build, ...Object.values(networks)]).catch(() => {});
  const script = new URL(base + build.script, location.href).href;
  return { script, module, network: (game) => file(networks[game]) };
}

/** The rules alone, for a worker that can fetch nothing: the bindings as text, and the module. */
export async function rulesOf(): Promise<{ script: string; module: WebAssembly.Module }> {
  const { script, module } = await loaded();
  const response = await fetch(script).catch((error: unknown) => {
    throw new NoEngine('network', String(error));
  });
  if (!response.ok) throw new NoEngine('network', `${script}: ${response.status}`);
  return { script: await response.text(), module };
}
