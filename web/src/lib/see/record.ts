// Records of searches (guide/en/records.md): what they hold, and reading them without trusting them.
import type { Side } from '../api/types';

export const FORMAT = 'tengen-record';
export const VERSION = 1;

export type Maybe = number | null;

export interface Stage {
  algorithm: string;
  game: string;
  rows: number;
  cols: number;
  board: string[];
  to_move: Side;
  max: Side;
  engine: string;
  options: Record<string, string>;
}

export interface TreeResult {
  best: Maybe;
  value: Maybe;
  /** What a win on the spot is worth, where a proved win in n plies is worth n less. */
  win?: number;
  line: number[];
  root: [move: number, value: Maybe, nodes: number][];
  completed: boolean;
  nodes: number;
  leaves: number;
  cutoffs: number;
  table_hits: number;
  full_tree: Maybe;
  best_case: Maybe;
  prune_ratio: Maybe;
  seconds: number;
  /** Of a search that deepens step by step. */
  iterations?: [depth: number, value: Maybe, best: number, nodes: number][];
}

export type Cut = [node: number, by: number, bound: 0 | 1, limit: number, from: number, skipped: number];

export interface TreeRecord extends Stage {
  kind: 'tree';
  depth: number;
  result: TreeResult;
  dropped: number;
  parent: number[];
  move: number[];
  alpha: Maybe[];
  beta: Maybe[];
  value: Maybe[];
  events: number[];
  cuts: Cut[];
  /** Principal variation search only: how each node was entered, what gave it its value, plies left, replies that were
   *  forced, moves left out by late move pruning. */
  entered?: number[];
  end?: number[];
  left?: number[];
  forced?: number[];
  pruned?: number[];
}

export interface MctsRecord extends Stage {
  kind: 'mcts';
  c: number;
  seed: number;
  result: {
    best: Maybe;
    root: [move: number, visits: number, wins: number][];
    completed: boolean;
    playouts: number;
    nodes: number;
    seconds: number;
  };
  dropped: number;
  parent: number[];
  move: number[];
  steps: number[];
  node: number[];
  exploitation: Maybe[];
  exploration: Maybe[];
  visits: number[];
  wins: number[];
  moves: number[];
  playout: number[];
  results: number[];
  /** PUCT only: the network's prior and value of each node, and what was proved about the node of each step. */
  prior?: Maybe[];
  value?: Maybe[];
  proved?: number[];
}

export interface PathRecord {
  kind: 'path';
  algorithm: string;
  neighbours: string;
  heuristic: string;
  weight: number;
  rows: number;
  cols: number;
  map: string[];
  start: number;
  goal: number;
  result: {
    verdict: 'found' | 'none' | 'unknown';
    cost: Maybe;
    path: number[];
    expanded: number;
    reopened: number;
    rounds: number;
    optimal: Maybe;
    overestimates: Maybe;
    seconds: number;
  };
  dropped: number;
  event: number[];
  cell: number[];
  from: number[];
  g: number[];
  h: number[];
}

export type SeeRecord = TreeRecord | MctsRecord | PathRecord;
export type RecordOf<K extends SeeRecord['kind']> = Extract<SeeRecord, { kind: K }>;

/** The position of a record, for a board. */
export const positionOf = ({ game, rows, cols, board }: TreeRecord | MctsRecord) => ({ game, rows, cols, board });

/** Why a file is not a record we can play: `json`, `format`, `version`, `kind` or `broken`, and what exactly. */
export class RecordError extends Error {
  constructor(
    readonly code: 'json' | 'format' | 'version' | 'kind' | 'broken',
    readonly detail: string,
  ) {
    super(`${code}: ${detail}`);
  }
}

/** Reads a record; throws a `RecordError` that says what is wrong with it. */
export function readRecord(text: string, kind?: SeeRecord['kind']): SeeRecord {
  return checkRecord(parsed(text), kind);
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RecordError('json', error instanceof Error ? error.message : '');
  }
}

/** A file of ours, of this version; nothing else about it is known yet. */
export function checkFormat(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || !('format' in value) || value.format !== FORMAT) throw new RecordError('format', '');
  const record = value as Record<string, unknown>;
  if (record['version'] !== VERSION) throw new RecordError('version', String(record['version']));
  return record;
}

/** The same as `readRecord` for what is parsed already. */
export function checkRecord(value: unknown, kind?: SeeRecord['kind']): SeeRecord {
  const record = checkFormat(value);
  const found = record['kind'];
  if (found !== 'tree' && found !== 'mcts' && found !== 'path') throw new RecordError('kind', String(found));
  if (kind && found !== kind) throw new RecordError('kind', found);
  const checked = value as SeeRecord;
  if (!whole(record['rows'], 1, 4096) || !whole(record['cols'], 1, 4096)) throw new RecordError('broken', 'rows, cols');
  if (checked.kind === 'tree') checkTree(checked);
  else if (checked.kind === 'mcts') checkPlayouts(checked);
  else checkPath(checked);
  return checked;
}

export const whole = (value: unknown, least: number, most: number): value is number =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most;

export function demand(condition: boolean, what: string): asserts condition {
  if (!condition) throw new RecordError('broken', what);
}

/** A column: an array of this length whose every entry is a number within bounds, or null where that is allowed. */
function column(record: object, name: string, length: number | null, least: number, most: number, nullable = false) {
  const list = (record as Record<string, unknown>)[name];
  demand(Array.isArray(list), name);
  demand(length === null || list.length === length, `${name}: ${list.length}`);
  for (let i = 0; i < list.length; i++) {
    const v: unknown = list[i];
    if (v === null ? !nullable : typeof v !== 'number' || !(v >= least && v <= most)) throw new RecordError('broken', `${name}[${i}]`);
  }
  return list as number[];
}

