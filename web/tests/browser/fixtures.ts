// What every browser test gets: a server of the worker, a page whose errors fail the test, and the variant it runs in.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test as base, expect, type Page } from '@playwright/test';

export { expect };

export interface Variant {
  name: string;
  width: number;
  height: number;
  language: 'en' | 'zh';
  theme: 'light' | 'dark';
}

/** Screen, language and theme: most tests run in each. */
export const variants: Variant[] = [
  { name: 'wide-en-light', width: 1440, height: 900, language: 'en', theme: 'light' },
  { name: 'wide-zh-dark', width: 1440, height: 900, language: 'zh', theme: 'dark' },
  { name: 'phone-en-dark', width: 390, height: 844, language: 'en', theme: 'dark' },
  { name: 'phone-zh-light', width: 390, height: 844, language: 'zh', theme: 'light' },
];

/** The program under test: TENGEN, or what cargo built last. */
export function program(): string {
  const root = resolve(import.meta.dirname, '../../..');
  const found = [process.env['TENGEN'], join(root, 'target/release/tengen'), join(root, 'target/debug/tengen')].find(
    (path) => path && existsSync(path),
  );
  if (!found) throw new Error('no tengen program found: run cargo build -p tengen, or set TENGEN');
  return found;
}

/** `tengen serve` on a free loopback port with an empty data folder. */
export class Server {
  readonly data = mkdtempSync(join(tmpdir(), 'tengen-browser-'));
  /** Where a test may make classes. */
  readonly classes = join(this.data, 'classes');
  #child: ChildProcess | null = null;
  #log: string[] = [];

  constructor(readonly port: number) {}

  get base(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start() {
    mkdirSync(this.classes, { recursive: true });
    const child = spawn(program(), ['serve', '--addr', `127.0.0.1:${this.port}`, '--data', this.data, '--classes', this.classes], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => this.#log.push(String(chunk)));
    this.#child = child;
    for (let i = 0; i < 150; i++) {
      const up = await fetch(`${this.base}/healthz`).then(
        (answer) => answer.ok,
        () => false,
      );
      if (up) return;
      await new Promise((wake) => setTimeout(wake, 100));
    }
    throw new Error(`the server did not start:\n${this.#log.join('')}`);
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL') {
    const child = this.#child;
    if (!child || child.exitCode !== null) return;
    const gone = new Promise((done) => child.once('exit', done));
    child.kill(signal);
    await gone;
  }

  /** Ends it as a crash would, and starts it again on the same data. */
  async crash() {
    await this.stop('SIGKILL');
    await this.start();
  }

  async get<T>(path: string): Promise<T> {
    return (await fetch(`${this.base}/api/v1${path}`)).json() as Promise<T>;
  }

  async post<T>(path: string, body: unknown): Promise<T> {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    return (await fetch(`${this.base}/api/v1${path}`, init)).json() as Promise<T>;
  }
}

function freePort(): Promise<number> {
  return new Promise((found) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => found(port));
    });
  });
}

/** Errors of the page, its console, and requests to other hosts. Each fails the test. */
export interface Faults {
  list: string[];
  /** The browser logs every refused request; a test that provokes one says so. */
  ignoreConsole: boolean;
}

export interface Options {
  variant: Variant;
}

export const test = base.extend<Options & { faults: Faults }, { server: Server }>({
  variant: [variants[0]!, { option: true }],
  server: [
    // Playwright reads the fixtures a function needs from its first parameter.
    async ({}, use) => {
      const server = new Server(await freePort());
      await server.start();
      await use(server);
      await server.stop('SIGTERM');
      rmSync(server.data, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => use(server.base),
  faults: async ({}, use) => {
    const faults: Faults = { list: [], ignoreConsole: false };
    await use(faults);
    expect(faults.list, 'errors of the page').toEqual([]);
  },
  page: async ({ page, server, faults }, use) => {
    page.on('pageerror', (error) => faults.list.push(`page error: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error' && !faults.ignoreConsole) faults.list.push(`console: ${message.text()}`);
    });
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(server.base) && !/^(data|blob|ws):/.test(url)) faults.list.push(`foreign request: ${url}`);
    });
    await use(page);
  },
});

export const id = (name: string) => `[data-testid="${name}"]`;
export const cell = (row: number, col: number) => `[data-cell="${row},${col}"]`;
export const text = async (page: Page, name: string) => (await page.locator(id(name)).first().textContent()) ?? '';

/** The board as the page shows it, rows joined by `/`. */
export const board = async (page: Page) => (await page.locator('[data-board]').first().getAttribute('data-board')) ?? '';
export const stones = async (page: Page) => (await board(page)).replace(/[^XO]/g, '').length;

export async function open(page: Page, path: string) {
  await page.goto(path);
  await page.locator('main').first().waitFor();
}

/** Waits until something holds. */
export async function until(what: string, holds: () => Promise<boolean>, timeout = 20_000) {
  await expect.poll(holds, { message: what, timeout, intervals: [100] }).toBe(true);
}

export const showsStones = (page: Page, count: number, timeout?: number) =>
  until(`${count} stones`, async () => (await stones(page)) === count, timeout);

/** A picture to look at, in the test's output folder. */
export async function shot(page: Page, name: string) {
  const { project } = test.info();
  const file = `${name}-${project.name}.png`.replace(/[^\w.-]+/g, '_');
  await page.screenshot({ path: join(project.outputDir, 'shots', file), fullPage: project.name.startsWith('phone') });
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** No sideways scrolling, nothing that axe objects to. */
export async function sound(page: Page) {
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(tooWide, 'pixels of sideways scrolling').toBeLessThanOrEqual(0);
  // The page's policy forbids inline script; axe comes in by the debugger instead.
  await page.evaluate(axeSource);
  const violations = await page.evaluate(async () => {
    interface Found {
      violations: { id: string; nodes: { target: string[]; any: { message: string }[] }[] }[];
    }
    const { axe } = globalThis as unknown as { axe: { run(root: Document, options: object): Promise<Found> } };
    const found = await axe.run(document, { resultTypes: ['violations'] });
    return found.violations.map(
      (v) =>
        `${v.id}: ${v.nodes
          .slice(0, 3)
          .map((n) => `${n.target.join(' ')} ${n.any[0]?.message ?? ''}`)
          .join(' | ')}`,
    );
  });
  expect(violations, 'axe').toEqual([]);
}
