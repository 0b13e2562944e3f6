// `node scripts/pictures.mjs TENGEN FOLDER`: the guide's pictures of the app in both languages, as `app-NAME-LANGUAGE.webp`,
// taken in Chromium (CHROMIUM names it) at a fixed size from a server with an empty data folder. Fails at one above 150 kB.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from '@playwright/test';

const [tengen, folder] = process.argv.slice(2);
if (!tengen || !folder) throw new Error('usage: node scripts/pictures.mjs TENGEN FOLDER');
const MOST = 150_000;
const SIZE = { width: 1200, height: 800 };
const GAME = ['h8', 'i9', 'h9', 'h7', 'h10', 'h11', 'g9', 'f8', 'g10', 'i8', 'g8', 'g11', 'g7'];
const id = (name) => `[data-testid="${name}"]`;

const data = mkdtempSync(join(tmpdir(), 'tengen-pictures-'));
const port = await new Promise((found) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const { port } = probe.address();
    probe.close(() => found(port));
  });
});
const base = `http://127.0.0.1:${port}`;
const server = spawn(tengen, ['serve', '--addr', `127.0.0.1:${port}`, '--data', data], { stdio: 'ignore' });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--force-color-profile=srgb'],
});

async function post(path, body, secret) {
  const headers = { 'content-type': 'application/json', ...(secret ? { authorization: `Bearer ${secret}` } : {}) };
  const answer = await fetch(`${base}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return answer.json();
}

/** A game of two people, so that the picture is the same every time: the addresses of their seats. */
async function game(language) {
  const names = language === 'zh' ? ['小林', '阿梅'] : ['Robin', 'Maya'];
  const [first, second] = names.map((name) => ({ kind: 'human', name }));
  const made = await post('/games', { setup: { game: 'gomoku' }, players: { first, second }, visibility: 'link' });
  for (const [ply, move] of GAME.entries()) {
    const secret = ply % 2 ? made.seats.second : made.seats.first;
    await post(`/games/${made.id}/moves`, { ply, move }, secret);
  }
  return ['first', 'second'].map((seat) => `/game/${made.id}#${seat}=${made.seats[seat]}`);
}

/** What is shown, by name: an address and what to do there before the picture is taken. */
const scenes = {
  async home(page) {
    await page.goto('/');
    await page.locator(id('play-gomoku')).waitFor();
  },
  async game(page, language) {
    const [first, second] = await game(language);
    const opponent = await page.context().browser().newPage();
    await opponent.goto(base + second);
    await opponent.locator('[data-cell="7,7"]').waitFor();
    await page.goto(first);
    await page.locator('[data-cell="7,7"]').waitFor();
    return opponent;
  },
  async analysis(page) {
    await page.goto(`/analysis?game=gomoku&size=15x15&moves=${GAME.slice(0, 8).join('_')}`);
    await page.locator('[data-cell="7,7"]').waitFor();
    await page.click(id('search'));
    await page
      .locator(`${id('lines')} button`)
      .first()
      .waitFor();
    await page.waitForTimeout(4000);
    await page.click(id('search'));
    await page.waitForTimeout(1000);
  },
  async theatre(page) {
    await page.goto('/see/tree?position=tictactoe:XO./.X./..O&algorithm=alphabeta&depth=9');
    await page.locator(id('see-tree')).waitFor();
    for (let cut = 0; cut < 12; cut++) await page.click(id('see-next-cut'));
    await page.click(id('see-whole'));
    // Nodes fade in.
    await page.waitForTimeout(4000);
  },
  async maze(page) {
    await page.goto('/maze');
    await page.setInputFiles(id('maze-file'), resolve(import.meta.dirname, '../../examples/maze.txt'));
    await page.click(id('maze-finish'));
    await page.locator(id('cost')).first().waitFor();
  },
};

/** A third of the size of the PNG; Chromium has the encoder. */
async function webp(png) {
  const page = await browser.newPage();
  const url = await page.evaluate(
    async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [image.width, image.height];
      canvas.getContext('2d').drawImage(image, 0, 0);
      return canvas.toDataURL('image/webp', 0.8);
    },
    `data:image/png;base64,${png.toString('base64')}`,
  );
  await page.close();
  return Buffer.from(url.split(',')[1], 'base64');
}

async function ready() {
  for (let attempt = 0; attempt < 300; attempt++) {
    const up = await fetch(`${base}/healthz`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (up) return;
    await new Promise((wake) => setTimeout(wake, 100));
  }
  throw new Error('the server did not start');
}

try {
  await ready();
  for (const language of ['en', 'zh']) {
    const locale = language === 'zh' ? 'zh-CN' : 'en-US';
    for (const [name, show] of Object.entries(scenes)) {
      const options = { baseURL: base, viewport: SIZE, locale, colorScheme: 'light', reducedMotion: 'reduce' };
      const context = await browser.newContext(options);
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      const opponent = await show(page, language);
      await page.evaluate(() => window.scrollTo(0, 0));
      await page.mouse.move(0, 0);
      await page.waitForTimeout(800);
      const picture = await webp(await page.screenshot());
      await opponent?.close();
      await context.close();
      const file = `app-${name}-${language}.webp`;
      if (picture.length > MOST) throw new Error(`${file} has ${picture.length} bytes; at most ${MOST} are accepted`);
      writeFileSync(join(folder, file), picture);
      console.log(`${file}: ${Math.round(picture.length / 1000)} kB`);
    }
  }
} finally {
  await browser.close();
  const gone = new Promise((done) => server.once('exit', done));
  server.kill('SIGTERM');
  await gone;
  rmSync(data, { recursive: true, force: true });
}
