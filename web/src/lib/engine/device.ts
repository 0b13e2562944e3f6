// The engines on this device: the thinker that needs no server.
import { Problem, problemOf } from '../api/problem';
import type { Handlers } from '../api/socket';
import type { Thinker } from '../api/thinker';
import { t } from '../i18n';
import { notices } from '../ui/notices.svelte';
import { Analysis } from './analysis';
import { Crashed, WorkerPool } from './pool';
import { LocalGames } from './games';
import { NETWORK_GAMES, networkOf } from './jobs';
import { NoEngine } from './load';
import { CORES, place, SITE } from './place.svelte';

/** Positions and files are asked for while searches run, and must not wait for them. */
const quick = new WorkerPool(1);
const search = new WorkerPool(CORES);
const QUICK = /^\/(catalog|view|import|export|puzzles(\/[^/]+\/[^/]+)?)$/;

/** What went wrong, said to the person and as a problem that the asker can handle. */
function failure(error: unknown): Error {
  if (error instanceof NoEngine) {
    place.trouble = error.code;
    notices.say(t(`device.${error.code}`) + (SITE ? '' : ` ${t('device.server-instead')}`), true);
    return new Problem(0, 'device.none', error.message);
  }
  if (error instanceof Crashed) {
    notices.say(t('device.crashed'), true);
    return new Problem(500, 'device.crashed', error.message);
  }
  return error instanceof Error ? error : new Error(String(error));
}

function request(pool: WorkerPool, method: string, path: string, body: string, signal?: AbortSignal): Promise<Response> {
  return new Promise((resolve, reject) => {
    const cancel = pool.start(
      { kind: 'request', method, path, body, network: pool === search ? networkOf(path, body) : undefined },
      (message) => {
        if (message.kind !== 'answer') return;
        resolve(new Response(message.body, { status: message.status, headers: { 'content-type': message.type } }));
      },
      (error) => reject(failure(error)),
    );
    signal?.addEventListener('abort', () => {
      cancel();
      reject(new DOMException('the request was given up', 'AbortError'));
    });
  });
}

/** The server's games, played here. */
export const games = new LocalGames({
  async ask(path, body) {
    const answer = await request(
      path === '/local/ask' && (body as { ask?: string }).ask === 'hint' ? search : quick,
      'POST',
      path,
      JSON.stringify(body),
    );
    return answer.ok ? answer.json() : Promise.reject(await problemOf(answer));
  },
  think(order, hear) {
    let crashes = 0;
    let cancel: () => void;
    const begin = () => {
      cancel = search.start(
        { kind: 'think', message: order, network: networkOf('', order) },
        (message) => message.kind === 'said' && hear(JSON.parse(message.text) as { type: string }),
        (error) => {
          const detail = String(failure(error));
          // A crash may be an accident of memory; the second one is the engine's fault.
          if (error instanceof Crashed && !crashes++) begin();
          else hear({ type: error instanceof NoEngine ? 'unavailable' : 'failed', detail });
        },
      );
    };
    begin();
    return () => cancel();
  },
});

const json = (value: unknown) => new Response(JSON.stringify(value), { headers: { 'content-type': 'application/json' } });

/** Addresses that a server answers from its disk, answered from the browser's. */
async function kept(method: string, path: string, body: string | undefined, secret: string | undefined): Promise<Response> {
  if (path.startsWith('/games')) return json(await games.request(method, path, body, secret));
  if (path === '/bots' && method === 'GET') return json([]);
  throw new Problem(404, 'site.no-server', 'this needs a server');
}

/** A list that never changes, which scripts/site.mjs has written beside the app: no page needs the engines to show it. */
async function written(path: string): Promise<Response | null> {
  const response = await fetch(`${import.meta.env.BASE_URL}${path.slice(1)}.json`).catch(() => null);
  return response?.ok && response.headers.get('content-type')?.includes('json') ? response : null;
}

export const device: Thinker = {
  async request(method, path, body, headers, signal) {
    if (SITE && method === 'GET' && /^\/(catalog|puzzles)$/.test(path)) {
      const list = await written(path);
      if (list) return list;
    }
    if (/^\/(games|bots|studies)/.test(path)) {
      return kept(method, path, body, headers['authorization']?.replace(/^Bearer /, ''));
    }
    return request(QUICK.test(path) ? quick : search, method, path, body ?? '', signal);
  },
  connect: <T>(path: string, handlers: Handlers<T>) =>
    path.startsWith('/games') ? games.connect(path, handlers as Handlers<never>) : new Analysis(search, handlers, failure),
};

/** Gets a worker ready for a search of this game, before anybody asks for one. What goes wrong is said when one is asked for. */
export const warm = (game: string): Promise<void> => search.ready(NETWORK_GAMES.find((name) => name === game)).catch(() => {});

/** A search of one second, to see how fast this device is; without the network, which is fetched when it is needed. */
export async function measure(): Promise<void> {
  await search.ready().catch((error: unknown) => Promise.reject(failure(error)));
  const order = { type: 'start', id: 'measure', setup: { game: 'gomoku' }, moves: ['h8', 'i9', 'g7', 'i7'], time_ms: 1000 };
  let speed = 0;
  await new Promise<void>((done, fail) => {
    search.start(
      { kind: 'analysis', message: JSON.stringify(order) },
      (message) => {
        if (message.kind === 'ended') done();
        if (message.kind === 'said') speed = (JSON.parse(message.text) as { report?: { speed: number } }).report?.speed ?? speed;
      },
      (error) => fail(failure(error)),
    );
  });
  place.keep(speed);
}
