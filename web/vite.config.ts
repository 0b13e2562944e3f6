import { svelte } from '@sveltejs/vite-plugin-svelte';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const pyodide = new URL('node_modules/pyodide/', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('package.json', pyodide), 'utf8')) as { version: string };

/** Python for the page where students write code: the core files of Pyodide, compressed, fetched only when needed. */
const python = {
  name: 'pyodide',
  apply: 'build' as const,
  generateBundle(this: { emitFile(file: { type: 'asset'; fileName: string; source: Uint8Array }): string }) {
    for (const file of ['pyodide.mjs', 'pyodide.asm.mjs', 'pyodide.asm.wasm', 'python_stdlib.zip', 'pyodide-lock.json']) {
      // The lock file lists packages that are not served here; only its first part is needed.
      const data = readFileSync(new URL(file, pyodide));
      const source = file.endsWith('.json') ? Buffer.from(JSON.stringify({ ...JSON.parse(data.toString()), packages: {} })) : data;
      this.emitFile({ type: 'asset', fileName: `assets/pyodide-${version}/${file}.gz`, source: gzipSync(source, { level: 9 }) });
    }
  },
};

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
  plugins: [...(base === '/' ? [] : [rebase(base)]), svelte(), ...(mode === 'player' ? [] : [python])],
  base,
  define: { PYODIDE: JSON.stringify(`${base}assets/pyodide-${version}/`) },
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
