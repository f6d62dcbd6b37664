/** Reads and tries the certificates of a bank profile at once: unusable files are reported when they are set. */
import { X509Certificate } from 'node:crypto';
import { Duplex } from 'node:stream';
import { createSecureContext, rootCertificates, type SecureContextOptions, TLSSocket } from 'node:tls';
import { codeOf, type FieldError, isCode } from '../../drivers/lib/errors.ts';
import { CertificateError, readCertificateFile } from '../core/tls/index.ts';
import { type BankContext, unusableField } from './adapter.ts';
import type { BankTls } from './bank-connection.ts';
import { isKept } from './certificate-store.ts';
import { type WatchedCertificate, watchedFile } from './certificate-watch.ts';

// Recognises PKCS #12 files of old ciphers, which OpenSSL 3 does not open: RFC 7292, appendix C. The names of the
// ciphers are readable before the encrypted parts.

/** 1.2.840.113549.1.12.1 in the bytes of a file; the next byte is the cipher. */
const OLD_CIPHERS = Buffer.from('060a2a864886f70d010c01', 'hex');
const NAMES: ReadonlyMap<number, string> = new Map([
  [1, 'RC4-128'],
  [2, 'RC4-40'],
  [3, '3DES'],
  [4, '3DES with two keys'],
  [5, 'RC2-128'],
  [6, 'RC2-40'],
]);

function ciphersOf(file: Buffer): string[] {
  const names = new Set<string>();
  for (let at = file.indexOf(OLD_CIPHERS); at >= 0; at = file.indexOf(OLD_CIPHERS, at + 1)) {
    const name = NAMES.get(file[at + OLD_CIPHERS.length] ?? 0);
    if (name !== undefined) names.add(name);
  }
  return [...names];
}

/** Advice for a file that was sent to the device, whose original lies elsewhere under another name. */
const KEPT_CONVERSION =
  'openssl pkcs12 -legacy -in OLD.pfx -noenc -out both.pem, then openssl pkcs12 -export -in both.pem -out NEW.pfx';

/** A text quoted as one word for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * A shell command that converts an old file to today's ciphers; it asks for the old password, and twice for the new
 * one. The new file gets the owner and rights of the old one, which this device could read: the person may run it as
 * root.
 */
function conversion(path: string, converted: string): string {
  const [from, between, to] = [path, `${converted}.pem`, converted].map(quoted);
  const read = `openssl pkcs12 -legacy -in ${from} -noenc -out ${between}`;
  const write = `openssl pkcs12 -export -in ${between} -out ${to}`;
  const client = ['chmod', 'chown'].map((change) => `${change} --reference=${from} ${to}`).join(' && ');
  return `(umask 077; ${read} && ${write} && ${client}; rm -f ${between})`;
}

/**
 * The problem of a file refused for its ciphers, to be read after its field; null for any other refusal.
 * @param error the refusal
 */
function oldCipherProblem(file: Buffer, path: string, error: unknown): string | null {
  const isUnsupported =
    codeOf(error) === 'ERR_CRYPTO_UNSUPPORTED_OPERATION' || codeOf(error) === 'ERR_OSSL_EVP_UNSUPPORTED';
  if (!isUnsupported) return null;
  const ciphers = ciphersOf(file);
  const which = ciphers.length === 0 ? 'an old cipher' : ciphers.join(' and ');
  const locked = `is locked with ${which}, which is no longer opened`;
  if (isKept(path))
    return `${locked}. Ask the bank for a new one, or make one where the file came from: ${KEPT_CONVERSION}`;
  const converted = `${path.replace(/\.(pfx|p12)$/i, '')}-new.pfx`;
  return `${locked}. Make a new one, as root (sudo -s): ${conversion(path, converted)} and name ${converted} in its place`;
}

export interface TlsFiles {
  /** PKCS #12 with certificate and key; instead of it, `certPath` and `keyPath`. */
  readonly pfxPath?: string | undefined;
  readonly certPath?: string | undefined;
  readonly keyPath?: string | undefined;
  /** Authorities in place of the usual ones, PEM. */
  readonly caPath?: string | undefined;
  /** Opens the PKCS #12 file or the key; empty where neither is locked. */
  readonly passphrase?: string | undefined;
  /** The profile's name for the password; `passphrase` where left out. */
  readonly passphraseField?: string;
}

/** Key of the configuration: authorities for every bank, in addition to the usual ones. */
const DEVICE_CA = 'banks.caPath';
type FileField = Exclude<keyof TlsFiles, 'passphrase' | 'passphraseField'> | typeof DEVICE_CA;

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** RFC 7468, section 11, and the older form of RFC 1421. */
const LOCKED_PEM = /^(-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED)/m;

const unusable = (field: FileField, problem: string, reason: string | undefined, cause?: unknown): FieldError =>
  unusableField(field, `it ${problem}`, cause, reason);

/** A page's reason code of an unreadable file; for a file of the machine the system's words are used. */
export const reasonOfFile = ({ code }: CertificateError): string | undefined =>
  code === 'not-kept' ? 'not-kept' : undefined;

/** @param read as in `BankContext` */
async function readFile(
  field: FileField,
  path: string | null | undefined,
  read: NonNullable<BankContext['readFile']> = readCertificateFile,
): Promise<Buffer | undefined> {
  if (path === undefined || path === null) return undefined;
  try {
    return await read(path);
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error;
    throw unusable(field, error.message, reasonOfFile(error), error.cause);
  }
}

