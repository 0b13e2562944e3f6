// The numbers on the theatre pages against runs that share nothing with them: textbook searches written here once more,
// and the command line in a process of its own.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { maps } from '../../src/lib/see/maps';
import type { MctsRecord, PathRecord, TreeRecord } from '../../src/lib/see/record';
import { expect, id, open, program, test, text, until } from './fixtures';

const LINES = [
  [0, 1, 2],
  [3, 4, 5],
  [6, 7, 8],
  [0, 3, 6],
  [1, 4, 7],
  [2, 5, 8],
  [0, 4, 8],
  [2, 4, 6],
];

/** Minimax or alpha-beta of tic-tac-toe, moves in the order of their numbers; the root is not counted. */
function ticTacToe(start: string, prune: boolean) {
  let [nodes, cutoffs] = [0, 0];
  const walk = (cells: string, alpha: number, beta: number): number => {
    for (const [a, b, c] of LINES as [number, number, number][])
      if (cells[a] !== '.' && cells[a] === cells[b] && cells[b] === cells[c]) return cells[a] === 'X' ? 1 : -1;
    const free = [...cells].flatMap((cell, at) => (cell === '.' ? [at] : []));
    if (!free.length) return 0;
    const max = free.length % 2 === 1;
    let best = max ? -2 : 2;
    for (const [i, at] of free.entries()) {
      nodes++;
      const value = walk(cells.slice(0, at) + (max ? 'X' : 'O') + cells.slice(at + 1), alpha, beta);
      best = max ? Math.max(best, value) : Math.min(best, value);
      if (max) alpha = Math.max(alpha, value);
      else beta = Math.min(beta, value);
      if (prune && alpha >= beta) {
        if (i + 1 < free.length) cutoffs++;
        break;
      }
    }
    return best;
  };
  return { value: walk(start, -Infinity, Infinity), nodes, cutoffs };
}

const cellsOf = (map: string[]) => map.flatMap((line, row) => [...line].map((letter, col) => ({ letter, row, col })));
const costOf = (letter: string) => (letter === '#' ? Infinity : letter >= '2' && letter <= '9' ? Number(letter) : 1);

/** The cheapest way from a letter to every cell by Bellman and Ford, four neighbours; backwards: from every cell to it. */
function distances(map: string[], from: string, backwards = false) {
  const cells = cellsOf(map);
  const at = new Map(cells.map((cell) => [`${cell.row},${cell.col}`, cell.letter === from ? 0 : Infinity]));
  const letters = new Map(cells.map((cell) => [`${cell.row},${cell.col}`, cell.letter]));
  for (let changed = true; changed;) {
    changed = false;
    for (const { letter, row, col } of cells) {
      if (letter === '#') continue;
      const near = [`${row - 1},${col}`, `${row + 1},${col}`, `${row},${col - 1}`, `${row},${col + 1}`];
      // What counts is the cell that is entered: this one, or on the way back the other.
      const step = (name: string) => (at.get(name) ?? Infinity) + costOf(backwards ? (letters.get(name) ?? '#') : letter);
      const least = Math.min(...near.map(step));
      if (least < at.get(`${row},${col}`)!) {
        at.set(`${row},${col}`, least);
        changed = true;
      }
    }
  }
  return at;
}

/** The cheapest way over a map: its cost, and how many cells A* by Manhattan distance must expand at least (f below that
 *  cost) and may at most (f up to it). */
function cheapest(map: string[]) {
  const cells = cellsOf(map);
  const at = distances(map, 'S');
  const goal = cells.find((cell) => cell.letter === 'G')!;
  const best = at.get(`${goal.row},${goal.col}`)!;
  const f = cells.map(({ row, col }) => at.get(`${row},${col}`)! + Math.abs(row - goal.row) + Math.abs(col - goal.col));
  return { cost: best, least: f.filter((value) => value < best).length, most: f.filter((value) => value <= best).length };
}

