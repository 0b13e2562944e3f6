// Says which browser tests passed only at their second try: after the run, and in the file that TRIED_TWICE names, from which
// `cargo xtask test` repeats them at its end.
import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase } from '@playwright/test/reporter';

/** What this needs of a run. */
export interface Run {
  allTests(): Pick<TestCase, 'outcome' | 'titlePath' | 'results'>[];
}

/** Names of the tests that failed and then passed. */
export const triedTwice = (run: Run): string[] =>
  run
    .allTests()
    .filter((test) => test.outcome() === 'flaky')
    .map((test) => test.titlePath().filter(Boolean).join(' › '));

export default class Retries implements Reporter {
  #run: Run | null = null;

  onBegin(_config: unknown, run: Run) {
    this.#run = run;
  }

  onEnd() {
    if (!this.#run) return;
    const names = triedTwice(this.#run);
    const retries = this.#run.allTests().reduce((sum, { results }) => sum + Math.max(0, results.length - 1), 0);
    console.log(
      [`${retries} retries; ${names.length} tests passed only at their second try`, ...names.map((name) => `  ${name}`)].join('\n'),
    );
    const file = process.env['TRIED_TWICE'];
    if (file) writeFileSync(file, names.map((name) => `${name}\n`).join(''));
  }

  printsToStdio() {
    return false;
  }
}
