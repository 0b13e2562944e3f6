import { describe, expect, test } from 'vitest';
import { ease, fit, focus, zoom } from './camera';
import { PathPlay } from './paths';
import { Playouts } from './playouts';
import { checkRecord, readRecord, RecordError, short, type MctsRecord, type PathRecord, type TreeRecord } from './record';
import { Tree } from './tree';
import { Watching } from './watching.svelte';

// A tree of two moves; the second move's first answer cuts the rest.
const tree = {
  format: 'tengen-record',
  version: 1,
  kind: 'tree',
  algorithm: 'alphabeta',
  game: 'tictactoe',
  rows: 3,
  cols: 3,
  board: ['XO.', '.X.', '..O'],
  to_move: 'black',
  max: 'black',
  engine: '',
  options: {},
  depth: 2,
  dropped: 0,
  result: {
    best: 2,
    value: 3,
    line: [2, 3],
    root: [
      [2, 3, 3],
      [3, 2, 2],
    ],
    completed: true,
    nodes: 5,
    leaves: 3,
    cutoffs: 1,
    table_hits: 0,
    full_tree: 6,
    best_case: 5,
    prune_ratio: 0.1,
    seconds: 0,
  },
  parent: [-1, 0, 1, 1, 0, 4],
  move: [-1, 2, 3, 5, 3, 2],
  alpha: [null, null, null, null, 3, 3],
  beta: [null, null, null, 5, null, null],
  value: [3, 3, 5, 3, 3, 2],
  events: [8, 16, 17, 18, 24, 25, 26, 9, 10, 32, 40, 41, 42, 35, 33],
  cuts: [[4, 5, 0, 3, 0, 4]],
};
const copy = (changes: object) => checkRecord({ ...structuredClone(tree), ...changes });

const mcts = {
  format: 'tengen-record',
  version: 1,
  kind: 'mcts',
  algorithm: 'uct',
  game: 'tictactoe',
  rows: 3,
  cols: 3,
  board: ['XO.', '.X.', '..O'],
  to_move: 'black',
  max: 'black',
  engine: '',
  options: {},
  c: 1,
  seed: 1,
  dropped: 0,
  result: {
    best: 2,
    root: [
      [2, 2, 2],
      [3, 1, 0],
    ],
    completed: true,
    playouts: 3,
    nodes: 3,
    seconds: 0,
  },
  parent: [-1, 0, 0],
  move: [-1, 2, 3],
  steps: [1, 1, 1],
  node: [1, 2, 1],
  exploitation: [0, 0, 1],
  exploration: [null, null, Math.sqrt(Math.log(2))],
  visits: [1, 1, 2],
  wins: [1, 0, 2],
  moves: [1, 2, 0],
  playout: [5, 5, 6],
  results: [1, 0, 1],
};

const path = {
  format: 'tengen-record',
  version: 1,
  kind: 'path',
  algorithm: 'astar',
  neighbours: '4',
  heuristic: 'manhattan',
  weight: 1,
  rows: 1,
  cols: 3,
  map: ['...'],
  start: 0,
  goal: 2,
  result: { verdict: 'found', cost: 2, path: [0, 1, 2], expanded: 2, reopened: 0, rounds: 1, optimal: 2, overestimates: 0, seconds: 0 },
  dropped: 0,
  event: [0, 1, 0, 1, 0],
  cell: [0, 0, 1, 1, 2],
  from: [-1, -1, 0, -1, 1],
  g: [0, 0, 1, 1, 2],
  h: [2, 2, 1, 1, 0],
};

