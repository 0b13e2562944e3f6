// Workers with the engines. A job goes to a worker that is free, a new one, or waits; ending a job before its time ends
// its worker, because a worker that computes hears nothing.
import { loaded, type Loaded } from './load';
import type { Job, Order, Start, Told } from './jobs';

/** The worker stopped working: a bug, or no memory left. */
export class Crashed extends Error {}

/** A job under way or waiting. */
interface Task {
  job: Order;
  hear(told: Told): void;
  fail(error: unknown): void;
  hand: Hand | null;
}

/** A worker. */
interface Hand {
  worker: Worker;
  task: Task | null;
}

/** MiB that a search may use, by what the device says it has. */
export function memoryOf(gigabytes: number | undefined): number {
  if (gigabytes === undefined) return 32;
  return gigabytes <= 2 ? 16 : gigabytes <= 4 ? 32 : 64;
}

export class Crew {
  #hands: Hand[] = [];
  #waiting: Task[] = [];
  #next = 1;
  constructor(
    /** Workers at most. */
    readonly size: number,
    readonly loader: () => Promise<Loaded> = loaded,
    readonly spawn: () => Worker = () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }),
  ) {}

  /** Fetches and compiles the engines and starts one worker. */
  async ready(): Promise<void> {
    const loaded = await this.loader();
    if (!this.#hands.length) this.#hire(loaded);
  }

  /** Starts a job; what is returned ends it early. */
  start(job: Order, hear: (told: Told) => void, fail: (error: unknown) => void): () => void {
    const task: Task = { job, hear, fail, hand: null };
    this.#waiting.push(task);
    void this.#assign();
    return () => this.#cancel(task);
  }

  async #assign() {
    let loaded: Loaded;
    try {
      loaded = await this.loader();
    } catch (error) {
      for (const task of this.#waiting.splice(0)) task.fail(error);
      return;
    }
    while (this.#waiting.length) {
      const free = this.#hands.find((hand) => !hand.task) ?? (this.#hands.length < this.size ? this.#hire(loaded) : undefined);
      const task = free && this.#waiting.shift();
      if (!free || !task) return;
      free.task = task;
      task.hand = free;
      free.worker.postMessage({ ...task.job, id: this.#next++ } satisfies Job);
    }
  }

  #hire({ script, module, network }: Loaded): Hand {
    const hand: Hand = { worker: this.spawn(), task: null };
    const memory = memoryOf((navigator as { deviceMemory?: number }).deviceMemory);
    hand.worker.onmessage = ({ data }: MessageEvent<Told>) => this.#hear(hand, data);
    hand.worker.onerror = (event) => {
      event.preventDefault();
      this.#hear(hand, { kind: 'crashed', why: event.message || 'the worker could not start' });
    };
    hand.worker.postMessage({ kind: 'start', script, module, network, memory } satisfies Start);
    this.#hands.push(hand);
    return hand;
  }

  #hear(hand: Hand, told: Told) {
    const { task } = hand;
    if (told.kind === 'crashed') {
      this.#dismiss(hand);
      task?.fail(new Crashed(told.why));
    } else {
      if (told.kind !== 'said') hand.task = null;
      task?.hear(told);
    }
    void this.#assign();
  }

  #cancel(task: Task) {
    this.#waiting = this.#waiting.filter((other) => other !== task);
    if (task.hand?.task !== task) return;
    this.#dismiss(task.hand);
    // A spare that is warm when the next job comes.
    void this.ready().then(
      () => this.#assign(),
      () => {},
    );
  }

  #dismiss(hand: Hand) {
    hand.worker.terminate();
    hand.task = null;
    this.#hands = this.#hands.filter((other) => other !== hand);
  }

  close() {
    for (const hand of this.#hands) hand.worker.terminate();
    this.#hands = [];
    this.#waiting = [];
  }
}
