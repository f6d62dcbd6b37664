/** Opens a package and reads its parts, within limits: none of its claims is trusted. */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { isCode, messageOf } from '../../../drivers/lib/errors.ts';
import { type Compiled, problemsOfErrors, sentence } from '../../core/schema/index.ts';
import {
  cropName,
  DIGEST_NAME,
  MANIFEST_NAME,
  MAX_CROP_BYTES,
  MAX_LINE_BYTES,
  MAX_MANIFEST_BYTES,
  MAX_TEMPLATES,
  PackageError,
  TEMPLATES_NAME,
  VECTORS_NAME,
} from './package-format.ts';

/** Parts of a package that are no crops. */
const OTHER_ENTRIES = 4;
/** 64 digits and a line end. */
const DIGEST_BYTES = 65;
const MAX_LINES_BYTES = 64 * 1024 * 1024;
const CROP_NAME = /^crops\/\d{6}\.jpg$/;

const LIMITS: Readonly<Record<string, number>> = Object.freeze({
  [MANIFEST_NAME]: MAX_MANIFEST_BYTES,
  [DIGEST_NAME]: DIGEST_BYTES,
  [TEMPLATES_NAME]: MAX_LINES_BYTES,
  [VECTORS_NAME]: Number.POSITIVE_INFINITY,
});

function limitOf(name: string): number {
  if (CROP_NAME.test(name)) return MAX_CROP_BYTES;
  const limit = Object.hasOwn(LIMITS, name) ? LIMITS[name] : undefined;
  if (limit === undefined) throw new PackageError(`the package holds "${name}", which does not belong there`);
  return limit;
}

/** Turns any failure into one of the package, except those of the disk itself. */
function asPackageError(error: unknown): unknown {
  if (error instanceof PackageError) return error;
  if (isCode(error, 'EIO', 'ENOSPC', 'EMFILE', 'ENFILE', 'ENOENT', 'EACCES')) return error;
  return new PackageError(`the package is damaged: ${messageOf(error)}`, { cause: error });
}

export class OpenPackage {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  /**
   * Reads the table of contents.
   * @param maxBytes the most bytes of all unpacked parts together
   * @throws {PackageError}
   */
  static async open(path: string, maxBytes: number): Promise<OpenPackage> {
    let zip: ZipFile | null = null;
    try {
      zip = await openPromise(path, { lazyEntries: true, autoClose: false, strictFileNames: true });
      return new OpenPackage(zip, await tableOf(zip, maxBytes));
    } catch (error) {
      zip?.close();
      throw asPackageError(error);
    }
  }

  /** How many crops there are. */
  get cropCount(): number {
    return this.#entries.size - OTHER_ENTRIES;
  }

  /** A whole part in memory; its limit is small. @throws {PackageError} */
  async read(name: string): Promise<Buffer> {
    try {
      // `buffer` of Node goes by a Blob: it is slower, and its copies outside the heap make the collector run
      const pieces: Buffer[] = await (await this.#open(name)).toArray();
      const [first] = pieces;
      return pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces);
    } catch (error) {
      throw asPackageError(error);
    }
  }

  /** Reads some crops in parallel: a card answers many requests sooner than one after another. @throws {PackageError} */
  crops(indices: readonly number[]): Promise<Buffer[]> {
    return Promise.all(indices.map((index) => this.read(cropName(index))));
  }

  /** A part in pieces. @throws {PackageError} */
  async *stream(name: string): AsyncGenerator<Buffer> {
    try {
      yield* await this.#open(name);
    } catch (error) {
      throw asPackageError(error);
    }
  }

  /** A part cut into pieces of the given sizes; it must hold exactly these. @throws {PackageError} */
  async *cut(name: string, sizes: Iterable<number>): AsyncGenerator<Buffer> {
    let rest = Buffer.alloc(0);
    const pieces = this.stream(name);
    for (const size of sizes) {
      const parts: Buffer[] = [rest];
      for (let length = rest.length; length < size; ) {
        const next = await pieces.next();
        if (next.done) throw new PackageError(`${name} is too short`);
        parts.push(next.value);
        length += next.value.length;
      }
      const joined = parts.length === 1 ? rest : Buffer.concat(parts);
      rest = joined.subarray(size);
      yield joined.subarray(0, size);
    }
    if (rest.length > 0 || !(await pieces.next()).done) throw new PackageError(`${name} is too long`);
  }

  async #open(name: string): Promise<Readable> {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new PackageError(`the package lacks ${name}`);
    return await this.#zip.openReadStreamPromise(entry);
  }

  close(): void {
    this.#zip.close();
  }
}

async function tableOf(zip: ZipFile, maxBytes: number): Promise<Map<string, Entry>> {
  if (zip.entryCount > MAX_TEMPLATES + OTHER_ENTRIES) {
    throw new PackageError(`the package has ${zip.entryCount} parts, more than ${MAX_TEMPLATES + OTHER_ENTRIES}`);
  }
  const entries = new Map<string, Entry>();
  let unpacked = 0;
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName;
    if (entries.has(name)) throw new PackageError(`the package holds ${name} twice`);
    if (entry.uncompressedSize > limitOf(name)) throw new PackageError(`${name} is larger than it may be`);
    unpacked += entry.uncompressedSize;
    if (unpacked > maxBytes) throw new PackageError(`the package unpacks to more than ${maxBytes} bytes`);
    entries.set(name, entry);
  }
  for (const name of Object.keys(LIMITS)) {
    if (!entries.has(name)) throw new PackageError(`not a package of templates: ${name} is missing`);
  }
  return entries;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Parses JSON that fits a schema. @throws {PackageError} naming `what` and the place that does not fit */
export function parseAs<T>(what: string, validator: Compiled<T>, bytes: Buffer): T {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch (cause) {
    throw new PackageError(`${what} is no JSON`, { cause });
  }
  if (validator.fits(value)) return value;
  const [problem] = problemsOfErrors(validator.schema, value, validator.errorsOf(value));
  throw new PackageError(`${what}: ${problem === undefined ? 'it does not fit' : sentence(problem, 'it')}`);
}

/** Lines of a text, without their ends; the last must end too. @throws {PackageError} */
export function* linesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0x0a, start);
    if (end < 0 || end - start > MAX_LINE_BYTES) throw new PackageError(`${TEMPLATES_NAME} has a line without an end`);
    yield bytes.subarray(start, end);
    start = end + 1;
  }
}
