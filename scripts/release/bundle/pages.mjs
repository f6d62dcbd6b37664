/**
 * What browsers load of the pages of a release: for each document one script, one style sheet, and a script for each part that is
 * imported late. Their addresses have a digest of it all, so that browsers cache them for ever. A clone serves the sources as they are.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ASSETS, composePages, PACKAGES } from '../../../firmware/console/composed.js';

const DOCUMENTS = 'console/pages';
/** What the pages are composed with, beside their own files. */
const DATA = 'firmware/console/page-data.ts';
const SAMPLES = 'clients/samples';

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

/** The modules that are in no folder. */
async function composedOf(root, build) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [join(root, DATA)],
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'warning',
    plugins: [notLate],
  });
  const { PAGE_DATA } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  return composePages(root, PAGE_DATA);
}

/**
 * @param root of a clone, or of a release that is being made @param esbuild its `build` and `transform`
 * @returns digest of all, and texts by their names, as `console/pages/console.html` or `words/en.js`
 */
export async function makePages(root, { build, transform }) {
  const files = new Map();
  const composed = await composedOf(root, build);
  const textOf = (name) => composed.get(name) ?? readFileSync(join(root, 'firmware', name), 'utf8');
  const placeOf = (name) => join(root, PACKAGES[name] ?? `firmware/${name}`);
  const ownNames = {
    name: 'names of the pages',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: new RegExp(`^${ASSETS}`) }, ({ path }) => {
        const name = path.slice(ASSETS.length);
        return composed.has(name) ? { path: name, namespace: 'composed' } : { path: placeOf(name) };
      });
      onLoad({ filter: /./, namespace: 'composed' }, ({ path }) => ({
        contents: composed.get(path),
        resolveDir: root,
      }));
    },
  };

  /** @param from the first module of the script @param name the script's name in its address */
  async function addScript(from, name) {
    const { outputFiles } = await build({
      absWorkingDir: root,
      entryPoints: [{ in: from, out: name.replace(/\.js$/, '') }],
      outdir: '/',
      write: false,
      bundle: true,
      splitting: true,
      format: 'esm',
      minify: true,
      charset: 'utf8',
      legalComments: 'none',
      logLevel: 'warning',
      plugins: [ownNames],
    });
    for (const { path, text } of outputFiles) files.set(path.slice(1), text);
  }

  for (const name of [...composed.keys()].filter((each) => each.startsWith('words/')))
    await addScript(`${ASSETS}${name}`, name);
  for (const document of readdirSync(join(root, 'firmware', DOCUMENTS)).filter((name) => name.endsWith('.html'))) {
    const styles = document.replace('.html', '.css');
    const source = textOf(`${DOCUMENTS}/${document}`);
    const html = source.replace(STYLES, `\n    <link rel="stylesheet" href="${ASSETS}${styles}">`);
    const sheets = namedIn(source).filter((name) => name.endsWith('.css'));
    files.set(`${DOCUMENTS}/${document}`, html);
    files.set(styles, (await transform(sheets.map(textOf).join(''), { loader: 'css', minify: true })).code);
    for (const name of namedIn(html).filter((each) => !files.has(each)))
      if (name.endsWith('.js')) await addScript(placeOf(name), name);
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
  const addressed = ([name, text]) => [name, text.replaceAll(ASSETS, `${ASSETS}${digest}/`)];
  return { digest, files: new Map([...files].map(addressed)) };
}
