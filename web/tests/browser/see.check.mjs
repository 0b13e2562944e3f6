// See the search: every theatre, both languages, both window sizes; records saved, opened, refused; a hundred thousand
// nodes; student code that loops, throws and talks nonsense; the published comparison; numbers against the server's.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assert, guises, id, until } from './tester.mjs';

const text = (page, name) => page.locator(id(name)).first().textContent();
const program = () => {
  const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
  return [process.env['TENGEN'], join(root, 'target/release/tengen'), join(root, 'target/debug/tengen')].find((p) => p && existsSync(p));
};

async function explain(t, body) {
  const response = await fetch(`${t.base}/api/v1/explain`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.json();
}

export default async function check(t) {
  await t.everywhere('the way in', async (page, guise) => {
    await t.open(page, '/see');
    await page.locator(id('see-card')).nth(5).waitFor();
    assert((await page.locator(id('see-lesson')).count()) === 8, 'eight lessons');
    await t.shot(page, 'overview', guise);
    await t.sound(page);
  });

  await t.everywhere('tree theatre', async (page, guise) => {
    await t.open(page, '/see/tree?position=tictactoe:XO./.X./..O&algorithm=alphabeta&depth=9');
    await page.locator(id('see-tree')).waitFor();
    const real = await explain(t, { algorithm: 'alphabeta', tictactoe: 'XO..X...O', depth: 9, ordering: true });
    await until(page, 'the record', async () => Number(await text(page, 'see-total')) === real.result.nodes);
    // Forward, back, and to the next cutoff.
    await page.click(id('see-step'));
    assert((await text(page, 'see-at')).startsWith('1 /'), 'one step');
    assert((await text(page, 'see-nodes')) === '1', 'one node');
    await page.click(id('see-step'));
    await page.click(id('see-back'));
    assert((await text(page, 'see-at')).startsWith('1 /'), 'back again');
    await page.click(id('see-next-cut'));
    const at = real.events.findIndex((e) => e % 8 === 3) + 1;
    assert((await text(page, 'see-at')).startsWith(`${at} /`), `the first cutoff is at ${at}: ${await text(page, 'see-at')}`);
    const [, , , limit, , skipped] = real.cuts[0];
    const story = await text(page, 'see-story');
    assert(story.includes(String(limit)) && story.includes(String(skipped)), `the reason is told: ${story}`);
    await page.waitForTimeout(700);
    await t.shot(page, 'tree-cut', guise);
    await t.sound(page);
    await page.click(id('see-zoom-in'));
    await page.click(id('see-whole'));
    await page.click(id('see-end'));
    assert(Number(await text(page, 'see-nodes')) === real.result.nodes, 'all nodes at the end');
    assert(Number(await text(page, 'see-cutoffs')) === real.result.cutoffs, 'all cutoffs at the end');
    await page.waitForTimeout(700);
    await t.shot(page, 'tree-end', guise);
    await page.click(id('see-rewind'));
    await page.click(id('see-play'));
    await until(page, 'it plays', async () => Number(await text(page, 'see-nodes')) > 2);
    await page.click(id('see-play'));
  });

  await t.test('a Gomoku tree on its board, and a position of one’s own', guises[0], async (page) => {
    await t.open(page, '/see/tree');
    await page.selectOption(id('see-game'), 'gomoku');
    await page.locator('[data-game="gomoku"] [data-cell="0,0"]').first().click();
    await page.click(id('see-search'));
    await until(page, 'the search', async () => (await page.locator('.theatre [data-game="gomoku"]').count()) > 0);
    await page.click(id('see-step'));
    assert((await page.locator('.theatre .ghost').count()) === 1, 'one ghost stone after one step');
    await page.waitForTimeout(500);
    await t.shot(page, 'tree-gomoku', guises[0]);
    await t.sound(page);
  });

  const folder = mkdtempSync(join(tmpdir(), 'tengen-see-'));

  await t.test('records are saved, opened and refused', guises[0], async (page) => {
    for (const [path, kind] of [
      ['/see/tree', 'tree'],
      ['/see/mcts', 'mcts'],
      ['/see/path', 'path'],
    ]) {
      await t.open(page, path);
      await page.locator(`${id('see-save')}:enabled`).waitFor();
      const [download] = await Promise.all([page.waitForEvent('download'), page.click(id('see-save'))]);
      const saved = readFileSync(await download.path(), 'utf8');
      assert(JSON.parse(saved).kind === kind && JSON.parse(saved).version === 1, `${kind} saved`);
      const open = (content) =>
        page.setInputFiles(id('see-open'), { name: 'record.json', mimeType: 'application/json', buffer: Buffer.from(content) });
      for (const [content, words] of [
        [saved.slice(0, saved.length / 2), 'cut short'],
        [saved.replace('"version":1', '"version":7'), 'version 7'],
        ['{"a":1}', 'not a record'],
        [saved.replace('"kind":"', '"kind":"x'), 'another kind'],
      ]) {
        await open(content);
        await until(page, `refused: ${words}`, async () => (await page.locator('body').textContent()).includes(words));
      }
      await page.click(id('see-step'));
      await open(saved);
      await until(page, 'opened at its start', async () => (await text(page, 'see-at')).startsWith('0 /'));
      await page.click(id('see-step'));
    }
  });

  await t.test('100,000 nodes open in under a second and stay smooth', guises[0], async (page) => {
    const file = join(folder, 'large.json');
    const record = await explain(t, {
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
    assert(record.parent.length === 100_001, `${record.parent.length} nodes`);
    writeFileSync(file, JSON.stringify(record));
    await t.open(page, '/see/tree');
    await page.locator(id('see-tree')).waitFor();
    await page.waitForTimeout(500);
    await page.evaluate(() => {
      globalThis.opened = new Promise((done) => {
        const input = document.querySelector('[data-testid="see-open"]');
        input.addEventListener('change', () => {
          const began = performance.now();
          const look = () => {
            if (document.querySelector('[data-testid="see-total"]')?.textContent === '100000')
              requestAnimationFrame(() => done(performance.now() - began));
            else requestAnimationFrame(look);
          };
          look();
        });
      });
    });
    await page.setInputFiles(id('see-open'), file);
    const took = await page.evaluate(() => globalThis.opened);
    await page.click(id('see-end'));
    await page.click(id('see-whole'));
    await page.waitForTimeout(600);
    await t.shot(page, 'tree-100000', guises[0]);
    await page.click(id('see-rewind'));
    await page.locator(id('see-speed')).fill('13');
    await page.click(id('see-play'));
    const playing = await page.evaluate(async () => {
      const times = [];
      let last = performance.now();
      const canvas = document.querySelector('[data-testid="see-tree"]');
      const r = canvas.getBoundingClientRect();
      await new Promise((done) => {
        const frame = (now) => {
          times.push(now - last);
          last = now;
          canvas.dispatchEvent(
            new WheelEvent('wheel', {
              deltaY: times.length % 60 < 40 ? -60 : 90,
              clientX: r.x + 300,
              clientY: r.y + 200,
              bubbles: true,
              cancelable: true,
            }),
          );
          if (times.length < 120) requestAnimationFrame(frame);
          else done();
        };
        requestAnimationFrame(frame);
      });
      return times.sort((a, b) => a - b)[60];
    });
    console.log(`      opened in ${took.toFixed(0)} ms; median frame while playing and zooming ${playing.toFixed(1)} ms`);
    // Other work on the machine counts too, so the bounds are looser than the figures reached on a quiet one.
    assert(took < 3000, `opened in ${took} ms`);
    assert(playing < 40, `median frame ${playing} ms`);
  });

  await t.everywhere('side by side', async (page, guise) => {
    await t.open(page, '/see/compare?position=tictactoe:X../.O./...&depth=5');
    await until(page, 'all five ways', async () => (await page.locator(id('compare-nodes')).count()) === 5, 60_000);
    const shown = (await page.locator(id('compare-nodes')).allTextContents()).map((s) => Number(s.replaceAll(',', '')));
    const ask = { tictactoe: 'X...O....', depth: 5, keep: 0 };
    const real = [];
    for (const more of [
      { algorithm: 'minimax', ordering: false },
      { algorithm: 'alphabeta', ordering: false },
      { algorithm: 'alphabeta', ordering: true },
      { algorithm: 'alphabeta-tt', ordering: true },
      { algorithm: 'alphabeta-tt', ordering: true, width: 5 },
    ])
      real.push((await explain(t, { ...ask, ...more })).result.nodes);
    assert(shown.join() === real.join(), `shown ${shown}, counted ${real}`);
    assert(shown[0] > shown[1] && shown[1] > shown[2], 'each device helps');
    await page.locator(id('depth-chart')).waitFor();
    await t.shot(page, 'compare', guise);
    await t.sound(page);
  });

  await t.test('S1’s published comparison is one click', guises[0], async (page) => {
    await t.open(page, '/see/compare?published');
    await until(
      page,
      '3941',
      async () => (await page.locator(id('published-on')).count()) && (await text(page, 'published-on')) === '3,941',
      60_000,
    );
    await until(
      page,
      '265187',
      async () => (await page.locator(id('published-off')).count()) && (await text(page, 'published-off')) === '265,187',
      120_000,
    );
    await t.shot(page, 'published', guises[0]);
    await t.sound(page);
  });

  await t.everywhere('Monte Carlo theatre', async (page, guise) => {
    await t.open(page, '/see/mcts?position=hex:..../.X../..O./....&c=1.4&playouts=300&seed=1');
    await page.locator(id('mcts-tree')).waitFor();
    await until(page, 'flat Monte Carlo beside', async () => (await page.locator(id('flat-best')).count()) === 1);
    await page.locator(id('see-moment')).fill('801');
    await page.waitForTimeout(300);
    await t.shot(page, 'mcts', guise);
    await t.sound(page);
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
    const real = await explain(t, { algorithm: 'uct', setup, playouts: 300, c: 1.4, seed: 1 });
    // Playout 201 is being selected: the chosen terms on the page are the record's.
    let from = 0;
    for (let i = 0; i < 200; i++) from += real.steps[i];
    const shown = await page
      .locator(`${id('mcts-terms')} tr.chosen`)
      .first()
      .locator('td')
      .allTextContents();
    assert(
      shown[1] === real.exploitation[from].toFixed(3) && shown[2] === real.exploration[from].toFixed(3),
      `terms ${shown}, recorded ${real.exploitation[from]} ${real.exploration[from]}`,
    );
    await page.click(id('see-end'));
    assert((await text(page, 'mcts-count')) === '300', 'all playouts');
    await page.locator(id('mcts-c')).fill('0.1');
    await page.locator(id('mcts-c')).dispatchEvent('change');
    await until(page, 'another C', async () => page.url().includes('c=0.1'));
  });

  await t.everywhere('evaluation X-ray', async (page, guise) => {
    await t.open(page, '/see/xray?engine=classic-ac');
    await page.locator('.middle [data-cell="6,7"]').click();
    await page.locator(id('xray-states')).waitFor();
    assert((await page.locator(`${id('xray-states')} li`).count()) === 15, 'a state a cell');
    await t.shot(page, 'xray-gomoku', guise);
    await t.sound(page);
    for (const engine of ['classic-shapes', 'classic-squares', 'tengen']) {
      await page.selectOption(id('xray-engine'), engine);
      await until(page, engine, async () => (await text(page, 'xray-score')) !== '' && page.url().includes(engine));
    }
    await page.locator(id('xray-terms')).waitFor();
    await t.shot(page, 'xray-tengen', guise);
    await t.sound(page);
    await page.selectOption(id('see-game'), 'hex');
    await page.locator('.middle [data-game="hex"]').waitFor();
    await until(page, 'four terms', async () => (await page.locator(`${id('xray-terms')} tbody tr`).count()) === 4);
    for (const layer of ['components', 'bridges', 'virtual-connections', 'resistance']) {
      await page.selectOption(id('xray-layer'), layer);
      await until(page, layer, async () => page.url().includes(layer));
    }
    await page.waitForTimeout(300);
    await t.shot(page, 'xray-hex', guise);
    await t.sound(page);
  });

  await t.everywhere('path theatre', async (page, guise) => {
    await t.open(page, '/see/path?map=mud&algorithm=astar&heuristic=manhattan');
    await page.locator(id('see-path')).waitFor();
    await page.click(id('see-end'));
    assert((await text(page, 'path-cost')) === (await text(page, 'path-optimal')), 'the honest estimate is right');
    await page.click(id('path-h-squared'));
    await until(page, 'a wrong answer', async () => Number(await text(page, 'path-cost')) > Number(await text(page, 'path-optimal')));
    await page.click(id('see-end'));
    await page.waitForTimeout(200);
    await t.shot(page, 'path-wrong', guise);
    await t.sound(page);
    await page.selectOption(id('path-algorithm'), 'idastar');
    await page.click(id('path-h-manhattan'));
    await page.selectOption(id('path-map'), 'corridor');
    await page.locator(id('path-rounds')).waitFor();
    await page.click(id('see-end'));
    await until(page, 'rounds', async () => Number(await text(page, 'path-rounds')) > 1);
    await t.shot(page, 'path-ida', guise);
    await page.selectOption(id('path-neighbours'), '8');
    await page.selectOption(id('path-algorithm'), 'jps');
    await page.selectOption(id('path-map'), 'trap');
    await until(page, 'jump points', async () => page.url().includes('jps'));
    await page.click(id('see-end'));
    await page.waitForTimeout(200);
    await t.shot(page, 'path-jps', guise);
    await t.sound(page);
  });

  await t.everywhere('write your own', async (page, guise) => {
    await t.open(page, '/see/own');
    await page.click(id('own-evaluate'));
    await page.click(id('own-watch'));
    await page.locator(id('see-tree')).waitFor();
    await page.click(id('see-end'));
    await page.waitForTimeout(500);
    await t.shot(page, 'own', guise);
    await t.sound(page);
  });

  await t.test('bad student code is told off and the page goes on', guises[0], async (page, { forgiven }) => {
    await t.open(page, '/see/own');
    const tries = [
      ['function evaluate(b, me) { while (true) {} }', 'own-watch', 'loop that never stops'],
      ['function evaluate(b, me) { throw new Error("oops"); }', 'own-watch', 'oops'],
      ['function evaluate(b, me) { return "good"; }', 'own-watch', 'finite number'],
      ['function evaluate(b, me) { return NaN; }', 'own-watch', 'finite number'],
      ['function evaluate(b, me) {', 'own-watch', 'cannot be read'],
      ['let nothing = 1;', 'own-watch', 'Define a function'],
      ['function pick(b, me) { return [99, 0]; }', 'own-move', 'empty cell'],
      ['function pick(b, me) { postMessage({ id: 1, move: 3 }); return "here"; }', 'own-move', 'empty cell'],
    ];
    for (const [code, button, words] of tries) {
      await page.fill(id('own-code'), code);
      await page.click(id(button));
      await until(
        page,
        words,
        async () => (await page.locator(id('own-trouble')).count()) > 0 && (await text(page, 'own-trouble')).includes(words),
      );
    }
    // No way out: the worker's policy refuses every connection and every further script.
    forgiven.console = true;
    for (const code of [
      `function pick(b, me) { let r = 'open'; try { const x = new XMLHttpRequest(); x.open('GET', '/api/v1/catalog', false); x.send(); } catch { r = 'shut'; } throw new Error('XHR ' + r); }`,
      `function pick(b, me) { let r = 'open'; try { importScripts('/icon.svg'); } catch { r = 'shut'; } throw new Error('import ' + r); }`,
    ]) {
      await page.fill(id('own-code'), code);
      await page.click(id('own-move'));
      await until(
        page,
        'shut',
        async () => (await page.locator(id('own-trouble')).count()) > 0 && / (open|shut)/.test(await text(page, 'own-trouble')),
      );
      assert((await text(page, 'own-trouble')).includes('shut'), await text(page, 'own-trouble'));
    }
    await page.click(id('own-pick'));
    await page.click(id('own-move'));
    await page.locator(id('own-picked')).waitFor();
  });

  await t.test('a match against a level', guises[0], async (page) => {
    await t.open(page, '/see/own');
    await page.click(id('own-pick'));
    await page.selectOption(id('own-game'), 'hex');
    await page.selectOption(id('own-size'), '4');
    await page.fill(id('own-games'), '2');
    await page.click(id('own-play'));
    await until(page, 'two games', async () => (await page.locator(`${id('own-results')} li`).count()) === 2, 90_000);
    await t.shot(page, 'own-match', guises[0]);
    await t.sound(page);
  });

  await t.everywhere('lessons', async (page, guise) => {
    const lessons = ['game-trees', 'minimax', 'alpha-beta', 'ordering', 'evaluation', 'mcts', 'threats', 'paths'];
    for (const lesson of lessons) {
      await t.open(page, `/see/lesson/${lesson}`);
      await page.locator(id('lesson-title')).waitFor();
      await page.locator(id('widget')).waitFor();
      await until(
        page,
        `${lesson}: something to see`,
        async () => (await page.locator(`${id('widget')} canvas, ${id('widget')} svg`).count()) > 0,
      );
      assert((await page.locator(`${id('widget')} [role="alert"]`).count()) === 0, `${lesson}: no trouble`);
      assert((await text(page, 'lesson-page')) === '1 / 3', `${lesson} has three screens`);
      await page.waitForTimeout(400);
      if (['alpha-beta', 'mcts', 'paths', 'threats'].includes(lesson)) await t.shot(page, `lesson-${lesson}`, guise);
      if (['alpha-beta', 'paths'].includes(lesson)) await t.sound(page);
    }
    await t.open(page, '/see/lesson/alpha-beta?screen=2');
    await page.click(id('lesson-link'));
    await page.locator(id('see-tree')).waitFor();
    assert(page.url().includes('algorithm=alphabeta'), 'the theatre opens in the state of the lesson');
  });

  await t.test('a page made on the command line plays without a server', guises[0], async (page) => {
    const file = join(folder, 'tree.html');
    execFileSync(program(), ['explain', 'alphabeta', 'tictactoe', 'XO..X...O', '--out', file]);
    const html = readFileSync(file, 'utf8');
    assert(!/(src|href)="(https?:)?\/\//.test(html), 'nothing is fetched');
    // Its text in an empty page: a request to anywhere would be foreign and fail the test.
    await page.setContent(html);
    await page.locator(id('see-tree')).waitFor();
    await page.click(id('see-next-cut'));
    assert(Number(await text(page, 'see-cutoffs')) === 1, 'the first cutoff');
    await page.waitForTimeout(500);
    await t.shot(page, 'page', guises[0]);
  });
  rmSync(folder, { recursive: true, force: true });
}