test('tree theatre: nodes, cutoffs and value of a search written here', { tag: '@wide-en-light' }, async ({ page }) => {
  for (const [algorithm, prune] of [
    ['minimax', false],
    ['alphabeta', true],
  ] as const) {
    for (const board of ['XO..X...O', 'X...O....']) {
      const own = ticTacToe(board, prune);
      const rows = [board.slice(0, 3), board.slice(3, 6), board.slice(6)].join('/');
      await open(page, `/see/tree?position=tictactoe:${rows}&algorithm=${algorithm}&depth=9&ordering=off`);
      await page.locator(id('see-tree')).waitFor();
      await page.click(id('see-end'));
      expect(Number(await text(page, 'see-total')), `${algorithm} ${board}: nodes`).toBe(own.nodes);
      expect(Number(await text(page, 'see-nodes')), `${algorithm} ${board}: nodes at the end`).toBe(own.nodes);
      expect(Number(await text(page, 'see-cutoffs')), `${algorithm} ${board}: cutoffs`).toBe(own.cutoffs);
      expect(await text(page, 'see-result'), `${algorithm} ${board}: value`).toContain(String(own.value));
    }
  }
});

test('path theatre: cost, optimal cost and expansions', { tag: '@wide-en-light' }, async ({ page }) => {
  for (const name of ['trap', 'corridor']) {
    const map = (maps[name] ?? '').trimEnd().split('\n');
    await open(page, `/see/path?map=${name}&algorithm=astar&neighbours=4`);
    await page.locator(id('path-cost')).waitFor();
    await page.click(id('see-end'));
    const { cost, least, most } = cheapest(map);
    expect(Number(await text(page, 'path-cost')), `${name}: cost`).toBe(cost);
    expect(Number(await text(page, 'path-optimal')), `${name}: optimal`).toBe(cost);
    const closed = Number(await text(page, 'path-closed'));
    expect(closed, `${name}: expanded`).toBeGreaterThanOrEqual(least);
    expect(closed, `${name}: expanded`).toBeLessThanOrEqual(most);
    const [file, out] = [test.info().outputPath(`${name}.txt`), test.info().outputPath(`${name}.json`)];
    writeFileSync(file, `${map.join('\n')}\n`);
    execFileSync(program(), ['explain', 'astar', 'maze', file, '--out', out]);
    const record = JSON.parse(readFileSync(out, 'utf8')) as { result: { cost: number; expanded: number } };
    expect([record.result.cost, record.result.expanded], `${name}: the command line`).toEqual([cost, closed]);
  }
});

/** The record of a run of the command line, a process of its own. */
function explained<T>(...words: string[]): T {
  return JSON.parse(execFileSync(program(), ['explain', ...words, '--json'], { encoding: 'utf8', maxBuffer: 1 << 28 })) as T;
}

/** Writes a map for the command line. */
function mapFile(name: string): string {
  const file = test.info().outputPath(`${name}.txt`);
  writeFileSync(file, maps[name] ?? '');
  return file;
}

/** What a table shows, cell by cell. */
const shownRows = (page: Page, rows: string) =>
  page.locator(rows).evaluateAll((list) => list.map((row) => [...row.children].map((cell) => cell.textContent?.trim() ?? '')));

/** What stands on the board of visits, by cell. */
async function heat(page: Page): Promise<Map<string, string>> {
  const board = page.locator('.theatre figure [data-board]').last();
  const said = await board
    .locator('[data-cell]')
    .evaluateAll((cells) => cells.map((cell) => [cell.getAttribute('data-cell') ?? '', cell.getAttribute('aria-label') ?? ''] as const));
  return new Map(said);
}

