// What the X-ray and the comparison save: not a search to be played back, but what was found about a position.
import type { Side } from '../api/types';
import type { XrayLine } from './LineReader.svelte';
import {
  checkFormat,
  checkRecord,
  checkStage,
  demand,
  parsed,
  readRecord,
  RecordError,
  whole,
  type RecordOf,
  type SeeRecord,
  type Stage,
  type TreeRecord,
} from './record';

export interface Term {
  name: string;
  side?: Side;
  amount: number;
  value: number;
  cells: { row: number; col: number }[];
}

/** What `POST /xray` says. */
export interface Xray {
  engine: string;
  score: number;
  side: Side;
  terms: Term[];
  lines: XrayLine[];
}

export interface XrayRecord extends Stage {
  kind: 'xray';
  found: Xray;
}

/** The result of each way at each depth; null where it was not searched. */
export type Runs = Record<string, (TreeRecord | null)[]>;

export interface ComparisonRecord extends Stage {
  kind: 'comparison';
  depth: number;
  runs: Runs;
}

export type Saved = SeeRecord | XrayRecord | ComparisonRecord;
export type SavedOf<K extends Saved['kind']> = K extends SeeRecord['kind'] ? RecordOf<K> : Extract<Saved, { kind: K }>;

/** Reads what was saved; throws a `RecordError` that says what is wrong with it. */
export function readSaved(text: string, kind: Saved['kind']): Saved {
  if (kind !== 'xray' && kind !== 'comparison') return readRecord(text, kind);
  const value = checkFormat(parsed(text));
  if (value['kind'] !== kind) throw new RecordError('kind', String(value['kind']));
  demand(whole(value['rows'], 1, 30) && whole(value['cols'], 1, 30), 'rows, cols');
  const record = value as unknown as XrayRecord | ComparisonRecord;
  checkStage(record);
  if (record.kind === 'xray') checkXray(record);
  else checkComparison(record);
  return record;
}

const object = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const numeric = (value: unknown) => typeof value === 'number';
const text = (value: unknown) => typeof value === 'string' && value.length <= 200;
const side = (value: unknown) => value === 'black' || value === 'white';

/** A list of at most so many entries, each of which is an object that the test accepts. */
function list(value: unknown, name: string, most: number, test: (entry: Record<string, unknown>) => boolean) {
  demand(Array.isArray(value) && value.length <= most, name);
  value.forEach((entry: unknown, i) => demand(object(entry) && test(entry), `${name}[${i}]`));
}

function checkXray({ found, rows, cols }: XrayRecord) {
  demand(object(found), 'found');
  demand(text(found.engine) && numeric(found.score) && side(found.side), 'found');
  const cell = (at: Record<string, unknown>) => whole(at['row'], 0, rows - 1) && whole(at['col'], 0, cols - 1);
  list(found.terms, 'terms', 10_000, (term) => {
    list(term['cells'], 'cells', 10_000, cell);
    return text(term['name']) && numeric(term['amount']) && numeric(term['value']) && (term['side'] === undefined || side(term['side']));
  });
  list(found.lines, 'lines', 1000, (line) => {
    list(line['cells'], 'cells', 30, cell);
    list(line['patterns'], 'patterns', 1000, ({ pattern, side: whose, starts, value }) => {
      return text(pattern) && side(whose) && numeric(value) && Array.isArray(starts) && starts.every((start) => whole(start, 0, 30));
    });
    list(line['states'], 'states', 1000, ({ state, text: read, found: names }) => {
      return numeric(state) && text(read) && Array.isArray(names) && names.every(text);
    });
    return text(line['direction']) && numeric(line['score']);
  });
}

function checkComparison({ depth, runs }: ComparisonRecord) {
  demand(whole(depth, 1, 20), 'depth');
  demand(object(runs) && Object.keys(runs).length <= 20, 'runs');
  for (const [name, depths] of Object.entries(runs)) {
    demand(Array.isArray(depths) && depths.length <= depth, `runs.${name}`);
    for (const run of depths) {
      if (run === null) continue;
      checkRecord(run, 'tree');
      const { nodes, seconds, completed } = run.result;
      demand(numeric(nodes) && numeric(seconds) && typeof completed === 'boolean' && numeric(run.depth), `runs.${name}`);
    }
  }
}
