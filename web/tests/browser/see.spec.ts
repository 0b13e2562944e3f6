// See the search: every theatre, both languages, both window sizes; records saved, opened, refused; a hundred thousand
// nodes; student code that loops, throws and talks nonsense; the published comparison; numbers against the server's.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { MctsRecord, TreeRecord } from '../../src/lib/see/record';
import { board as boardOf, cell, expect, id, open, program, shot, sound, test, text, until, type Server } from './fixtures';
import { medianFrame, pageWork } from './measure';

const explain = <R = TreeRecord>(server: Server, ask: object) => server.post<R>('/explain', ask);

test('the overview leads to six theatres and ten lessons', async ({ page }) => {
  await open(page, '/see');
  await page.locator(id('see-card')).nth(5).waitFor();
  expect(await page.locator(id('see-lesson')).count(), 'ten lessons').toBe(10);
  await shot(page, 'overview');
  await sound(page);
});

test('tree theatre: steps, cutoffs and counts are those of the record', async ({ page, server }) => {
  await open(page, '/see/tree?position=tictactoe:XO./.X./..O&algorithm=alphabeta&depth=9');
  await page.locator(id('see-tree')).waitFor();
  const real = await explain(server, { algorithm: 'alphabeta', tictactoe: 'XO..X...O', depth: 9, ordering: true });
  await until('the record', async () => Number(await text(page, 'see-total')) === real.result.nodes);
  // Forward, back, and to the next cutoff.
  await page.click(id('see-step'));
  expect(await text(page, 'see-at'), 'one step').toMatch(/^1 \//);
  expect(await text(page, 'see-nodes'), 'one node').toBe('1');
  await page.click(id('see-step'));
  await page.click(id('see-back'));
  expect(await text(page, 'see-at'), 'back again').toMatch(/^1 \//);
  await page.click(id('see-next-cut'));
  const at = real.events.findIndex((e) => e % 8 === 3) + 1;
  expect(await text(page, 'see-at'), 'the first cutoff').toMatch(new RegExp(`^${at} /`));
  const [, , , limit, , skipped] = real.cuts[0]!;
  const story = await text(page, 'see-story');
  expect(story, 'the bound is named').toContain(String(limit));
  expect(story, 'the moves skipped are counted').toContain(String(skipped));
  await page.waitForTimeout(700);
  await shot(page, 'tree-cut');
  await sound(page);
  await page.click(id('see-zoom-in'));
  await page.click(id('see-whole'));
  await page.click(id('see-end'));
  expect(Number(await text(page, 'see-nodes')), 'all nodes at the end').toBe(real.result.nodes);
  expect(Number(await text(page, 'see-cutoffs')), 'all cutoffs at the end').toBe(real.result.cutoffs);
  await page.waitForTimeout(700);
  await shot(page, 'tree-end');
  await page.click(id('see-rewind'));
  await page.click(id('see-play'));
  await until('it plays', async () => Number(await text(page, 'see-nodes')) > 2);
  await page.click(id('see-play'));
});

test('a tree has its colours also where motion is reduced', { tag: '@wide-en-light' }, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(page, '/see/tree?position=tictactoe:XO./.X./..O&algorithm=alphabeta&depth=9');
  await page.locator(id('see-tree')).waitFor();
  await page.click(id('see-next-cut'));
  const dark = () =>
    page
      .locator('.theatre canvas')
      .first()
      .evaluate((canvas: HTMLCanvasElement) => {
        const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
        let count = 0;
        for (let i = 0; i < data.length; i += 4) if (data[i + 3]! > 200 && data[i]! + data[i + 1]! + data[i + 2]! < 200) count++;
        return count;
      });
  await until('names in ink on light nodes', async () => (await dark()) > 50);
});

test('a Gomoku tree on its board, and a position of one’s own', { tag: '@wide-en-light' }, async ({ page }) => {
  await open(page, '/see/tree');
  await page.selectOption(id('see-game'), 'gomoku');
  await page.locator('[data-game="gomoku"] [data-cell="0,0"]').first().click();
  await page.click(id('see-search'));
  await until('the search', async () => (await page.locator('.theatre [data-game="gomoku"]').count()) > 0);
  await page.click(id('see-step'));
  expect(await page.locator('.theatre .ghost').count(), 'one ghost stone after one step').toBe(1);
  await page.waitForTimeout(500);
  await shot(page, 'tree-gomoku');
  await sound(page);
});

test('records are saved, opened and refused', { tag: '@wide-en-light' }, async ({ page }) => {
  for (const [path, kind] of [
    ['/see/tree', 'tree'],
    ['/see/mcts', 'mcts'],
    ['/see/path', 'path'],
  ] as const) {
    await open(page, path);
    await page.locator(`${id('see-save')}:enabled`).waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(id('see-save'))]);
    const saved = readFileSync(await download.path(), 'utf8');
    expect(JSON.parse(saved), `${kind} saved`).toMatchObject({ kind, version: 1 });
    const openFile = (content: string) =>
      page.setInputFiles(id('see-open'), { name: 'record.json', mimeType: 'application/json', buffer: Buffer.from(content) });
    for (const [content, words] of [
      [saved.slice(0, saved.length / 2), 'cut short'],
      [saved.replace('"version":1', '"version":7'), 'version 7'],
      ['{"a":1}', 'not a record'],
      [saved.replace('"kind":"', '"kind":"x'), 'another kind'],
    ] as const) {
      await openFile(content);
      await expect(page.locator('body'), 'refused').toContainText(words);
    }
    await page.click(id('see-step'));
    await openFile(saved);
    await until('opened at its start', async () => (await text(page, 'see-at')).startsWith('0 /'));
    await page.click(id('see-step'));
  }
});

