/**
 * Stores certificates and keys for the bank that were sent to the device, so that no shell is needed. They are sealed in
 * a document of their own, included in a backup; a profile names one by `kept:` and its name instead of a path.
 */
import { createHash } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { isStoreError, JsonStore } from '../core/files/index.ts';
import { fits } from '../core/schema/index.ts';
import type { SealedPart, Sealer } from '../core/secrets/index.ts';
import { CertificateError, readCertificateFile } from '../core/tls/index.ts';

const SCHEME = 'kept:';
/** Whether a path names a file that was sent to the device, not one of the machine. */
export const isKept = (path: string): boolean => path.startsWith(SCHEME);
/** Largest file: ten times a certificate with its key and authorities. */
export const MAX_CERTIFICATE_BYTES = 64 * 1024;
const DIGEST_LETTERS = 12;
const NAME_LETTERS = 40;

/** Files by name, as sealed Base64. */
export const StoredCertificates = Type.Record(Type.String(), Type.String());
type StoredCertificates = Static<typeof StoredCertificates>;

const purposeOf = (name: string): string => `certificate/${name}`;

const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, DIGEST_LETTERS);

/** The sealed parts of a stored document; none of any other document. */
export const sealedCertificates = (stored: unknown): SealedPart[] =>
  fits(StoredCertificates, stored)
    ? Object.entries(stored).map(([name, sealed]) => ({
        sealed,
        purpose: purposeOf(name),
        isFit: (text) => name.startsWith(digestOf(Buffer.from(text, 'base64'))),
      }))
    : [];

/** The name of a file: the same however often it is sent; a renewed file gets another. */
function nameOf(bytes: Buffer, fileName: string): string {
  const digest = digestOf(bytes);
  const plain = fileName.normalize('NFC').replaceAll(/[^\p{L}\p{N}_.-]+/gu, '-');
  return `${digest}-${[...plain].slice(-NAME_LETTERS).join('')}`;
}

export class CertificateStore {
  readonly #store: JsonStore<StoredCertificates>;
  readonly #sealer: Sealer;

  constructor(path: string, sealer: Sealer) {
    this.#store = JsonStore.open(path, StoredCertificates, {});
    this.#sealer = sealer;
  }

  /** @returns the name for a profile @throws the file system's error */
  store(fileName: string, bytes: Buffer): string {
    const name = nameOf(bytes, fileName);
    const present = this.#store.value[name];
    if (present === undefined || this.#opened(name, present) === null) {
      const sealed = this.#sealer.seal(bytes.toString('base64'), purposeOf(name));
      this.#store.write({ ...this.#store.value, [name]: sealed });
    }
    return SCHEME + name;
  }

  /** The file of a profile's path, stored here or on the machine. @throws {CertificateError} */
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

  #opened(name: string, sealed: string): string | null {
    try {
      return this.#sealer.open(sealed, purposeOf(name));
    } catch (error) {
      if (isStoreError(error, 'SEAL_BROKEN')) return null;
      throw error;
    }
  }
}
