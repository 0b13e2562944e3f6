import { describe, expect, test } from 'vitest';
import type { Report } from '../api/types';
import type { Order as Job, WorkerMessage } from './jobs';
import type { WorkerPool } from './pool';
import { dealt, merged, share, type Said } from './split';

/** A report with these moves: win rate and nodes of each, the best first. */
function report(...moves: [string, number, number][]): Report {
  const root = moves.map(([move, win_rate, nodes]) => ({ move, win_rate, score: win_rate * 100, nodes, bound: 'exact' }));
  const { win_rate, score } = root[0]!;
  const lines = root.map(({ move, win_rate, score, nodes }) => ({ moves: [move], cells: [], depth: 1, nodes, win_rate, score }));
  const nodes = root.reduce((sum, { nodes }) => sum + nodes, 0);
  return { depth: 5, selective_depth: 7, win_rate, score, nodes, seconds: 1, speed: nodes, lines: lines.slice(0, 1), root };
}

const first = report(['a1', 0.6, 50], ['b2', 0.5, 40], ['c3', 0.4, 30]);

describe('a search in parts', () => {
  test('every move is searched in one part', () => {
    const [one, other] = dealt(first, 2);
    expect([one, other]).toEqual([['b2'], ['a1', 'c3']]);
    const three = dealt(first, 3);
    for (const move of ['a1', 'b2', 'c3']) expect(three.filter((excluded) => !excluded.includes(move))).toHaveLength(1);
  });

  test('the best move of any part is the best, and the work is added', () => {
    const all = merged([report(['a1', 0.5, 60], ['c3', 0.4, 20]), report(['b2', 0.7, 90])], 2);
    expect(all).toMatchObject({ win_rate: 0.7, nodes: 170, speed: 170, depth: 5 });
    expect(all.lines.map(({ moves }) => moves[0])).toEqual(['b2', 'a1']);
    expect(all.root.map(({ move }) => move)).toEqual(['b2', 'a1', 'c3']);
  });
});

/** A pool that remembers what it was given. */
class FakePool {
  tasks: { order: Record<string, unknown>; hear: (said: Said) => void; fail: (error: unknown) => void; cancelled: boolean }[] = [];

  start(job: Job, hear: (message: WorkerMessage) => void, fail: (error: unknown) => void) {
    const order = JSON.parse((job as { message: string }).message) as Record<string, unknown>;
    const task = { order, fail, cancelled: false, hear: (said: Said) => hear({ kind: 'said', id: 1, text: JSON.stringify(said) }) };
    this.tasks.push(task);
    return () => void (task.cancelled = true);
  }
}

function begun() {
  const pool = new FakePool();
  const heard: Said[] = [];
  const ends: unknown[] = [];
  const order = { type: 'start', id: 'a', setup: { game: 'hex' }, threads: 2, lines: 1, nodes: 1120 };
  const hearing = { said: (said: Said) => heard.push(said), ended: () => ends.push('ended'), failed: (error: unknown) => ends.push(error) };
  const cancel = share(pool as unknown as WorkerPool, order, 2, hearing);
  pool.tasks[0]!.hear({ type: 'report', id: 'a', report: first });
  return { pool, heard, ends, cancel };
}

describe('workers that share a search', () => {
  test('begin with the first report, and end when all have', () => {
    const { pool, heard, ends } = begun();
    const [probe, one, other] = pool.tasks;
    expect(probe!.cancelled).toBe(true);
    expect([one!.order, other!.order]).toMatchObject([
      { threads: 1, nodes: 500, exclude: ['b2'] },
      { threads: 1, nodes: 500, exclude: ['a1', 'c3'] },
    ]);
    other!.hear({ type: 'report', id: 'a', report: report(['b2', 0.55, 100]) });
    expect(heard, 'not before the best move is searched').toHaveLength(1);
    one!.hear({ type: 'done', id: 'a', move: { move: 'a1' }, report: report(['a1', 0.5, 100]) });
    expect(heard[1]).toMatchObject({ type: 'report', report: { win_rate: 0.55, nodes: 200 } });
    other!.hear({ type: 'done', id: 'a', move: { move: 'b2' }, report: report(['b2', 0.6, 300]) });
    expect(heard[2]).toMatchObject({ type: 'done', move: { move: 'b2' }, report: { win_rate: 0.6, nodes: 400 } });
    expect(ends).toEqual(['ended']);
  });

  test('fail together, and are cancelled together', () => {
    const failing = begun();
    failing.pool.tasks[2]!.fail('crashed');
    expect(failing.ends).toEqual(['crashed']);
    expect(failing.pool.tasks.every(({ cancelled }) => cancelled)).toBe(true);
    const stopped = begun();
    stopped.cancel();
    expect(stopped.pool.tasks.every(({ cancelled }) => cancelled)).toBe(true);
    expect(stopped.ends).toEqual([]);
  });
});
