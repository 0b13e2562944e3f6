import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import Retries, { type Run } from '../tests/browser/retries';

const run = (...tests: [name: string, outcome: string, tries: number][]) =>
  ({
    allTests: () =>
      tests.map(([name, outcome, tries]) => ({
        outcome: () => outcome,
        titlePath: () => ['', 'wide-en-light', 'own.spec.ts', name],
        results: Array.from({ length: tries }, () => ({})),
      })),
  }) as unknown as Run;

test('a test that passes only at its second try is named, in the output and in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tengen-retries-'));
  const file = join(folder, 'tried-twice');
  vi.stubEnv('TRIED_TWICE', file);
  const said: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((text: string) => void said.push(text));
  const retries = new Retries();
  retries.onBegin({}, run(['steady', 'expected', 1], ['shaky', 'flaky', 2], ['broken', 'unexpected', 2]));
  retries.onEnd();
  expect(said.join('\n')).toContain('2 retries; 1 tests passed only at their second try');
  expect(readFileSync(file, 'utf8')).toBe('wide-en-light › own.spec.ts › shaky\n');
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});
