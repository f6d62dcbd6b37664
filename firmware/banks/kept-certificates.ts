/**
 * Keeps certificates and keys for the bank that were sent to the device, so that no shell is needed. They are sealed in
 * a document of their own, included in a backup; a profile names one by `kept:` and its name instead of a path.
 */
import { createHash } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { FieldError } from '../../drivers/lib/errors.ts';
import { SerialQueue } from '../../drivers/lib/serial-queue.ts';
import { fits, isStoreError, JsonStore, type Sealer } from '../core/store/index.ts';
import { CertificateError, readCertificateFile } from '../core/tls/index.ts';

const SCHEME = 'kept:';
/** Whether a path names a file that was sent to the device, not one of the machine. */
export const isKept = (path: string): boolean => path.startsWith(SCHEME);
/** Largest file: ten times a certificate with its key and authorities. */
export const MAX_KEPT_BYTES = 64 * 1024;
/** Most files: a shop has a few, and a renewed one each year. */
const MOST_KEPT = 40;
const DIGEST_LETTERS = 12;
const NAME_LETTERS = 40;

/** Files by name, as sealed Base64. */
const StoredCertificates = Type.Record(Type.String(), Type.String());
type StoredCertificates = Static<typeof StoredCertificates>;

const purposeOf = (name: string): string => `certificate/${name}`;

/** The sealed parts of a stored document, each with its purpose; none of any other document. */
export const sealedCertificates = (stored: unknown): { readonly sealed: string; readonly purpose: string }[] =>
  fits(StoredCertificates, stored)
    ? Object.entries(stored).map(([name, sealed]) => ({ sealed, purpose: purposeOf(name) }))
    : [];

/** The name of a file: the same however often it is sent; a renewed file gets another. */
function nameOf(bytes: Buffer, fileName: string): string {
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, DIGEST_LETTERS);
  const plain = fileName.normalize('NFC').replaceAll(/[^\p{L}\p{N}_.-]+/gu, '-');
  return `${digest}-${[...plain].slice(-NAME_LETTERS).join('')}`;
}

export class KeptCertificates {
  readonly #store: JsonStore<StoredCertificates>;
  readonly #sealer: Sealer;
  readonly #isNamed: (path: string) => boolean;
  /** Writes one file at a time, adding to those before. */
  readonly #queue = new SerialQueue();

  /** @param isNamed whether a profile that is set up names this path */
  constructor(path: string, sealer: Sealer, isNamed: (path: string) => boolean) {
    this.#store = JsonStore.open(path, StoredCertificates, {});
    this.#sealer = sealer;
    this.#isNamed = isNamed;
  }

  /**
   * @returns the name for a profile
   * @throws {FieldError} where no more may be kept, and profiles name all of them @throws the file system's error
   */
  keep(fileName: string, bytes: Buffer): Promise<string> {
    return this.#queue.run(() => this.#keep(fileName, bytes));
  }

  async #keep(fileName: string, bytes: Buffer): Promise<string> {
    const name = nameOf(bytes, fileName);
    const present = Object.entries(this.#store.value);
    if (present.some(([each, sealed]) => each === name && this.#opens(each, sealed))) return SCHEME + name;
    const others = present.filter(([each]) => each !== name);
    const from = Math.max(0, others.length - (MOST_KEPT - 1));
    // the oldest that no profile names make room
    const leaving = new Set(others.filter(([each]) => !this.#isNamed(SCHEME + each)).slice(0, from));
    if (leaving.size < from)
      throw new FieldError('content', `must be one of ${MOST_KEPT} at most: profiles name as many`, {
        reason: 'too-many',
      });
    const sealed = this.#sealer.seal(bytes.toString('base64'), purposeOf(name));
    const kept = others.filter((each) => !leaving.has(each));
    this.#store.write(Object.fromEntries([...kept, [name, sealed]]));
    return SCHEME + name;
  }

  /** The file of a profile's path, kept here or on the machine. @throws {CertificateError} */
  async read(path: string): Promise<Buffer> {
    if (!isKept(path)) return await readCertificateFile(path);
    const name = path.slice(SCHEME.length);
    const sealed = Object.hasOwn(this.#store.value, name) ? this.#store.value[name] : undefined;
    if (sealed === undefined)
      throw new CertificateError('not-kept', 'is not kept on this device: send the file to it again');
    const text = this.#opened(name, sealed);
    if (text === null)
      throw new CertificateError(
        'not-kept',
        'was kept with another key than that of this device: send the file to it again',
      );
    return Buffer.from(text, 'base64');
  }

  #opens = (name: string, sealed: string): boolean => this.#opened(name, sealed) !== null;

  #opened(name: string, sealed: string): string | null {
    try {
      return this.#sealer.open(sealed, purposeOf(name));
    } catch (error) {
      if (isStoreError(error, 'SEAL_BROKEN')) return null;
      throw error;
    }
  }
}
