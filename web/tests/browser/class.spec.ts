// A class in the browser: entering by key, handing in, trial games, a round, the table, a game with its log.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { course, enter, samples } from './course';
import { expect, id, open, program, shot, sound, test, until } from './fixtures';
import type { Page } from '@playwright/test';

async function handIn(page: Page, name: string, bytes: string) {
  await page.setInputFiles(id('class-file'), { name, mimeType: 'text/plain', buffer: Buffer.from(bytes) });
  await page.click(id('class-hand-in'));
}

const random = readFileSync(join(samples, 'random_player.py'), 'utf8');

test('a student enters, hands in, tries, and sees the game with its log', async ({ page, server, variant, faults }) => {
  const name = `student-${variant.name}`;
  const { keys } = course(server, name);
  await open(page, '/classes');
  await page.locator(id(`class-${name}`)).click();
  await page.locator(id('class-task')).waitFor();
  await shot(page, 'class-entry');
  await sound(page);
  // A refused request is written to the console by the browser.
  faults.ignoreConsole = true;
  await page.fill(id('class-number'), '1001');
  await page.fill(id('class-key'), 'wrong');
  await page.click(id('class-enter'));
  await page.locator(id('class-trouble')).waitFor();
  await enter(page, name, '1001', keys['1001'] ?? '');
  await handIn(page, 'main.c', 'int main(void) {\n  return x;\n}\n');
  await expect(page.locator(id('verdict')).first()).toContainText('main.c:2:');
  await shot(page, 'class-compile-error');
  await sound(page);
  await handIn(page, 'broken.py', 'raise SystemExit("no luck")\n');
  await expect(page.locator(id('verdict')).first()).toContainText('no luck');
  await shot(page, 'class-check-failed');
  await handIn(page, 'player.py', random);
  const word = variant.language === 'zh' ? '通过' : 'accepted';
  await until('accepted', async () => (await page.locator(`form ${id('verdict-word')}`).textContent())?.trim() === word, 60_000);
  await page.click(id('class-try'));
  await until('trial games', async () => (await page.locator(id('class-game')).count()) === 2, 60_000);
  await shot(page, 'class-student');
  await sound(page);
  await page
    .locator(`${id('class-game')} a`)
    .first()
    .click();
  await page.locator('[data-cell="4,4"]').waitFor();
  await expect(page.locator(id('class-log'))).toContainText('to engine:');
  await page.keyboard.press('Home');
  await expect(page.locator(id('class-ply'))).toContainText('0');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('End');
  await shot(page, 'class-game');
  await sound(page);
});

test('a teacher plays a round, publishes it, and anybody sees the table', async ({ page, server, variant, browser }) => {
  test.setTimeout(240_000);
  const name = `teacher-${variant.name}`;
  const { teacher } = course(server, name);
  const folder = join(server.classes, name);
  const run = (...words: string[]) => execFileSync(program(), ['class', ...words], { encoding: 'utf8' });
  run('submit', folder, '1001', join(samples, 'random_player.py'));
  await enter(page, name, '', teacher);
  await expect(page.locator(id('class-students'))).toContainText('王小明');
  // Handed in while the teacher looks.
  run('submit', folder, '1002', join(samples, 'blocker.js'));
  await expect(page.locator(id('class-students'))).toContainText('JavaScript');
  await page.fill(id('round-name'), 'final');
  await page.click(id('round-start'));
  const over = variant.language === 'zh' ? '已结束' : 'finished';
  await until(
    'the round ends',
    async () => (await page.locator(`${id('round-final')} ${id('round-state')}`).textContent()) === over,
    90_000,
  );
  await expect(page.locator(id('class-table'))).toContainText('classic-ac');
  await page.click(id('student-1002'));
  await page.locator(id('class-student')).waitFor();
  await page.locator(id('class-report')).waitFor();
  await shot(page, 'class-teacher');
  await sound(page);
  const saved = page.waitForEvent('download');
  await page.click(id('class-export'));
  expect((await saved).suggestedFilename()).toContain('final.zip');
  await page.click(id('class-publish'));
  await expect(page.locator(id('class-publish'))).toHaveAttribute('aria-pressed', 'true');
  const visitor = await browser.newContext({ viewport: page.viewportSize() });
  const other = await visitor.newPage();
  await other.goto(`${server.base}/class/${name}`);
  await expect(other.locator(id('class-table'))).toContainText('1002');
  await shot(other, 'class-published');
  await sound(other);
  await other.locator(`${id('class-games')} summary`).click();
  await other
    .locator(`${id('class-games')} a`)
    .first()
    .click();
  await other.locator('[data-cell="4,4"]').waitFor();
  await expect(other.locator(id('class-log'))).toHaveCount(0);
  await page.click(id('class-publish'));
  await expect(page.locator(id('class-publish'))).toHaveAttribute('aria-pressed', 'false');
  await other.goto(`${server.base}/class/${name}`);
  await other.locator(id('class-task')).waitFor();
  await expect(other.locator(id('class-table'))).toHaveCount(0);
  await visitor.close();
});

