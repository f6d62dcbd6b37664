/**
 * Bundles the code that a lane runs from a release: the process, its worker threads, its trial, lanectl, and the pages
 * in the form for browsers. Sources stay the original: `npm start` and the tests run from them, stacks and source maps
 * of a bundle name them, and data files are read where they lie among them. Packages with native parts stay outside,
 * and late imports stay separate files. Runs on the host's own Node, because bundle.sh does.
 *
 *   node scripts/release/bundle-code.mjs ROOT FOLDER [MODULES]   ROOT: a clone, or a release that is being made; FOLDER: in ROOT, or
 *                                                        `bundle` in a folder that has what ROOT has; MODULES: where esbuild is.
 *                                                        It prints for keep-used.mjs which packages are in the bundle, and which
 *                                                        it loads
 */
import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { makePages } from './bundle/pages.mjs';

const [root, folder, modules] = process.argv.slice(2);
if (root === undefined || folder === undefined) throw new Error('which root, and into which folder?');
const ROOT = realpathSync(root);
/** The bundle's place in a release: paths to other files start from there. */
const PLACE = resolve(folder).startsWith(ROOT + sep) ? resolve(folder) : join(ROOT, 'bundle');
const esbuild = createRequire(join(modules ?? join(ROOT, 'node_modules'), 'x.js'))('esbuild');
const { build } = esbuild;

/** Packages with native parts, or that look for files beside themselves. */
const OUTSIDE = ['sharp', 'serialport', '@serialport/*', 'onoff', 'node-ble'];
const PROCESS = join(ROOT, 'firmware/main.ts');
const LANECTL = join(ROOT, 'firmware/lanectl/main.ts');
const TRIAL = join(ROOT, 'firmware/tools/trial/main.ts');
const TRACES = 'bundle/traces';
const TRACES_FILE = fileURLToPath(new URL(`./${TRACES}.ts`, import.meta.url));

/** Text before each file: CommonJS packages require Node's own modules, and modules ask for their own folder. */
const BANNER = [
  "import { createRequire as requireOfBundle } from 'node:module';",
  "import { fileURLToPath as pathOfBundled } from 'node:url';",
  'const require = requireOfBundle(import.meta.url);',
].join(' ');

/** Files that run as a worker thread or a child process. */
const STARTED = /new URL\('(\.[^']*\.ts)', import\.meta\.url\)/g;
/** The simulated lane, which is not part of a release. */
const LEFT_AT_HOME = join(ROOT, 'firmware/tools/sim/');

/** Packages that only pages use (`bundle/pages.mjs`). */
const IN_PAGES = ['node_modules/htm', 'node_modules/preact', 'node_modules/qr'];
const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const bundled = new Set(IN_PAGES);
const outside = new Set();

const sourcesIn = (name) =>
  readdirSync(join(ROOT, name), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(ROOT, name, file));

const startedBy = (file) =>
  [...readFileSync(file, 'utf8').matchAll(STARTED)].map(([, path]) => resolve(dirname(file), path));

const started = [...new Set([...sourcesIn('firmware'), ...sourcesIn('drivers')].flatMap(startedBy))].filter(
  (file) => !file.startsWith(LEFT_AT_HOME),
);

/** Names of the files in the bundle, which has no folders. */
const names = new Map([
  [PROCESS, 'main'],
  [LANECTL, 'lanectl'],
  [TRIAL, 'trial'],
  ...started.map((file) => [file, relative(ROOT, file).replace(/\.ts$/, '').replaceAll('/', '-')]),
]);

/** A module's text in which its own path replaces `import.meta`: once bundled, that would give the bundle's path. */
function atItsPlace(file) {
  const own = JSON.stringify(relative(PLACE, file));
  const folderOf = JSON.stringify(relative(PLACE, dirname(file)));
  const first = names.has(file) ? `import '${TRACES}'; ` : '';
  return (first + readFileSync(file, 'utf8'))
    .replaceAll(STARTED, (all, path) => {
      const name = names.get(resolve(dirname(file), path));
      return name === undefined ? all : `new URL('./${name}.js', import.meta["url"])`;
    })
    .replaceAll('import.meta.url', `new URL(${own}, import.meta["url"]).href`)
    .replaceAll('import.meta.dirname', `pathOfBundled(new URL(${folderOf}, import.meta["url"]))`);
}

const plugin = {
  name: 'laneware',
  setup({ onLoad, onResolve }) {
    // read at run time, because it holds the version
    onResolve({ filter: /\/package\.json$/ }, ({ importer }) =>
      importer.startsWith(join(ROOT, 'node_modules'))
        ? null
        : { path: relative(PLACE, join(ROOT, 'package.json')), external: true },
    );
    // the file is the builder's; its name must not depend on the machine
    onResolve({ filter: new RegExp(`^${TRACES}$`) }, () => ({ path: TRACES, namespace: 'laneware' }));
    onLoad({ filter: /./, namespace: 'laneware' }, () => ({
      contents: readFileSync(TRACES_FILE, 'utf8'),
      loader: 'ts',
    }));
    onLoad({ filter: /\.ts$/ }, ({ path }) =>
      path.startsWith(join(ROOT, 'node_modules')) ? null : { contents: atItsPlace(path), loader: 'ts' },
    );
  },
};

async function bundle(files) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: Object.fromEntries(files.map((file) => [names.get(file), file])),
    outdir: PLACE,
    write: false,
    bundle: true,
    splitting: true,
    chunkNames: `${names.get(files[0])}-[hash]`,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    external: OUTSIDE,
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    metafile: true,
    sourcemap: true,
    sourcesContent: false,
    legalComments: 'none',
    plugins: [plugin],
    banner: { js: BANNER },
    logLevel: 'warning',
  });
  refuseLateCommonJs(metafile);
  for (const { path, contents } of outputFiles) writeFileSync(join(folder, basename(path)), contents);
  for (const path of Object.keys(metafile.inputs)) for (const name of PACKAGE.exec(path) ?? []) bundled.add(name);
  const imports = Object.values(metafile.outputs).flatMap((each) => each.imports);
  for (const { path, external } of imports) if (external) outside.add(path);
}

/**
 * Refuses late imports of CommonJS packages: bundled, they have no named exports, so a module of ours must lie between.
 */
function refuseLateCommonJs({ inputs }) {
  for (const [file, { imports }] of Object.entries(inputs))
    for (const { path, kind, external } of imports)
      if (kind === 'dynamic-import' && !external && inputs[path]?.format === 'cjs')
        throw new Error(
          `${file} imports ${path} late, which is CommonJS: import it through a module, as drivers/lib/nats.ts`,
        );
}

/** Writes the pages to where `firmware/console/page-files.ts` looks for them. */
async function keepPages() {
  const { digest, files } = await makePages(ROOT, esbuild);
  const place = join(folder, 'made-pages');
  const keep = (name, content) => {
    mkdirSync(dirname(join(place, name)), { recursive: true });
    writeFileSync(join(place, name), content);
  };
  keep('digest', digest);
  for (const [name, text] of files) {
    keep(`${name}.br`, brotliCompressSync(text));
    keep(`${name}.gzip`, gzipSync(text, { level: 9 }));
  }
}

mkdirSync(folder, { recursive: true });
await keepPages();
await bundle([PROCESS, TRIAL, ...started]);
await bundle([LANECTL]);
process.stdout.write(JSON.stringify({ bundled: [...bundled], outside: [...outside] }));
