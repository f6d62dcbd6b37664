/** What browsers load of the pages, compressed once: in a clone when it is first asked for, in a release when that is made. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { compressed, type Encoding } from '../http/index.ts';
import { makePages } from './pages.ts';

interface ServedPages {
  /** Names all of them. */
  readonly digest: string;
  /** @returns null where there is no file of that name */
  readonly body: (name: string, encoding: Encoding | null) => Promise<Buffer> | null;
}

/** In a bundle, the folder of the bundle: `scripts/bundle-code.mjs` has put them there. In a clone there is none. */
const MADE = join(dirname(import.meta.filename), 'made-pages');

function ofSources(): ServedPages {
  const { digest, files } = makePages(join(import.meta.dirname, '../..'));
  const encoded = new Map<string, Promise<Buffer>>();
  function body(name: string, encoding: Encoding | null): Promise<Buffer> | null {
    const text = files.get(name);
    if (text === undefined) return null;
    if (encoding === null) return Promise.resolve(Buffer.from(text));
    const key = `${encoding} ${name}`;
    const known = encoded.get(key) ?? compressed(text, encoding);
    encoded.set(key, known);
    return known;
  }
  return { digest, body };
}

function ofRelease(): ServedPages {
  const names = new Set(readdirSync(MADE, { recursive: true, encoding: 'utf8' }));
  const kept = (name: string, encoding: Encoding) => readFile(join(MADE, `${name}.${encoding}`));
  return {
    digest: readFileSync(join(MADE, 'digest'), 'utf8'),
    body(name, encoding) {
      if (!names.has(`${name}.gzip`)) return null;
      return encoding === null ? kept(name, 'gzip').then((bytes) => promisify(gunzip)(bytes)) : kept(name, encoding);
    },
  };
}

let served: ServedPages | null = null;

/** Nothing is read before the first page is asked for. */
export function servedPages(): ServedPages {
  served ??= existsSync(MADE) ? ofRelease() : ofSources();
  return served;
}
