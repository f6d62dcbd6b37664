/** A certificate with its key, as a TLS server needs them. */
import { createPrivateKey, type KeyObject, sign, verify, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { within } from '../../../drivers/lib/async.ts';
import { CodedError, codeOf, messageOf } from '../../../drivers/lib/errors.ts';
import { isStoreError, pathExists, readPlainFile, readPlainFileAside, replaceFile, setAside } from '../files/index.ts';
import { makeCertificate } from './certificate.ts';

/**
 * The device's own key in the file with its certificate: made at the first start, in one file, so that they always
 * match.
 */
const KEY = /-----BEGIN PRIVATE KEY-----[\s\S]*-----END PRIVATE KEY-----\n/;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*-----END CERTIFICATE-----\n/;

export interface OwnNames {
  /** Names that the certificate must have: otherwise another one is made. */
  readonly needed: readonly string[];
  /** Further names of a new certificate, such as present addresses. */
  readonly more: readonly string[];
}

export interface OwnPair {
  readonly pair: TlsPair;
  /** Where a damaged file was set aside; null for none. */
  readonly setAside: string | null;
  /** Why the file could not be written: the next start makes another pair. Null when it is stored. */
  readonly unsaved: unknown;
}

function read(file: string): TlsPair | null {
  try {
    const text = readPlainFile(file, MAX_CERTIFICATE_FILE_BYTES).toString();
    const [[key = ''] = [], [certificate = ''] = []] = [KEY.exec(text) ?? [], CERTIFICATE.exec(text) ?? []];
    return selfSignedPair(certificate, key);
  } catch {
    return null; // a file with any fault is set aside and reported
  }
}

export function namesOf({ certificate }: TlsPair, names: readonly string[]): string[] {
  const read = new X509Certificate(certificate);
  return names.filter((name) => (isIP(name) === 0 ? read.checkHost(name) : read.checkIP(name)) !== undefined);
}

/** Whether another certificate has more of the names; a name that no certificate can have does not count. */
const lacks = (pair: TlsPair, other: TlsPair, needed: readonly string[]): boolean => {
  const present = new Set(namesOf(pair, needed));
  return namesOf(other, needed).some((name) => !present.has(name));
};

/**
 * Opens the device's own pair; makes a new one where the file is missing or damaged, or a needed name is lacking.
 * @param now wall clock in milliseconds, for the name of a file that is set aside
 */
export function openOwnPair(file: string, { needed, more }: OwnNames, now: number): OwnPair {
  const present = read(file);
  const made = makeCertificate([...new Set([...needed, ...more])], present?.key);
  const pair = tlsPair(made.certificate, made.key);
  if (present !== null && !lacks(present, pair, needed)) return { pair: present, setAside: null, unsaved: null };
  try {
    const aside = present === null && pathExists(file) ? setAside(file, now) : null;
    replaceFile(file, made.key + made.certificate, 0o600);
    return { pair, setAside: aside, unsaved: null };
  } catch (unsaved) {
    return { pair, setAside: null, unsaved };
  }
}

/**
 * The key of the device, whatever certificate it shows.
 * @throws the file system's error where a new key could not be stored
 */
export function ownKey(file: string, now: number): KeyObject {
  const { pair, unsaved } = openOwnPair(file, { needed: [], more: [] }, now);
  if (unsaved !== null) throw unsaved;
  return createPrivateKey(pair.key);
}

// Reads a file named by settings, which may be anything: an endless device, a pipe without a writer.

/** Largest file: a bundle of all public authorities is half as large. */
export const MAX_CERTIFICATE_FILE_BYTES = 512 * 1024;
/** Time limit for reading a file, which may be on an absent network. */
const CERTIFICATE_READ_LIMIT_MS = 3000;

export type CertificateErrorCode =
  /** It cannot be read, or is no plain file. */
  | 'file'
  /** It was sent to the device, and is no longer stored there, or cannot be unsealed. */
  | 'not-kept'
  /** It is no usable certificate. */
  | 'certificate'
  /** It is no key, or not the certificate's. */
  | 'key';

/** What is wrong with a certificate or its key. The message reads after the name of the file. */
export class CertificateError extends CodedError<CertificateErrorCode> {}

function inWords(cause: unknown): CertificateError {
  if (cause instanceof CertificateError) return cause;
  if (!isStoreError(cause, 'NOT_PLAIN', 'TOO_LARGE'))
    return new CertificateError('file', `cannot be read (${codeOf(cause) ?? 'unknown'})`, { cause });
  const isLarge = cause.code === 'TOO_LARGE';
  return new CertificateError('file', isLarge ? `${cause.message}: that is no certificate` : cause.message, { cause });
}

/** Reads a certificate or key file that settings name. @throws {CertificateError} */
export async function readCertificateFile(path: string, limitMs = CERTIFICATE_READ_LIMIT_MS): Promise<Buffer> {
  const late = () => new CertificateError('file', `could not be read within ${limitMs / 1000} s`);
  try {
    return await within(readPlainFileAside(path, MAX_CERTIFICATE_FILE_BYTES), limitMs, late);
  } catch (cause) {
    throw inWords(cause);
  }
}

export interface TlsPair {
  /** PEM; the device's first, then those that lead to its authority. */
  readonly certificate: string;
  /** PEM. */
  readonly key: string;
  /** SHA-256 over the whole certificate, as browsers write it: `AB:CD:…`. */
  readonly fingerprint: string;
  /** Milliseconds since 1970. */
  readonly validTo: number;
}

function readCertificate(pem: string): X509Certificate {
  if (!pem.includes('-----BEGIN CERTIFICATE-----'))
    throw new CertificateError('certificate', 'holds no certificate in PEM');
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw new CertificateError('certificate', 'holds a damaged certificate', { cause });
  }
}

function readKey(pem: string): KeyObject {
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem)) throw new CertificateError('key', 'holds no key in PEM');
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    throw new CertificateError('key', 'holds a damaged key, or one that needs a password', { cause });
  }
}

const PROBE = Buffer.from('laneware');

/**
 * Whether a key fits a certificate. A key contains its public half, which still matches when a bit of the private one
 * has changed: only a signature shows that.
 */
function fits(key: KeyObject, certificate: X509Certificate): boolean {
  try {
    return certificate.checkPrivateKey(key) && verify(null, PROBE, certificate.publicKey, sign(null, PROBE, key));
  } catch {
    return false; // a changed number may be one that no key has
  }
}

/** A certificate with its key, checked to fit each other and TLS. @throws {CertificateError} */
export function tlsPair(certificate: string, key: string): TlsPair {
  const read = readCertificate(certificate);
  if (!fits(readKey(key), read))
    throw new CertificateError('key', 'is not the key of the certificate: is the other of the two still to come?');
  try {
    createSecureContext({ cert: certificate, key });
  } catch (cause) {
    throw new CertificateError('certificate', `cannot be used for TLS (${messageOf(cause)})`, { cause });
  }
  return { certificate, key, fingerprint: read.fingerprint256, validTo: Date.parse(read.validTo) };
}

/** A pair whose certificate is self-signed: a byte changed anywhere in it shows. @throws {CertificateError} */
export function selfSignedPair(certificate: string, key: string): TlsPair {
  const pair = tlsPair(certificate, key);
  const read = new X509Certificate(certificate);
  if (!read.verify(read.publicKey)) throw new CertificateError('certificate', 'holds a damaged certificate');
  return pair;
}
