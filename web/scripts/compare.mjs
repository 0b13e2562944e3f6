// `node scripts/compare.mjs TENGEN FOLDER`: does the module in FOLDER (a build of crates/wasm with its bindings) give
// the same verdicts as the native program TENGEN, and how fast is it beside it? Every shipped puzzle with a limit of nodes,
// and a search at every level of both games; the speeds mean something on an idle machine only. Fails if a verdict differs.
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [tengen, folder] = process.argv.slice(2);
if (!tengen || !folder) throw new Error('usage: node scripts/compare.mjs TENGEN FOLDER');
const scratch = mkdtempSync(join(tmpdir(), 'tengen-compare-'));
copyFileSync(join(folder, 'tengen_wasm.js'), join(scratch, 'engine.mjs'));
const engine = await import(pathToFileURL(join(scratch, 'engine.mjs')).href);
await engine.default({ module_or_path: new WebAssembly.Module(readFileSync(join(folder, 'tengen_wasm_bg.wasm'))) });
const network = (file) => readFileSync(resolve(import.meta.dirname, '../../data', file));
if (!engine.hex_network(network('hex/network.bin')) || !engine.gomoku_network(network('gomoku/freestyle.net'))) {
  throw new Error('a network cannot be read');
}
// As much as the native server gives a search: table sizes change the order in which nodes are visited.
engine.set_memory(512);

function here(method, path, body) {
  const answer = engine.request(method, path, new TextEncoder().encode(JSON.stringify(body ?? null)));
  return JSON.parse(new TextDecoder().decode(answer.body()));
}
function search(order) {
  let last;
  engine.analysis(JSON.stringify({ type: 'start', id: 'a', time_ms: 600_000, ...order }), (text) => (last = JSON.parse(text)));
  return last;
}

const port = await new Promise((found) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const { port } = probe.address();
    probe.close(() => found(port));
  });
});
const server = spawn(tengen, ['serve', '--addr', `127.0.0.1:${port}`, '--data', scratch], { stdio: 'ignore' });
const base = `http://127.0.0.1:${port}/api/v1`;
async function there(path, body) {
  for (;;) {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(base + path, init).catch(() => null);
    if (response && response.status !== 429) return response.json();
    await new Promise((wake) => setTimeout(wake, 200));
  }
}

const wrong = [];
const NODES = 20_000;
try {
  const { puzzles } = here('GET', '/puzzles');
  for (const { game, id, goal } of puzzles) {
    const { setup, moves } = here('GET', `/puzzles/${game}/${id}`);
    const ask = { setup, moves, question: goal, nodes: NODES, time_ms: 600_000 };
    const [a, b] = [here('POST', '/solve', ask), await there('/solve', ask)];
    const same = a.result === b.result && a.nodes === b.nodes && String(a.line) === String(b.line);
    if (!same) wrong.push(`${game} ${id}: ${a.result} ${a.nodes} here, ${b.result} ${b.nodes} native`);
  }
  console.log(`${puzzles.length} puzzles with ${NODES} nodes: ${puzzles.length - wrong.length} with the same result, nodes and line`);

  const positions = { gomoku: ['h8', 'i9', 'g7', 'i7'], hex: ['f6', 'e7'] };
  for (const [game, moves] of Object.entries(positions)) {
    for (const level of ['easy', 'medium', 'hard', 'max']) {
      const nodes = game === 'hex' ? 400 : 50_000;
      const a = search({ setup: { game }, moves, level, nodes });
      const args = [
        'analyze',
        game,
        moves.join(''),
        '--level',
        level,
        '--nodes',
        String(nodes),
        '--threads',
        '1',
        '--memory',
        '512',
        '--json',
      ];
      const b = JSON.parse(execFileSync(tengen, args, { encoding: 'utf8' }));
      const same = a.move.move.toLowerCase() === b.move.toLowerCase() && a.report.nodes === b.nodes;
      if (!same) wrong.push(`${game} ${level}: ${a.move.move} ${a.report.nodes} here, ${b.move} ${b.nodes} native`);
      const rate = a.report.nodes / a.report.seconds / (b.nodes / b.seconds);
      console.log(`${game} ${level}: ${a.move.move}${level === 'max' ? `, nodes per second here / native ${rate.toFixed(2)}` : ''}`);
    }
  }
} finally {
  server.kill();
  rmSync(scratch, { recursive: true, force: true });
}
if (wrong.length) {
  console.error(`different:\n  ${wrong.join('\n  ')}`);
  process.exit(1);
}
