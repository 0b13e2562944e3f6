// The engines on this device: the thinker that needs no server.
import { Problem } from '../api/problem';
import type { Thinker } from '../api/thinker';
import { t } from '../i18n';
import { notices } from '../ui/notices.svelte';
import { Analysis } from './analysis';
import { Crashed, Crew } from './crew';
import { NoEngine } from './load';
import { place, SITE } from './place.svelte';

/** Workers that search at the same time. */
export const CORES = Math.max(1, Math.min(4, navigator.hardwareConcurrency || 1));

/** Positions and files are asked for while searches run, and must not wait for them. */
const quick = new Crew(1);
const search = new Crew(CORES);
const QUICK = /^\/(catalog|view|import|export|puzzles(\/[^/]+\/[^/]+)?)$/;

/** What went wrong, said to the person and as a problem that the asker can handle. */
function failure(error: unknown): unknown {
  if (error instanceof NoEngine) {
    place.trouble = error.code;
    notices.say(t(`device.${error.code}`) + (SITE ? '' : ` ${t('device.server-instead')}`), true);
    return new Problem(0, 'device.none', error.message);
  }
  if (error instanceof Crashed) {
    notices.say(t('device.crashed'), true);
    return new Problem(500, 'device.crashed', error.message);
  }
  return error;
}

function request(crew: Crew, method: string, path: string, body: string, signal?: AbortSignal): Promise<Response> {
  return new Promise((resolve, reject) => {
    const cancel = crew.start(
      { kind: 'request', method, path, body },
      (told) => {
        if (told.kind !== 'answer') return;
        resolve(new Response(told.body, { status: told.status, headers: { 'content-type': told.type } }));
      },
      (error) => reject(failure(error)),
    );
    signal?.addEventListener('abort', () => {
      cancel();
      reject(new DOMException('the request was given up', 'AbortError'));
    });
  });
}

export const device: Thinker = {
  request: (method, path, body, _headers, signal) => request(QUICK.test(path) ? quick : search, method, path, body ?? '', signal),
  connect: (_path, handlers) => new Analysis(search, handlers, failure),
};

/** A search of one second, to see how fast this device is. */
export async function measure(): Promise<void> {
  await search.ready();
  const order = { type: 'start', id: 'measure', setup: { game: 'gomoku' }, moves: ['h8', 'i9', 'g7', 'i7'], time_ms: 1000 };
  let speed = 0;
  await new Promise<void>((done, fail) => {
    search.start(
      { kind: 'analysis', message: JSON.stringify(order) },
      (told) => {
        if (told.kind === 'ended') done();
        if (told.kind === 'said') speed = (JSON.parse(told.text) as { report?: { speed: number } }).report?.speed ?? speed;
      },
      (error) => fail(failure(error)),
    );
  });
  place.keep(speed);
}
