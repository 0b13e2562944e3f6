// `node scripts/compare.mjs TENGEN CHROMIUM`: do the engines in dist/, as they ship and in a browser, give the same verdicts
// as the native program TENGEN, and how fast are they beside it? Every shipped puzzle with a limit of nodes, and a search at
// every level of both games, with and without relaxed SIMD. Fails where a verdict differs or a figure is missed; the speeds
// mean something on an idle machine only.
import { chromium } from '@playwright/test';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';

const [tengen, executablePath] = process.argv.slice(2);
if (!tengen || !executablePath) throw new Error('usage: node scripts/compare.mjs TENGEN CHROMIUM');

/** Nodes of a puzzle, and of a search at a level. */
const PUZZLE_NODES = 20_000;
const LEVEL_NODES = { gomoku: 50_000, hex: 400 };
const POSITIONS = { gomoku: ['h8', 'i9', 'g7', 'i7'], hex: ['f6', 'e7'] };
/** Both sides get the same memory: table sizes change the order in which nodes are visited. */
const MEMORY_MB = 512;
/** Speeds to compare, with the least ratio that will do. */
const SPEEDS = [
  // Shapes are evaluated by code without wider instructions than SSE2, in both builds.
  { game: 'gomoku', what: 'shapes', nodes: 400_000, options: { eval: 'shapes' }, native: { eval: 'shapes' }, least: 0.7 },
  { game: 'gomoku', what: 'network', nodes: 100_000, options: { eval: 'network' }, native: { eval: 'network' }, least: 0 },
  { game: 'hex', what: 'network, native AVX2', nodes: 3_000, options: {}, native: { kernel: 'avx2' }, least: 0.4 },
];
const ROUNDS = 3;
/** From opening the analysis to its first report, with everything in the browser's cache, in milliseconds. */
const FIRST_REPORT = 1000;
/** Nodes per second of two workers that share a search, beside one; for two free cores. */
const TWO_WORKERS = 1.6;

const scratch = mkdtempSync(join(tmpdir(), 'tengen-compare-'));
const dist = resolve(import.meta.dirname, '../dist');
const description = JSON.parse(readFileSync(join(dist, 'engine.json'), 'utf8'));
const wrong = [];
const missed = [];

/** A page with a build of the engines. */
async function engines(browser, build) {
  const page = await browser.newPage();
  const types = { '.js': 'text/javascript', '.wasm': 'application/wasm' };
  await page.route('**/*', (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/') return route.fulfill({ contentType: 'text/html', body: '' });
    return route.fulfill({ path: join(dist, pathname), contentType: types[extname(pathname)] ?? 'application/octet-stream' });
  });
  await page.goto('http://localhost/');
  const known = await page.evaluate(
    async ([{ script, path }, networks, megabytes]) => {
      const engine = await import(`/${script}`);
      const module = await WebAssembly.compileStreaming(fetch(`/${path}`)).catch(() => null);
      if (!module) return false;
      await engine.default({ module_or_path: module });
      engine.set_memory(megabytes);
      for (const [game, file] of Object.entries(networks)) {
        const bytes = new Uint8Array(await (await fetch(`/${file.path}`)).arrayBuffer());
        if (!engine[`${game}_network`](bytes)) throw new Error(`the network of ${game} cannot be read`);
      }
      globalThis.engine = engine;
      return true;
    },
    [description[build], description.networks, MEMORY_MB],
  );
  if (!known) throw new Error(`this browser cannot run the build "${build}"`);
  return {
    request: (method, path, body) =>
      page.evaluate(
        ([method, path, body]) => {
          const answer = globalThis.engine.request(method, path, new TextEncoder().encode(body));
          return JSON.parse(new TextDecoder().decode(answer.body()));
        },
        [method, path, JSON.stringify(body ?? null)],
      ),
    search: (order) =>
      page.evaluate(
        (message) => {
          let last;
          globalThis.engine.analysis(message, (text) => (last = JSON.parse(text)));
          return last;
        },
        JSON.stringify({ type: 'start', id: 'a', time_ms: 600_000, ...order }),
      ),
    close: () => page.close(),
  };
}

/** The same search by the native program. */
function native(game, level, nodes, options = {}) {
  const chosen = Object.entries(options).flatMap(([key, value]) => ['--option', `${key}=${value}`]);
  const limits = ['--level', String(level), '--nodes', String(nodes), '--threads', '1', '--memory', String(MEMORY_MB)];
  const args = ['analyze', game, POSITIONS[game].join(''), ...limits, ...chosen, '--json'];
  return JSON.parse(execFileSync(tengen, args, { encoding: 'utf8' }));
}

async function freePort() {
  return new Promise((found) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => found(port));
    });
  });
}

/** Answers that the native program gave, by request: they are the same for every build. */
const known = new Map();
async function once(key, work) {
  if (!known.has(key)) known.set(key, await work());
  return known.get(key);
}

async function comparePuzzles(build, engine, ask) {
  const before = wrong.length;
  const { puzzles } = await engine.request('GET', '/puzzles');
  for (const { game, id, goal } of puzzles) {
    const { setup, moves } = await engine.request('GET', `/puzzles/${game}/${id}`);
    const question = { setup, moves, question: goal, nodes: PUZZLE_NODES, time_ms: 600_000 };
    const [here, there] = [await engine.request('POST', '/solve', question), await once(`${game}/${id}`, () => ask('/solve', question))];
    const same = here.result === there.result && here.nodes === there.nodes && String(here.line) === String(there.line);
    if (!same) wrong.push(`${build}: ${game} ${id}: ${here.result} ${here.nodes} here, ${there.result} ${there.nodes} native`);
  }
  const same = puzzles.length - (wrong.length - before);
  console.log(`${build}: ${same} of ${puzzles.length} puzzles with the same result, nodes and line (${PUZZLE_NODES} nodes)`);
  if (!puzzles.length) wrong.push(`${build}: no puzzles`);
}