test(
  '100,000 nodes open with under a second of the page’s work, and playback keeps up',
  { tag: '@wide-en-light' },
  async ({ page, server }) => {
    const file = test.info().outputPath('large.json');
    const record = await explain(server, {
      algorithm: 'alphabeta',
      setup: {
        game: 'gomoku',
        rows: 9,
        cols: 9,
        stones: [
          { side: 'black', row: 4, col: 4 },
          { side: 'white', row: 4, col: 5 },
        ],
      },
      engine: 'classic-squares',
      depth: 5,
      keep: 100_000,
      nodes: 100_000,
      ordering: false,
    });
    expect(record.parent).toHaveLength(100_001);
    writeFileSync(file, JSON.stringify(record));
    await open(page, '/see/tree');
    await page.locator(id('see-tree')).waitFor();
    await page.waitForTimeout(500);
    const work = await pageWork(page, async () => {
      await page.setInputFiles(id('see-open'), file);
      await expect(page.locator(id('see-total'))).toHaveText('100000');
    });
    expect(work, 'milliseconds of work').toBeLessThan(1000);
    await page.click(id('see-end'));
    await page.click(id('see-whole'));
    await page.waitForTimeout(600);
    await shot(page, 'tree-100000');
    await page.click(id('see-rewind'));
    await page.locator(id('see-speed')).fill('13');
    await page.click(id('see-play'));
    let frame = 0;
    const playing = await pageWork(page, async () => (frame = await medianFrame(page, 120, id('see-tree'))));
    console.log(`opened with ${work.toFixed(0)} ms of work; ${(playing / 120).toFixed(1)} ms per frame, one every ${frame.toFixed(1)} ms`);
    expect(playing / 120, 'milliseconds of work per frame').toBeLessThan(1000 / 60);
  },
);

