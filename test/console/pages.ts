/** Modules of the pages, loaded without a browser: what they decide and say, not what they draw. */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ASSETS, composePages, pageFiles } from '../../firmware/console/composed.js';
import { PAGE_DATA } from '../../firmware/console/page-data.ts';
import { ROOT } from '../root.ts';

const FIRMWARE = join(ROOT, 'firmware');
const COMPOSED = 'composed:';
const IN_NODE: Readonly<Record<string, string>> = { 'preact.js': 'htm/preact/standalone', 'qr.js': 'qr' };

/** What the device serves under an address of its own lies below `firmware/`, is a package, or is composed. */
registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.startsWith(ASSETS)) return next(specifier, context);
    const name = specifier.slice(ASSETS.length);
    if (composePages(ROOT, PAGE_DATA).has(name)) return { url: COMPOSED + name, shortCircuit: true };
    const found = IN_NODE[name] ?? pathToFileURL(join(FIRMWARE, name)).href;
    return next(found, { ...context, parentURL: import.meta.url });
  },
  load(url, context, next) {
    if (!url.startsWith(COMPOSED)) return next(url, context);
    const source = composePages(ROOT, PAGE_DATA).get(url.slice(COMPOSED.length)) ?? '';
    return { format: 'module', source, shortCircuit: true };
  },
});

/** Below `firmware/`: the scripts of all pages. */
export const PAGE_SCRIPTS: readonly string[] = pageFiles(ROOT).filter((file) => file.endsWith('.js'));
export const isOfWords = (file: string): boolean => /\/(?:late-)?words\//.test(file);

const FEATURE_PAGES = PAGE_SCRIPTS.filter((file) => file.endsWith('/page/page.js')).map((file) => {
  const [, name = '', place = ''] =
    /\bname: '([\w-]+)',\s+place: '(\w+)'/.exec(readFileSync(join(FIRMWARE, file), 'utf8')) ?? [];
  return { name, place };
});

/** Addresses of the pages of features: a page of its own, or a section of the device's. */
export const FEATURE_HASHES: readonly string[] = FEATURE_PAGES.filter(({ place }) => place !== 'payments').map(
  ({ name, place }) => (place === 'section' ? `device/${name}` : name),
);
/** Addresses of the views that features add to the page of payments. */
export const FEATURE_VIEWS: readonly string[] = FEATURE_PAGES.filter(({ place }) => place === 'payments').map(
  ({ name }) => `payments/${name}`,
);

/** Addresses of all pages of the console. */
export const HASHES: readonly string[] = [
  'lane',
  'payments',
  'items',
  'camera',
  'store',
  ...[
    'device',
    'device/bank',
    'device/shop',
    'device/advanced',
    'device/health',
    'device/updates',
    'device/access',
    'device/backup',
    'device/log',
  ],
  'welcome',
  ...FEATURE_HASHES,
];

export type Words = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** Files of words, with a star in the place of the language. */
export const filesOfWords = (language: string): readonly string[] =>
  PAGE_SCRIPTS.filter((file) => isOfWords(file) && file.includes(`words/${language}`)).map((file) =>
    file.replace(`words/${language}`, 'words/*'),
  );
export const wordsOf = async (language: string, file: string): Promise<Words> =>
  (await import(ASSETS + file.replace('*', language))).default;
export const readPage = (file: string): string => readFileSync(join(FIRMWARE, file), 'utf8');

/** Node's own would keep a port open. */
class NoOtherWindow {
  postMessage(): void {}
  addEventListener(): void {}
}

/** What modules look at while they are loaded: a browser of somebody who has chosen nothing yet. */
const BROWSER = {
  BroadcastChannel: NoOtherWindow,
  document: { documentElement: {}, querySelector: () => null },
  localStorage: { getItem: () => null },
  location: { hostname: '127.0.0.1', protocol: 'http:', hash: '' },
};

/** @param path as a browser names it, `core/pages/parts/amount.js` */
export async function pageModule<Module>(path: string): Promise<Module> {
  const ofNode = Object.getOwnPropertyDescriptor(globalThis, 'BroadcastChannel');
  const own = Object.entries(BROWSER).filter(([name]) => !(name in globalThis) || name === 'BroadcastChannel');
  for (const [name, value] of own) Object.defineProperty(globalThis, name, { value, configurable: true });
  try {
    return await import(ASSETS + path);
  } finally {
    for (const [name] of own) Reflect.deleteProperty(globalThis, name);
    if (ofNode !== undefined) Object.defineProperty(globalThis, 'BroadcastChannel', ofNode);
  }
}
