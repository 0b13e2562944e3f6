import { beforeEach, describe, expect, test, vi } from 'vitest';
import { networkOf, type Order, type WorkerMessage } from './jobs';
import { NoEngine, type Loaded } from './load';
import { Crashed, memoryOf, WorkerPool } from './pool';

/** A worker whose side of the conversation the test plays. */
class FakeWorker {
  onmessage: ((event: { data: WorkerMessage }) => void) | null = null;
  onerror: ((event: { message: string; preventDefault(): void }) => void) | null = null;
  posted: { kind: string; id?: number; game?: string }[] = [];
  terminated = false;

  postMessage(message: { kind: string }) {
    this.posted.push(message);
  }

  terminate() {
    this.terminated = true;
  }

  says(message: WorkerMessage) {
    this.onmessage?.({ data: message });
  }

  breaks(message: string) {
    this.onerror?.({ message, preventDefault: () => {} });
  }

  /** Jobs it was given. */
  get jobs() {
    return this.posted.filter(({ kind }) => kind === 'analysis');
  }
}

const loaded = { network: () => Promise.resolve(new ArrayBuffer(1)) } as unknown as Loaded;
const order: Order = { kind: 'analysis', message: '{}' };
const settled = () => new Promise((done) => setTimeout(done));

let workers: FakeWorker[];
const make = () => {
  const worker = new FakeWorker();
  workers.push(worker);
  return worker as unknown as Worker;
};
const pool = (size: number, maker = make) => new WorkerPool(size, () => Promise.resolve(loaded), maker);
const never = () => expect.unreachable();

beforeEach(() => {
  workers = [];
  vi.stubGlobal('navigator', {});
});

describe('workers', () => {
  test('a browser that refuses workers fails every job that waits', async () => {
    const failures: unknown[] = [];
    const refused = pool(2, () => {
      throw new DOMException('no workers here', 'SecurityError');
    });
    for (let job = 0; job < 3; job++) refused.start(order, never, (error) => failures.push(error));
    await settled();
    expect(failures).toHaveLength(3);
    for (const error of failures) expect(error).toMatchObject({ code: 'blocked' });
    await expect(refused.ready()).rejects.toBeInstanceOf(NoEngine);
  });

  test('a worker that was made ready has its network before a job asks, and gets it once', async () => {
    const one = pool(1);
    await one.ready('hex');
    expect(workers[0]!.posted.map(({ kind }) => kind)).toEqual(['start', 'network']);
    one.start({ ...order, network: 'hex' }, never, never);
    await settled();
    expect(workers[0]!.posted.map(({ kind }) => kind)).toEqual(['start', 'network', 'analysis']);
  });

  test('a browser that refuses the second worker leaves the work to the first', async () => {
    const one = pool(2, () => {
      if (workers.length) throw new Error('one is enough');
      return make();
    });
    const done: string[] = [];
    one.start(order, (message) => done.push(`a ${message.kind}`), never);
    one.start(order, (message) => done.push(`b ${message.kind}`), never);
    await settled();
    expect(workers[0]!.jobs).toHaveLength(1);
    workers[0]!.says({ kind: 'ended', id: 1 });
    await settled();
    workers[0]!.says({ kind: 'ended', id: 2 });
    expect(done).toEqual(['a ended', 'b ended']);
  });

  test('a worker that breaks before it is ready is blocked, and one that breaks later has crashed', async () => {
    const failures: unknown[] = [];
    const one = pool(1);
    one.start(order, never, (error) => failures.push(error));
    await settled();
    workers[0]!.breaks('refused by a policy');
    expect(failures[0]).toMatchObject({ code: 'blocked', message: 'refused by a policy' });
    one.start(order, never, (error) => failures.push(error));
    await settled();
    workers[1]!.says({ kind: 'ready' });
    workers[1]!.breaks('out of memory');
    expect(failures[1]).toBeInstanceOf(Crashed);
  });

  test('a worker that crashes fails its own job, and another one takes the next', async () => {
    const failures: unknown[] = [];
    const heard: string[] = [];
    const one = pool(1);
    one.start(order, never, (error) => failures.push(error));
    one.start(order, (message) => heard.push(message.kind), never);
    await settled();
    workers[0]!.says({ kind: 'crashed', why: 'unreachable' });
    await settled();
    expect(failures).toEqual([new Crashed('unreachable')]);
    expect(workers[0]!.terminated).toBe(true);
    expect(workers[1]!.jobs).toHaveLength(1);
    workers[1]!.says({ kind: 'ended', id: 2 });
    expect(heard).toEqual(['ended']);
  });

  test('a job that is cancelled ends its worker and hears nothing more; one that waits is never given out', async () => {
    const one = pool(1);
    const cancel = one.start(order, never, never);
    const cancelWaiting = one.start(order, never, never);
    const last: string[] = [];
    one.start(order, (message) => last.push(message.kind), never);
    await settled();
    cancelWaiting();
    cancel();
    expect(workers[0]!.terminated).toBe(true);
    await settled();
    workers[0]!.says({ kind: 'said', id: 1, text: 'too late' });
    expect(workers).toHaveLength(2);
    expect(workers[1]!.jobs).toHaveLength(1);
    workers[1]!.says({ kind: 'ended', id: 2 });
    expect(last).toEqual(['ended']);
  });

  test('engines that cannot be loaded fail the jobs that wait, and the next job tries again', async () => {
    let there = false;
    const late = new WorkerPool(1, () => (there ? Promise.resolve(loaded) : Promise.reject(new NoEngine('network'))), make);
    const failures: unknown[] = [];
    late.start(order, never, (error) => failures.push(error));
    await settled();
    expect(failures).toMatchObject([{ code: 'network' }]);
    there = true;
    late.start(order, never, never);
    await settled();
    expect(workers[0]!.jobs).toHaveLength(1);
  });
});

