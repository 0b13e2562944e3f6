// `node scripts/site.mjs FOLDER [BASE]`: writes the app without a server into FOLDER, for any host of static files.
// Needs the engines in dist/ (scripts/engine.mjs).
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const web = resolve(import.meta.dirname, '..');
const [folder, base = '/'] = process.argv.slice(2);
if (!folder || !/^\/([\w.~-]+\/)*$/.test(base)) throw new Error('usage: node scripts/site.mjs FOLDER [/BASE/]');
const out = resolve(folder);
// Only a site of ours is replaced: the folder may hold something else.
if (existsSync(out) && readdirSync(out).length && !existsSync(join(out, 'engine.json'))) {
  throw new Error(`${out} is not empty and holds no site of ours`);
}
rmSync(out, { recursive: true, force: true });
execFileSync(process.execPath, [join(web, 'node_modules/vite/bin/vite.js'), 'build', '--mode', 'site', '--outDir', out, '--emptyOutDir'], {
  cwd: web,
  env: { ...process.env, BASE: base },
  stdio: 'inherit',
});

const dist = join(web, 'dist');
cpSync(join(dist, 'engine.json'), join(out, 'engine.json'));
const description = JSON.parse(readFileSync(join(dist, 'engine.json'), 'utf8'));
for (const { path } of Object.values(description)) {
  cpSync(join(dist, dirname(path)), join(out, dirname(path)), { recursive: true });
}

// Hosts of files know no routes: pages without parameters get a file, and 404.html serves the others.
const page = readFileSync(join(out, 'index.html'));
const routes = [...readFileSync(join(web, 'src/App.svelte'), 'utf8').matchAll(/\['\/([\w/]+)', '/g)].map((found) => found[1]);
for (const route of routes) {
  mkdirSync(join(out, route), { recursive: true });
  writeFileSync(join(out, route, 'index.html'), page);
}
writeFileSync(join(out, '404.html'), page);
cpSync(join(dist, 'guide'), join(out, 'guide'), { recursive: true });

const manifest = {
  name: 'Tengen',
  short_name: 'Tengen',
  description: 'Play, analyse and watch game-tree and path search: Gomoku, Hex and mazes.',
  start_url: base,
  scope: base,
  display: 'standalone',
  background_color: '#f4efe4',
  theme_color: '#f4efe4',
  icons: [{ src: `${base}icon.svg`, sizes: 'any', type: 'image/svg+xml', purpose: 'any maskable' }],
};
writeFileSync(join(out, 'manifest.webmanifest'), `${JSON.stringify(manifest, null, 2)}\n`);

/** What the service worker keeps. The page itself keeps the modules and the network, of which a browser needs one each. */
const list = (at) =>
  readdirSync(at, { withFileTypes: true }).flatMap((e) => (e.isDirectory() ? list(join(at, e.name)) : [join(at, e.name)]));
const files = list(out).filter(
  (file) =>
    !/\.(wasm|bin)$|404\.html$/.test(file) &&
    !relative(out, file).startsWith('guide') &&
    (file === join(out, 'index.html') || !file.endsWith('index.html')),
);
const hash = createHash('sha256');
for (const file of files.sort()) hash.update(readFileSync(file));
const worker = readFileSync(join(web, 'scripts/sw.js'), 'utf8');
// The policy that our server sends with a student's program, here sent by the service worker.
const headers = readFileSync(join(web, '../crates/server/src/security/headers.rs'), 'utf8');
const policy = /const STUDENT: &str = "([^"\\]+)";/.exec(headers)?.[1];
if (!policy) throw new Error('no policy for student programs in headers.rs');
const filled = `const STUDENT_POLICY = ${JSON.stringify(policy)};\nconst VERSION = '${hash.digest('hex').slice(0, 16)}';\nconst FILES = ${JSON.stringify(files.map((file) => relative(out, file)))};\n`;
writeFileSync(join(out, 'sw.js'), filled + worker);
console.log(`the site is in ${out}`);
