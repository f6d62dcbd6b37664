/** Seals secrets on the disk: AES-256-GCM with a key from systemd, or one beside the data. */
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { isCode } from '../../../drivers/lib/errors.ts';
import {
  isStoreError,
  pathExists,
  readPlainFileIfAny,
  replaceFile,
  StoreError,
  setAside,
  whereItCan,
} from '../files/index.ts';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const NAME_BYTES = 8;
const TAG_BYTES = 16;
const CREDENTIAL = 'laneware-key';
/** A shorter secret could be guessed; an empty file would be a key that everybody knows. */
const CREDENTIAL_MIN_BYTES = 16;
/** Largest credential of systemd (systemd.exec(5)). */
const MAX_CREDENTIAL_BYTES = 1024 * 1024;
/** Largest file of a key: a copy has a digest, too. */
const MAX_FILE_BYTES = 1024;

/** A sealed text of a document. */
export interface SealedPart {
  readonly sealed: string;
  readonly purpose: string;
  /** Whether the opened text may stand in that place of the document. */
  isFit(text: string): boolean;
}

export class Sealer {
  /** Path of the damaged key that this one replaced; texts sealed with it are lost. Null where none was damaged. */
  readonly keySetAside: string | null;
  readonly #key: Buffer;
  /** Writes the key that could not be written yet; null when it is on the disk. */
  #save: (() => void) | null;

  /**
   * @param save writes the key, before anything is sealed with it; null where it is on the disk
   * @throws {StoreError} `SEAL_BROKEN` when the key has another length than 32 bytes
   */
  constructor(key: Uint8Array, keySetAside: string | null = null, save: (() => void) | null = null) {
    this.keySetAside = keySetAside;
    this.#save = save;
    if (key.length !== KEY_BYTES)
      throw new StoreError('SEAL_BROKEN', `the key has ${key.length} bytes instead of ${KEY_BYTES}`);
    this.#key = Buffer.from(key);
  }

