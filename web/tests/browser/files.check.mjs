// Files: every format saved, loaded again, dropped and pasted; broken ones are refused in words.
import { readFileSync } from 'node:fs';
import { assert, board, cell, guises, id, until } from './tester.mjs';

const stones = async (page) => [...((await board(page)) ?? '')].filter((c) => c === 'X' || c === 'O').length;

async function opened(t, page, query, count) {
  await t.open(page, `/analysis${query}`);
  await page.locator(cell(0, 0)).waitFor();
  await until(page, 'the moves', async () => (await stones(page)) === count);
  await page.locator('summary', { hasText: /Save, load|保存/ }).click();
}

async function saved(page, button) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(id(button))]);
  return readFileSync(await download.path());
}

export default async function check(t) {
  const games = { gomoku: '?game=gomoku&size=15x15&moves=h8_i9_h9_h10_g8', hex: '?game=hex&size=11x11&moves=f6_e8_d5_c4_k2' };
  for (const [game, query] of Object.entries(games)) {
    const formats = game === 'gomoku' ? ['sgf', 'psq', 'json'] : ['sgf', 'json'];
    for (const format of formats) {
      await t.test(`${game} as ${format} and back`, guises[0], async (page) => {
        await opened(t, page, query, 5);
        const before = await board(page);
        const text = String(await saved(page, `save-${format}`));
        assert(text.length > 10, 'the file has something in it');
        await page.click(id(`fresh-${game}`));
        await until(page, 'an empty board', async () => (await stones(page)) === 0);
        await page.fill(id('paste'), text);
        await page.click(id('load-paste'));
        await until(page, 'the position again', async () => (await board(page)) === before);
      });
    }
    await t.test(`${game} as pictures`, guises[0], async (page) => {
      await opened(t, page, query, 5);
      assert(String(await saved(page, 'save-svg')).includes('<circle'), 'SVG');
      assert((await saved(page, 'save-png')).subarray(1, 4).toString() === 'PNG', 'PNG');
      assert(String(await saved(page, 'save-movie')).includes('<animate'), 'animated SVG');
      assert((await saved(page, 'save-gif')).subarray(0, 6).toString() === 'GIF89a', 'GIF');
    });
  }

  await t.test('a HexWorld link goes out and comes in', guises[0], async (page) => {
    await opened(t, page, games.hex, 5);
    const before = await board(page);
    await page.click(id('save-hexworld'));
    await page.locator('.notice', { hasText: 'hexworld' }).waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await page.click(id('fresh-hex'));
    await until(page, 'an empty board', async () => (await stones(page)) === 0);
    await page.fill(id('paste'), link);
    await page.click(id('load-paste'));
    await until(page, 'the position again', async () => (await board(page)) === before);
  });

  await t.test('a file dropped on the board', guises[0], async (page) => {
    await opened(t, page, '?game=gomoku&size=15x15', 0);
    await page.evaluate(() => {
      const files = new DataTransfer();
      files.items.add(new File(['(;FF[4]GM[4]SZ[15];B[h8];W[i9](;B[h9])(;B[g7]))'], 'game.sgf'));
      const drop = new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true });
      document.querySelector('[data-testid="drop"]').dispatchEvent(drop);
    });
    await until(page, 'three stones', async () => (await stones(page)) === 3);
    assert((await page.locator('.move.variation').count()) >= 1, 'the variation is there');
  });

  await t.test('a broken file is refused in words', guises[3], async (page, { forgiven }) => {
    forgiven.console = true;
    await opened(t, page, '?game=gomoku&size=15x15', 0);
    await page.fill(id('paste'), '(;B[h8]');
    await page.click(id('load-paste'));
    await page.locator('.notice.bad', { hasText: '无法读取' }).waitFor();
    await t.shot(page, 'refused', guises[3]);
  });
}
