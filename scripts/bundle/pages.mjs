/**
 * What browsers load of the pages of a release: for each document one script, one style sheet, and a script for each part that is
 * imported late. Their addresses have a digest of it all, so that a browser may keep them for ever. A clone serves the sources as they are.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** As `firmware/console/page-files.ts` has them. */
const FOLDER = 'firmware/console/pages';
const ASSETS = '/console/assets/';
/** Makes modules that are in no folder. */
const MAKER = 'firmware/device/composition/made-modules.ts';
const SAMPLES = 'clients/samples';
const PACKAGES = {
  [`${ASSETS}preact.js`]: 'node_modules/htm/preact/standalone.module.js',
  [`${ASSETS}qr.js`]: 'node_modules/qr/index.js',
};

const STYLES = new RegExp(`(?:\\s*<link rel="stylesheet" href="${ASSETS}[^"]+">)+`);
const NAMED = new RegExp(`"${ASSETS}([^"]+)"`, 'g');

const namedIn = (html) => [...html.matchAll(NAMED)].map(([, name]) => name);

/** The records of features name what they load late: none of it is needed here. */
const notLate = {
  name: 'not-late',
  setup({ onResolve }) {
    onResolve({ filter: /./ }, ({ kind, path }) => (kind === 'dynamic-import' ? { path, external: true } : null));
  },
};

/** The modules that the pages of a clone get from the device: each text by its place. */
async function madeModules(root, build) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [join(root, MAKER)],
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'warning',
    plugins: [notLate],
  });
  const { MADE_MODULES } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  return new Map([...MADE_MODULES].map(([name, make]) => [join(root, FOLDER, name), make()]));
}

/**
 * @param root of a clone, or of a release that is being made @param esbuild its `build` and `transform`
 * @returns digest of all, and texts by their names, as `console.html` or `console.js`
 */
export async function makePages(root, { build, transform }) {
  const files = new Map();
  const made = await madeModules(root, build);
  const textOf = (name) => readFileSync(join(root, FOLDER, name), 'utf8');

  async function addScript(name) {
    const { outputFiles } = await build({
      absWorkingDir: root,
      entryPoints: [join(root, FOLDER, name)],
      outdir: '/',
      write: false,
      bundle: true,
      splitting: true,
      format: 'esm',
      minify: true,
      charset: 'utf8',
      legalComments: 'none',
      logLevel: 'warning',
      plugins: [
        {
          name: 'packages',
          setup: ({ onResolve }) =>
            onResolve({ filter: new RegExp(`^${ASSETS}`) }, ({ path }) => ({ path: join(root, PACKAGES[path]) })),
        },
        {
          name: 'made',
          setup({ onResolve, onLoad }) {
            onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
              const place = resolve(resolveDir, path);
              // esbuild names what it makes after this path: the same wherever the clone lies
              return made.has(place) ? { path: relative(root, place), namespace: 'made' } : null;
            });
            onLoad({ filter: /./, namespace: 'made' }, ({ path }) => ({
              contents: made.get(join(root, path)),
              resolveDir: dirname(join(root, path)),
            }));
          },
        },
      ],
    });
    for (const { path, text } of outputFiles) files.set(path.slice(1), text);
  }

  for (const document of readdirSync(join(root, FOLDER)).filter((name) => name.endsWith('.html'))) {
    const styles = document.replace('.html', '.css');
    const source = textOf(document);
    const html = source.replace(STYLES, `\n    <link rel="stylesheet" href="${ASSETS}${styles}">`);
    const sheets = namedIn(source).filter((name) => name.endsWith('.css'));
    files.set(document, html);
    files.set(styles, (await transform(sheets.map(textOf).join(''), { loader: 'css', minify: true })).code);
    for (const name of namedIn(html).filter((each) => !files.has(each)))
      if (name.endsWith('.js')) await addScript(name);
      else files.set(name, textOf(name));
  }
  for (const name of readdirSync(join(root, SAMPLES)))
    files.set(`samples/${name}`, readFileSync(join(root, SAMPLES, name), 'utf8'));
  return named(files);
}

function named(files) {
  const sum = createHash('sha256');
  for (const [name, text] of [...files].sort(([one], [other]) => (one < other ? -1 : 1)))
    sum.update(`${name}\0${text}\0`);
  const digest = sum.digest('hex').slice(0, 16);
  const own = ([name, text]) => [name, text.replaceAll(ASSETS, `${ASSETS}${digest}/`)];
  return { digest, files: new Map([...files].map(own)) };
}