test('path theatre: open list, broken estimates and the bounds of IDA*', { tag: '@wide-en-light' }, async ({ page }) => {
  // The open list in the middle of the search, worked out from the events of a run of the command line.
  const trap = (maps['trap'] ?? '').trimEnd().split('\n');
  const record = explained<PathRecord>('astar', 'maze', mapFile('trap'), '--neighbours', '4');
  const goal = cellsOf(trap).find((cell) => cell.letter === 'G')!;
  const start = distances(trap, 'S');
  await open(page, '/see/path?map=trap&algorithm=astar&neighbours=4');
  await page.locator(id('path-cost')).waitFor();
  for (const moment of [1, 20, Math.floor(record.event.length / 2)]) {
    const list = new Map<number, { g: number; h: number; order: number }>();
    const met = new Map<number, number>();
    for (let i = 0; i < moment; i++) {
      const cell = record.cell[i]!;
      if (record.event[i] === 0) {
        if (!met.has(cell)) met.set(cell, met.size);
        list.set(cell, { g: record.g[i]!, h: record.h[i]!, order: met.get(cell)! });
      } else if (record.event[i] === 1) list.delete(cell);
    }
    const wanted = [...list]
      .map(([cell, entry]) => ({ row: Math.floor(cell / record.cols), col: cell % record.cols, ...entry }))
      .sort((a, b) => a.g + a.h - b.g - b.h || b.g - a.g || a.order - b.order)
      .slice(0, 8);
    await page.locator(id('see-moment')).fill(String(moment));
    await expect(page.locator(`${id('path-heap')} tbody tr`), `moment ${moment}`).toHaveCount(wanted.length);
    const heap = `${id('path-heap')} tbody tr`;
    const words = wanted.map(({ row, col, g, h }) => [`(${row}, ${col})`, String(g), String(h), String(g + h)]);
    await until(`the open list at ${moment}`, async () => JSON.stringify(await shownRows(page, heap)) === JSON.stringify(words));
    for (const { row, col, g, h } of wanted) {
      expect(h, 'Manhattan distance').toBe(Math.abs(row - goal.row) + Math.abs(col - goal.col));
      expect(g, 'no less than the cheapest way').toBeGreaterThanOrEqual(start.get(`${row},${col}`)!);
    }
  }
  // The squared distance is too high in as many cells as counted here.
  const mud = (maps['mud'] ?? '').trimEnd().split('\n');
  const end = cellsOf(mud).find((cell) => cell.letter === 'G')!;
  const left = distances(mud, 'G', true);
  const over = cellsOf(mud).filter(({ row, col }) => {
    const way = left.get(`${row},${col}`)!;
    return Number.isFinite(way) && (row - end.row) ** 2 + (col - end.col) ** 2 > way;
  });
  await open(page, '/see/path?map=mud&algorithm=astar&heuristic=squared&neighbours=4');
  await page.locator(id('path-over')).waitFor();
  expect(await text(page, 'path-over')).toBe(`No: too high in ${over.length} cells`);
  // IDA* raises its bound from the estimate at the start to the cost of the cheapest way.
  const corridor = (maps['corridor'] ?? '').trimEnd().split('\n');
  const ida = explained<PathRecord>('idastar', 'maze', mapFile('corridor'), '--neighbours', '4');
  const bounds = ida.event.flatMap((event, i) => (event === 3 ? [ida.g[i]!] : []));
  const [from, to] = ['S', 'G'].map((letter) => cellsOf(corridor).find((cell) => cell.letter === letter)!);
  expect(bounds[0]).toBe(Math.abs(from!.row - to!.row) + Math.abs(from!.col - to!.col));
  expect(bounds.at(-1)).toBe(cheapest(corridor).cost);
  await open(page, '/see/path?map=corridor&algorithm=idastar&neighbours=4');
  await page.locator(id('path-rounds')).waitFor();
  await page.click(id('see-end'));
  await expect(page.locator(id('path-rounds'))).toHaveText(String(bounds.length));
  await expect(page.locator(id('path-bound'))).toHaveText(String(bounds.at(-1)));
  await expect(page.locator('.bounds')).toHaveText(`Bounds: ${bounds.join(' → ')}`);
  expect(Number(await text(page, 'path-closed'))).toBe(ida.result.expanded);
});

