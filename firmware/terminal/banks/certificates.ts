/** The certificates of a bank profile, read and tried at once: what cannot be used is told when it is set. */
import { X509Certificate } from 'node:crypto';
import { Duplex } from 'node:stream';
import { createSecureContext, type SecureContextOptions, TLSSocket } from 'node:tls';
import { type FieldError, isCode } from '../../../drivers/lib/errors.ts';
import { CertificateError, readCertificateFile } from '../../tls/certificate-file.ts';
import { unusableField } from './adapter.ts';
import type { ClientCertificate } from './bank.ts';

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

export interface BankTls {
  readonly options: SecureContextOptions;
  /** Null where the bank is asked without one. */
  readonly certificate: ClientCertificate | null;
}

type FileField = Exclude<keyof TlsFiles, 'passphrase'>;

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

const unusable = (field: FileField, problem: string, cause?: unknown): FieldError =>
  unusableField(field, `it ${problem}`, cause);

async function readFile(field: FileField, path: string | undefined): Promise<Buffer | undefined> {
  if (path === undefined) return undefined;
  try {
    return await readCertificateFile(path);
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error;
    throw unusable(field, error.message, error.cause);
  }
}

/** Node passes over what it cannot read of a list of authorities: nothing would be said before the bank is called. */
function mustBePem(field: FileField, file: Buffer | undefined): void {
  if (file === undefined) return;
  const certificates = file.toString('latin1').match(PEM_CERTIFICATE) ?? [];
  if (certificates.length === 0) {
    throw unusable(field, 'holds no certificate in PEM, which begins with -----BEGIN CERTIFICATE-----');
  }
  for (const [index, text] of certificates.entries()) {
    try {
      new X509Certificate(text);
    } catch (cause) {
      throw unusable(field, `cannot be used: certificate ${index + 1} in it is damaged`, cause);
    }
  }
}

function open(options: SecureContextOptions, files: TlsFiles) {
  try {
    return createSecureContext(options);
  } catch (cause) {
    if (isCode(cause, 'ERR_OSSL_X509_KEY_VALUES_MISMATCH')) {
      throw unusable('keyPath', 'is not the key of the certificate of certPath', cause);
    }
    const field = files.pfxPath === undefined ? 'keyPath' : 'pfxPath';
    throw unusable(field, 'cannot be opened: wrong password, or not the kind of file it should be', cause);
  }
}

const nowhere = (): Duplex => new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });

/** A connection that is never made shows what would be presented on it: there is no other way into PKCS #12. */
function ownCertificate(secureContext: ReturnType<typeof createSecureContext>): X509Certificate | undefined {
  const socket = new TLSSocket(nowhere(), { secureContext, isServer: true });
  try {
    return socket.getX509Certificate();
  } finally {
    socket.destroy();
  }
}

/** @throws {FieldError} */
export async function readCertificates(files: TlsFiles): Promise<BankTls> {
  const { pfxPath, certPath, keyPath, caPath, passphrase } = files;
  if ((certPath === undefined) !== (keyPath === undefined)) {
    throw unusable(certPath === undefined ? 'certPath' : 'keyPath', 'is required beside the other of the pair');
  }
  const pfx = await readFile('pfxPath', pfxPath);
  const cert = await readFile('certPath', certPath);
  const key = await readFile('keyPath', keyPath);
  const ca = await readFile('caPath', caPath);
  mustBePem('certPath', cert);
  mustBePem('caPath', ca);
  const options: SecureContextOptions = {
    ...(pfx && { pfx }),
    ...(cert && key && { cert, key }),
    ...((pfx ?? key) && { passphrase }),
    ...(ca && { ca }),
  };
  const own = ownCertificate(open(options, files));
  const field = pfxPath === undefined ? 'certPath' : 'pfxPath';
  const certificate =
    own && ({ field, validFrom: Date.parse(own.validFrom), validTo: Date.parse(own.validTo) } as const);
  return { options, certificate: certificate ?? null };
}
