// Private arenas: one is made, invited bots play in it, and only those with a key see its boards and games.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, id, open, shot, sound, test, until } from './fixtures';

const bot = resolve(import.meta.dirname, '../../../examples/bots/bot.py');

test('invited bots play in a private arena that only its keys show', async ({ page, server, variant, browser, faults }) => {
  test.setTimeout(150_000);
  await open(page, '/arenas');
  await page.locator(id('arena-list')).waitFor();
  await page.fill(id('arena-name'), `擂台 ${variant.name}`);
  await page.click(id('arena-game-hex'));
  await page.selectOption(id('arena-size'), '5');
  await page.click(id('arena-make'));
  await page.locator(id('arena-made')).waitFor();
  await shot(page, 'arena-made');
  await sound(page);
  const codes = await page.locator(`${id('arena-made')} code`).allTextContents();
  const [invitation = '', link = ''] = codes.slice(1);
  await page.click(id('arena-open'));
  await expect(page.locator('h1')).toContainText(`擂台 ${variant.name}`);
  const arena = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const running = [];
  try {
    for (const name of ['Ann', '小王']) {
      const made = await server.post<{ token: string }>('/bots', { name: `${name} ${variant.name}` });
      const env = { ...process.env, TENGEN_TOKEN: made.token };
      running.push(spawn('python3', [bot, `ws://127.0.0.1:${server.port}/api/v1/bots/ws`], { env, stdio: 'ignore' }));
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${made.token}` };
      const body = JSON.stringify({ playing: true, invitation });
      const answer = await fetch(`${server.base}/api/v1/ladder/${arena}`, { method: 'PUT', headers, body });
      expect(answer.status).toBe(200);
    }
    const games = page.locator(`${id('ladder-archive')} a`);
    await until('finished games', async () => (await games.count()) > 0, 60_000);
    await until('a rating', async () => / ± /.test((await page.locator(id('ladder-table')).textContent()) ?? ''), 20_000);
    await expect(page.locator(id('ladder-cross'))).toContainText('–');
    await shot(page, 'arena');
    await sound(page);
    const saved = page.waitForEvent('download');
    await page.click(id('ladder-download'));
    expect(readFileSync(await (await saved).path(), 'utf8')).toContain('GM[11]');
    // Whoever comes without a key sees nothing; the link shows all of it, and its key leaves the address bar.
    const visitor = await browser.newContext({ viewport: page.viewportSize() });
    const other = await visitor.newPage();
    await other.goto(`${server.base}/ladder/${arena}`);
    await other.locator(id('arena-enter')).waitFor();
    await expect(other.locator(id('ladder-table'))).toHaveCount(0);
    await shot(other, 'arena-locked');
    await sound(other);
    await other.goto('about:blank');
    await other.goto(link);
    await other.locator(id('ladder-table')).waitFor();
    await until('a clean address', () => Promise.resolve(!other.url().includes('#')));
    await expect(other.locator(id('arena-renew'))).toHaveCount(0);
    await other
      .locator(`${id('ladder-archive')} a`)
      .first()
      .click();
    await other.locator('[data-cell="4,4"]').first().waitFor();
    await other.reload();
    await other.locator('[data-cell="4,4"]').first().waitFor();
    await visitor.close();
    // The owner removes a bot, renews the invitation and closes the arena.
    page.on('dialog', (dialog) => void dialog.accept());
    await page
      .locator(`${id('ladder-table')} button`)
      .first()
      .click();
    await expect(page.locator(`${id('ladder-table')} button`)).toHaveCount(1);
    await page.click(id('arena-renew'));
    await expect(page.locator(id('arena-link'))).toBeVisible();
    await expect(page.locator(id('arena-link'))).not.toContainText(invitation);
    await shot(page, 'arena-owner');
    await sound(page);
    await page.click(id('arena-close'));
    await page.waitForURL(/\/arenas$/);
    faults.ignoreConsole = true;
    await page.goto(`/ladder/${arena}`);
    await page.locator(id('ladder-trouble')).waitFor();
  } finally {
    for (const process of running) process.kill();
  }
});