test('side by side: the node counts shown are those of the server', async ({ page, server }) => {
  await open(page, '/see/compare?position=tictactoe:X../.O./...&depth=5');
  await until('all five ways', async () => (await page.locator(id('compare-nodes')).count()) === 5, 60_000);
  const shown = (await page.locator(id('compare-nodes')).allTextContents()).map((s) => Number(s.replaceAll(',', '')));
  const ask = { tictactoe: 'X...O....', depth: 5, keep: 0 };
  const real: number[] = [];
  for (const more of [
    { algorithm: 'minimax', ordering: false },
    { algorithm: 'alphabeta', ordering: false },
    { algorithm: 'alphabeta', ordering: true },
    { algorithm: 'alphabeta-tt', ordering: true },
    { algorithm: 'alphabeta-tt', ordering: true, width: 5 },
  ])
    real.push((await explain(server, { ...ask, ...more })).result.nodes);
  expect(shown).toEqual(real);
  expect(shown[0], 'alpha-beta prunes').toBeGreaterThan(shown[1]!);
  expect(shown[1], 'ordering prunes more').toBeGreaterThan(shown[2]!);
  await page.locator(id('depth-chart')).waitFor();
  await shot(page, 'compare');
  await sound(page);
});

test('the published node counts of level 16 are counted again', { tag: '@wide-en-light' }, async ({ page }) => {
  await open(page, '/see/compare?published');
  await until(
    '3941',
    async () => (await page.locator(id('published-on')).count()) > 0 && (await text(page, 'published-on')) === '3,941',
    60_000,
  );
  await until(
    '265187',
    async () => (await page.locator(id('published-off')).count()) > 0 && (await text(page, 'published-off')) === '265,187',
    120_000,
  );
  await shot(page, 'published');
  await sound(page);
});

test('Monte Carlo theatre: the UCB terms shown are those of the record', async ({ page, server }) => {
  await open(page, '/see/mcts?position=hex:..../.X../..O./....&c=1.4&playouts=300&seed=1');
  await page.locator(id('mcts-tree')).waitFor();
  await until('flat Monte Carlo beside', async () => (await page.locator(id('flat-best')).count()) === 1);
  await page.locator(id('see-moment')).fill('801');
  await page.waitForTimeout(300);
  await shot(page, 'mcts');
  await sound(page);
  const setup = {
    game: 'hex',
    rows: 4,
    cols: 4,
    stones: [
      { side: 'black', row: 1, col: 1 },
      { side: 'white', row: 2, col: 2 },
    ],
    to_move: 'black',
  };
  const real = await explain<MctsRecord>(server, { algorithm: 'uct', setup, playouts: 300, c: 1.4, seed: 1 });
  // Playout 201 is being selected: the chosen terms on the page are the record's.
  let from = 0;
  for (let i = 0; i < 200; i++) from += real.steps[i]!;
  const shown = await page
    .locator(`${id('mcts-terms')} tr.chosen`)
    .first()
    .locator('td')
    .allTextContents();
  expect(shown.slice(1, 3)).toEqual([real.exploitation[from]!.toFixed(3), real.exploration[from]!.toFixed(3)]);
  await page.click(id('see-end'));
  expect(await text(page, 'mcts-count'), 'all playouts').toBe('300');
  await page.locator(id('mcts-c')).fill('0.1');
  await page.locator(id('mcts-c')).dispatchEvent('change');
  await page.waitForURL(/c=0\.1/);
});

test('evaluation X-ray: automaton states, terms and layers', async ({ page }) => {
  await open(page, '/see/xray?engine=classic-ac');
  await page.locator('.middle [data-cell="6,7"]').click();
  await page.locator(id('xray-states')).waitFor();
  expect(await page.locator(`${id('xray-states')} li`).count(), 'one state per cell').toBe(15);
  await shot(page, 'xray-gomoku');
  await sound(page);
  for (const engine of ['classic-shapes', 'classic-squares', 'tengen']) {
    await page.selectOption(id('xray-engine'), engine);
    await until(engine, async () => (await text(page, 'xray-score')) !== '' && page.url().includes(engine));
  }
  await page.locator(id('xray-terms')).waitFor();
  await shot(page, 'xray-tengen');
  await sound(page);
  await page.selectOption(id('see-game'), 'hex');
  await page.locator('.middle [data-game="hex"]').waitFor();
  await until('four terms', async () => (await page.locator(`${id('xray-terms')} tbody tr`).count()) === 4);
  for (const layer of ['components', 'bridges', 'virtual-connections', 'resistance']) {
    await page.selectOption(id('xray-layer'), layer);
    await page.waitForURL(new RegExp(layer));
  }
  await page.waitForTimeout(300);
  await shot(page, 'xray-hex');
  await sound(page);
});

