/** A certificate with its key, as a TLS server needs them. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { messageOf } from '../../drivers/message-of.ts';

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

/** Its message reads after the name of what does not fit. */
export class TlsPairError extends Error {
  readonly part: 'certificate' | 'key';

  constructor(part: TlsPairError['part'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'TlsPairError';
    this.part = part;
  }
}

function readCertificate(pem: string): X509Certificate {
  if (!pem.includes('-----BEGIN CERTIFICATE-----'))
    throw new TlsPairError('certificate', 'holds no certificate in PEM');
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw new TlsPairError('certificate', 'holds a damaged certificate', cause);
  }
}

function readKey(pem: string): KeyObject {
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem)) throw new TlsPairError('key', 'holds no key in PEM');
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    throw new TlsPairError('key', 'holds a damaged key, or one that needs a password', cause);
  }
}

/** @throws {TlsPairError} */
export function tlsPair(certificate: string, key: string): TlsPair {
  const read = readCertificate(certificate);
  if (!read.checkPrivateKey(readKey(key)))
    throw new TlsPairError('key', 'is not the key of the certificate: is the other of the two still to come?');
  try {
    createSecureContext({ cert: certificate, key });
  } catch (cause) {
    throw new TlsPairError('certificate', `cannot be used for TLS (${messageOf(cause)})`, cause);
  }
  return { certificate, key, fingerprint: read.fingerprint256, validTo: Date.parse(read.validTo) };
}