describe('reading records', () => {
  const code = (text: string, kind?: 'tree' | 'mcts' | 'path') => {
    try {
      readRecord(text, kind);
      return 'read';
    } catch (error) {
      return error instanceof RecordError ? error.code : 'another error';
    }
  };
  test('good ones are read', () => {
    for (const record of [tree, mcts, path]) expect(code(JSON.stringify(record))).toBe('read');
  });
  test('a file cut short anywhere is refused, and nothing else is thrown', () => {
    for (const record of [tree, mcts, path]) {
      const text = JSON.stringify(record);
      for (let end = 0; end < text.length; end += 7) expect(code(text.slice(0, end))).toBe('json');
    }
  });
  test('other formats, versions and kinds are named', () => {
    expect(code('{"hello":1}')).toBe('format');
    expect(code('null')).toBe('format');
    expect(code(JSON.stringify({ ...tree, version: 2 }))).toBe('version');
    expect(code(JSON.stringify({ ...tree, kind: 'dance' }))).toBe('kind');
    expect(code(JSON.stringify(tree), 'path')).toBe('kind');
  });
  test('damage in any column is found', () => {
    const damages: [object, string][] = [
      [tree, 'parent'],
      [tree, 'move'],
      [tree, 'alpha'],
      [tree, 'value'],
      [tree, 'cuts'],
      [mcts, 'node'],
      [mcts, 'wins'],
      [mcts, 'playout'],
      [mcts, 'results'],
      [path, 'cell'],
      [path, 'g'],
      [path, 'map'],
    ];
    for (const [record, column] of damages) {
      const list = (record as Record<string, unknown[]>)[column]!;
      expect(code(JSON.stringify({ ...record, [column]: list.slice(1) })), `${column} too short`).toBe('broken');
      expect(code(JSON.stringify({ ...record, [column]: ['x', ...list.slice(1)] })), `${column} with a word`).toBe('broken');
    }
    expect(code(JSON.stringify({ ...tree, parent: [-1, 0, 5, 1, 0, 4] })), 'a parent after its child').toBe('broken');
    expect(code(JSON.stringify({ ...tree, events: [8, 999] }))).toBe('broken');
    expect(code(JSON.stringify({ ...tree, rows: 1e9 }))).toBe('broken');
  });
});

describe('a tree at a moment', () => {
  const model = new Tree(copy({}) as TreeRecord);
  test('grows node by node', () => {
    expect([0, 1, 2, 5, 15].map((at) => model.entered(at))).toEqual([0, 1, 2, 3, 5]);
    expect(model.size[0]).toBe(6);
    expect(model.deepest).toBe(2);
  });
  test('knows where the search is and what its window is', () => {
    expect(model.current(2)).toBe(2);
    expect(model.current(3), 'back from a leaf').toBe(1);
    expect(model.window(0, 8)).toEqual({ alpha: null, beta: null });
    expect(model.window(0, 9)).toEqual({ alpha: 3, beta: null });
    expect(model.window(1, 4)).toEqual({ alpha: null, beta: 5 });
    expect(model.line(5)).toEqual([0, 4, 5]);
    expect([model.max(0), model.max(1), model.max(2)]).toEqual([true, false, true]);
  });
  test('finds cutoffs from both sides', () => {
    expect(model.nextCut(0)).toBe(14);
    expect(model.nextCut(14)).toBeNull();
    expect(model.previousCut(15)).toBe(14);
    expect([model.cutoffs(13), model.cutoffs(14)]).toEqual([0, 1]);
    expect(model.cutOf.get(4)).toEqual([4, 5, 0, 3, 0, 4]);
  });
  test('children lie within their parents and beside each other', () => {
    for (let i = 1; i < model.count; i++) {
      const p = model.record.parent[i]!;
      expect(model.left[i]!).toBeGreaterThanOrEqual(model.left[p]! - 1e-12);
      expect(model.right[i]!).toBeLessThanOrEqual(model.right[p]! + 1e-12);
      const next = model.next[i]!;
      if (next >= 0) expect(model.left[next]!).toBeCloseTo(model.right[i]!, 12);
    }
  });
});

