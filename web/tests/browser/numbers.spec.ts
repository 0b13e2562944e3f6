// The numbers on the theatre pages against runs that share nothing with them: textbook searches written here once more,
// and the command line in a process of its own.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { maps } from '../../src/lib/see/maps';
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

/** The cheapest way over a map, four neighbours, by Bellman and Ford: its cost, and how many cells A* by Manhattan distance
 *  must expand at least (f below that cost) and may at most (f up to it). */
function cheapest(map: string[]) {
  const cells = map.flatMap((line, row) => [...line].map((letter, col) => ({ letter, row, col })));
  const cost = (letter: string) => (letter === '#' ? Infinity : letter >= '2' && letter <= '9' ? Number(letter) : 1);
  const at = new Map(cells.map((cell) => [`${cell.row},${cell.col}`, cell.letter === 'S' ? 0 : Infinity]));
  for (let changed = true; changed;) {
    changed = false;
    for (const { letter, row, col } of cells) {
      const near = [`${row - 1},${col}`, `${row + 1},${col}`, `${row},${col - 1}`, `${row},${col + 1}`];
      const least = Math.min(...near.map((name) => at.get(name) ?? Infinity)) + cost(letter);
      if (least < at.get(`${row},${col}`)!) {
        at.set(`${row},${col}`, least);
        changed = true;
      }
    }
  }
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

test('Monte Carlo theatre: visits of a run of the command line', { tag: '@wide-en-light' }, async ({ page }) => {
  const file = test.info().outputPath('uct.json');
  const ask = ['explain', 'uct', 'hex', 'empty', '--size', '4', '--playouts', '200', '--seed', '7', '--out', file];
  execFileSync(program(), ask);
  const record = JSON.parse(readFileSync(file, 'utf8')) as { c: number; result: { root: [number, number, number][] } };
  await open(page, `/see/mcts?position=hex:..../..../..../....&playouts=200&seed=7&c=${record.c}`);
  await page.locator(id('mcts-terms')).waitFor();
  await page.click(id('see-end'));
  expect(Number(await text(page, 'mcts-count'))).toBe(200);
  expect(record.result.root.reduce((sum, row) => sum + row[1], 0)).toBe(200);
  const labels = await page.locator('main svg text').allTextContents();
  for (const [cell, visits] of record.result.root) expect(labels, `cell ${cell}`).toContain(String(visits));
});

test('X-ray: the score is the sum of what the lines add', { tag: '@wide-en-light' }, async ({ page, server }) => {
  const board = ['......', '..X...', '..XO..', '..OX..', '......', '......'];
  const stones = board.flatMap((line, row) =>
    [...line].flatMap((letter, col) => (letter === '.' ? [] : [{ side: letter === 'X' ? 'black' : 'white', row, col }])),
  );
  const setup = { game: 'gomoku', rows: 6, cols: 6, rule: '', opening: '', stones, to_move: 'white' };
  for (const engine of ['classic-shapes', 'classic-ac']) {
    const found = await server.post<{ score: number; lines: { score: number }[] }>('/xray', { setup, moves: [], engine });
    await open(page, `/see/xray?position=gomoku:${board.join('/')}&engine=${engine}`);
    await until('a score', async () => (await page.locator(id('xray-score')).count()) > 0);
    const sum = found.lines.reduce((total, line) => total + line.score, 0);
    expect(Math.abs(Number(await text(page, 'xray-score')))).toBe(Math.abs(sum));
  }
});
