// The page where students write programs, in Python: it runs, ends what does not, reaches nothing, and says what was wrong;
// and a program of the page is handed in to a class.
import { expect, id, open, sound, shot, test, text, until } from './fixtures';
import { course, enter } from './course';
import type { Page } from '@playwright/test';

/** Puts a program into the editor, as somebody does who opens a file; its language is that of the file's name. */
async function write(page: Page, code: string, name = 'program.py') {
  await page.setInputFiles(id('own-open'), { name, mimeType: 'text/plain', buffer: Buffer.from(code) });
  const first = code.split('\n')[0]!.slice(0, 20);
  await until('the program is there', async () => (await page.locator(id('own-code')).innerText()).includes(first));
}

/** Asks for a move; what the page says about the program. */
async function trouble(page: Page, code: string, button = 'own-move'): Promise<string> {
  await write(page, code);
  await page.click(id(button));
  await until('an answer', async () => !(await page.locator(id(button)).isDisabled()), 90_000);
  return (await page.locator(id('own-trouble')).count()) ? text(page, 'own-trouble') : '';
}

test('a Python program gives its first result soon, and the next at once', { tag: '@wide-en-light' }, async ({ page }) => {
  test.setTimeout(150_000);
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(request.url()));
  await open(page, '/see/own');
  expect(
    fetched.filter((url) => url.includes('pyodide')),
    'Python is not part of the first load',
  ).toEqual([]);
  await page.click(id('own-python'));
  await page.click(id('own-pick'));
  const clicked = async () => {
    const began = Date.now();
    await page.click(id('own-move'));
    await page.locator(id('own-picked')).waitFor({ timeout: 90_000 });
    return Date.now() - began;
  };
  const cold = await clicked();
  const warm = await clicked();
  test.info().annotations.push({ type: 'measured', description: `first ${cold} ms, warm ${warm} ms` });
  expect(warm, 'from click to result, warm, in ms').toBeLessThan(2000);
  await page.click(id('own-evaluate'));
  await page.click(id('own-watch'));
  await page.locator(id('see-tree')).waitFor();
  await page.click(id('own-astar'));
  await page.click(id('own-walk'));
  await page.locator('section canvas').first().waitFor();
  await shot(page, 'own-python');
  await sound(page);
});

test('Python runs on a phone, in Chinese', { tag: '@phone-zh-light' }, async ({ page }) => {
  test.setTimeout(150_000);
  await open(page, '/see/own');
  await page.click(id('own-python'));
  await page.click(id('own-pick'));
  await page.click(id('own-move'));
  await page.locator(id('own-picked')).waitFor({ timeout: 90_000 });
  expect(await trouble(page, 'def pick(board, me):\n    return x +\n')).toContain('第 2 行');
  await shot(page, 'own-python');
  await sound(page);
});

test('the editor completes what a program may use', { tag: '@wide-en-light' }, async ({ page }) => {
  await open(page, '/see/own');
  for (const language of ['javascript', 'python']) {
    await page.click(id(`own-${language}`));
    await page.click(id('own-code'));
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Delete');
    await page.keyboard.type('board.');
    const list = page.locator(`${id('own-code-editor')} .cm-tooltip-autocomplete`);
    await expect(list, language).toContainText('board.get');
    await expect(list, language).toContainText('board.winner');
    await expect(list, 'nothing of the maze').not.toContainText('maze.cost');
    await page.keyboard.press('Escape');
  }
});

test('faulty Python is explained at its line, and the page goes on', { tag: '@wide-en-light' }, async ({ page }) => {
  test.setTimeout(240_000);
  await open(page, '/see/own');
  await page.click(id('own-python'));
  const tries: [code: string, words: string[]][] = [
    ['def pick(board, me):\n    x = 1\n    return x +\n', ['SyntaxError', 'line 3']],
    [
      'def helper(cells):\n    return cells[0]\n\ndef pick(board, me):\n    return helper([])\n',
      ['IndexError', 'line 5, in pick', 'line 2, in helper'],
    ],
    ['def pick(board, me):\n    return "e4"\n', ['empty cell', 'e4']],
    ['nothing = 1\n', ['Define a function']],
    ['import sys\ndef pick(board, me):\n    sys.exit(3)\n', ['SystemExit', 'line 3']],
    ['def pick(board, me):\n    while True:\n        pass\n', ['loop that never stops']],
    [
      'def pick(board, me):\n    everything = []\n    while True:\n        everything.append(bytearray(250_000_000))\n',
      ['MemoryError', 'line 4'],
    ],
    ['def pick(board, me):\n    return pick(board, me)\n', ['RecursionError', 'line 2']],
  ];
  for (const [code, words] of tries) {
    const said = await trouble(page, code);
    for (const word of words) expect(said, code).toContain(word);
    expect(said, 'only the program’s own traceback').not.toContain('tengen.py');
    if (words[0] === 'SyntaxError')
      await expect(page.locator(`${id('own-code')} .cm-lintRange, ${id('own-code')} .cm-lint-marker`).first()).toBeAttached();
  }
  await page.click(id('own-pick'));
  await page.click(id('own-move'));
  await page.locator(id('own-picked')).waitFor({ timeout: 90_000 });
});

