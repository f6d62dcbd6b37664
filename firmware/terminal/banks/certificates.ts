/** The client certificate of a bank profile, read and tried at once: a wrong passphrase is told when it is set. */
import { readFileSync } from 'node:fs';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { BankProfileError } from './profile-error.ts';

export interface TlsFiles {
  /** PKCS #12 with certificate and key; or `certPath` and `keyPath`. */
  readonly pfxPath?: string;
  readonly certPath?: string;
  readonly keyPath?: string;
  /** Authorities in place of the usual ones, PEM. */
  readonly caPath?: string;
  /** Opens the PKCS #12 file or the key; empty where neither is locked. */
  readonly passphrase: string;
}

function readFile(field: string, path: string | undefined): Buffer | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(path);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown';
    throw new BankProfileError('certificate', field, `${field} cannot be read (${code})`, cause);
  }
}

/** @throws {BankProfileError} */
export function readCertificates(files: TlsFiles): SecureContextOptions {
  const { pfxPath, certPath, keyPath, caPath, passphrase } = files;
  if ((certPath === undefined) !== (keyPath === undefined)) {
    const field = certPath === undefined ? 'certPath' : 'keyPath';
    throw new BankProfileError('certificate', field, `${field} is required beside the other of the pair`);
  }
  const pfx = readFile('pfxPath', pfxPath);
  const cert = readFile('certPath', certPath);
  const key = readFile('keyPath', keyPath);
  const ca = readFile('caPath', caPath);
  const options: SecureContextOptions = {
    ...(pfx && { pfx }),
    ...(cert && key && { cert, key }),
    ...((pfx ?? key) && { passphrase }),
    ...(ca && { ca }),
  };
  try {
    createSecureContext(options);
  } catch (cause) {
    const field = pfxPath === undefined ? (keyPath === undefined ? 'caPath' : 'keyPath') : 'pfxPath';
    const message = `the certificate of ${field} cannot be opened: wrong password, or not the kind of file it should be`;
    throw new BankProfileError('certificate', field, message, cause);
  }
  return options;
}
