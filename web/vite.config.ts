import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// `npm run dev` expects a server started with `tengen serve`. The mode `player` builds the one script and style sheet
// that `tengen explain --out FILE.html` puts into a page with a record.
export default defineConfig(({ mode }) => ({
  plugins: [svelte()],
  ...(mode === 'player' ? { publicDir: false as const } : {}),
  build:
    mode === 'player'
      ? {
          target: 'es2022',
          outDir: 'dist/player',
          lib: { entry: 'src/player.ts', formats: ['iife' as const], name: 'player', fileName: () => 'player.js', cssFileName: 'player' },
        }
      : { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  worker: { format: 'es' },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:7878', ws: true } } },
  test: { include: ['src/**/*.test.ts'] },
}));