describe('playouts at a moment', () => {
  test('visits and wins go back and forth', () => {
    const model = new Playouts(checkRecord(mcts) as MctsRecord);
    model.seek(3);
    expect([...model.visits]).toEqual([3, 2, 1]);
    model.seek(1);
    expect([...model.visits]).toEqual([1, 1, 0]);
    expect(model.randomMoves(1)).toEqual([5, 6]);
    expect(model.history(3).counts[0]).toEqual([1, 0, 1]);
  });
  test('the chosen move has the record’s terms and the highest sum', () => {
    const model = new Playouts(checkRecord(mcts) as MctsRecord);
    model.seek(2);
    const terms = model.terms(0);
    expect(terms[0]).toMatchObject({ cell: 2, chosen: true, visits: 1, exploitation: 1 });
    expect(terms[0]!.exploration).toBeCloseTo(Math.sqrt(Math.log(2)), 12);
    expect(terms[1]).toMatchObject({ cell: 3, chosen: false, exploitation: 0 });
    expect(terms[1]!.exploration).toBeCloseTo(Math.sqrt(Math.log(2)), 12);
    expect(terms[0]!.sum!).toBeGreaterThan(terms[1]!.sum!);
  });
});

test('a path at a moment: the heap’s top is what is taken next', () => {
  const model = new PathPlay(checkRecord(path) as PathRecord);
  for (let at = 1; at < model.total; at++) {
    model.seek(at);
    const next = path.event[at] === 1 ? path.cell[at] : null;
    if (next !== null) expect(model.top(1)[0]?.cell).toBe(next);
  }
  model.seek(5);
  expect([model.closed, model.open]).toEqual([2, 1]);
  model.seek(1);
  expect([model.closed, model.open]).toEqual([0, 1]);
});

test('a large tree is laid out at once', () => {
  const n = 100_001;
  const parent = [-1];
  const events = [];
  for (let i = 1; i < n; i++) parent.push(i <= 10 ? 0 : Math.floor((i - 1) / 10));
  // Not the order of a real search, but as large.
  for (let i = 1; i < n; i++) events.push(i * 8);
  const big = {
    ...tree,
    parent,
    move: parent.map((_, i) => (i ? i % 9 : -1)),
    alpha: parent.map(() => null),
    beta: parent.map(() => null),
    value: parent.map(() => 1),
    events,
    cuts: [],
  };
  const text = JSON.stringify(big);
  const began = performance.now();
  const model = new Tree(readRecord(text) as TreeRecord);
  expect(model.size[0]).toBe(n);
  expect(performance.now() - began).toBeLessThan(5000);
});

test('a camera keeps the tree on the screen and arrives', () => {
  let camera = zoom(fit(800), 4, 200, 800, 1e6);
  expect(camera.width).toBe(4 * (800 - 32));
  expect(camera.x).toBe(200 - (200 - 16) * 4);
  expect(zoom(camera, 0.01, 0, 800, 1e6)).toEqual(fit(800));
  const goal = focus(0.5, 0.6, 800, 1e6, 0);
  for (let i = 0; i < 200; i++) camera = ease(camera, goal, 0.2);
  expect(camera).toEqual(goal);
});

test('numbers are short', () => {
  expect([3720, 0.123456, 100.26, null, 4e9, -560].map((v) => short(v))).toEqual(['3720', '0.123', '100.3', '?', '4.0e+9', '-560']);
});

test('of two searches at once the one that began last is shown, whichever ends last', async () => {
  const watching = new Watching('tree', (record) => record.events.length, 0);
  let endFirst = (_: TreeRecord) => {};
  const [old, last] = [readRecord(JSON.stringify(tree)) as TreeRecord, readRecord(JSON.stringify(tree)) as TreeRecord];
  const first = watching.search(() => new Promise((end) => (endFirst = end)));
  await watching.search(() => Promise.resolve(last));
  expect(watching.busy).toBe(false);
  endFirst(old);
  expect(await first, 'who asked still gets it').toBe(old);
  expect(watching.record).toBe(last);
});
