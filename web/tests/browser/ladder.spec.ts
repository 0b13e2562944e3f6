// The standing ladder of bots: two example bots join it, and the page shows their games, ratings and the cross table.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, id, open, shot, sound, test, until } from './fixtures';

const bot = resolve(import.meta.dirname, '../../../examples/bots/bot.py');

test('bots join the ladder, and the page shows ratings, boards and games', async ({ page, server, variant }) => {
  const running = [];
  try {
    for (const name of ['Ann', '小王']) {
      const made = await server.post<{ token: string }>('/bots', { name: `${name} ${variant.name}` });
      const env = { ...process.env, TENGEN_TOKEN: made.token };
      running.push(spawn('python3', [bot, `ws://127.0.0.1:${server.port}/api/v1/bots/ws`], { env, stdio: 'ignore' }));
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${made.token}` };
      const answer = await fetch(`${server.base}/api/v1/ladder/hex`, { method: 'PUT', headers, body: '{"playing":true}' });
      expect(answer.status).toBe(200);
    }
    await open(page, '/bots');
    await open(page, '/ladder/hex');
    const table = page.locator(id('ladder-table'));
    await expect(table).toContainText(`小王 ${variant.name}`);
    await until('finished games', async () => (await page.locator(`${id('ladder-archive')} a`).count()) > 0, 60_000);
    await until('a rating', async () => / ± /.test((await table.textContent()) ?? ''), 20_000);
    await expect(page.locator(id('ladder-cross'))).toContainText('–');
    await shot(page, 'ladder');
    await sound(page);
    await page
      .locator(`${id('ladder-archive')} a`)
      .first()
      .click();
    await page.waitForURL(/\/game\//);
    await page.locator('[data-cell="4,4"]').first().waitFor();
  } finally {
    for (const process of running) process.kill();
  }
  await open(page, '/ladder/gomoku');
  await page.locator(id('ladder-table')).waitFor();
});
