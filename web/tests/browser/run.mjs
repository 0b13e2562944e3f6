// Browser tests: starts a fresh `tengen serve` on a free loopback port with an empty data folder, runs every check in
// the system's Chromium, and stops it. `npm run browser [NAME…]` runs some of them only. The program is taken from
// TENGEN, or from target/release or target/debug.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { Tester } from './tester.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../../..');
const browserPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const program = [process.env['TENGEN'], join(root, 'target/release/tengen'), join(root, 'target/debug/tengen')].find(
  (p) => p && existsSync(p),
);

if (!existsSync(browserPath)) {
  console.log(`skipped: no Chromium at ${browserPath} (set CHROMIUM)`);
  process.exit(0);
}
if (!program) {
  console.error('no tengen program found: run cargo build -p tengen, or set TENGEN');
  process.exit(2);
}

const freePort = () =>
  new Promise((found) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => found(port));
    });
  });

const shots = join(here, 'shots');
rmSync(shots, { recursive: true, force: true });
mkdirSync(shots, { recursive: true });
const data = mkdtempSync(join(tmpdir(), 'tengen-browser-'));
const port = await freePort();
const base = `http://127.0.0.1:${port}`;
const log = [];

function serve() {
  const child = spawn(program, ['serve', '--addr', `127.0.0.1:${port}`, '--data', data], { stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => log.push(String(chunk)));
  return child;
}
async function answering() {
  for (let i = 0; i < 150; i++) {
    const up = await fetch(`${base}/healthz`).then(
      (r) => r.ok,
      () => false,
    );
    if (up) return;
    await new Promise((wake) => setTimeout(wake, 100));
  }
  throw new Error(`the server did not start:\n${log.join('')}`);
}

let server = serve();
let failed = 0;
const browser = await chromium
  .launch({
    executablePath: browserPath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  .catch((error) => {
    console.log(`skipped: ${browserPath} does not start here: ${String(error).split('\n')[0]}`);
    server.kill('SIGTERM');
    process.exit(0);
  });
try {
  await answering();
  const restart = async () => {
    const gone = new Promise((done) => server.once('exit', done));
    server.kill('SIGKILL');
    await gone;
    server = serve();
    await answering();
  };
  const tester = new Tester(browser, base, shots, restart);
  const wanted = process.argv.slice(2);
  const files = readdirSync(here)
    .filter((name) => name.endsWith('.check.mjs'))
    .sort();
  for (const file of files) {
    const name = file.replace('.check.mjs', '');
    if (wanted.length && !wanted.includes(name)) continue;
    const { default: check } = await import(join(here, file));
    await check(tester.named(name));
  }
  failed = tester.report();
} catch (error) {
  console.error(error);
  failed = 1;
} finally {
  await browser.close();
  server.kill('SIGTERM');
  rmSync(data, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;
