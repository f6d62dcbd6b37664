/** Secrets at rest: AES-256-GCM with a key that systemd hands over, or that lies beside the data. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from './durable-file.ts';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CREDENTIAL = 'laneware-key';

/** Sealed text cannot be opened: another key, or damage. */
export class SealError extends Error {
  readonly code = 'SEAL_BROKEN';
}

export class Sealer {
  readonly #key: Buffer;

  constructor(key: Uint8Array) {
    if (key.length !== KEY_BYTES) throw new SealError(`the key has ${key.length} bytes instead of ${KEY_BYTES}`);
    this.#key = Buffer.from(key);
  }

  /** Seals text for one purpose; it opens for no other (a password moved into another field stays shut). */
  seal(text: string, purpose: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce).setAAD(Buffer.from(purpose));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
  }

  /** @throws {SealError} */
  open(sealed: string, purpose: string): string {
    const bytes = Buffer.from(sealed, 'base64');
    try {
      const decipher = createDecipheriv(ALGORITHM, this.#key, bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(purpose))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch (cause) {
      throw new SealError('a sealed secret cannot be opened with this key', { cause });
    }
  }
}

function keyFromCredential(folder: string | undefined): Buffer | null {
  const path = folder === undefined ? null : join(folder, CREDENTIAL);
  if (path === null || !existsSync(path)) return null;
  // A credential may be of any length (systemd-creds makes what it is told to): its digest is the key
  return createHash('sha256').update(readFileSync(path)).digest();
}

/** The key from systemd's credentials folder where it is, else a file beside the data that only its owner may read. */
export function openSealer(keyFile: string, credentialsFolder: string | undefined): Sealer {
  const credential = keyFromCredential(credentialsFolder);
  if (credential !== null) return new Sealer(credential);
  if (!existsSync(keyFile)) replaceFile(keyFile, randomBytes(KEY_BYTES), 0o600);
  return new Sealer(readFileSync(keyFile));
}