test('path theatre: an admissible estimate is optimal, a broken one is not', async ({ page }) => {
  await open(page, '/see/path?map=mud&algorithm=astar&heuristic=manhattan');
  await page.locator(id('see-path')).waitFor();
  await page.click(id('see-end'));
  expect(await text(page, 'path-cost'), 'the honest estimate is right').toBe(await text(page, 'path-optimal'));
  await page.click(id('path-h-squared'));
  await until('a wrong answer', async () => Number(await text(page, 'path-cost')) > Number(await text(page, 'path-optimal')));
  await page.click(id('see-end'));
  await page.waitForTimeout(200);
  await shot(page, 'path-wrong');
  await sound(page);
  await page.selectOption(id('path-algorithm'), 'idastar');
  await page.click(id('path-h-manhattan'));
  await page.selectOption(id('path-map'), 'corridor');
  await page.locator(id('path-rounds')).waitFor();
  await page.click(id('see-end'));
  await until('rounds', async () => Number(await text(page, 'path-rounds')) > 1);
  await shot(page, 'path-ida');
  await page.selectOption(id('path-neighbours'), '8');
  await page.selectOption(id('path-algorithm'), 'jps');
  await page.selectOption(id('path-map'), 'trap');
  await page.waitForURL(/jps/);
  await page.click(id('see-end'));
  await page.waitForTimeout(200);
  await shot(page, 'path-jps');
  await sound(page);
});

test('a student’s evaluation is searched and its tree shown', async ({ page }) => {
  await open(page, '/see/own');
  await page.click(id('own-evaluate'));
  await page.click(id('own-watch'));
  await page.locator(id('see-tree')).waitFor();
  await page.click(id('see-end'));
  await page.waitForTimeout(500);
  await shot(page, 'own');
  await sound(page);
});

/** Puts a program into the editor, as somebody does who opens a file; its language is that of the file's name. */
async function write(page: Page, code: string, name = 'program.js') {
  await page.setInputFiles(id('own-open'), { name, mimeType: 'text/plain', buffer: Buffer.from(code) });
  await until('the program is there', async () =>
    (await page.locator(id('own-code')).innerText()).includes(code.split('\n')[0]!.slice(0, 20)),
  );
}

