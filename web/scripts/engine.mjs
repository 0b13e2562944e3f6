// `node scripts/engine.mjs RELAXED SIMD`: puts the engines in the page into dist/.
//
// RELAXED and SIMD are folders with a build of crates/wasm and its bindings, with and without relaxed SIMD. Each is
// optimised by binaryen and copied into a folder named after its content, which browsers keep for good; engine.json
// says where everything is, and by which hash it is checked.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

const web = resolve(import.meta.dirname, '..');
const dist = join(web, 'dist');
const [relaxed, simd] = process.argv.slice(2);
if (!relaxed || !simd) throw new Error('usage: node scripts/engine.mjs RELAXED SIMD');

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const FEATURES = [
  'simd',
  'relaxed-simd',
  'bulk-memory',
  'nontrapping-float-to-int',
  'sign-ext',
  'mutable-globals',
  'reference-types',
  'multivalue',
];

/** What a module may have, compressed as hosts send it. */
const LARGEST = 1_500_000;

/** The optimised module, made again only if the module changed. */
function optimised(folder) {
  const [from, to] = [join(folder, 'tengen_wasm_bg.wasm'), join(folder, 'optimised.wasm')];
  const time = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (time(to) < time(from)) {
    const flags = FEATURES.map((feature) => `--enable-${feature}`);
    execFileSync(process.execPath, [join(web, 'node_modules/binaryen/bin/wasm-opt'), '-O3', ...flags, from, '-o', to], {
      stdio: 'inherit',
    });
  }
  return readFileSync(to);
}

/** Writes files into a folder of dist/assets that is named after them; the folder's address. */
function place(name, files) {
  const hash = sha256(Buffer.concat(files.map(([, bytes]) => bytes))).slice(0, 16);
  const folder = `assets/${name}-${hash}/`;
  mkdirSync(join(dist, folder), { recursive: true });
  for (const [file, bytes] of files) writeFileSync(join(dist, folder, file), bytes);
  return folder;
}

for (const old of readdirSync(join(dist, 'assets'))) {
  if (/^(engine|network)-/.test(old)) rmSync(join(dist, 'assets', old), { recursive: true });
}
const entry = (name, built) => {
  const module = optimised(built);
  const compressed = gzipSync(module, { level: 9 }).length;
  if (compressed > LARGEST) throw new Error(`engine-${name} has ${compressed} bytes compressed; at most ${LARGEST} are accepted`);
  const folder = place(`engine-${name}`, [
    ['engine.wasm', module],
    ['engine.js', readFileSync(join(built, 'tengen_wasm.js'))],
  ]);
  return { path: `${folder}engine.wasm`, script: `${folder}engine.js`, sha256: sha256(module), bytes: module.length };
};
/** A network: fetched by the page when its game is played, not part of the module. */
const network = (game, file) => {
  const bytes = readFileSync(join(web, '../data', game, file));
  return { path: `${place(`network-${game}`, [['network.bin', bytes]])}network.bin`, sha256: sha256(bytes), bytes: bytes.length };
};
const description = {
  relaxed: entry('relaxed', relaxed),
  simd: entry('simd', simd),
  networks: { gomoku: network('gomoku', 'freestyle.net'), hex: network('hex', 'network.bin') },
};
writeFileSync(join(dist, 'engine.json'), `${JSON.stringify(description, null, 2)}\n`);
