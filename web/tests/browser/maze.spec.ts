// Mazes: the map of the source document, drawing, generating, races, and the work of playing back a large search.
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, id, open, shot, sound, test, until } from './fixtures';
import { medianFrame, pageWork } from './measure';

const MATRIX = '1 1 1 1 1 1\n0 0 0 1 0 1\n1 1 0 1 0 1\n1 0 0 0 0 0\n1 1 1 1 1 1\n';

async function load(page: Page, text: string) {
  await page.setInputFiles(id('maze-file'), { name: 'input.txt', mimeType: 'text/plain', buffer: Buffer.from(text) });
}

test('a matrix file is solved and its answer saved', async ({ page }) => {
  await open(page, '/maze');
  await load(page, MATRIX);
  await page.click(id('maze-finish'));
  await until('the cost', async () => (await page.locator(id('cost')).first().textContent()) === '7');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(id('answer'))]);
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n');
  expect(lines.slice(1)).toEqual(['RRDDRRR', '7']);
  expect(download.suggestedFilename()).toBe('output_A.txt');
  await shot(page, 'matrix');
  await sound(page);
});

test('two algorithms race to the goal', async ({ page }) => {
  await open(page, '/maze');
  await page.click(id('add-lane'));
  await page.click(id('generate'));
  await page.click(id('maze-play'));
  await until(
    'both have arrived',
    async () => {
      const costs = await page.locator(id('cost')).allTextContents();
      return costs.length === 2 && costs.every((c) => /^\d/.test(c));
    },
    60_000,
  );
  await page.waitForTimeout(400);
  await shot(page, 'race');
  await sound(page);
  await page.click(id('maze-finish'));
});

test('walls are drawn with the pointer and the keyboard', { tag: '@wide-en-light' }, async ({ page }) => {
  await open(page, '/maze');
  await load(page, '.....\nS...G\n.....\n');
  await page.click(id('maze-finish'));
  await until('four steps', async () => (await page.locator(id('cost')).textContent()) === '4');
  const box = (await page.locator('canvas').boundingBox())!;
  const [w, h] = [box.width / 5, box.height / 3];
  await page.mouse.move(box.x + 2.5 * w, box.y + 0.5 * h);
  await page.mouse.down();
  await page.mouse.move(box.x + 2.5 * w, box.y + 1.5 * h, { steps: 5 });
  await page.mouse.up();
  await page.click(id('maze-finish'));
  await until('six steps around the wall', async () => (await page.locator(id('cost')).textContent()) === '6');
  await page.locator('canvas').focus();
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  await page.click(id('maze-finish'));
  await until('no way left', async () => (await page.locator(id('cost')).textContent()) === 'no path');
});

test(
  'playing a search of 200x200 cells takes less work per frame than 60 frames a second allow',
  { tag: '@wide-en-light' },
  async ({ page }) => {
    await open(page, '/maze');
    await load(page, `${'.'.repeat(200)}\n`.repeat(200));
    await page.getByLabel('Algorithm').selectOption('bfs');
    await page.click(id('maze-step'));
    await expect(page.locator(id('cost'))).toHaveText(/^\d/);
    await page.click(id('maze-play'));
    let frame = 0;
    const work = (await pageWork(page, async () => (frame = await medianFrame(page, 120)))) / 120;
    console.log(`a frame every ${frame.toFixed(1)} ms, ${work.toFixed(1)} ms of it the page's own work`);
    expect(work, 'milliseconds of work per frame').toBeLessThan(1000 / 60);
  },
);

test('all algorithms race on a map, and any-angle paths are compared with those of eight neighbours', async ({ page }) => {
  await open(page, '/maze');
  await load(
    page,
    'type octile\nheight 8\nwidth 12\nmap\n............\n....@@......\n....@@......\n....@@......\n............\n......@@@...\n......@@@...\n............\n',
  );
  await page.click(id('race-all'));
  await page.click(id('maze-finish'));
  await until(
    'all have arrived',
    async () => {
      const costs = await page.locator(id('cost')).allTextContents();
      return costs.length >= 10 && costs.every((cost) => /^\d/.test(cost));
    },
    60_000,
  );
  // Anya and Theta* say how much shorter their paths are, and show the other one.
  await expect(page.locator(id('beside'))).toHaveCount(2);
  await expect(page.locator(id('prepare')).first()).toHaveText(/ m?s$/);
  await expect(page.locator(id('memory')).first()).toHaveText(/kB$/);
  await shot(page, 'race-all');
  await sound(page);
});

test(
  'a map of 1024 x 1024 cells is loaded, and every algorithm answers or says why not',
  { tag: '@wide-en-light' },
  async ({ page, faults }) => {
    test.setTimeout(300_000);
    faults.ignoreConsole = true; // of the algorithms that are refused
    await open(page, '/maze');
    const row = (r: number) => (r % 32 === 31 ? '@'.repeat(500) + '.'.repeat(24) + '@'.repeat(500) : '.'.repeat(1024));
    await load(page, `type octile\nheight 1024\nwidth 1024\nmap\n${Array.from({ length: 1024 }, (_, r) => row(r)).join('\n')}\n`);
    await page.click(id('race-all'));
    await page.click(id('maze-finish'));
    await until(
      'every lane has a cost or a reason',
      async () => {
        const lanes = await page.locator('section.lane').count();
        const costs = await page.locator(id('cost')).allTextContents();
        const arrived = costs.filter((cost) => cost !== '–').length;
        return lanes > 10 && arrived + (await page.locator(id('refused')).count()) === lanes;
      },
      240_000,
    );
    // Only tables that take long to make are refused, with what to do about it.
    for (const reason of await page.locator(id('refused')).allTextContents()) expect(reason).toContain('tengen maze prepare');
    await shot(page, 'race-1024');
  },
);

test('a record that is cut says where it ends, and no path crosses what it does not show', async ({ page, variant }) => {
  await page.addInitScript(() => localStorage.setItem('tengen.settings', '{"think":"server"}'));
  let cut = false;
  await page.route('**/api/v1/maze/solve', async (route) => {
    const answer = await route.fetch();
    const found = (await answer.json()) as { trace: number[]; dropped: number };
    await route.fulfill({ response: answer, json: cut ? { ...found, trace: found.trace.slice(0, 5), dropped: 95 } : found });
  });
  /** Pixels in the colour of the path. */
  const red = () =>
    page.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      let count = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i] === 0xe5 && data[i + 1] === 0x43 && data[i + 2] === 0x2d) count++;
      return count;
    });
  await open(page, '/maze');
  await load(page, '.....\nS...G\n.....\n');
  await page.click(id('maze-finish'));
  await until('a path', async () => (await red()) > 100);
  await expect(page.locator(id('cut'))).toHaveCount(0);
  cut = true;
  await load(page, '.....\nS...G\n.....\n');
  await page.click(id('maze-finish'));
  await expect(page.locator(id('cut'))).toContainText(variant.language === 'zh' ? '第 5 个事件为止，共 100 个' : 'at event 5 of 100');
  expect(await red(), 'no path').toBe(0);
  await shot(page, 'maze-cut');
  await sound(page);
});