test('Monte Carlo theatre: visits and terms of a run of the command line', { tag: '@wide-en-light' }, async ({ page }) => {
  const ask = ['uct', 'hex', 'empty', '--size', '4', '--playouts', '200', '--seed', '7'];
  const record = explained<MctsRecord>(...ask);
  await open(page, `/see/mcts?position=hex:..../..../..../....&playouts=200&seed=7&c=${record.c}`);
  await page.locator(id('mcts-terms')).waitFor();
  await page.click(id('see-end'));
  expect(Number(await text(page, 'mcts-count'))).toBe(200);
  expect(record.result.root.reduce((sum, row) => sum + row[1], 0)).toBe(200);
  const shown = await heat(page);
  for (const [cell, visits, wins] of record.result.root) {
    const words = shown.get(`${Math.floor(cell / 4)},${cell % 4}`) ?? '';
    expect(words, `cell ${cell}`).toContain(`, ${visits} ${Math.round((100 * wins) / visits)}%`);
  }
  // UCB1 of the last playout's first step, worked out here: every root move has been visited by then.
  const [visits, won] = [new Map<number, number>(), new Map<number, number>()];
  let step = 0;
  for (let playout = 0; playout < 199; playout++) {
    const first = record.move[record.node[step]!]!;
    visits.set(first, (visits.get(first) ?? 0) + 1);
    won.set(first, (won.get(first) ?? 0) + record.results[playout]!);
    step += record.steps[playout]!;
  }
  const ucb = [...visits].map(([cell, n]) => {
    const [rate, bonus] = [won.get(cell)! / n, record.c * Math.sqrt(Math.log(199) / n)];
    return [cellOf(cell, 4), String(n), rate.toFixed(3), bonus.toFixed(3), (rate + bonus).toFixed(3)].join(' ');
  });
  for (const row of await shownRows(page, `${id('mcts-terms')} table:first-child tbody tr`)) expect(ucb).toContain(row.join(' '));
});

/** Hex cells are a column's letter and a row's number from the top. */
const cellOf = (cell: number, cols: number) => `${String.fromCharCode(97 + (cell % cols))}${Math.floor(cell / cols) + 1}`;

test('PUCT theatre: visits, priors and values of a run of the command line', { tag: '@wide-en-light' }, async ({ page }) => {
  const record = explained<MctsRecord>('puct', 'hex', 'b2', '--size', '5', '--playouts', '80');
  await open(page, '/see/mcts?position=hex:...../.X.../...../...../.....&algorithm=puct&playouts=80');
  await page.locator(id('mcts-terms')).waitFor();
  await page.click(id('see-end'));
  const root = record.move.map((cell, node) => ({ cell, node })).filter(({ node }) => record.parent[node] === 0);
  // How often each move of the root was gone to, counted from the steps.
  const visits = new Map<number, number>();
  let step = 0;
  for (const steps of record.steps) {
    if (steps > 0) visits.set(record.node[step]!, (visits.get(record.node[step]!) ?? 0) + 1);
    step += steps;
  }
  await expect(page.locator(id('mcts-count'))).toHaveText(String(record.results.length));
  const shown = await heat(page);
  let compared = 0;
  for (const { cell, node } of root) {
    const count = visits.get(node) ?? 0;
    if (!count) continue;
    compared++;
    expect(shown.get(`${Math.floor(cell / 5)},${cell % 5}`), `cell ${cell}`).toContain(`, ${count} `);
  }
  expect(compared, 'moves with visits').toBeGreaterThan(1);
  const most = Math.max(...visits.values());
  const best = root.filter(({ node }) => visits.get(node) === most).map(({ cell }) => cellOf(cell, 5));
  expect(best).toContain(await text(page, 'mcts-best'));
  // Prior and value of each move in the table; the chosen one's terms add up.
  const rows = await shownRows(page, `${id('mcts-terms')} table:first-child tbody tr`);
  expect(rows.length).toBeGreaterThan(1);
  const at = record.steps.slice(0, -1).reduce((sum, steps) => sum + steps, 0);
  for (const [name, , , bonus, sum, prior, value] of rows) {
    const { node } = root.find(({ cell }) => cellOf(cell, 5) === name)!;
    expect([prior, value], name).toEqual([record.prior, record.value].map((column) => column![node]?.toFixed(3) ?? '–'));
    if (node !== record.node[at]) continue;
    expect(bonus).toBe(record.exploration[at]!.toFixed(3));
    expect(sum).toBe((record.exploitation[at]! + record.exploration[at]!).toFixed(3));
  }
  const priors = root.reduce((sum, { node }) => sum + record.prior![node]!, 0);
  expect(priors, 'the network’s policy is a distribution').toBeLessThanOrEqual(1.001);
});

