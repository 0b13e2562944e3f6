// Files: every format saved, loaded again, dropped and pasted; broken ones are refused in words.
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { board, cell, expect, id, open, shot, showsStones, test, until } from './fixtures';

async function opened(page: Page, query: string, count: number) {
  await open(page, `/analysis${query}`);
  await page.locator(cell(0, 0)).waitFor();
  await showsStones(page, count);
  await page.locator('summary', { hasText: /Save, load|保存/ }).click();
}

async function saved(page: Page, button: string) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(id(button))]);
  return readFileSync(await download.path());
}

const games = { gomoku: '?game=gomoku&size=15x15&moves=h8_i9_h9_h10_g8', hex: '?game=hex&size=11x11&moves=f6_e8_d5_c4_k2' };
for (const [game, query] of Object.entries(games)) {
  const formats = game === 'gomoku' ? ['sgf', 'psq', 'json'] : ['sgf', 'json'];
  for (const format of formats) {
    test(`${game} as ${format} and back`, { tag: '@wide-en-light' }, async ({ page }) => {
      await opened(page, query, 5);
      const before = await board(page);
      const text = String(await saved(page, `save-${format}`));
      expect(text.length > 10, 'the file has something in it').toBe(true);
      await page.click(id(`fresh-${game}`));
      await showsStones(page, 0);
      await page.fill(id('paste'), text);
      await page.click(id('load-paste'));
      await until('the position again', async () => (await board(page)) === before);
    });
  }
  test(`${game} as pictures`, { tag: '@wide-en-light' }, async ({ page }) => {
    await opened(page, query, 5);
    expect(String(await saved(page, 'save-svg')).includes('<circle'), 'SVG').toBe(true);
    expect((await saved(page, 'save-png')).subarray(1, 4).toString(), 'PNG').toBe('PNG');
    expect(String(await saved(page, 'save-movie')).includes('<animate'), 'animated SVG').toBe(true);
    expect((await saved(page, 'save-gif')).subarray(0, 6).toString(), 'GIF').toBe('GIF89a');
  });
}

test('a HexWorld link goes out and comes in', { tag: '@wide-en-light' }, async ({ page }) => {
  await opened(page, games.hex, 5);
  const before = await board(page);
  await page.click(id('save-hexworld'));
  await page.locator('.notice', { hasText: 'hexworld' }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.click(id('fresh-hex'));
  await showsStones(page, 0);
  await page.fill(id('paste'), link);
  await page.click(id('load-paste'));
  await until('the position again', async () => (await board(page)) === before);
});

test('a file dropped on the board', { tag: '@wide-en-light' }, async ({ page }) => {
  await opened(page, '?game=gomoku&size=15x15', 0);
  await page.evaluate(() => {
    const files = new DataTransfer();
    files.items.add(new File(['(;FF[4]GM[4]SZ[15];B[h8];W[i9](;B[h9])(;B[g7]))'], 'game.sgf'));
    const drop = new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true });
    document.querySelector('[data-testid="drop"]')!.dispatchEvent(drop);
  });
  await showsStones(page, 3);
  expect((await page.locator('.move.variation').count()) >= 1, 'the variation is there').toBe(true);
});

test('a broken file is refused in words', { tag: '@phone-zh-light' }, async ({ page, faults }) => {
  faults.ignoreConsole = true;
  await opened(page, '?game=gomoku&size=15x15', 0);
  await page.fill(id('paste'), '(;B[h8]');
  await page.click(id('load-paste'));
  await page.locator('.notice.bad', { hasText: '无法读取' }).waitFor();
  await shot(page, 'refused');
});

test('plain moves pasted on a Hex board are Hex moves', { tag: '@wide-en-light' }, async ({ page }) => {
  await opened(page, '?game=hex&size=11x11', 0);
  await page.fill(id('paste'), 'c2 f6 g5');
  await page.click(id('load-paste'));
  await showsStones(page, 3);
  await expect(page.locator('[data-board]').first()).toHaveAttribute('data-game', 'hex');
});

const SAID = `mail before it
(;FF[4]GM[4]SZ[15]PB[Ann]PW[Ben]RE[B+R]DT[2024-05-01]EV[Final]C[before the first move];B[hh]BL[12.5]C[centre]TR[aa]LB[bb:A]AR[hh:jj](;W[ii]C[one](;B[gg])(;B[hg]))(;W[ii]C[two]))`;

test('names, result, date, comments, drawings and unknown properties of a file are shown and saved again', async ({ page }) => {
  await opened(page, '?game=gomoku&size=15x15', 0);
  await page.fill(id('paste'), SAID);
  await page.click(id('load-paste'));
  await showsStones(page, 3);
  await page.locator('.move.start').click();
  await expect(page.locator(id('note'))).toHaveValue('before the first move');
  await page.locator('.move', { hasText: 'H8' }).first().click();
  await expect(page.locator(id('note'))).toHaveValue('centre');
  await until('the drawings', async () => (await page.locator('[data-drawing]').count()) === 3);
  await page.locator('.move', { hasText: 'I7' }).first().click();
  await expect(page.locator(id('note'))).toHaveValue('one\n\ntwo');
  await shot(page, 'file-read');
  const text = String(await saved(page, 'save-sgf'));
  for (const part of ['PB[Ann]', 'PW[Ben]', 'RE[B+R]', 'DT[2024-05-01]', 'EV[Final]', 'C[before the first move]', 'BL[12.5]']) {
    expect(text).toContain(part);
  }
  for (const part of ['TR[aa]', 'LB[bb:A]', 'AR[hh:jj]', 'C[one\n\ntwo]', 'CA[UTF-8]']) expect(text).toContain(part);
});

test('a game that was played is saved with its players, result and date', async ({ page }) => {
  await open(page, '/');
  await page.click(id('play-gomoku'));
  await page.click(cell(7, 7));
  await showsStones(page, 2);
  await page.click(id('resign'));
  await page.click(id('resign-sure'));
  await page.locator(id('again')).waitFor();
  await page.locator('summary', { hasText: /Save, load|保存/ }).click();
  const text = String(await saved(page, 'save-sgf'));
  expect(text).toMatch(/PB\[.+\]PW\[.+\]/);
  expect(text).toContain('RE[W+R]');
  expect(text).toMatch(/DT\[\d{4}-\d\d-\d\d\]/);
  // A study made of it keeps them.
  await page.click(id('analyse'));
  await page.locator('summary', { hasText: /Save, load|保存/ }).click();
  expect(String(await saved(page, 'save-sgf'))).toContain('RE[W+R]');
});
