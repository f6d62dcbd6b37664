/**
 * The files of the pages: in a clone the sources, which a browser loads module by module; in a release what `scripts/bundle/pages.mjs`
 * has made of them.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Encoding } from '../core/http/index.ts';

export interface PageFiles {
  /** Another one when any file has changed: a page that is open then loads itself anew. */
  readonly digest: string;
  /** Before the names of files in their addresses. */
  readonly prefix: string;
  /** `Cache-Control` of all but documents. */
  readonly cacheControl: string;
  /** @returns null where there is no file of that name */
  read(name: string, taken: Encoding | null): Promise<PageFile> | null;
}

interface PageFile {
  readonly bytes: Buffer;
  readonly encoding: Encoding | null;
}

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'firmware/console/pages');
/** Modules of packages that have a name of their own beside the pages. */
const PACKAGES: Readonly<Record<string, string>> = {
  'preact.js': 'node_modules/htm/preact/standalone.module.js',
  'qr.js': 'node_modules/qr/index.js',
};
/** Programs to begin with, which a page leads to. */
const SAMPLE = /^samples\//;
/** No name leads out of its folder. */
const NAME = /^(?:[\w-]+\/)*[\w-]+\.\w+$/;

function placeOf(name: string): string {
  const elsewhere = SAMPLE.test(name) ? name.replace(SAMPLE, 'clients/samples/') : PACKAGES[name];
  return elsewhere === undefined ? join(FOLDER, name) : join(ROOT, elsewhere);
}

/** Modules that are in no folder, by their names among the pages. */
export type MadeModules = ReadonlyMap<string, () => string>;

/** Read anew each time: a page that is edited is seen when it is loaded again. */
class Sources implements PageFiles {
  readonly #made: MadeModules;
  readonly prefix = '';
  readonly cacheControl = 'no-store';
  #digest: string | null = null;

  constructor(made: MadeModules) {
    this.#made = made;
  }

  /** Of the sources when it is first asked for. */
  get digest(): string {
    this.#digest ??= digestOf(FOLDER, this.#made);
    return this.#digest;
  }

  read(name: string): Promise<PageFile> | null {
    const made = this.#made.get(name);
    if (made !== undefined) return Promise.resolve({ bytes: Buffer.from(made()), encoding: null });
    const place = placeOf(name);
    const isThere = NAME.test(name) && statSync(place, { throwIfNoEntry: false })?.isFile() === true;
    return isThere ? readFile(place).then((bytes) => ({ bytes, encoding: null })) : null;
  }
}

function digestOf(folder: string, made: MadeModules): string {
  const sum = createHash('sha256');
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort())
    if (NAME.test(name)) sum.update(`${name}\0`).update(readFileSync(join(folder, name)));
  for (const make of made.values()) sum.update(make());
  return sum.digest('hex').slice(0, 16);
}

/** Their addresses have the digest: a browser keeps them for ever. */
class MadePages implements PageFiles {
  readonly digest: string;
  readonly prefix: string;
  readonly cacheControl = 'public, max-age=31536000, immutable';
  readonly #folder: string;
  readonly #names: ReadonlySet<string>;

  constructor(folder: string) {
    this.#folder = folder;
    this.#names = new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }));
    this.digest = readFileSync(join(folder, 'digest'), 'utf8');
    this.prefix = `${this.digest}/`;
  }

  read(name: string, taken: Encoding | null): Promise<PageFile> | null {
    if (!this.#names.has(`${name}.gzip`)) return null;
    const kept = readFile(join(this.#folder, `${name}.${taken ?? 'gzip'}`));
    const bytes = taken === null ? kept.then((packed) => promisify(gunzip)(packed)) : kept;
    return bytes.then((own) => ({ bytes: own, encoding: taken }));
  }
}

/** Of a bundle, beside what runs: `scripts/bundle-code.mjs` has put it there. In a clone there is none. */
const MADE = join(dirname(import.meta.filename), 'made-pages');

export const openPages = (made: MadeModules): PageFiles => (existsSync(MADE) ? new MadePages(MADE) : new Sources(made));
