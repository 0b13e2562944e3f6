// A live search, on the server or on this device. Stopping keeps what was found.
import { Problem } from '../api/client';
import type { Channel } from '../api/socket';
import { connect } from '../api/thinker';
import type { Level, Report, Setup } from '../api/types';
import { place } from '../engine/place.svelte';
import { attempt } from '../ui/notices.svelte';

export interface Order {
  setup: Setup;
  moves: string[];
  engine: string;
  level: Level;
  threads: number;
  lines: number;
  time_ms?: number;
}

export interface Message {
  type: string;
  id?: string | number;
  report?: Report;
  place?: number;
  code?: string;
  detail?: string;
  status?: number;
  params?: Record<string, string | number>;
  [more: string]: unknown;
}

/** Has the work that a message is about come to nothing? */
export const isRefusal = ({ type }: Message) => type === 'failed' || type === 'error';

/** Shows a refusal with the facts it names. */
export function tell({ status = 422, code = 'other', detail = '', params }: Message) {
  void attempt(() => Promise.reject(new Problem(status, code, detail, params)));
}

export class Session {
  running = $state(false);
  online = $state(false);
  /** Place in the queue while the engines are busy; 0 when it is our turn. */
  queued = $state(0);
  #socket: Channel | null = null;
  #order: { id: string; start: Order; onreport: (report: Report) => void; onend: () => void } | null = null;
  /** Work of other kinds that was asked for and has not been forgotten. */
  #asked = new Map<string, { message: Record<string, unknown>; hear: (message: Message) => void }>();
  #next = 1;
  /** Is the connection to be made anew elsewhere, once reviews have ended? */
  #moves = false;

  #connect(): Channel {
    this.#socket ??= connect<Message>('/analysis', {
      message: (message) => this.#hear(message),
      ping: { type: 'ping' },
      online: (up) => {
        this.online = up;
        if (!up) return;
        // After a loss all work begins again: who has answered until then has forgotten it.
        if (this.#order) this.#send(this.#order.id, this.#order.start);
        for (const [id, { message }] of this.#asked) this.#connect().send({ ...message, id });
      },
    });
    return this.#socket;
  }

  /** Goes on elsewhere, after the person chose another place for searches or this device was measured. A review is
      ended where it began. */
  relocate() {
    if (!this.#socket) return;
    this.#moves = this.#asked.size > 0;
    if (this.#moves) return;
    this.#socket.close();
    this.#socket = null;
    this.online = false;
    if (this.#order) this.#connect();
  }

  #send(id: string, start: Order): boolean {
    return this.#connect().send({ type: 'start', id, ...start });
  }

  /** Searches. `onend` is called when this search ends, by itself or not, unless another one took its place. */
  start(start: Order, onreport: (report: Report) => void, onend: () => void = () => {}) {
    if (this.#order) this.#connect().send({ type: 'stop', id: this.#order.id });
    const id = `a${this.#next++}`;
    this.#order = { id, start, onreport, onend };
    this.running = true;
    this.queued = 0;
    this.#send(id, start);
  }

  stop() {
    // Without a connection the server has stopped already, and must not be asked again when it is back.
    if (this.#order && !this.#socket?.send({ type: 'stop', id: this.#order.id })) this.#order = null;
    this.running = false;
    this.queued = 0;
  }

  /** Sends a request of another kind over the same socket; `hear` gets every answer to it. */
  ask(message: Record<string, unknown>, hear: (message: Message) => void): string {
    const id = `q${this.#next++}`;
    this.#asked.set(id, { message, hear });
    // Without a connection it is sent once there is one.
    this.#connect().send({ ...message, id });
    return id;
  }

  forget(id: string) {
    this.#asked.delete(id);
    this.#socket?.send({ type: 'stop', id });
    if (this.#moves) this.relocate();
  }

  #hear(message: Message) {
    const asked = this.#asked.get(String(message.id));
    if (asked) {
      asked.hear(message);
      return;
    }
    const order = this.#order;
    if (!order || message.id !== order.id) return;
    // This device has no engine after all: the server makes the search.
    if (message.code === 'device.none' && place.where === 'server') return this.relocate();
    if (message.type === 'queued') this.queued = message.place ?? 1;
    else if (message.report) {
      this.queued = 0;
      order.onreport(message.report);
    }
    if (message.type !== 'done' && !isRefusal(message)) return;
    this.running = false;
    this.#order = null;
    order.onend();
    if (isRefusal(message)) tell(message);
  }

  close() {
    this.#socket?.close();
  }
}
