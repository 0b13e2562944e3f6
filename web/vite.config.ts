import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

// `npm run dev` expects a server started with `tengen serve`. The mode `player` builds the one script and style sheet
// that `tengen explain --out FILE.html` puts into a page with a record. The mode `site` builds the app without a server,
// for `--base /path/` of any host.

/** Addresses of the app in markup begin with `/`; under another base they begin there, so that links stay links. */
const rebase = (base: string): Plugin => ({
  name: 'rebase',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('.svelte')) return undefined;
    const literal = code.replace(/(href|src)=("|\{`)\//g, `$1=$2${base}`);
    return literal.replace(/(<a\b[^>]*? href=)\{([^`}]+)\}/g, `$1{'${base.slice(0, -1)}' + ($2)}`);
  },
});

const base = process.env['BASE'] ?? '/';

export default defineConfig(({ mode }) => ({
  plugins: [...(base === '/' ? [] : [rebase(base)]), svelte()],
  base,
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
