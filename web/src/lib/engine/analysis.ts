// Searches and reviews on this device, with the messages of the server's `/analysis`. To stop is to end the worker: the
// last report, at most a tenth of a second old, is the result. While the page is hidden nothing is searched.
import { Problem } from '../api/problem';
import type { Channel, Handlers } from '../api/socket';
import type { Report } from '../api/types';
import type { WorkerPool } from './pool';
import { run as search, share, type Hearing, type Order } from './split';

interface Run {
  order: Order;
  report: Report | undefined;
  /** Absent while the page is hidden. */
  cancel: (() => void) | undefined;
}

export class Analysis implements Channel {
  #runs = new Map<string, Run>();
  #open = false;

  constructor(
    readonly pool: WorkerPool,
    readonly handlers: Handlers<unknown>,
    readonly failure: (error: unknown) => unknown,
  ) {
    queueMicrotask(() => {
      this.#open = true;
      handlers.online?.(true);
    });
    document.addEventListener('visibilitychange', this.#seen);
    void pool.ready().catch(() => {});
  }

  send(message: unknown): boolean {
    if (!this.#open) return false;
    const order = message as Order;
    if (order.type === 'stop') this.#stop(order.id);
    else if (order.type === 'start' || order.type === 'review') {
      const run: Run = { order, report: undefined, cancel: undefined };
      this.#runs.set(order.id, run);
      if (!document.hidden) this.#begin(run);
    }
    return true;
  }

  #begin(run: Run) {
    const { order } = run;
    const hearing: Hearing = {
      said: (said) => {
        run.report = said.report ?? run.report;
        this.handlers.message(said);
      },
      ended: () => this.#runs.delete(order.id),
      failed: (error) => {
        this.#runs.delete(order.id);
        const problem = this.failure(error);
        if (!this.#open) return;
        const { status, code, params } = problem instanceof Problem ? problem : { status: 0, code: 'other', params: {} };
        this.handlers.message({ type: 'failed', id: order.id, status, code, params, detail: String(problem) });
      },
    };
    const parts = order.type === 'start' ? Math.min(order.threads ?? 1, this.pool.size) : 1;
    run.cancel = parts > 1 ? share(this.pool, order, parts, hearing) : search(this.pool, order, hearing);
  }

  #stop(id: string) {
    const run = this.#runs.get(id);
    if (!run) return;
    run.cancel?.();
    this.#runs.delete(id);
    const { report, order } = run;
    if (order.type === 'review') this.handlers.message({ type: 'review-done', id, complete: false });
    else if (report) this.handlers.message({ type: 'done', id, move: { move: report.lines[0]?.moves[0] ?? '' }, report });
    else this.handlers.message({ type: 'failed', id, status: 0, code: 'stopped', detail: 'stopped before the first report' });
  }

  #seen = () => {
    for (const run of this.#runs.values()) {
      // A review goes on where the person cannot see it: its positions are few, and it ends by itself.
      if (run.order.type !== 'start') continue;
      if (document.hidden) {
        run.cancel?.();
        run.cancel = undefined;
      } else if (!run.cancel) this.#begin(run);
    }
  };

  close() {
    this.#open = false;
    document.removeEventListener('visibilitychange', this.#seen);
    for (const run of this.#runs.values()) run.cancel?.();
    this.#runs.clear();
  }
}
