// Browser tests in the system's Chromium against `tengen serve`; each worker starts a server of its own.
import { defineConfig } from '@playwright/test';
import { variants, type Options } from './tests/browser/fixtures';

export default defineConfig<Options>({
  testDir: 'tests/browser',
  outputDir: 'test-results',
  timeout: 120_000,
  expect: { timeout: 20_000 },
  workers: 2,
  fullyParallel: true,
  forbidOnly: !!process.env['CI'],
  // A test that passes only at its second try is named at the end, by `retries.ts`.
  retries: 1,
  reporter: [['list', { printSteps: false }], ['./tests/browser/retries.ts']],
  use: {
    actionTimeout: 20_000,
    navigationTimeout: 20_000,
    trace: 'retain-on-failure',
    permissions: ['clipboard-read', 'clipboard-write'],
    launchOptions: {
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      args: [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  // A test without a tag runs in every variant, one with a tag only in the variants it names.
  projects: variants.map((variant) => ({
    name: variant.name,
    grep: new RegExp(`^(?!.* @)|@${variant.name}`),
    use: {
      variant,
      viewport: { width: variant.width, height: variant.height },
      locale: variant.language === 'zh' ? 'zh-CN' : 'en-US',
      colorScheme: variant.theme,
      hasTouch: variant.width < 500,
    },
  })),
});
