/** Modules of the pages, loaded without a browser: what they decide and say, not what they draw. */
import { registerHooks } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { MADE_MODULES } from '../../firmware/device/composition/made-modules.ts';
import { ROOT } from '../root.ts';

const PAGES = join(ROOT, 'firmware', 'console', 'pages');
const ASSETS = '/console/assets/';
const PACKAGES: Readonly<Record<string, string>> = { 'preact.js': 'htm/preact/standalone', 'qr.js': 'qr' };

const nameOf = (url: string): string => relative(PAGES, fileURLToPath(url));

/** What the device serves under an address of its own lies in a folder, is a package, or is made. */
registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context;
    if (specifier.startsWith('.') && parentURL?.startsWith('file:')) {
      const { href } = new URL(specifier, parentURL);
      if (MADE_MODULES.has(nameOf(href))) return { url: href, format: 'module', shortCircuit: true };
    }
    if (!specifier.startsWith(ASSETS)) return next(specifier, context);
    const name = specifier.slice(ASSETS.length);
    const found = PACKAGES[name] ?? pathToFileURL(join(PAGES, name)).href;
    return next(found, { ...context, parentURL: import.meta.url });
  },
  load(url, context, next) {
    const make = url.startsWith('file:') ? MADE_MODULES.get(nameOf(url)) : undefined;
    return make === undefined ? next(url, context) : { format: 'module', source: make(), shortCircuit: true };
  },
});

/** What modules look at while they are loaded: a browser of somebody who has chosen nothing yet. */
const BROWSER = {
  document: { documentElement: {}, querySelector: () => null },
  localStorage: { getItem: () => null },
  location: { hostname: '127.0.0.1', protocol: 'http:', hash: '' },
};

/** @param path below the folder of the pages, as `lane/amount.js` */
export async function pageModule<Module>(path: string): Promise<Module> {
  const own = Object.entries(BROWSER).filter(([name]) => !(name in globalThis));
  for (const [name, value] of own) Object.defineProperty(globalThis, name, { value, configurable: true });
  try {
    return await import(join(PAGES, path));
  } finally {
    for (const [name] of own) Reflect.deleteProperty(globalThis, name);
  }
}