test(
  'a round is paused and goes on, then the ladder is kept while the class works',
  { tag: ['@wide-zh-dark', '@phone-en-dark'] },
  async ({ page, server, variant, browser }) => {
    const name = `ladder-${variant.name}`;
    const { teacher, keys } = course(server, name);
    const folder = join(server.classes, name);
    const run = (...words: string[]) => execFileSync(program(), ['class', ...words], { encoding: 'utf8' });
    run('submit', folder, '1001', join(samples, 'random_player.py'));
    run('publish', folder);
    await enter(page, name, '', teacher);
    await page.fill(id('round-name'), 'long');
    await page.locator('input[type="number"]').fill('100');
    await page.click(id('round-start'));
    const state = (round: string) => page.locator(`${id(`round-${round}`)} ${id('round-state')}`);
    const words = variant.language === 'zh' ? { running: '进行中', paused: '已暂停' } : { running: 'running', paused: 'paused' };
    await expect(state('long')).toHaveText(words.running);
    await page.locator(`${id('round-long')} ${id('round-pause')}`).click();
    await expect(state('long')).toHaveText(words.paused, { timeout: 30_000 });
    await page.locator(`${id('round-long')} ${id('round-resume')}`).click();
    await expect(state('long')).toHaveText(words.running);
    await page.locator(`${id('round-long')} ${id('round-pause')}`).click();
    await expect(state('long')).toHaveText(words.paused, { timeout: 30_000 });
    await page.click(id('ladder-start'));
    await expect(state('ladder')).toHaveText(words.running);
    // A student hands in while the ladder plays, and is on it.
    const visitor = await browser.newContext({ viewport: page.viewportSize() });
    const student = await visitor.newPage();
    await student.goto(`${server.base}/class/${name}`);
    await student.fill(id('class-number'), '1002');
    await student.fill(id('class-key'), keys['1002'] ?? '');
    await student.click(id('class-enter'));
    await student.locator(id('class-who')).waitFor();
    run('submit', folder, '1002', join(samples, 'blocker.js'));
    await student.locator(id('table-ladder')).click();
    await until('on the ladder', async () => /1002/.test((await student.locator(id('class-table')).textContent()) ?? ''), 60_000);
    await shot(student, 'class-ladder');
    await sound(student);
    await visitor.close();
    await shot(page, 'class-teacher-ladder');
    await sound(page);
    await page.locator(`${id('round-ladder')} ${id('round-pause')}`).click();
    await expect(state('ladder')).toHaveText(words.paused, { timeout: 30_000 });
  },
);

test('without classes the page says how to make one', async ({ page }) => {
  await page.route('**/api/v1/classes', (route) => route.fulfill({ json: [] }));
  await open(page, '/classes');
  await page.locator(id('no-classes')).waitFor();
  await shot(page, 'no-classes');
  await sound(page);
});