test('faulty student code is explained, has no network, and the page goes on', { tag: '@wide-en-light' }, async ({ page, faults }) => {
  await open(page, '/see/own');
  const tries = [
    ['function evaluate(b, me) { while (true) {} }', 'own-watch', 'loop that never stops'],
    ['function evaluate(b, me) { throw new Error("oops"); }', 'own-watch', 'oops'],
    ['function evaluate(b, me) { return "good"; }', 'own-watch', 'finite number'],
    ['function evaluate(b, me) { return NaN; }', 'own-watch', 'finite number'],
    ['function evaluate(b, me) {', 'own-watch', 'cannot be read'],
    ['function evaluate(b, me) {\n  const x = 1;\n  return x +;\n}', 'own-watch', 'line 3'],
    ['let nothing = 1;', 'own-watch', 'Define a function'],
    ['function pick(b, me) { return [99, 0]; }', 'own-move', 'empty cell'],
    ['function pick(b, me) { postMessage({ id: 1, move: 3 }); }', 'own-move', 'postMessage is not a function'],
    ['function pick(b, me) { reply({ id: 1, move: 3 }); }', 'own-move', 'reply is not defined'],
    ['function pick(b, me) { for (;;) reply({ id: 0, move: 3 }); }', 'own-move', 'reply is not defined'],
    ['function pick(b, me) { for (;;) onmessage({ data: { id: 0 } }); }', 'own-move', 'onmessage is not a function'],
    [
      // Messages of its own, each with an answer to some question of the page.
      `const code = 'function pick() { return [0, 0]; }';
for (let id = 0; id < 100; id++) {
  const data = { id, job: 'move', language: 'javascript', code, game: 'hex', board: ['...'], toMove: 'black' };
  dispatchEvent(new MessageEvent('message', { data }));
}
function pick(b, me) { throw new Error('the genuine answer'); }`,
      'own-move',
      'the genuine answer',
    ],
    ['function pick(b, me) {\n  let x;\n  return x.y;\n}', 'own-move', 'line 3'],
    ['function pick(b, me) { const all = []; while (true) all.push(new ArrayBuffer(5e8)); }', 'own-move', 'out of memory'],
    [
      'function pick(b, me) { return [typeof indexedDB, typeof caches, typeof BroadcastChannel, typeof navigator.storage].join(); }',
      'own-move',
      'undefined,undefined,undefined,undefined',
    ],
  ] as const;
  for (const [code, button, words] of tries) {
    await write(page, code);
    await page.click(id(button));
    await until(
      words,
      async () => (await page.locator(id('own-trouble')).count()) > 0 && (await text(page, 'own-trouble')).includes(words),
    );
  }
  // No way out: the worker's policy refuses every connection and every further script.
  faults.ignoreConsole = true;
  for (const code of [
    `function pick(b, me) { let r = 'open'; try { const x = new XMLHttpRequest(); x.open('GET', '/api/v1/catalog', false); x.send(); } catch { r = 'shut'; } throw new Error('XHR ' + r); }`,
    `function pick(b, me) { let r = 'open'; try { importScripts('/icon.svg'); } catch { r = 'shut'; } throw new Error('import ' + r); }`,
  ]) {
    await write(page, code);
    await page.click(id('own-move'));
    await until(
      'shut',
      async () => (await page.locator(id('own-trouble')).count()) > 0 && / (open|shut)/.test(await text(page, 'own-trouble')),
    );
    expect(await text(page, 'own-trouble')).toContain('shut');
  }
  await page.click(id('own-pick'));
  await page.click(id('own-move'));
  await page.locator(id('own-picked')).waitFor();
});

