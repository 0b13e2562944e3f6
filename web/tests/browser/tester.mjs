// What every check needs: pages in four guises, axe, screenshots, and a count of what failed.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Screen, language and theme: every page is looked at in each. */
export const guises = [
  { name: 'wide-en-light', width: 1440, height: 900, language: 'en', theme: 'light' },
  { name: 'wide-zh-dark', width: 1440, height: 900, language: 'zh', theme: 'dark' },
  { name: 'phone-en-dark', width: 390, height: 844, language: 'en', theme: 'dark' },
  { name: 'phone-zh-light', width: 390, height: 844, language: 'zh', theme: 'light' },
];

export class Tester {
  constructor(browser, base, shots, restart, results = []) {
    Object.assign(this, { browser, base, shots, restart, results, group: '' });
  }

  named(group) {
    const tester = new Tester(this.browser, this.base, this.shots, this.restart, this.results);
    tester.group = group;
    return tester;
  }

  /** Runs one test, and once more if it fails: on a busy machine a wait may run out. Only failing twice fails. */
  async test(name, guise, work) {
    const full = `${this.group}: ${name} (${guise.name})`;
    const ok = (await this.attempt(full, name, guise, work)) || (await this.attempt(full, name, guise, work));
    this.results.push({ full, ok });
  }

  /** One try on a page of its own. Errors of the page, its console and foreign requests fail it. */
  async attempt(full, name, guise, work) {
    let ok = false;
    const began = Date.now();
    const context = await this.browser.newContext({
      viewport: { width: guise.width, height: guise.height },
      locale: guise.language === 'zh' ? 'zh-CN' : 'en-US',
      colorScheme: guise.theme,
      hasTouch: guise.width < 500,
      acceptDownloads: true,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const wrong = [];
    const forgiven = { console: false };
    page.on('pageerror', (error) => wrong.push(`page error: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error' && !forgiven.console) wrong.push(`console: ${message.text()}`);
    });
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(this.base) && !/^(data|blob|ws):/.test(url)) wrong.push(`foreign request: ${url}`);
    });
    try {
      await work(page, { forgiven, context });
      if (wrong.length) throw new Error(wrong.join('; '));
      ok = true;
      console.log(`ok    ${full} ${Date.now() - began} ms`);
    } catch (error) {
      console.log(
        `FAIL  ${full}\n      ${String(error.stack ?? error)
          .split('\n')
          .slice(0, 6)
          .join('\n      ')}${wrong.length ? `\n      ${wrong.join('\n      ')}` : ''}`,
      );
      await this.shot(page, `FAILED ${name}`, guise).catch(() => {});
    }
    await context.close();
    return ok;
  }

  /** The same test in every guise, two at a time: pages mostly wait. */
  async everywhere(name, work) {
    const left = [...guises];
    const worker = async () => {
      for (let guise = left.shift(); guise; guise = left.shift()) {
        const own = guise;
        await this.test(name, own, (page, more) => work(page, own, more));
      }
    };
    await Promise.all([worker(), worker()]);
  }

  async open(page, path) {
    await page.goto(this.base + path);
    await page.locator('main').first().waitFor();
  }

  async shot(page, name, guise) {
    const file = `${this.group}-${name}-${guise.name}.png`.replace(/[^\w.-]+/g, '_');
    await page.screenshot({ path: join(this.shots, file), fullPage: guise.width < 500 });
  }

  /** No sideways scrolling, nothing that axe objects to. */
  async sound(page) {
    const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert(over <= 0, `the page is ${over} pixels too wide`);
    // The page's policy forbids inline script; axe comes in by the debugger instead.
    await page.evaluate(axeSource);
    const found = await page.evaluate(async () => {
      const { violations } = await globalThis.axe.run(document, { resultTypes: ['violations'] });
      return violations.map(
        (v) =>
          `${v.id}: ${v.nodes
            .slice(0, 3)
            .map((n) => n.target.join(' ') + (n.any[0] ? ` (${n.any[0].message})` : ''))
            .join(' | ')}`,
      );
    });
    assert(found.length === 0, `axe: ${found.join('; ')}`);
  }

  report() {
    const bad = this.results.filter((r) => !r.ok);
    console.log(`\n${this.results.length - bad.length} of ${this.results.length} browser tests passed`);
    for (const r of bad) console.log(`  failed: ${r.full}`);
    return bad.length;
  }
}

export function assert(condition, message) {
  if (!condition) throw new Error(message);
}

export const id = (name) => `[data-testid="${name}"]`;
export const cell = (row, col) => `[data-cell="${row},${col}"]`;

/** The board as the page shows it, rows joined by `/`. */
export const board = (page) => page.locator('[data-board]').first().getAttribute('data-board');

export async function until(page, what, check, milliseconds = 20_000) {
  const end = Date.now() + milliseconds;
  for (;;) {
    if (await check()) return;
    if (Date.now() > end) throw new Error(`waited ${milliseconds} ms in vain for: ${what}`);
    await page.waitForTimeout(100);
  }
}
