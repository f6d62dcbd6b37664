/**
 * Reads the files of the pages: in a clone the sources, which a browser loads module by module; in a release the files
 * that `scripts/release/bundle/pages.mjs` has made of the sources.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Encoding } from '../core/http/index.ts';
import { composePages, isPageFile, PACKAGES, type PageData, pageFiles } from './composed.js';
import { PAGE_DATA } from './page-data.ts';

export interface PageFiles {
  /** Digest of all files: when it changes, an open page reloads itself. */
  readonly digest: string;
  /** Prefix of file names in addresses. */
  readonly prefix: string;
  /** `Cache-Control` of all files but documents. */
  readonly cacheControl: string;
  /** @param taken encoding that the caller accepts; null: none @returns null where there is no file of that name */
  read(name: string, taken: Encoding | null): Promise<PageFile> | null;
}

interface PageFile {
  readonly bytes: Buffer;
  readonly encoding: Encoding | null;
}

const ROOT = join(import.meta.dirname, '../..');
/** Names of sample programs, to which a page links. */
const SAMPLE = /^samples\/[\w-]+\.\w+$/;

/** @returns the file's path; null where a browser may not load that name */
function placeOf(name: string): string | null {
  if (SAMPLE.test(name)) return join(ROOT, 'clients', name);
  const ofPackage = PACKAGES[name];
  if (ofPackage !== undefined) return join(ROOT, ofPackage);
  return isPageFile(name) ? join(ROOT, 'firmware', name) : null;
}

/** The sources. They are read at each request, so that a reload shows an edited page. */
class Sources implements PageFiles {
  readonly #data: PageData;
  readonly prefix = '';
  readonly cacheControl = 'no-store';
  #digest: string | null = null;

  constructor(data: PageData) {
    this.#data = data;
  }

  /** Digest of the sources at the first call. */
  get digest(): string {
    this.#digest ??= digestOfSources(composePages(ROOT, this.#data));
    return this.#digest;
  }

  read(name: string): Promise<PageFile> | null {
    const composed = composePages(ROOT, this.#data).get(name);
    if (composed !== undefined) return Promise.resolve({ bytes: Buffer.from(composed), encoding: null });
    const place = placeOf(name);
    const isThere = place !== null && statSync(place, { throwIfNoEntry: false })?.isFile() === true;
    return isThere ? readFile(place).then((bytes) => ({ bytes, encoding: null })) : null;
  }
}

function digestOfSources(composed: ReadonlyMap<string, string>): string {
  const sum = createHash('sha256');
  for (const name of pageFiles(ROOT)) sum.update(`${name}\0`).update(readFileSync(join(ROOT, 'firmware', name)));
  for (const text of composed.values()) sum.update(text);
  return sum.digest('hex').slice(0, 16);
}

/** Built pages. Their addresses hold the digest, so a browser may cache them for ever. */
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

/** Folder of built pages beside a release's program, made by `scripts/release/bundle-code.mjs`. A clone has none. */
const MADE = join(dirname(import.meta.filename), 'made-pages');

export const openPages = (): PageFiles => (existsSync(MADE) ? new MadePages(MADE) : new Sources(PAGE_DATA));
