// The guide: reached from every page, light, searchable in both languages, in the app's theme, with ways back to the app.
import type { Page } from '@playwright/test';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, open, shot, sound, test, until, type Variant } from './fixtures';

/** The pages of a language by their file names, without `.html`. */
function pages(language: Variant['language']): string[] {
  const folder = join(resolve(import.meta.dirname, '../../..'), 'guide', language);
  const files = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'SUMMARY.md');
  return files.map((name) => name.replace(/\.md$/, ''));
}

const search = (page: Page) => page.locator('form[role=search] input:visible');
const found = (page: Page) => page.locator('form[role=search] ol a');

/** Whether the page's colours are those of the dark theme. */
const dark = (page: Page) =>
  page.evaluate(() => {
    const [red = 255] = getComputedStyle(document.body).backgroundColor.match(/\d+/g)?.map(Number) ?? [];
    return red < 128;
  });

test('the header of the app leads to the guide, and the guide back to the app', async ({ page, variant }) => {
  await open(page, '/analysis');
  await page.locator('header nav a[href^="/guide/"]').click();
  await page.waitForURL(`**/guide/${variant.language}/`);
  await page.locator('main h1').waitFor();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe(variant.language === 'zh' ? 'zh-CN' : 'en');
  await page.locator('header a.name').click();
  await page.locator('[data-testid="play-gomoku"]').waitFor();
});

test('every page fits the screen, is accessible and follows the theme of the system', async ({ page, variant }) => {
  test.slow();
  for (const name of pages(variant.language)) {
    await open(page, `/guide/${variant.language}/${name}.html`);
    await page.locator('main h1').first().waitFor();
    expect(await dark(page), name).toBe(variant.theme === 'dark');
    await test.step(name, () => sound(page));
  }
});

test('every link to the app leads to one of its pages', { tag: ['@wide-en-light', '@phone-zh-light'] }, async ({ page, variant }) => {
  const links = new Set<string>();
  for (const name of pages(variant.language)) {
    await page.goto(`/guide/${variant.language}/${name}.html`);
    const all = await page.locator('a[href]').evaluateAll((nodes) => nodes.map((node) => (node as HTMLAnchorElement).href));
    const inside = all.map((link) => new URL(link)).filter((link) => link.origin === new URL(page.url()).origin);
    inside.filter((link) => !link.pathname.startsWith('/guide/')).forEach((link) => links.add(link.pathname));
  }
  expect(links, 'the home page at least').toContain('/');
  for (const link of links) {
    await open(page, link);
    await page.locator('h1').first().waitFor({ state: 'attached' });
    expect(await page.getByText(/^(Page not found|页面不存在)$/).count(), link).toBe(0);
  }
});

test('the first page looks as it should', async ({ page, variant }) => {
  await open(page, `/guide/${variant.language}/`);
  await shot(page, 'guide');
  await sound(page);
});

test('the search finds a page by its words', async ({ page, variant }) => {
  const words = variant.language === 'zh' ? '虚连接' : 'virtual connections';
  await open(page, `/guide/${variant.language}/`);
  await page.keyboard.press('/');
  await search(page).fill(words);
  await until('results', async () => (await found(page).count()) > 2);
  await sound(page);
  const link = found(page).filter({ hasText: variant.language === 'zh' ? '六贯棋求解与证明' : 'The Hex solver and its proofs' });
  await link.first().click();
  await page.waitForURL(/how-hex-solver\.html/);
  await search(page).fill('qqqqqq');
  await page.getByText(variant.language === 'zh' ? '没有找到' : 'Nothing found').waitFor();
});

test('the search is usable by keyboard alone', { tag: '@wide-en-light' }, async ({ page }) => {
  await open(page, '/guide/en/');
  await page.keyboard.press('/');
  await page.keyboard.type('swap');
  await until('results', async () => (await found(page).count()) > 0);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => !url.pathname.endsWith('/guide/en/'));
});

test('the theme button changes the colours, here and in the app', async ({ page, variant }) => {
  await open(page, `/guide/${variant.language}/`);
  await page.locator('button.theme:visible').click();
  expect(await dark(page)).toBe(variant.theme !== 'dark');
  await sound(page);
  await page.reload();
  expect(await dark(page), 'it is remembered').toBe(variant.theme !== 'dark');
  await open(page, '/');
  await page.locator(`html[data-theme="${variant.theme === 'dark' ? 'light' : 'dark'}"]`).waitFor();
});

test(
  'a page leads to its twin, and the app keeps the language',
  { tag: ['@wide-en-light', '@phone-zh-light'] },
  async ({ page, variant }) => {
    const other = variant.language === 'zh' ? 'en' : 'zh';
    await open(page, `/guide/${variant.language}/hex.html`);
    await page.locator('header a.twin:visible').click();
    await page.waitForURL(`**/guide/${other}/hex.html`);
    await open(page, '/');
    await page.locator(`html[lang="${other === 'zh' ? 'zh-CN' : 'en'}"]`).waitFor();
  },
);

test(
  'the address without a language leads to the one of the browser',
  { tag: ['@wide-en-light', '@wide-zh-dark'] },
  async ({ page, variant }) => {
    await page.goto('/guide');
    await page.waitForURL(`**/guide/${variant.language}/index.html`);
  },
);

test('contents are folded on a phone and unfold', { tag: ['@phone-en-dark', '@phone-zh-light'] }, async ({ page, variant }) => {
  await open(page, `/guide/${variant.language}/`);
  const link = page.locator('.contents a[href="renju.html"]');
  await expect(link).toBeHidden();
  await page.locator('.contents summary').click();
  await link.click();
  await page.waitForURL(/renju\.html/);
});

test('a page unknown to the guide is not one of the app’s', { tag: '@wide-en-light' }, async ({ page, server }) => {
  const answer = await fetch(`${server.base}/guide/en/nowhere.html`);
  expect(answer.status).toBe(404);
  await open(page, '/guide/en/');
});

test('every page loads under 150 kB compressed', { tag: ['@wide-en-light', '@phone-zh-light'] }, async ({ page, variant }) => {
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  await client.send('Network.setCacheDisabled', { cacheDisabled: true });
  let bytes = 0;
  client.on('Network.loadingFinished', (event) => (bytes += event.encodedDataLength));
  const weights: [number, string][] = [];
  for (const name of pages(variant.language)) {
    bytes = 0;
    await page.goto(`/guide/${variant.language}/${name}.html`, { waitUntil: 'networkidle' });
    expect(bytes, `${name} was measured`).toBeGreaterThan(3000);
    weights.push([bytes, name]);
  }
  weights.sort((a, b) => b[0] - a[0]);
  console.log(
    `heaviest pages: ${weights
      .slice(0, 3)
      .map(([size, name]) => `${name} ${(size / 1000).toFixed(0)} kB`)
      .join(', ')}`,
  );
  expect(weights.filter(([size]) => size >= 150_000)).toEqual([]);
});