/**
 * The certificates of a PEM file. Node ignores unreadable ones among authorities: without this, nothing would be
 * reported before the bank is called.
 */
function pemCertificates(field: FileField, file: Buffer | undefined): X509Certificate[] {
  if (file === undefined) return [];
  const texts = file.toString('latin1').match(PEM_CERTIFICATE) ?? [];
  if (texts.length === 0) {
    throw unusable(
      field,
      'holds no certificate in PEM, which begins with -----BEGIN CERTIFICATE-----',
      'no-certificate',
    );
  }
  return texts.map((text, index) => {
    try {
      return new X509Certificate(text);
    } catch (cause) {
      throw unusable(field, `cannot be used: certificate ${index + 1} in it is damaged`, 'damaged', cause);
    }
  });
}

/**
 * Whether the password is wrong: by OpenSSL's words for PKCS #12, and its codes for PEM. One wrong password in 256
 * unlocks the end of a PEM key by chance: what is then read is no key of a known kind.
 * @param key in PEM, where one was read
 */
export const isWrongPassphrase = (error: unknown, key?: Buffer): boolean =>
  isCode(error, 'ERR_OSSL_BAD_DECRYPT') ||
  (error instanceof Error && error.message === 'mac verify failure') ||
  (isCode(error, 'ERR_OSSL_UNSUPPORTED') && key !== undefined && LOCKED_PEM.test(key.toString('latin1')));

/** @param field of the password */
export const wrongPassphrase = (field: string, cause: unknown): FieldError =>
  unusableField(field, 'it does not open the key, or the certificate, that the profile names', cause, 'wrong-password');

function open(
  options: SecureContextOptions,
  { pfxPath, passphraseField = 'passphrase' }: TlsFiles,
  { pfx, key }: { readonly pfx: Buffer | undefined; readonly key: Buffer | undefined },
) {
  try {
    return createSecureContext(options);
  } catch (cause) {
    if (isCode(cause, 'ERR_OSSL_X509_KEY_VALUES_MISMATCH')) {
      throw unusable('keyPath', 'is not the key of the certificate of certPath', 'other-key', cause);
    }
    if (isWrongPassphrase(cause, key)) throw wrongPassphrase(passphraseField, cause);
    const old = pfx === undefined || pfxPath === undefined ? null : oldCipherProblem(pfx, pfxPath, cause);
    if (old !== null) throw unusable('pfxPath', old, 'old-cipher', cause);
    const field = pfxPath === undefined ? 'keyPath' : 'pfxPath';
    throw unusable(field, 'cannot be opened: it is not the kind of file it should be', 'unopened', cause);
  }
}

const nowhere = (): Duplex => new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });

/** The client certificate of a context, by a connection that is never made: Node cannot read it from PKCS #12. */
function ownCertificate(secureContext: ReturnType<typeof createSecureContext>): X509Certificate | undefined {
  const socket = new TLSSocket(nowhere(), { secureContext, isServer: true });
  try {
    return socket.getX509Certificate();
  } finally {
    socket.destroy();
  }
}

/** The trusted authorities: the device's own add to the usual ones; a profile's replace all. */
export const trusted = (authorities: Buffer, isOfDevice: boolean): (string | Buffer)[] =>
  isOfDevice ? [...rootCertificates, authorities] : [authorities];

/** The device's own authorities, and who gets the certificates that were read. */
type DeviceTls = Pick<BankContext, 'caPath' | 'onCertificates' | 'readFile'>;

/** Reads and parses the files once for all connections. @throws {FieldError} */
export async function readCertificates(files: TlsFiles, device: DeviceTls = {}): Promise<BankTls> {
  const { pfxPath, certPath, keyPath, caPath, passphrase = '' } = files;
  if ((certPath === undefined) !== (keyPath === undefined)) {
    throw unusable(
      certPath === undefined ? 'certPath' : 'keyPath',
      'is required beside the other of the pair: a file in PEM',
      'other-of-pair',
    );
  }
  const pfx = await readFile('pfxPath', pfxPath, device.readFile);
  const cert = await readFile('certPath', certPath, device.readFile);
  const key = await readFile('keyPath', keyPath, device.readFile);
  const caField = caPath === undefined ? DEVICE_CA : 'caPath';
  const ca = await readFile(caField, caPath ?? device.caPath, device.readFile);
  pemCertificates('certPath', cert);
  const authorities = pemCertificates(caField, ca);
  const options: SecureContextOptions = {
    minVersion: 'TLSv1.2',
    ...(pfx && { pfx }),
    ...(cert && key && { cert, key }),
    ...((pfx ?? key) && { passphrase }),
    ...(ca && { ca: trusted(ca, caPath === undefined) }),
  };
  const secureContext = open(options, files, { pfx, key });
  const client = ownCertificate(secureContext);
  const watched: WatchedCertificate[] = authorities.map((each) => watchedFile('authority', caField, each));
  if (client !== undefined)
    watched.unshift(watchedFile('client', pfxPath === undefined ? 'certPath' : 'pfxPath', client));
  device.onCertificates?.(watched);
  return { secureContext };
}