  /**
   * Seals text for one purpose; it cannot be opened for another (as where a password was moved into another field).
   * @throws the file system's error, where the key cannot be written: nothing could be opened after a restart
   */
  seal(text: string, purpose: string): string {
    this.#saveKey();
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce).setAAD(Buffer.from(purpose));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
  }

  /**
   * A digest of a text that only this device can make (HMAC-SHA-256), always the same.
   * @throws the file system's error, where the key cannot be written: after a restart the digest would differ
   */
  digest(text: string, purpose: string): Buffer {
    this.#saveKey();
    return createHmac('sha256', this.#key).update(`${purpose}\0${text}`).digest();
  }

  /** Opens sealed text. @throws {StoreError} `SEAL_BROKEN` */
  open(sealed: string, purpose: string): string {
    const bytes = Buffer.from(sealed, 'base64');
    try {
      const decipher = createDecipheriv(ALGORITHM, this.#key, bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(purpose))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch (cause) {
      throw new StoreError('SEAL_BROKEN', 'a sealed secret cannot be opened with this key', { cause });
    }
  }

  /** A name of the key, which differs for another key and reveals nothing else. */
  get name(): string {
    return createHmac('sha256', this.#key)
      .update('name')
      .digest('hex')
      .slice(0, 2 * NAME_BYTES);
  }

  #saveKey(): void {
    this.#save?.();
    this.#save = null;
  }
}

/**
 * Judges a document of digests: with another key no text matches its digests, and everybody would be refused.
 * @returns why the document cannot be used; null where it was made with this key
 */
export const ofAnotherKey = (
  { key }: { readonly key: string | null },
  { name }: Pick<Sealer, 'name'>,
): string | null => (key === null || key === name ? null : 'it was made with a key that this device no longer has');

function keyFromCredential(folder: string | undefined): Buffer | null {
  const path = folder === undefined ? null : join(folder, CREDENTIAL);
  const secret = path === null ? null : readPlainFileIfAny(path, MAX_CREDENTIAL_BYTES);
  if (secret === null) return null;
  if (secret.length < CREDENTIAL_MIN_BYTES) {
    throw new StoreError(
      'SEAL_BROKEN',
      `the key that systemd hands over (credential ${CREDENTIAL}) has ${secret.length} bytes, at least ${CREDENTIAL_MIN_BYTES} are needed: put the right file back at /etc/credstore/${CREDENTIAL}, or 32 random bytes, and send the settings again`,
    );
  }
  // A credential may be longer (systemd-creds makes any length): its digest is the key
  return createHash('sha256').update(secret).digest();
}

/**
 * A sealer with the key in systemd's credentials; null for none. A broken one refuses the start: somebody may put it back,
 * and a new key in its place would hide the fault.
 * @throws {StoreError} `SEAL_BROKEN`
 */
export function openCredential(folder: string): Sealer | null {
  const key = keyFromCredential(folder);
  return key === null ? null : new Sealer(key);
}

/** Errors of a key file that no one can read any more. A missing permission is not among them: the key may be good. */
const UNREADABLE = ['EIO', 'EISDIR', 'ELOOP'];

/** Reads a key file. @returns null where it is missing, or can never be read */
function contentOf(file: string): Buffer | null {
  try {
    return readPlainFileIfAny(file, MAX_FILE_BYTES);
  } catch (error) {
    if (isStoreError(error, 'NOT_PLAIN', 'TOO_LARGE') || isCode(error, ...UNREADABLE)) return null;
    throw error;
  }
}

/** Reads the key. @returns null where the file is missing, or holds no key */
function keyFromFile(keyFile: string): Buffer | null {
  const key = contentOf(keyFile);
  return key?.length === KEY_BYTES ? key : null;
}

const digestOf = (key: Uint8Array): Buffer => createHash('sha256').update(key).digest();
const copyOf = (keyFile: string): string => `${keyFile}.copy`;

/** Reads the copy of the key, with its digest: a key with one wrong bit opens nothing. @returns null where damaged */
function keyFromCopy(keyFile: string): Buffer | null {
  const copy = contentOf(copyOf(keyFile));
  const key = copy?.subarray(0, KEY_BYTES);
  return key !== undefined && copy?.subarray(KEY_BYTES).equals(digestOf(key)) ? key : null;
}

/** Writes the copy of the key, if possible: it helps a later start. */
const tryCopying = (keyFile: string, key: Buffer): void =>
  void whereItCan(() => replaceFile(copyOf(keyFile), Buffer.concat([key, digestOf(key)])));

/** A sealer with a new key, written now or, where the disk refuses, before its first use. */
function newSealer(keyFile: string, aside: string | null): Sealer {
  const key = randomBytes(KEY_BYTES);
  const save = (): void => {
    replaceFile(keyFile, key);
    tryCopying(keyFile, key);
  };
  const isSaved = whereItCan(() => {
    save();
    return true;
  });
  return new Sealer(key, aside, isSaved ? null : save);
}

/**
 * Opens the key: from systemd's credentials, else from a file beside the data that only its owner may read, or its
 * copy. Where neither has it any more, a new key is made: the device works, and only sealed texts must be sent again.
 * @param now wall clock in milliseconds, for the name of a file that is set aside
 * @throws {StoreError} `SEAL_BROKEN` when the credential cannot be used: the device may not replace it
 */
export function openSealer(keyFile: string, credentialsFolder: string | undefined, now = Date.now()): Sealer {
  const credential = keyFromCredential(credentialsFolder);
  if (credential !== null) return new Sealer(credential);
  const present = keyFromFile(keyFile);
  const copy = keyFromCopy(keyFile);
  if (copy === null && present !== null) tryCopying(keyFile, present);
  if (present !== null && (copy === null || copy.equals(present))) return new Sealer(present);
  // what cannot be moved is replaced by the next write
  const aside = whereItCan(() => (pathExists(keyFile) ? setAside(keyFile, now) : null));
  if (copy === null) return newSealer(keyFile, aside);
  whereItCan(() => replaceFile(keyFile, copy));
  return new Sealer(copy);
}
