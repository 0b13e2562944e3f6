// A WebSocket that comes back by itself: it reconnects with growing pauses and says when it is down.

export interface Handlers<T> {
  message(data: T): void;
  /** Called with true on every (re)connection and false on every loss. */
  online?(up: boolean): void;
}

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
      this.handlers.online?.(true);
    };
    socket.onmessage = (event) => {
      try {
        this.handlers.message(JSON.parse(String(event.data)) as T);
      } catch {
        // A message that is not JSON is not for us.
      }
    };
    socket.onclose = () => {
      this.handlers.online?.(false);
      if (this.#closed) return;
      this.#timer = setTimeout(() => this.#open(), this.#pause);
      this.#pause = Math.min(this.#pause * 2, 5000);
    };
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
    this.#socket?.close();
  }
}
