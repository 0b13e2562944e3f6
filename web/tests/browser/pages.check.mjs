// Every page in every guise: nothing too wide, nothing axe objects to, light enough, quick enough.
import { assert, guises } from './tester.mjs';

const paths = {
  home: '/',
  new: '/new',
  analysis: '/analysis',
  puzzles: '/puzzles',
  maze: '/maze',
  see: '/see',
  bots: '/bots',
  settings: '/settings',
  about: '/about',
  api: '/api/docs',
  missing: '/nowhere',
};

export default async function check(t) {
  for (const [name, path] of Object.entries(paths)) {
    await t.everywhere(name, async (page, guise) => {
      await t.open(page, path);
      await page.locator('h1').first().waitFor({ state: 'attached' });
      if (name === 'home') await page.locator('[data-testid="play-gomoku"]').waitFor();
      if (name === 'analysis') await page.locator('[data-cell="7,7"]').waitFor();
      if (name === 'api') await page.locator('details').first().waitFor();
      await page.waitForTimeout(300);
      await t.shot(page, name, guise);
      await t.sound(page);
      const language = await page.evaluate(() => document.documentElement.lang);
      assert(language === (guise.language === 'zh' ? 'zh-CN' : 'en'), `language ${language}`);
    });
  }

  await t.everywhere('keys overlay', async (page, guise) => {
    await t.open(page, '/analysis');
    await page.locator('[data-cell="7,7"]').waitFor();
    await page.keyboard.press('?');
    await page.locator('dialog[open]').waitFor();
    await t.shot(page, 'keys', guise);
    await t.sound(page);
    await page.keyboard.press('Escape');
    assert((await page.locator('dialog[open]').count()) === 0, 'Escape closes the list');
  });

  await t.test('language and theme change at once and are remembered', guises[0], async (page) => {
    await t.open(page, '/');
    await page.click('[data-testid="language"]');
    await page.locator('html[lang="zh-CN"]').waitFor();
    await page.keyboard.press('d');
    await page.locator('html[data-theme="dark"]').waitFor();
    await page.reload();
    await page.locator('html[lang="zh-CN"][data-theme="dark"]').waitFor();
  });

  await t.everywhere('a token for a bot', async (page, guise) => {
    await t.open(page, '/bots');
    await page.fill('[data-testid="bot-name"]', 'my program');
    await page.click('[data-testid="bot-make"]');
    await page.locator('[data-testid="bot-token"] code').waitFor();
    await t.shot(page, 'token', guise);
    await t.sound(page);
  });

  await t.test('first load under 200 kB compressed, interactive under a second', guises[0], async (page, { context }) => {
    const client = await context.newCDPSession(page);
    await client.send('Network.enable');
    let bytes = 0;
    client.on('Network.loadingFinished', (event) => (bytes += event.encodedDataLength));
    const load = async () => {
      const began = performance.now();
      await page.goto(t.base + '/');
      await page.locator('[data-testid="play-gomoku"]:enabled').waitFor();
      return performance.now() - began;
    };
    const times = [await load()];
    await page.waitForTimeout(300);
    const first = bytes;
    await client.send('Network.setCacheDisabled', { cacheDisabled: true });
    for (let i = 0; i < 6; i++) times.push(await load());
    const took = times.toSorted((a, b) => a - b)[3];
    console.log(
      `      ${(first / 1000).toFixed(0)} kB over the wire, ${took.toFixed(0)} ms until the first button (median of ${times.map((ms) => ms.toFixed(0)).join(' ')})`,
    );
    assert(first > 10_000 && first < 200_000, `${first} bytes`);
    assert(took < 1000, `${took} ms`);
  });
}
