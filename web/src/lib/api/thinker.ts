// Where requests are answered: by the server, or by a worker with the engines on this device. Both speak the HTTP API.
import { place, SITE } from '../engine/place.svelte';
import { Socket, type Channel, type Handlers } from './socket';

/** A place that answers requests and searches. */
export interface Thinker {
  /** As `fetch` does it; `path` is what follows `/api/v1`. */
  request(method: string, path: string, body: string | undefined, headers: Record<string, string>, signal?: AbortSignal): Promise<Response>;
  /** A connection for messages, as a WebSocket would be. */
  connect<T>(path: string, handlers: Handlers<T>): Channel;
}

const server: Thinker = {
  request(method, path, body, headers, signal) {
    const init: RequestInit = { method, headers };
    if (body !== undefined) init.body = body;
    if (signal) init.signal = signal;
    return fetch(`/api/v1${path}`, init);
  },
  connect: (path, handlers) => new Socket(path, handlers),
};

/** Requests that take thought: these go where the person chose. */
const THOUGHT = /^\/(solve|layer|explain|explain\/path|xray|maze\/\w+|puzzles\/[^/]+\/[^/]+\/(moves|hint|solution)|analysis)$/;

/** A connection to whoever answers there. Nothing is sent before it is there, as with a WebSocket. */
export function connect<T>(path: string, handlers: Handlers<T>): Channel {
  let channel: Channel | null = null;
  let closed = false;
  void thinkerFor(path).then((thinker) => {
    if (!closed) channel = thinker.connect(path, handlers);
  });
  return {
    send: (message) => channel?.send(message) ?? false,
    close() {
      closed = true;
      channel?.close();
    },
  };
}

/** Whoever answers this request. */
export async function thinkerFor(path: string): Promise<Thinker> {
  if (!SITE && !(THOUGHT.test(path) && place.where === 'device')) return server;
  return (await import('../engine/device')).device;
}