test('a program is kept, and shared by link', { tag: '@wide-en-light' }, async ({ page }) => {
  await open(page, '/see/own');
  await write(page, 'def pick(board, me):\n    return board.moves()[0]\n', 'program.py');
  await page.click(id('own-share'));
  await page.waitForURL(/#./);
  const link = page.url();
  await page.click(id('own-evaluate'));
  await open(page, link.slice(new URL(link).origin.length));
  await page.reload();
  await until('the shared program', async () => (await page.locator(id('own-code')).innerText()).includes('board.moves()[0]'));
  await expect(page.locator(id('own-python'))).toHaveAttribute('aria-pressed', 'true');
});

test(
  'the main engines are watched: the numbers shown are those of an independent run',
  { tag: '@wide-en-light' },
  async ({ page, server }) => {
    await open(page, '/see/tree?position=gomoku:......%2F..X...%2F..XO..%2F..OX..%2F......%2F......&algorithm=pvs&depth=4');
    await page.locator(id('see-iterations')).waitFor();
    await page.click(id('see-end'));
    const stones = [
      { side: 'black', row: 1, col: 2 },
      { side: 'black', row: 2, col: 2 },
      { side: 'white', row: 2, col: 3 },
      { side: 'white', row: 3, col: 2 },
      { side: 'black', row: 3, col: 3 },
    ];
    const record = await explain(server, { algorithm: 'pvs', depth: 4, setup: { game: 'gomoku', rows: 6, cols: 6, stones } });
    const last = record.result.iterations!.at(-1)!;
    expect(await text(page, 'see-total')).toBe(String(last[3]));
    expect(await text(page, 'see-nodes')).toBe(String(record.parent.length - 1));
    expect(await text(page, 'see-iterations')).toContain(`${last[0]}: ${last[1]} (${last[3]})`);
    await shot(page, 'tree-pvs');
    await sound(page);
    await open(page, `/see/mcts?position=hex:${Array(7).fill('.......').join('%2F')}&algorithm=puct&playouts=60`);
    await page.locator(id('mcts-terms')).waitFor();
    await page.waitForTimeout(300);
    await shot(page, 'mcts-puct');
    await sound(page);
  },
);

test('tic-tac-toe against a level, with the tree of every reply', async ({ page, server }) => {
  await open(page, '/see/tree?position=tictactoe:.../.../...');
  await page.selectOption(id('versus-level'), 'max');
  const over = /lose|draw|输|平/;
  const stonesOn = async (letter: string) => (await boardOf(page)).split(letter).length - 1;
  // One side of the board after the other; full strength neither loses nor lets a row through.
  for (let turn = 1; turn <= 5; turn++) {
    const now = (await boardOf(page)).replaceAll('/', '');
    const free = now.indexOf('.');
    if (free < 0 || over.test(await text(page, 'versus-state'))) break;
    await page
      .locator(`${cell(Math.floor(free / 3), free % 3)}`)
      .first()
      .click();
    await until(
      'an answer or the end',
      async () => (await stonesOn('O')) === turn || (await stonesOn('.')) === 0 || over.test(await text(page, 'versus-state')),
    );
    if (turn === 1) {
      await page.locator(id('see-tree')).waitFor();
      const mine = now.slice(0, free) + 'X' + now.slice(free + 1);
      const answer = await server.post<{ result: { nodes: number } }>('/explain', {
        tictactoe: mine,
        algorithm: 'alphabeta',
        depth: 9,
        ordering: true,
      });
      await expect(page.locator(id('see-result'))).toContainText(String(answer.result.nodes));
      await shot(page, 'tree-versus');
      await sound(page);
    }
  }
  await expect(page.locator(id('versus-state'))).toContainText(over);
});

test('the X-ray and the comparison are saved and opened again', { tag: '@wide-en-light' }, async ({ page }) => {
  const saved = async (button: string) => {
    const download = page.waitForEvent('download');
    await page.locator(id(button)).first().click();
    return (await download).path();
  };
  await open(page, '/see/xray?position=gomoku:......%2F..X...%2F..XO..%2F..OX..%2F......%2F......&engine=classic-shapes');
  await until('a score', async () => (await page.locator(id('xray-score')).count()) > 0);
  const score = await text(page, 'xray-score');
  const xray = await saved('see-save');
  await open(page, '/see/xray?game=gomoku');
  await until(
    'another score',
    async () => (await page.locator(id('xray-score')).count()) > 0 && (await text(page, 'xray-score')) !== score,
  );
  // Shown from the file alone: the server is not asked again.
  await page.route('**/api/v1/xray', (route) => route.abort());
  await page.setInputFiles(id('see-open'), xray);
  await until('the saved score', async () => (await text(page, 'xray-score')) === score);
  await shot(page, 'xray-opened');
  await open(page, '/see/compare?position=tictactoe:XO./.X./..O&depth=3');
  await until(
    'compared',
    async () => (await page.locator(`${id('compare-table')}[aria-busy="false"] ${id('compare-nodes')}`).count()) === 5,
  );
  const nodes = await page.locator(id('compare-nodes')).allTextContents();
  const comparison = await saved('see-save');
  await open(page, '/see/compare?position=tictactoe:.../.../...&depth=1');
  await until(
    'compared',
    async () => (await page.locator(`${id('compare-table')}[aria-busy="false"] ${id('compare-nodes')}`).count()) === 5,
  );
  expect(await page.locator(id('compare-nodes')).allTextContents()).not.toEqual(nodes);
  await page.setInputFiles(id('see-open'), comparison);
  await until('the saved numbers', async () => (await page.locator(id('compare-nodes')).allTextContents()).join() === nodes.join());
  await page.setInputFiles(id('see-open'), xray);
  await expect(page.locator('[role="alert"], [role="status"]').filter({ hasText: 'another kind' })).toBeVisible();
  await sound(page);
});

test('a match against a level', { tag: '@wide-en-light' }, async ({ page }) => {
  await open(page, '/see/own');
  await page.click(id('own-pick'));
  await page.selectOption(id('own-game'), 'hex');
  await page.selectOption(id('own-size'), '4');
  await page.fill(id('own-games'), '2');
  await page.click(id('own-play'));
  await until('two games', async () => (await page.locator(`${id('own-results')} li`).count()) === 2, 90_000);
  await shot(page, 'own-match');
  await sound(page);
});

test('every lesson on search has three screens and something to try on its first', async ({ page }) => {
  const lessons = ['game-trees', 'minimax', 'alpha-beta', 'ordering', 'evaluation', 'mcts', 'threats', 'paths'];
  for (const lesson of lessons) {
    await open(page, `/see/lesson/${lesson}`);
    await page.locator(id('lesson-title')).waitFor();
    await page.locator(id('widget')).waitFor();
    await until(`${lesson}: something to see`, async () => (await page.locator(`${id('widget')} canvas, ${id('widget')} svg`).count()) > 0);
    expect(await page.locator(`${id('widget')} [role="alert"]`).count(), `${lesson}: no trouble`).toBe(0);
    expect(await text(page, 'lesson-page'), `${lesson} has three screens`).toBe('1 / 3');
    await page.waitForTimeout(400);
    if (['alpha-beta', 'mcts', 'paths', 'threats'].includes(lesson)) await shot(page, `lesson-${lesson}`);
    if (['alpha-beta', 'paths'].includes(lesson)) await sound(page);
  }
  await open(page, '/see/lesson/alpha-beta?screen=2');
  await page.click(id('lesson-link'));
  await page.locator(id('see-tree')).waitFor();
  expect(page.url(), 'the theatre opens in the state of the lesson').toContain('algorithm=alphabeta');
});

test('a page made on the command line plays without a server', { tag: '@wide-en-light' }, async ({ page }) => {
  const file = test.info().outputPath('tree.html');
  execFileSync(program(), ['explain', 'alphabeta', 'tictactoe', 'XO..X...O', '--out', file]);
  const html = readFileSync(file, 'utf8');
  expect(html, 'nothing is fetched').not.toMatch(/(src|href)="(https?:)?\/\//);
  // Its text in an empty page: a request to anywhere would be foreign and fail the test.
  await page.setContent(html);
  await page.locator(id('see-tree')).waitFor();
  await page.click(id('see-next-cut'));
  expect(Number(await text(page, 'see-cutoffs')), 'the first cutoff').toBe(1);
  await page.waitForTimeout(500);
  await shot(page, 'page');
});

test('a path search whose record is cut says where it ends', async ({ page, variant }) => {
  await page.addInitScript(() => localStorage.setItem('tengen.settings', '{"think":"server"}'));
  await page.route('**/api/v1/explain/path', async (route) => {
    const answer = await route.fetch();
    const record = (await answer.json()) as Record<string, unknown[] | number>;
    for (const column of ['event', 'cell', 'from', 'g', 'h']) record[column] = (record[column] as unknown[]).slice(0, 6);
    await route.fulfill({ response: answer, json: { ...record, dropped: 44 } });
  });
  await open(page, '/see/path?map=mud&algorithm=astar&heuristic=manhattan');
  await page.locator(id('see-path')).waitFor();
  await expect(page.locator(id('cut'))).toContainText(variant.language === 'zh' ? '第 6 个事件为止，共 50 个' : 'at event 6 of 50');
  await page.click(id('see-end'));
  await shot(page, 'path-cut');
  await sound(page);
});
