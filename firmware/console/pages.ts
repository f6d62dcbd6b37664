/**
 * What browsers load, made of the sources of the pages: for each document one script, one style sheet, and a script for each part that
 * is imported late. All of it is named by one digest, so that a browser may keep it for ever.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ASSETS, joined } from './joined.ts';

/** With the documents; what they name lies below it. */
const FOLDER = 'firmware/console/pages';
/** Modules of packages that have a name of their own beside it. */
const PACKAGES: Readonly<Record<string, string>> = {
  'preact.js': 'node_modules/htm/preact/standalone.module.js',
  'qr.js': 'node_modules/qr/index.js',
};
/** Programs to begin with, which a page leads to. */
const SAMPLES = 'clients/samples';

interface MadePages {
  readonly digest: string;
  /** By name, as `console.html`, `console.js` or `words/en/index.js`. */
  readonly files: ReadonlyMap<string, string>;
}

const STYLES = new RegExp(`(?:\\s*<link rel="stylesheet" href="${ASSETS}[^"]+">)+`);
const NAMED = new RegExp(`"${ASSETS}([^"]+)"`, 'g');

const namedIn = (html: string): string[] => [...html.matchAll(NAMED)].map(([, name = '']) => name);

/** Where the file of a module, a style sheet or a picture lies, below the root of the project. */
export const fileOf = (name: string): string => PACKAGES[name] ?? join(FOLDER, name);

/** @param root of the project, or of a release */
export function makePages(root: string): MadePages {
  const files = new Map<string, string>();
  const textOf = (name: string): string => readFileSync(join(root, fileOf(name)), 'utf8');

  function addScript(entry: string): ReadonlySet<string> {
    const { text, modules, late } = joined(entry, textOf);
    files.set(entry, text);
    for (const name of late) {
      const twice = [...addScript(name)].filter((own) => modules.has(own));
      if (twice.length > 0)
        throw new Error(`${twice} would run twice: ${entry} has it, and ${name}, which it imports late`);
    }
    return modules;
  }

  const documents = readdirSync(join(root, FOLDER)).filter((name) => name.endsWith('.html'));
  for (const document of documents) {
    const styles = document.replace('.html', '.css');
    const html = textOf(document).replace(STYLES, (links) => {
      files.set(styles, namedIn(links).map(textOf).join(''));
      return `\n    <link rel="stylesheet" href="${ASSETS}${styles}">`;
    });
    files.set(document, html);
    for (const name of namedIn(html).filter((named) => !files.has(named))) {
      if (name.endsWith('.js')) addScript(name);
      else files.set(name, textOf(name));
    }
  }
  for (const name of existsSync(join(root, SAMPLES)) ? readdirSync(join(root, SAMPLES)) : [])
    files.set(`samples/${name}`, readFileSync(join(root, SAMPLES, name), 'utf8'));
  return named(files);
}

function named(files: ReadonlyMap<string, string>): MadePages {
  const sum = createHash('sha256');
  for (const [name, text] of [...files].sort(([one], [other]) => (one < other ? -1 : 1)))
    sum.update(`${name}\0${text}\0`);
  const digest = sum.digest('hex').slice(0, 16);
  const own = ([name, text]: [string, string]): [string, string] => [
    name,
    text.replaceAll(ASSETS, `${ASSETS}${digest}/`),
  ];
  return { digest, files: new Map([...files].map(own)) };
}
