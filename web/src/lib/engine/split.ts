// Searches by workers: one by one worker, or one shared by several, each with a part of the moves at the root. Workers need
// no shared memory for that, and so the page needs no special headers.
import type { Report } from '../api/types';
import { networkOf } from './jobs';
import type { WorkerPool } from './pool';

/** A message to `/analysis`. */
export interface Order {
  type: string;
  id: string;
  threads?: number;
  lines?: number;
  time_ms?: number;
  nodes?: number;
  exclude?: string[];
}

/** A message from it. */
export interface Said {
  type: string;
  id: string;
  report?: Report;
  move?: { move: string };
}

export interface Hearing {
  said(said: Said): void;
  ended(): void;
  failed(error: unknown): void;
}

/** Has one worker carry out an order; what is returned ends it. */
export function run(pool: WorkerPool, order: Order, hearing: Hearing): () => void {
  const message = JSON.stringify(order);
  return pool.start(
    { kind: 'analysis', message, network: networkOf('', message) },
    (message) => {
      if (message.kind === 'said') hearing.said(JSON.parse(message.text) as Said);
      else if (message.kind === 'ended') hearing.ended();
    },
    (error) => hearing.failed(error),
  );
}

const better = (a: { win_rate: number; score: number }, b: { win_rate: number; score: number }) =>
  b.win_rate - a.win_rate || b.score - a.score;

/**
 * What each of `parts` workers leaves to the others: the moves of a report, dealt out in turns, so that every part has good
 * ones. A move that the report does not name is left out by nobody.
 */
export function dealt(report: Report, parts: number): string[][] {
  const moves = [...report.root].sort((a, b) => b.nodes - a.nodes || better(a, b)).map(({ move }) => move);
  return Array.from({ length: parts }, (_, part) => moves.filter((_, at) => at % parts !== part));
}

/** The reports of all parts as one. */
export function merged(reports: Report[], lines: number): Report {
  const best = [...reports].sort(better)[0]!;
  const root = new Map<string, Report['root'][number]>();
  for (const move of reports.flatMap((report) => report.root)) {
    if (move.nodes >= (root.get(move.move)?.nodes ?? 0)) root.set(move.move, move);
  }
  const sum = (of: (report: Report) => number) => reports.reduce((all, report) => all + of(report), 0);
  return {
    ...best,
    depth: Math.min(...reports.map(({ depth }) => depth)),
    lines: reports
      .flatMap((report) => report.lines)
      .sort(better)
      .slice(0, lines),
    root: [...root.values()].sort(better),
    nodes: sum(({ nodes }) => nodes),
    speed: sum(({ speed }) => speed),
    seconds: Math.max(...reports.map(({ seconds }) => seconds)),
  };
}

/** Shares a search: one worker begins it, and from its first report on each has a part of the moves. */
export function share(pool: WorkerPool, order: Order, parts: number, hearing: Hearing): () => void {
  const began = performance.now();
  let cancels: (() => void)[] = [];
  const cancel = () => cancels.forEach((end) => end());
  const failed = (error: unknown) => {
    cancel();
    hearing.failed(error);
  };

  const split = (first: Report) => {
    cancel();
    const limits: Partial<Order> = {};
    if (order.time_ms) limits.time_ms = Math.max(1, Math.round(order.time_ms - (performance.now() - began)));
    if (order.nodes) limits.nodes = Math.max(1, Math.round((order.nodes - first.nodes) / parts));
    const found: (Said | undefined)[] = [];
    let done = 0;
    cancels = dealt(first, parts).map((exclude, part) =>
      run(
        pool,
        { ...order, ...limits, threads: 1, exclude: [...(order.exclude ?? []), ...exclude] },
        {
          said(said) {
            if (said.type === 'failed' || said.type === 'error') {
              cancel();
              hearing.said(said);
              hearing.ended();
              return;
            }
            if (!said.report) return;
            found[part] = said;
            if (said.type === 'done') done++;
            // The first part has the best move so far: without it the others would show a worse one.
            if (!found[0]) return;
            const parted = found.filter((one) => one?.report);
            const report = merged(
              parted.map((one) => one!.report!),
              order.lines ?? 1,
            );
            if (done < parts) hearing.said({ type: 'report', id: order.id, report });
            else {
              const best = parted.sort((a, b) => better(a!.report!, b!.report!))[0]!;
              hearing.said({ ...best, report });
              hearing.ended();
            }
          },
          ended() {},
          failed,
        },
      ),
    );
  };

  cancels = [
    run(
      pool,
      { ...order, threads: 1 },
      {
        said(said) {
          hearing.said(said);
          const { report } = said;
          // A proved result needs no more workers.
          if (said.type === 'report' && report && !report.mate && report.root.length >= parts) split(report);
        },
        ended: () => hearing.ended(),
        failed,
      },
    ),
  ];
  return cancel;
}