async function compareLevels(build, engine) {
  for (const [game, moves] of Object.entries(POSITIONS)) {
    const nodes = LEVEL_NODES[game];
    const played = [];
    for (let level = 1; level <= 9; level++) {
      const here = await engine.search({ setup: { game }, moves, level, nodes });
      const there = await once(`${game} level ${level}`, () => native(game, level, nodes));
      const [move, count] = [here.move?.move ?? JSON.stringify(here), here.report?.nodes];
      played.push(`${level} ${move}`);
      if (move.toLowerCase() !== there.move.toLowerCase() || count !== there.nodes) {
        wrong.push(`${build}: ${game} level ${level}: ${move} ${count} here, ${there.move} ${there.nodes} native`);
      }
    }
    console.log(`${build}: ${game} levels: ${played.join(', ')}`);
  }
}

/** Both sides in turns, and the best round of each. */
async function compareSpeeds(build, engine) {
  for (const { game, what, nodes, options, native: nativeOptions, least } of SPEEDS) {
    let [here, there] = [0, 0];
    for (let round = 0; round < ROUNDS; round++) {
      const { report } = await engine.search({ setup: { game }, moves: POSITIONS[game], level: 9, nodes, options });
      here = Math.max(here, report.nodes / report.seconds);
      const answer = native(game, 9, nodes, nativeOptions);
      there = Math.max(there, answer.nodes / answer.seconds);
    }
    figure(`${build}: ${game} (${what}): ${here.toFixed(0)} nodes per second here, ${there.toFixed(0)} native`, here / there, least);
  }
}

function figure(text, ratio, least) {
  const verdict = ratio >= least ? '' : ', missed';
  console.log(`${text}: ratio ${ratio.toFixed(2)}${least ? ` (at least ${least}${verdict})` : ''}`);
  if (verdict) missed.push(`${text}: ratio ${ratio.toFixed(2)}, at least ${least}`);
}

/** The best of a few openings of the analysis with a warm cache. */
async function firstReport(browser, base) {
  const context = await browser.newContext();
  await context.addInitScript(() => localStorage.setItem('tengen.settings', '{"think":"device"}'));
  let best = Infinity;
  for (let round = 0; round <= ROUNDS; round++) {
    const page = await context.newPage();
    const began = performance.now();
    await page.goto(`${base}/analysis?game=gomoku&size=15x15&moves=h8_i9_h9`);
    await page.locator('[data-testid="search"]').click();
    await page.locator('.mark text').first().waitFor();
    // The first one fills the cache.
    if (round) best = Math.min(best, performance.now() - began);
    await page.close();
  }
  await context.close();
  const text = `from opening the analysis to the first report: ${best.toFixed(0)} ms (at most ${FIRST_REPORT})`;
  console.log(text);
  if (best > FIRST_REPORT) missed.push(text);
}

/** Speeds that the analysis shows after five seconds with one worker and with two, the best of a few rounds. */
async function twoWorkers(browser, base) {
  const context = await browser.newContext();
  await context.addInitScript(() => localStorage.setItem('tengen.settings', '{"think":"device"}'));
  const speeds = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    for (const threads of [1, 2]) {
      const page = await context.newPage();
      await page.goto(`${base}/analysis?game=hex&size=11x11&moves=f6_e7`);
      const field = page.locator('[data-testid="threads"]');
      await page.locator('details', { has: field }).evaluateAll((all) => all.forEach((one) => one.setAttribute('open', '')));
      await field.fill(String(threads));
      await page.locator('[data-testid="search"]').click();
      await page.waitForTimeout(5000);
      const text = (await page.locator('[data-testid="stats"] dd').nth(2).textContent()) ?? '';
      const [, number, unit] = /^([\d.]+)([kM]?)/.exec(text) ?? [];
      speeds[threads - 1] = Math.max(speeds[threads - 1], Number(number) * ({ k: 1e3, M: 1e6 }[unit] ?? 1));
      await page.close();
    }
  }
  await context.close();
  figure(`hex, two workers: ${speeds[1]} visits per second, one: ${speeds[0]}`, speeds[1] / speeds[0], TWO_WORKERS);
}

const port = await freePort();
const base = `http://127.0.0.1:${port}`;
const server = spawn(tengen, ['serve', '--addr', `127.0.0.1:${port}`, '--data', scratch], { stdio: 'ignore' });
async function ask(path, body) {
  for (;;) {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(`${base}/api/v1${path}`, init).catch(() => null);
    if (response && response.status !== 429) return response.json();
    await new Promise((wake) => setTimeout(wake, 200));
  }
}

const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] });
try {
  for (const build of ['relaxed', 'simd']) {
    const engine = await engines(browser, build);
    await comparePuzzles(build, engine, ask);
    await compareLevels(build, engine);
    await compareSpeeds(build, engine);
    await engine.close();
  }
  await firstReport(browser, base);
  await twoWorkers(browser, base);
} finally {
  await browser.close();
  server.kill();
  rmSync(scratch, { recursive: true, force: true });
}
for (const [title, list] of Object.entries({ 'different verdicts': wrong, 'figures missed': missed })) {
  if (!list.length) continue;
  console.error(`${title}:\n  ${list.join('\n  ')}`);
  process.exitCode = 1;
}