export function checkStage(record: Stage) {
  demand(record.rows <= 30 && record.cols <= 30, 'rows, cols');
  demand(
    Array.isArray(record.board) &&
      record.board.length === record.rows &&
      record.board.every((l) => typeof l === 'string' && l.length === record.cols),
    'board',
  );
  demand(['tictactoe', 'gomoku', 'hex'].includes(record.game), 'game');
  for (const side of [record.to_move, record.max]) demand(side === 'black' || side === 'white', 'to_move, max');
  demand(typeof record.algorithm === 'string' && typeof record.engine === 'string', 'algorithm');
  demand(typeof record.options === 'object' && record.options !== null, 'options');
}

function checkTree(record: TreeRecord) {
  checkStage(record);
  const cells = record.rows * record.cols;
  demand(Array.isArray(record.parent) && record.parent.length > 0, 'parent');
  const n = record.parent.length;
  column(record, 'parent', n, -1, n);
  for (let i = 1; i < n; i++) demand((record.parent[i] ?? -1) >= 0 && (record.parent[i] ?? i) < i, `parent[${i}]`);
  column(record, 'move', n, -1, cells - 1);
  for (const name of ['alpha', 'beta', 'value']) column(record, name, n, -Infinity, Infinity, true);
  column(record, 'events', null, 0, n * 8 - 1);
  if (record.entered !== undefined) {
    column(record, 'entered', n, 0, 4);
    column(record, 'end', n, 0, 9);
    for (const name of ['left', 'forced', 'pruned']) column(record, name, n, 0, 1e6);
  } else for (let i = 1; i < n; i++) demand((record.move[i] ?? -1) >= 0, `move[${i}]`);
  demand(Array.isArray(record.cuts), 'cuts');
  record.cuts.forEach((cut, i) =>
    demand(
      Array.isArray(cut) &&
        cut.length === 6 &&
        whole(cut[0], 0, n - 1) &&
        whole(cut[1], -1, n - 1) &&
        cut.every((v) => typeof v === 'number'),
      `cuts[${i}]`,
    ),
  );
  let cuts = 0;
  for (const event of record.events) if (event % 8 === 3) cuts++;
  demand(cuts === record.cuts.length, `cuts: ${record.cuts.length}`);
  demand(
    typeof record.result === 'object' && record.result !== null && Array.isArray(record.result.root) && Array.isArray(record.result.line),
    'result',
  );
}

function checkPlayouts(record: MctsRecord) {
  checkStage(record);
  const cells = record.rows * record.cols;
  demand(Array.isArray(record.parent) && Array.isArray(record.steps) && Array.isArray(record.node), 'parent, steps, node');
  const n = record.parent.length;
  column(record, 'parent', n, -1, n);
  for (let i = 1; i < n; i++) demand((record.parent[i] ?? -1) >= 0 && (record.parent[i] ?? i) < i, `parent[${i}]`);
  column(record, 'move', n, -1, cells - 1);
  const playouts = record.steps.length;
  const steps = column(record, 'steps', playouts, 0, 1e6).reduce((a, b) => a + b, 0);
  column(record, 'node', steps, 0, n - 1);
  for (const name of ['exploitation', 'exploration']) column(record, name, steps, -Infinity, Infinity, true);
  for (const name of ['visits', 'wins']) column(record, name, steps, 0, 1e12);
  const moves = column(record, 'moves', playouts, 0, cells).reduce((a, b) => a + b, 0);
  column(record, 'playout', moves, 0, cells - 1);
  column(record, 'results', playouts, 0, 1);
  if (record.prior !== undefined) {
    for (const name of ['prior', 'value']) column(record, name, n, 0, 1, true);
    column(record, 'proved', steps, 0, 3);
  }
  demand(typeof record.result === 'object' && record.result !== null && Array.isArray(record.result.root), 'result');
}

function checkPath(record: PathRecord) {
  const cells = record.rows * record.cols;
  demand(
    Array.isArray(record.map) &&
      record.map.length === record.rows &&
      record.map.every((l) => typeof l === 'string' && l.length === record.cols),
    'map',
  );
  demand(whole(record.start, 0, cells - 1) && whole(record.goal, 0, cells - 1), 'start, goal');
  demand(Array.isArray(record.event), 'event');
  const n = record.event.length;
  column(record, 'event', n, 0, 7);
  for (const name of ['cell', 'from']) column(record, name, n, -1, cells - 1);
  for (const name of ['g', 'h']) column(record, name, n, -Infinity, Infinity, true);
  demand(typeof record.result === 'object' && record.result !== null && Array.isArray(record.result.path), 'result');
  column(record.result, 'path', null, 0, cells - 1);
}

/** A number as people read it: whole ones whole, others with up to three decimals, infinity as such. */
export function short(value: Maybe | undefined, missing = '?'): string {
  if (value === null || value === undefined) return missing;
  if (Number.isInteger(value)) return Math.abs(value) >= 1e7 ? value.toExponential(1) : String(value);
  if (Math.abs(value) >= 1e7) return value.toExponential(1);
  return String(Math.round(value * (Math.abs(value) >= 100 ? 10 : 1000)) / (Math.abs(value) >= 100 ? 10 : 1000));
}
