/**
 * Finds the files of the pages, named by their paths below `firmware/`, and composes further ones: words, features,
 * limits, remedies. Plain JavaScript, because the Node that builds a release may be too old to strip types.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ASSETS = '/console/assets/';
/** Modules of packages that pages load, by the names under which they are served. */
export const PACKAGES = {
  'preact.js': 'node_modules/htm/preact/standalone.module.js',
  'qr.js': 'node_modules/qr/index.js',
};
/**
 * Names that a browser may load: files in folders of pages, and nothing else below `firmware/`. No such name leads out
 * of its folder.
 */
const PAGE_FILE = /^(?:[\w-]+\/pages|features\/[\w-]+\/page)\/(?:[\w-]+\/)*[\w-]+\.(?:js|css|svg|html)$/;

/** @param {string} name */
export const isPageFile = (name) => PAGE_FILE.test(name);

/** The modules' folders of pages, below `firmware/`. */
const moduleFolders = (root) =>
  readdirSync(join(root, 'firmware'))
    .map((name) => `${name}/pages`)
    .filter((folder) => existsSync(join(root, 'firmware', folder)));

const filesIn = (root, folder) =>
  readdirSync(join(root, 'firmware', folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file}`)
    .filter(isPageFile)
    .sort();

/** All files that a browser may load. @param {string} root */
export function pageFiles(root) {
  const features = readdirSync(join(root, 'firmware/features'));
  return [...moduleFolders(root), ...featureFolders(root, features)].flatMap((folder) => filesIn(root, folder));
}

/** The files of a folder's words in a language: one file, or a folder of files. */
function wordsIn(root, folder, language) {
  const place = `${folder}/words/${language}`;
  if (existsSync(join(root, 'firmware', `${place}.js`))) return [`${place}.js`];
  if (!existsSync(join(root, 'firmware', place))) return [];
  return readdirSync(join(root, 'firmware', place))
    .sort()
    .map((file) => `${place}/${file}`);
}

/** Folders of the listed features that have a page. */
const featureFolders = (root, features) =>
  features.map((name) => `features/${name}/page`).filter((folder) => existsSync(join(root, 'firmware', folder)));

function composeWords(root, language, { words, features }) {
  const folders = [...moduleFolders(root), ...featureFolders(root, features)];
  const files = folders.flatMap((folder) => wordsIn(root, folder, language));
  const imports = files.map((file, at) => `import of${at} from '${ASSETS}${file}';\n`);
  const all = [...files.map((_, at) => `...of${at}`), `...${JSON.stringify(words(language))}`];
  return `${imports.join('')}export default { ${all.join(', ')} };\n`;
}

function composeFeatures(root, { features }) {
  const folders = featureFolders(root, features);
  const imports = folders.map((folder, at) => `import of${at} from '${ASSETS}${folder}/page.js';\n`);
  return `${imports.join('')}export const FEATURE_PAGES = [${folders.map((_, at) => `of${at}`).join(', ')}].flat();\n`;
}

const composeStyles = (root, { features }) =>
  featureFolders(root, features)
    .flatMap((folder) => filesIn(root, folder).filter((file) => file.endsWith('.css')))
    .map((file) => readFileSync(join(root, 'firmware', file), 'utf8'))
    .join('');

/**
 * Composes the files that are in no folder. Returns their texts by their names.
 * @param {string} root of a clone, or of a release that is being made
 */
export const composePages = (root, data) =>
  new Map([
    ...data.languages.LANGUAGES.map((language) => [`words/${language}.js`, composeWords(root, language, data)]),
    [
      'languages.js',
      Object.entries(data.languages)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`)
        .join(''),
    ],
    ['features.js', composeFeatures(root, data)],
    ['features.css', composeStyles(root, data)],
    ['limits.js', `export const LIMITS = ${JSON.stringify(data.limits)};\n`],
    ['remedies.js', `export const REMEDIES = ${JSON.stringify(data.remedies)};\n`],
  ]);
