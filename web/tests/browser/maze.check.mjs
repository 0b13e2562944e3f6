// Mazes: the map of the source document, drawing, generating, races, and 60 frames a second at 200x200.
import { readFileSync } from 'node:fs';
import { assert, guises, id, until } from './tester.mjs';

const MATRIX = '1 1 1 1 1 1\n0 0 0 1 0 1\n1 1 0 1 0 1\n1 0 0 0 0 0\n1 1 1 1 1 1\n';

async function load(page, text) {
  await page.setInputFiles(id('maze-file'), { name: 'input.txt', mimeType: 'text/plain', buffer: Buffer.from(text) });
}

export default async function check(t) {
  const known = await fetch(`${t.base}/api/v1/openapi.json`).then((r) => r.json());
  if (!Object.keys(known.paths).some((path) => path.endsWith('/maze/solve'))) {
    console.log('skip  maze: this server has no mazes');
    return;
  }

  await t.everywhere('a matrix file is solved and its answer saved', async (page, guise) => {
    await t.open(page, '/maze');
    await load(page, MATRIX);
    await page.click(id('maze-finish'));
    await until(page, 'the cost', async () => (await page.locator(id('cost')).first().textContent()) === '7');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(id('answer'))]);
    const lines = String(readFileSync(await download.path()))
      .trim()
      .split('\n');
    assert(lines.length === 3 && lines[1] === 'RRDDRRR' && lines[2] === '7', `answer ${lines}`);
    assert(download.suggestedFilename() === 'output_A.txt', download.suggestedFilename());
    await t.shot(page, 'matrix', guise);
    await t.sound(page);
  });

  await t.everywhere('a race', async (page, guise) => {
    await t.open(page, '/maze');
    await page.click(id('add-lane'));
    await page.click(id('generate'));
    await page.click(id('maze-play'));
    await until(page, 'both have arrived', async () => {
      const costs = await page.locator(id('cost')).allTextContents();
      return costs.length === 2 && costs.every((c) => /^\d/.test(c));
    });
    await page.waitForTimeout(400);
    await t.shot(page, 'race', guise);
    await t.sound(page);
    await page.click(id('maze-finish'));
  });

  await t.test('walls are drawn with the pointer and the keyboard', guises[0], async (page) => {
    await t.open(page, '/maze');
    await load(page, '.....\nS...G\n.....\n');
    await page.click(id('maze-finish'));
    await until(page, 'four steps', async () => (await page.locator(id('cost')).textContent()) === '4');
    const box = await page.locator('canvas').boundingBox();
    const [w, h] = [box.width / 5, box.height / 3];
    await page.mouse.move(box.x + 2.5 * w, box.y + 0.5 * h);
    await page.mouse.down();
    await page.mouse.move(box.x + 2.5 * w, box.y + 1.5 * h, { steps: 5 });
    await page.mouse.up();
    await page.click(id('maze-finish'));
    await until(page, 'six steps around the wall', async () => (await page.locator(id('cost')).textContent()) === '6');
    await page.locator('canvas').focus();
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await page.click(id('maze-finish'));
    await until(page, 'no way left', async () => (await page.locator(id('cost')).textContent()) === 'no path');
  });

  await t.test('60 frames a second at 200x200', guises[0], async (page, { context }) => {
    await t.open(page, '/maze');
    await load(page, `${'.'.repeat(200)}\n`.repeat(200));
    await page.getByLabel('Algorithm').selectOption('bfs');
    await page.click(id('maze-step'));
    await until(page, 'the search', async () => /^\d/.test(await page.locator(id('cost')).textContent()));
    // Beside the frames as a person sees them, the time of the page's own thread: it shows whose fault a slow one is.
    const client = await context.newCDPSession(page);
    await client.send('Performance.enable', { timeDomain: 'threadTicks' });
    const busy = async () => (await client.send('Performance.getMetrics')).metrics.find((m) => m.name === 'TaskDuration').value * 1000;
    await page.click(id('maze-play'));
    const before = await busy();
    const frames = await page.evaluate(async () => {
      const times = [];
      let last = performance.now();
      await new Promise((done) => {
        const frame = (now) => {
          times.push(now - last);
          last = now;
          if (times.length < 120) requestAnimationFrame(frame);
          else done();
        };
        requestAnimationFrame(frame);
      });
      return times.sort((a, b) => a - b);
    });
    const own = ((await busy()) - before) / frames.length;
    const [median, p95] = [frames[60], frames[114]];
    console.log(
      `      a frame every ${median.toFixed(1)} ms (median; 95th percentile ${p95.toFixed(1)} ms), ${own.toFixed(1)} ms of it the page's own work`,
    );
    assert(median <= 17.5, `a frame takes ${median} ms`);
    assert(own < 1000 / 60, `${own} ms of work a frame`);
  });
}
