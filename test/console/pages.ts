/** Modules of the pages, loaded without a browser: what they decide and say, not what they draw. */
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../root.ts';

const PAGES = join(ROOT, 'firmware', 'console', 'pages');
const ASSETS = '/console/assets/';
const PACKAGES: Readonly<Record<string, string>> = { 'preact.js': 'htm/preact/standalone', 'qr.js': 'qr' };

/** What the device serves under an address of its own lies in a folder, or is a package. */
registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.startsWith(ASSETS)) return next(specifier, context);
    const name = specifier.slice(ASSETS.length);
    const found = PACKAGES[name] ?? pathToFileURL(join(PAGES, name)).href;
    return next(found, { ...context, parentURL: import.meta.url });
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
