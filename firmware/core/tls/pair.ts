/** A certificate with its key, as a TLS server needs them. */
import { createPrivateKey, type KeyObject, sign, verify, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { CertificateError } from './certificate-file.ts';

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

/** A key also holds its public half, which still fits where a bit of the private one has changed: only a signature shows that. */
function fits(key: KeyObject, certificate: X509Certificate): boolean {
  try {
    return certificate.checkPrivateKey(key) && verify(null, PROBE, certificate.publicKey, sign(null, PROBE, key));
  } catch {
    return false; // a changed number may be one that no key has
  }
}

/** @throws {CertificateError} */
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

/** The same of a certificate that vouches for itself: a byte that has changed anywhere in it shows. @throws {CertificateError} */
export function selfSignedPair(certificate: string, key: string): TlsPair {
  const pair = tlsPair(certificate, key);
  const read = new X509Certificate(certificate);
  if (!read.verify(read.publicKey)) throw new CertificateError('certificate', 'holds a damaged certificate');
  return pair;
}