describe('networks', () => {
  const gomoku: Order = { ...order, network: 'gomoku' };
  const kinds = (worker: FakeWorker) => worker.posted.map(({ kind, game }) => game ?? kind);

  test('a worker gets a network once, before the first job that needs it', async () => {
    const one = pool(1);
    for (const job of [order, gomoku, gomoku, { ...order, network: 'hex' } satisfies Order]) one.start(job, () => {}, never);
    for (let id = 1; id <= 4; id++) {
      await settled();
      workers[0]!.says({ kind: 'ended', id });
    }
    expect(kinds(workers[0]!)).toEqual(['start', 'analysis', 'gomoku', 'analysis', 'analysis', 'hex', 'analysis']);
  });

  test('a network that cannot be had fails its job alone', async () => {
    const damaged = { network: () => Promise.reject(new NoEngine('damaged')) } as unknown as Loaded;
    const one = new WorkerPool(1, () => Promise.resolve(damaged), make);
    const failures: unknown[] = [];
    one.start(gomoku, never, (error) => failures.push(error));
    one.start(order, () => {}, never);
    await settled();
    expect(failures).toMatchObject([{ code: 'damaged' }]);
    expect(kinds(workers[0]!)).toEqual(['start', 'analysis']);
  });

  test('a job that is cancelled while its network comes is not given out', async () => {
    let come: (bytes: ArrayBuffer) => void = () => {};
    const slow = { network: () => new Promise((done) => (come = done)) } as unknown as Loaded;
    const one = new WorkerPool(1, () => Promise.resolve(slow), make);
    const cancel = one.start(gomoku, never, never);
    await settled();
    cancel();
    come(new ArrayBuffer(1));
    await settled();
    expect(workers.map(kinds)).toEqual([['start'], ['start']]);
  });

  test('are known by the game of a request', () => {
    const setup = { setup: { game: 'gomoku' } };
    expect(networkOf('/solve', JSON.stringify(setup))).toBe('gomoku');
    expect(networkOf('', JSON.stringify({ game: setup, now: 1 }))).toBe('gomoku');
    expect(networkOf('/puzzles/hex/7/hint', '{}')).toBe('hex');
    expect(networkOf('/explain', '{"tictactoe":"X........"}')).toBeUndefined();
    expect(networkOf('/maze/solve', '{"setup":{"game":"hex"}}')).toBeUndefined();
    expect(networkOf('/solve', 'null')).toBeUndefined();
  });
});

test('a search may use less memory on a small device', () => {
  expect([undefined, 1, 2, 4, 8].map(memoryOf)).toEqual([32, 16, 16, 32, 64]);
});
