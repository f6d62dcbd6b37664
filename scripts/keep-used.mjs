/**
 * Takes out of the packages of a release, or of an image, what no lane runs: packages that only building and types need, and of the
 * others all but code, its data and its licences. Of a package that is in the bundle whole its description stays, which the bill of
 * materials is made of.
 *
 *   node keep-used.mjs ROOT ARCH [USED]   ROOT: with node_modules; USED: a file of what bundle-code.mjs has printed; without it all is run
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const [root = '', arch = '', file] = process.argv.slice(2);
const MODULES = join(root, 'node_modules');
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/**
 * Files that are read where they lie. The viewer of the calls and the reader of barcodes bring many builds. The loader of LiteRT takes one with
 * threads or promises only where an option asks for it (litert.ts asks for none), and `compat` for processors without SIMD that
 * WebAssembly can use: no arm64, and no PC since 2008.
 */
const READ = {
  'swagger-ui-dist': /^(?:swagger-ui-bundle\.js|swagger-ui\.css|favicon-32x32\.png)$/,
  'zxing-wasm': /^dist\/(?:es\/reader\/index\.js|es\/share\.js|reader\/zxing_reader\.wasm)$/,
  '@litertjs/core': /^(?:dist\/.*\.js|wasm\/litert_wasm_internal\.(?:js|wasm))$/,
};
/** For building, types and counting alone; without usocket the D-Bus client takes Node's own sockets. */
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
/** Says which parts of others are in a package, and under which licence, where no other file does. */
const README = /^readme\.md$/i;
const isWithoutLicence = (folder) => !readdirSync(folder).some((name) => name !== 'package.json' && LICENCE.test(name));
/** At the top of a package; below it may call its code what it likes. */
const ASIDE = /^(?:tests?|docs?|examples?|benchmarks?|\.github|\.husky)\//;
const FOREIGN = new RegExp(`(?:^|/)prebuilds/(?!linux-${arch}/)|musl[^/]*\\.node$`);

/** The folder of a package as another one finds it; null where it is not there. */
function folderOf(name, from) {
  for (let place = from; ; place = dirname(place)) {
    const folder = join(place, 'node_modules', name);
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (place === root) return null;
  }
}

/** What the packages of these names need to run, themselves with it. */
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
  const own = relative(join(MODULES, name), path);
  const isCode = running.has(join(MODULES, name)) && CODE.test(own) && !ASIDE.test(own) && !FOREIGN.test(own);
  const isText = LICENCE.test(own) || (README.test(own) && isWithoutLicence(dirname(path)));
  const isKept = isText
    ? running.has(join(MODULES, name)) || described.has(`node_modules/${name}`)
    : (READ[name]?.test(own) ?? isCode);
  if (!isKept) rmSync(path);
}
