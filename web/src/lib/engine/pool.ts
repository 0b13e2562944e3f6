// Workers with the engines. A job goes to a worker that is free, a new one, or waits; ending a job before its time ends
// its worker, because a worker that computes hears nothing.
import { loaded, NoEngine, type Loaded } from './load';
import type { Job, Network, NetworkGame, Order, Start, WorkerMessage } from './jobs';

/** The worker stopped working: a bug, or no memory left. */
export class Crashed extends Error {}

/** A job under way or waiting. */
interface Task {
  job: Order;
  hear(message: WorkerMessage): void;
  fail(error: unknown): void;
  slot: WorkerSlot | null;
}

interface WorkerSlot {
  worker: Worker;
  task: Task | null;
  /** Has it loaded the module? Browsers that block workers report it as an error before that. */
  ready: boolean;
  /** Networks that were sent to it, or are on their way. */
  networks: Map<NetworkGame, Promise<void>>;
}

/** MiB that a search may use, by what the device says it has. */
export function memoryOf(gigabytes: number | undefined): number {
  if (gigabytes === undefined) return 32;
  return gigabytes <= 2 ? 16 : gigabytes <= 4 ? 32 : 64;
}

export class WorkerPool {
  #slots: WorkerSlot[] = [];
  #waiting: Task[] = [];
  #next = 1;
  constructor(
    /** Workers at most. */
    readonly size: number,
    readonly loader: () => Promise<Loaded> = loaded,
    readonly make: () => Worker = () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }),
  ) {}

  /** Fetches and compiles the engines and starts one worker, with a game's network: the next job then begins at once. */
  async ready(network?: NetworkGame): Promise<void> {
    const loaded = await this.loader();
    const slot = this.#slots.find(({ task }) => !task) ?? this.#slots[0] ?? this.#spawn(loaded);
    if (network) await this.#equip(slot, network, loaded);
  }

  /** Sends a network to a worker, once. */
  #equip(slot: WorkerSlot, game: NetworkGame, loaded: Loaded): Promise<void> {
    const known = slot.networks.get(game);
    if (known) return known;
    const coming = loaded.network(game).then((bytes) => {
      // It may have been ended meanwhile.
      if (this.#slots.includes(slot)) slot.worker.postMessage({ kind: 'network', game, bytes } satisfies Network);
    });
    slot.networks.set(game, coming);
    // The next job tries again.
    coming.catch(() => slot.networks.delete(game));
    return coming;
  }

  /** Starts a job; what is returned ends it early. */
  start(job: Order, hear: (message: WorkerMessage) => void, fail: (error: unknown) => void): () => void {
    const task: Task = { job, hear, fail, slot: null };
    this.#waiting.push(task);
    void this.#assign();
    return () => this.#cancel(task);
  }

  async #assign() {
    let loaded: Loaded;
    try {
      loaded = await this.loader();
    } catch (error) {
      this.#failAll(error);
      return;
    }
    while (this.#waiting.length) {
      let free: WorkerSlot | undefined;
      try {
        free = this.#slots.find((slot) => !slot.task) ?? (this.#slots.length < this.size ? this.#spawn(loaded) : undefined);
      } catch (error) {
        // Those that there are go on with what waits.
        if (!this.#slots.length) this.#failAll(error);
        return;
      }
      const task = free && this.#waiting.shift();
      if (!free || !task) return;
      void this.#give(free, task, loaded);
    }
  }

  /** Gives a job to a free worker, with the network that it needs. */
  async #give(slot: WorkerSlot, task: Task, loaded: Loaded) {
    slot.task = task;
    task.slot = slot;
    const { network } = task.job;
    if (network) {
      try {
        await this.#equip(slot, network, loaded);
        // Cancelled while it was fetched.
        if (slot.task !== task) return;
      } catch (error) {
        if (slot.task !== task) return;
        slot.task = null;
        task.fail(error);
        void this.#assign();
        return;
      }
    }
    slot.worker.postMessage({ ...task.job, id: this.#next++ } satisfies Job);
  }

  #failAll(error: unknown) {
    for (const task of this.#waiting.splice(0)) task.fail(error);
  }

  /** A new worker; throws [`NoEngine`] where the browser refuses one. */
  #spawn({ script, module }: Loaded): WorkerSlot {
    let worker: Worker | undefined;
    try {
      worker = this.make();
      const memory = memoryOf((navigator as { deviceMemory?: number }).deviceMemory);
      worker.postMessage({ kind: 'start', script, module, memory } satisfies Start);
    } catch (error) {
      worker?.terminate();
      throw new NoEngine('blocked', String(error));
    }
    const slot: WorkerSlot = { worker, task: null, ready: false, networks: new Map() };
    worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => this.#onMessage(slot, data);
    worker.onerror = (event) => {
      event.preventDefault();
      const why = event.message || 'the worker could not start';
      this.#lose(slot, slot.ready ? new Crashed(why) : new NoEngine('blocked', why));
    };
    this.#slots.push(slot);
    return slot;
  }

  #onMessage(slot: WorkerSlot, message: WorkerMessage) {
    if (message.kind === 'ready') slot.ready = true;
    else if (message.kind === 'crashed') this.#lose(slot, new Crashed(message.why));
    else {
      const { task } = slot;
      if (message.kind !== 'said') slot.task = null;
      task?.hear(message);
      void this.#assign();
    }
  }

  /** Goes on without a worker that is of no more use; another one takes its place when there is work for it. */
  #lose(slot: WorkerSlot, error: unknown) {
    const { task } = slot;
    this.#terminate(slot);
    task?.fail(error);
    void this.#assign();
  }

  #cancel(task: Task) {
    this.#waiting = this.#waiting.filter((other) => other !== task);
    if (task.slot?.task !== task) return;
    this.#terminate(task.slot);
    // A spare that is warm when the next job comes.
    void this.ready(task.job.network).then(
      () => this.#assign(),
      () => this.#assign(),
    );
  }

  #terminate(slot: WorkerSlot) {
    slot.worker.terminate();
    slot.task = null;
    this.#slots = this.#slots.filter((other) => other !== slot);
  }

  close() {
    for (const slot of this.#slots) slot.worker.terminate();
    this.#slots = [];
    this.#waiting = [];
  }
}
