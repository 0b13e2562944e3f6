// A WebSocket that comes back by itself: it reconnects with growing pauses and says when it is down.

export interface Handlers<T> {
  message(data: T): void;
  /** Called with true on every (re)connection and false on every loss. */
  online?(up: boolean): void;
  /** A message that the server answers: sent now and then, and a connection without an answer is made anew. */
  ping?: unknown;
}

/** How often, and how long an answer may take, in milliseconds. */
const PING_EVERY = 15_000;
const PING_ANSWER = 10_000;

/** What messages can be sent on. */
export interface Channel {
  /** Sends if connected; says whether it did. */
  send(message: unknown): boolean;
  close(): void;
}

export class Socket<T> implements Channel {
  #socket: WebSocket | null = null;
  #pause = 250;
  #closed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #heard = 0;
  #beat: ReturnType<typeof setInterval> | undefined;

  constructor(
    readonly path: string,
    readonly handlers: Handlers<T>,
  ) {
    this.#open();
  }

  #open() {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/api/v1${this.path}`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#pause = 250;
      this.#heard = performance.now();
      this.handlers.online?.(true);
      clearInterval(this.#beat);
      if (this.handlers.ping !== undefined) this.#beat = setInterval(() => this.#listen(), PING_EVERY);
    };
    socket.onmessage = (event) => {
      this.#heard = performance.now();
      try {
        this.handlers.message(JSON.parse(String(event.data)) as T);
      } catch {
        // A message that is not JSON is not for us.
      }
    };
    socket.onclose = () => {
      clearInterval(this.#beat);
      if (socket !== this.#socket) return;
      this.handlers.online?.(false);
      if (this.#closed) return;
      this.#timer = setTimeout(() => this.#open(), this.#pause);
      this.#pause = Math.min(this.#pause * 2, 5000);
    };
  }

  /** Is the server still there? A dead connection may not say so for minutes. */
  #listen() {
    const asked = performance.now();
    this.send(this.handlers.ping);
    setTimeout(() => {
      if (this.#closed || this.#heard >= asked || this.#socket?.readyState !== WebSocket.OPEN) return;
      // Closing waits for the other side, which may be gone: go on without it.
      const dead = this.#socket;
      this.#socket = null;
      dead.close();
      clearInterval(this.#beat);
      this.handlers.online?.(false);
      this.#open();
    }, PING_ANSWER);
  }

  /** Sends if connected; says whether it did. */
  send(message: unknown): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#beat);
    this.#socket?.close();
  }
}
