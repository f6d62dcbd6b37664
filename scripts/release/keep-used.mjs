/**
 * Removes from a release's or image's packages what no lane runs: packages only for building and types, and of the
 * others everything but code, data and licences. Of a wholly bundled package the description stays, because the bill of
 * materials is made from it.
 *
 *   node keep-used.mjs ROOT ARCH [USED]   ROOT: with node_modules; USED: a file of what bundle-code.mjs has printed; without it all is run
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const [root = '', arch = '', file] = process.argv.slice(2);
const MODULES = join(root, 'node_modules');
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/**
 * Files that are read at run time. The viewer of the calls and the reader of barcodes bring many builds. LiteRT's
 * loader takes builds with threads or promises only by an option that litert.ts does not set, and `compat` only on
 * processors without SIMD for WebAssembly: no arm64, and no PC since 2008.
 */
const READ = {
  'swagger-ui-dist': /^(?:swagger-ui-bundle\.js|swagger-ui\.css|favicon-32x32\.png)$/,
  'zxing-wasm': /^dist\/(?:es\/reader\/index\.js|es\/share\.js|reader\/zxing_reader\.wasm)$/,
  '@litertjs/core': /^(?:dist\/.*\.js|wasm\/litert_wasm_internal\.(?:js|wasm))$/,
};
/** Packages only for building, types and counting; without usocket the D-Bus client takes Node's own sockets. */
const UNRUN = new Set([
  'usocket',
  'nan',
  'node-addon-api',
  '@scarf/scarf',
  'type-fest',
  'tagged-tag',
  '@types/emscripten',
]);
const CODE = /\.(?:[cm]?js|json|node|wasm|so(?:\.[\d.]+)?)$/;
const LICENCE = /(?:^|\/)(?:package\.json|[^/]*(?:licen[cs]e|copying|notice)[^/]*)$/i;
/** Read-me files, which stay where no other file states the licence and foreign parts of a package. */
const README = /^readme\.md$/i;
const isWithoutLicence = (folder) => !readdirSync(folder).some((name) => name !== 'package.json' && LICENCE.test(name));
/** Folders at the top of a package that are removed; deeper folders of these names may hold code. */
const ASIDE = /^(?:tests?|docs?|examples?|benchmarks?|\.github|\.husky)\//;
const FOREIGN = new RegExp(`(?:^|/)prebuilds/(?!linux-${arch}/)|musl[^/]*\\.node$`);

/** The folder that an import of the package finds; null where it is missing. */
function folderOf(name, from) {
  for (let place = from; ; place = dirname(place)) {
    const folder = join(place, 'node_modules', name);
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (place === root) return null;
  }
}

/** The named packages and all that they need to run. */
function run(names) {
  const found = new Set();
  const add = (name, from) => {
    const folder = UNRUN.has(name) ? null : folderOf(name, from);
    if (folder === null || found.has(folder)) return;
    found.add(folder);
    const { dependencies, optionalDependencies, peerDependencies } = readJson(join(folder, 'package.json'));
    for (const each of Object.keys({ ...peerDependencies, ...optionalDependencies, ...dependencies }))
      add(each, folder);
  };
  for (const name of names) add(name, root);
  return found;
}

const { dependencies, optionalDependencies } = readJson(join(root, 'package.json'));
const all = Object.keys({ ...dependencies, ...optionalDependencies });
const { outside, bundled } = file === undefined ? { outside: all, bundled: [] } : readJson(file);
const running = run(outside);
const described = new Set([...bundled, ...Object.keys(READ).map((name) => `node_modules/${name}`)]);

const PACKAGE = /^(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+(?=\/)/;
for (const entry of readdirSync(MODULES, { recursive: true, withFileTypes: true })) {
  if (entry.isDirectory()) continue;
  const path = join(entry.parentPath ?? entry.path, entry.name);
  const [name = ''] = PACKAGE.exec(relative(MODULES, path)) ?? [];
  const inside = relative(join(MODULES, name), path);
  const isCode = running.has(join(MODULES, name)) && CODE.test(inside) && !ASIDE.test(inside) && !FOREIGN.test(inside);
  const isText = LICENCE.test(inside) || (README.test(inside) && isWithoutLicence(dirname(path)));
  const isKept = isText
    ? running.has(join(MODULES, name)) || described.has(`node_modules/${name}`)
    : (READ[name]?.test(inside) ?? isCode);
  if (!isKept) rmSync(path);
}
