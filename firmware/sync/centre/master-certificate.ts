/** The certificate by which slaves know a master, in the two files that `nats-server` reads. */
import { join } from 'node:path';
import { isCode } from '../../../drivers/lib/errors.ts';
import { isStoreError, isThere, lastSetAside, readPlainFile, replaceFile, setAside } from '../../core/store/index.ts';
import { CertificateError, MAX_CERTIFICATE_FILE_BYTES, makeCertificate, selfSignedPair } from '../../core/tls/index.ts';
import { MASTER_NAME } from './connect.ts';

export interface MasterCertificate {
  /** PEM. */
  readonly certificate: string;
  /** A sentence on what a person should mend; null when all is well. */
  readonly problem: string | null;
}

const read = (path: string): string => readPlainFile(path, MAX_CERTIFICATE_FILE_BYTES).toString('latin1');

const IS_NO_FILE = ['ENOENT', 'EISDIR', 'ELOOP', 'ENXIO'];

/** Whether the files are damaged; an error that may pass, as a card that cannot be read just now, is no damage. */
const isDamage = (error: unknown): boolean =>
  error instanceof CertificateError || isStoreError(error, 'NOT_PLAIN', 'TOO_LARGE') || isCode(error, ...IS_NO_FILE);

/**
 * The certificate in the two files; null where they are missing, damaged, or no pair.
 * @throws the file system's error
 */
function present(certificate: string, key: string): string | null {
  try {
    return selfSignedPair(read(certificate), read(key)).certificate;
  } catch (error) {
    if (!isDamage(error)) throw error;
    return null;
  }
}

function problemOf(paths: readonly string[]): string | null {
  const aside = paths.map((path) => lastSetAside(path)).find((path) => path !== null) ?? null;
  return aside === null
    ? null
    : `the master's certificate was damaged and set aside as ${aside}: a new one was made, so pair the slaves anew, then move that file away`;
}

/** @throws the file system's error */
export function openMasterCertificate(folder: string): MasterCertificate {
  const paths = [join(folder, 'key.pem'), join(folder, 'certificate.pem')] as const;
  const [key, certificate] = paths;
  const usable = present(certificate, key);
  if (usable !== null) return { certificate: usable, problem: problemOf(paths) };
  // an interrupted first start leaves a key alone: no device knows it yet
  if (isThere(certificate)) for (const path of paths) if (isThere(path)) setAside(path, Date.now());
  const made = makeCertificate([MASTER_NAME]);
  replaceFile(key, made.key);
  replaceFile(certificate, made.certificate);
  return { certificate: made.certificate, problem: problemOf(paths) };
}
