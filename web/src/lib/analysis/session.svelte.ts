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
  [more: string]: unknown;
}

export class Session {
  running = $state(false);
  online = $state(false);
  /** Place in the queue while the engines are busy; 0 when it is our turn. */
  queued = $state(0);
  #socket: Channel | null = null;
  #order: { id: string; start: Order; onreport: (report: Report, done: boolean) => void } | null = null;
  #listeners = new Map<string, (message: Message) => void>();
  #next = 1;
  /** Is the connection to be made anew elsewhere, once reviews have ended? */
  #moves = false;

  #connect(): Channel {
    this.#socket ??= connect<Message>('/analysis', {
      message: (message) => this.#hear(message),
      online: (up) => {
        this.online = up;
        // After a loss the search goes on where it was asked for.
        if (up && this.#order) this.#send(this.#order.id, this.#order.start);
      },
    });
    return this.#socket;
  }

  /** Goes on elsewhere, after the person chose another place for searches or this device was measured. A review is
      ended where it began. */
  relocate() {
    if (!this.#socket) return;
    this.#moves = this.#listeners.size > 0;
    if (this.#moves) return;
    this.#socket.close();
    this.#socket = null;
    this.online = false;
    if (this.#order) this.#connect();
  }

  #send(id: string, start: Order): boolean {
    return this.#connect().send({ type: 'start', id, ...start });
  }

  start(start: Order, onreport: (report: Report, done: boolean) => void) {
    if (this.#order) this.#connect().send({ type: 'stop', id: this.#order.id });
    const id = `a${this.#next++}`;
    this.#order = { id, start, onreport };
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
    this.#listeners.set(id, hear);
    const send = () => this.#connect().send({ ...message, id }) || setTimeout(send, 200);
    send();
    return id;
  }

  forget(id: string) {
    this.#listeners.delete(id);
    this.#socket?.send({ type: 'stop', id });
    if (this.#moves) this.relocate();
  }

  #hear(message: Message) {
    const listener = this.#listeners.get(String(message.id));
    if (listener) {
      listener(message);
      return;
    }
    if (!this.#order || message.id !== this.#order.id) return;
    // This device has no engine after all: the server makes the search.
    if (message.code === 'device.none' && place.where === 'server') return this.relocate();
    if (message.type === 'queued') this.queued = message.place ?? 1;
    else if (message.report) {
      this.queued = 0;
      this.#order.onreport(message.report, message.type === 'done');
    }
    if (message.type === 'done' || message.type === 'failed' || message.type === 'error') {
      this.running = false;
      this.#order = null;
    }
    if (message.type === 'failed' || message.type === 'error') {
      void attempt(() => Promise.reject(new Problem(message.status ?? 422, message.code ?? 'other', message.detail ?? '')));
    }
  }

  close() {
    this.#socket?.close();
  }
}