test('Python reaches neither network nor storage nor the page', { tag: '@wide-en-light' }, async ({ page, server, faults }) => {
  test.setTimeout(240_000);
  faults.ignoreConsole = true;
  await open(page, '/see/own');
  await page.click(id('own-python'));
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const before = await page.evaluate(() => JSON.stringify({ cookie: document.cookie, title: document.title }));
  for (const attack of [
    `import urllib.request; urllib.request.urlopen("${server.base}/api/v1/catalog?stolen")`,
    `import socket; socket.create_connection(("127.0.0.1", ${server.port}), 1)`,
    `from pyodide.http import open_url; open_url("${server.base}/api/v1/catalog?stolen")`,
    'from js import fetch; fetch("/api/v1/catalog?stolen")',
    'from js import XMLHttpRequest; x = XMLHttpRequest.new(); x.open("GET", "/api/v1/catalog?stolen", False); x.send()',
    'import js; js.Object.constructor("return fetch(\'/api/v1/catalog?stolen\')")()',
    'import js; js.Object.constructor("return new WebSocket(\'ws://127.0.0.1:1\')")()',
    'from js import localStorage; localStorage.setItem("stolen", "1")',
    'from js import indexedDB; indexedDB.open("stolen")',
    'import js; js.Object.constructor("return indexedDB.open(\'stolen\')")()',
    'from js import document; document.title = "stolen"',
    'from js import window; window.close()',
    'import js; js.Object.constructor("postMessage({ id: 1, move: 3 })")()',
    'import js; js.Object.constructor("reply({ id: 1, move: 3 })")()',
    'import js; js.Object.constructor("for (;;) reply({ id: 0, move: 3 })")()',
    'import js; js.Object.constructor("for (;;) onmessage({ data: { id: 0 } })")()',
    'import js; js.Object.constructor("return importScripts(\'/icon.svg\')")()',
  ]) {
    const said = await trouble(page, `def pick(board, me):\n    ${attack}\n    raise Exception("got through")\n`);
    expect(said, attack).not.toBe('');
    // A promise that will be refused may come back; what counts is that no request was made.
    if (!attack.includes('fetch')) expect(said, attack).not.toContain('got through');
    // What would flood the page ends at its first call.
    if (attack.includes('reply(')) expect(said, attack).toContain('reply is not defined');
    if (attack.includes('onmessage(')) expect(said, attack).toContain('onmessage is not a function');
  }
  expect(
    asked.filter((url) => url.includes('stolen') || url.includes('icon.svg')),
    'requests of the program',
  ).toEqual([]);
  expect(await page.evaluate(() => JSON.stringify({ cookie: document.cookie, title: document.title }))).toBe(before);
  expect(await page.evaluate(() => localStorage.getItem('stolen'))).toBeNull();
  expect((await page.evaluate(() => indexedDB.databases())).map((found) => found.name)).not.toContain('stolen');
});

test(
  'a program that touches gigabytes is ended in both languages, and the page stays usable',
  { tag: '@wide-en-light' },
  async ({ page }) => {
    test.setTimeout(240_000);
    await open(page, '/see/own');
    const script = (work: string) => `function pick(board, me) {\n  const all = [];\n  for (;;) ${work}\n}\n`;
    const python = (work: string) => `def pick(board, me):\n    everything = []\n    while True:\n        ${work}\n`;
    for (const [name, code, words] of [
      ['program.js', script('all.push(new Float64Array(4e6).fill(1));'), ['out of memory', 'stopped']],
      ['program.js', script('all.push(new Uint8Array(1000).fill(1));'), ['out of memory', 'stopped']],
      // What the heap holds: the browser ends the worker, or the time is up.
      ['program.js', script('all.push(Array.from({ length: 1000 }, (_, i) => ({ i })));'), ['stopped', 'out of memory', 'worker']],
      ['program.py', python('everything.append(bytearray(b"x") * 50_000_000)'), ['MemoryError', 'stopped']],
      ['program.py', python('everything.append([str(i) for i in range(10_000)])'), ['MemoryError', 'stopped']],
    ] as const) {
      await write(page, code, name);
      await page.click(id('own-move'));
      // The page answers while the program takes what it can get.
      const answered = await page.evaluate(async () => {
        const began = performance.now();
        for (let i = 0; i < 10; i++) await new Promise((done) => setTimeout(done));
        return performance.now() - began;
      });
      expect(answered, code).toBeLessThan(5000);
      await until('an answer', async () => !(await page.locator(id('own-move')).isDisabled()), 90_000);
      const said = await text(page, 'own-trouble');
      expect(
        words.some((word) => said.includes(word)),
        `${code}\n${said}`,
      ).toBe(true);
      // The next program runs as if nothing had been.
      await page.click(id(name.endsWith('.py') ? 'own-python' : 'own-javascript'));
      await page.click(id('own-pick'));
      await page.click(id('own-move'));
      await page.locator(id('own-picked')).waitFor({ timeout: 90_000 });
    }
    await page.click(id('own-evaluate'));
    await page.click(id('own-watch'));
    await page.locator(id('see-tree')).waitFor({ timeout: 90_000 });
  },
);

test('a program of the page is handed in to a class with one click', { tag: '@wide-en-light' }, async ({ page, server }) => {
  test.setTimeout(240_000);
  const { keys } = course(server, 'own-program');
  await open(page, '/see/own');
  await expect(page.locator(id('own-hand-in'))).toHaveCount(0);
  await enter(page, 'own-program', '1001', keys['1001'] ?? '');
  for (const language of ['javascript', 'python']) {
    await open(page, '/see/own');
    await page.click(id(`own-${language}`));
    await page.click(id(language === 'python' ? 'own-evaluate' : 'own-pick'));
    await page.click(id('own-hand-in'));
    await expect(page.locator(id('verdict-word'))).toHaveText('accepted', { timeout: 100_000 });
  }
  await shot(page, 'own-handed-in');
  await sound(page);
  await open(page, '/class/own-program');
  await expect(page.locator(id('class-version'))).toHaveCount(2);
});
