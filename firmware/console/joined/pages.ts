/**
 * What browsers load, made of the sources of the pages: for each document one script, one style sheet, and a script for each part that
 * is imported late. All of it is named by one digest, so that a browser may keep it for ever.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ASSETS, joined } from './joined.ts';

export interface PageSources {
  /** With the documents; what they name lies below it. */
  readonly folder: string;
  /** Files of packages that have a name of their own beside it. */
  readonly packages: Readonly<Record<string, string>>;
  /** Programs to begin with, which a page leads to. */
  readonly samples: string;
}

export interface MadePages {
  readonly digest: string;
  /** By name, as `console.html`, `console.js` or `words/en/index.js`. */
  readonly files: ReadonlyMap<string, string>;
}

const STYLES = new RegExp(`(?:\\s*<link rel="stylesheet" href="${ASSETS}[^"]+">)+`);
const NAMED = new RegExp(`"${ASSETS}([^"]+)"`, 'g');

const namedIn = (html: string): string[] => [...html.matchAll(NAMED)].map(([, name = '']) => name);

export function makePages({ folder, packages, samples }: PageSources): MadePages {
  const files = new Map<string, string>();
  const textOf = (name: string): string => readFileSync(packages[name] ?? join(folder, name), 'utf8');

  function addScript(entry: string): ReadonlySet<string> {
    const { text, modules, late } = joined(entry, textOf);
    files.set(entry, text);
    for (const name of late) {
      const twice = [...addScript(name)].filter((own) => modules.has(own));
      if (twice.length > 0) throw new Error(`${twice} would run twice: ${entry} has it, and ${name}, which it imports late`);
    }
    return modules;
  }

  const documents = readdirSync(folder).filter((name) => name.endsWith('.html'));
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
  for (const name of existsSync(samples) ? readdirSync(samples) : [])
    files.set(`samples/${name}`, readFileSync(join(samples, name), 'utf8'));
  return named(files);
}

function named(files: ReadonlyMap<string, string>): MadePages {
  const sum = createHash('sha256');
  for (const [name, text] of [...files].sort(([one], [other]) => (one < other ? -1 : 1))) sum.update(`${name}\0${text}\0`);
  const digest = sum.digest('hex').slice(0, 16);
  const own = ([name, text]: [string, string]): [string, string] => [
    name,
    text.replaceAll(ASSETS, `${ASSETS}${digest}/`),
  ];
  return { digest, files: new Map([...files].map(own)) };
}