test('principal variation search: node by node as in a run of the command line', { tag: '@wide-en-light' }, async ({ page }) => {
  const board = ['......', '..X...', '..XO..', '..OX..', '......', '......'];
  const file = test.info().outputPath('position.txt');
  writeFileSync(file, `${board.join('\n')}\n`);
  const record = explained<TreeRecord>('pvs', 'gomoku', file, '--depth', '4');
  await open(page, `/see/tree?position=gomoku:${board.join('/')}&algorithm=pvs&depth=4`);
  await page.locator(id('see-iterations')).waitFor();
  for (const [depth, value, , nodes] of record.result.iterations!)
    expect(await text(page, 'see-iterations')).toContain(`${depth}: ${value} (${nodes})`);
  await expect(page.locator(id('see-total'))).toHaveText(String(record.result.iterations!.at(-1)![3]));
  const number = (value: number | null | undefined, none: string) => (value === null || value === undefined ? none : String(value));
  const facts = () =>
    page
      .locator(`${id('see-node')} > div`)
      .evaluateAll((list) => Object.fromEntries(list.map((pair) => [...pair.children].map((child) => child.textContent?.trim() ?? ''))));
  // Some nodes of every kind: where the search enters them, and what they returned.
  const count = record.parent.length;
  for (const node of [1, 2, Math.floor(count / 3), Math.floor(count / 2), count - 1]) {
    const entered = record.events.indexOf(node * 8) + 1;
    await page.locator(id('see-moment')).fill(String(entered));
    const wanted = {
      α: number(record.alpha[node], '−∞'),
      β: number(record.beta[node], '∞'),
      'Plies left': String(Math.round(record.left![node]! * 1000) / 1000),
      'Forced replies': record.forced![node] ? String(record.forced![node]) : '–',
      'Late moves pruned': record.pruned![node] ? String(record.pruned![node]) : '–',
    };
    await until(`node ${node}`, async () => (await text(page, 'see-nodes')) === String(node));
    expect(await facts(), `node ${node}`).toMatchObject(wanted);
    await page.locator(id('see-moment')).fill(String(record.events.indexOf(node * 8 + 1) + 1));
    await expect(page.locator(id('see-story')), `node ${node}`).toContainText(number(record.value[node], '?'));
  }
});

test('side by side: every column as in runs of the command line', { tag: '@wide-en-light' }, async ({ page }) => {
  const board = 'XO..X...O';
  await open(page, '/see/compare?position=tictactoe:XO./.X./..O&depth=5');
  const done = `${id('compare-table')}[aria-busy="false"] tbody tr`;
  await expect(page.locator(done)).toHaveCount(5, { timeout: 60_000 });
  const rows = await shownRows(page, done);
  const ways = [
    ['minimax', '--width', '0', '--ordering', 'off'],
    ['alphabeta', '--width', '0', '--ordering', 'off'],
    ['alphabeta', '--width', '0', '--ordering', 'on'],
    ['alphabeta-tt', '--width', '0', '--ordering', 'on'],
    ['alphabeta-tt', '--width', '5', '--ordering', 'on'],
  ];
  for (const [i, [algorithm, ...more]] of ways.entries()) {
    const { result } = explained<TreeRecord>(algorithm!, 'tictactoe', board, '--depth', '5', ...more);
    const [, nodes, , , pruned, least, value, best] = rows[i]!;
    const wanted = [
      result.nodes.toLocaleString('en'),
      `${(100 * (result.prune_ratio ?? 0)).toFixed(1)} %`,
      Math.round(result.best_case ?? 0).toLocaleString('en'),
      String(result.value),
      cellOf(result.best!, 3),
    ];
    expect([nodes, pruned, least, value, best], ways[i]!.join(' ')).toEqual(wanted);
  }
  // All five free cells are searched to the end: the counts of the searches written above.
  for (const [i, prune] of [false, true].entries()) {
    const own = ticTacToe(board, prune);
    expect([rows[i]![1], rows[i]![6]], `row ${i}`).toEqual([String(own.nodes), String(own.value)]);
  }
});

