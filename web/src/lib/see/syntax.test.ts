import { expect, test } from 'vitest';
import { programs } from './programs';
import { syntaxLine } from './syntax';

test('the first error of a JavaScript program is found at its line', () => {
  for (const [code, line] of [
    ['function pick(board, me) {\n  return [0, 0];\n}\n', 0],
    ['function pick(board, me) {\n  return 1 +;\n}\n', 2],
    ['const a = 1;\nconst = 2;\nconst = 3;\n', 2],
    ['function pick(board, me) {\n  return [0, 0];\n\n\n', 2],
    ['', 0],
  ] as const)
    expect(syntaxLine(code), code).toBe(line);
  for (const code of Object.values(programs.javascript)) expect(syntaxLine(code)).toBe(0);
});
