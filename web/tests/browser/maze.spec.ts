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