test('X-ray: the score is the sum of what is shown, and the value of a search of one ply', { tag: '@wide-en-light' }, async ({ page }) => {
  test.setTimeout(240_000);
  // A position and its last move, Black's: a search from before it evaluates what the X-ray takes apart.
  const [before, last] = [['......', '......', '..XO..', '..OX..', '......', '......'], [1, 2] as const];
  const after = before.map((line, row) => (row === last[0] ? `${line.slice(0, last[1])}X${line.slice(last[1] + 1)}` : line));
  const file = test.info().outputPath('before.txt');
  writeFileSync(file, `${before.join('\n')}\n`);
  for (const engine of ['classic-shapes', 'classic-ac']) {
    const ask = ['minimax', 'gomoku', file, '--engine', engine, '--depth', '1', '--width', '0'];
    const record = explained<TreeRecord>(...ask);
    const child = record.move.indexOf(last[0] * 6 + last[1]);
    expect(child, engine).toBeGreaterThan(0);
    await open(page, `/see/xray?position=gomoku:${after.join('/')}&engine=${engine}`);
    await until('a score', async () => (await page.locator(id('xray-score')).count()) > 0);
    const score = Number(await text(page, 'xray-score'));
    expect(Math.abs(score), `${engine}: the search`).toBe(Math.abs(record.value[child]!));
    // Every line once, as its cells name it.
    const lines = new Map<string, number>();
    for (let row = 0; row < 6; row++)
      for (let col = 0; col < 6; col++) {
        await page.locator(`.middle [data-cell="${row},${col}"]`).click();
        await expect(page.locator('.right h2')).toContainText(`${String.fromCharCode(97 + col)}${6 - row}:`);
        const shown = await page.locator('.right [role="group"] button').allTextContents();
        for (const words of shown) {
          const [, direction, value] = /^\s*(Row|Column|Diagonal .)\s*(-?[\d.]+)\s*$/.exec(words) ?? [];
          const key = { Row: row, Column: col, 'Diagonal ↘': row - col, 'Diagonal ↗': row + col }[direction ?? ''];
          expect(key, words).toBeDefined();
          lines.set(`${direction} ${key}`, Number(value));
        }
      }
    const sum = [...lines.values()].reduce((total, value) => total + value, 0);
    expect(Math.abs(sum), `${engine}: the lines shown`).toBe(Math.abs(score));
  }
  // Hex has four terms; what they add is the value of the position to the search, for the side to move two plies before.
  const hex = explained<TreeRecord>('minimax', 'hex', 'empty', '--size', '4', '--depth', '2', '--width', '0');
  const [b2, c3] = [5, 10];
  const reply = hex.move.findIndex((cell, node) => cell === c3 && hex.move[hex.parent[node]!] === b2);
  await open(page, `/see/xray?position=hex:..../.X../..O./....`);
  await until('four terms', async () => (await page.locator(`${id('xray-terms')} tbody tr`).count()) === 4);
  const adds = (await shownRows(page, `${id('xray-terms')} tbody tr`)).map((row) => Number(row[2]));
  const total = adds.reduce((sum, value) => sum + value, 0);
  expect(total).toBeCloseTo(Number(await text(page, 'xray-score')), 1);
  expect(total, 'the search').toBeCloseTo(hex.value[reply]!, 1);
});
