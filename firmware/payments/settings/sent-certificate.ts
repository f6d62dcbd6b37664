/** What a file that is sent for the bank holds, looked at before it is kept: a file that no bank can use is refused with its reason. */

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { FieldError, messageOf } from '../../../drivers/lib/errors.ts';
import type { FileKind } from '../../banks/index.ts';

export interface SentCertificate {
  /** As it is kept: PKCS #12 as it came, all else as plain PEM. */
  readonly bytes: Buffer;
  /** Those that can be read without a password, as they stand in the file. */
  readonly certificates: readonly X509Certificate[];
  readonly hasKey: boolean;
  readonly isPkcs12: boolean;
}

const refusal = (reason: string, must: string, cause?: unknown): FieldError =>
  new FieldError('content', must, { reason, ...(cause !== undefined && { cause }) });

/** SEQUENCE: PKCS #12 is one (RFC 7292, section 4), as is all that X.509 writes in DER. */
const DER = 0x30;
const UTF16_MARK = Buffer.from([0xff, 0xfe]);
const BEGIN = '-----BEGIN ';
const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----([\s\S]*?)-----END \1-----/g;
/** OpenSSL's words for a file that is PKCS #12 and needs its password: with one, or without a checksum. */
const LOCKED_PKCS12 = /^(mac verify failure|bad decrypt)$/;

/** PEM is ASCII; editors of Windows write two bytes a letter, or a mark before it, which belongs to no block. */
function textOf(bytes: Buffer): string {
  const isWide = bytes.subarray(0, UTF16_MARK.length).equals(UTF16_MARK);
  return isWide ? bytes.subarray(UTF16_MARK.length).toString('utf16le') : bytes.toString('latin1');
}

/** The block alone, with the ends of lines and without the margins that OpenSSL takes. */
function plainBlock([block]: RegExpMatchArray): string {
  const lines = block.split(/\r\n|\r|\n/).map((each) => each.trim());
  return `${lines.join('\n')}\n`;
}

const isKey = (label: string): boolean => label.endsWith('PRIVATE KEY');
const isLocked = (label: string, block: string): boolean =>
  label.startsWith('ENCRYPTED') || /^Proc-Type:.*ENCRYPTED$/m.test(block);

function certificateIn(block: string | Buffer): X509Certificate {
  try {
    return new X509Certificate(block);
  } catch (cause) {
    throw refusal('damaged', 'holds a damaged certificate', cause);
  }
}

function checkKey(block: string): void {
  try {
    createPrivateKey(block);
  } catch (cause) {
    throw refusal('damaged', 'holds a damaged key', cause);
  }
}

function pemIn(text: string): SentCertificate {
  const blocks = [...text.matchAll(BLOCK)].map((found) => ({ label: found[1] ?? '', block: plainBlock(found) }));
  if (text.split(BEGIN).length - 1 !== blocks.length)
    throw refusal('damaged', 'must be whole: a -----BEGIN has no -----END of its own');
  const certificates = blocks.filter(({ label }) => label === 'CERTIFICATE').map(({ block }) => certificateIn(block));
  const keys = blocks.filter(({ label }) => isKey(label));
  for (const { label, block } of keys) if (!isLocked(label, block)) checkKey(block);
  if (certificates.length === 0 && keys.length === 0) {
    if (blocks.some(({ label }) => label.endsWith('CERTIFICATE REQUEST')))
      throw refusal('is-request', 'must be the certificate that the bank has made of this request');
    throw notOne();
  }
  const bytes = Buffer.from(blocks.map(({ block }) => block).join(''));
  return { bytes, certificates, hasKey: keys.length > 0, isPkcs12: false };
}

function notOne(cause?: unknown): FieldError {
  const must = 'must be a certificate or a key: PKCS #12 (.pfx, .p12), or PEM, which has -----BEGIN in it';
  return refusal('no-certificate', must, cause);
}

/** A certificate in DER is kept as PEM, which is what banks are opened with; null for what is none. */
function certificateInDer(bytes: Buffer): SentCertificate | null {
  try {
    const certificate = new X509Certificate(bytes);
    return { bytes: Buffer.from(certificate.toString()), certificates: [certificate], hasKey: false, isPkcs12: false };
  } catch {
    return null; // it may be something else in DER
  }
}

/** The same of a key. */
function keyInDer(bytes: Buffer): SentCertificate | null {
  for (const type of ['pkcs8', 'pkcs1', 'sec1'] as const) {
    try {
      const key = createPrivateKey({ key: bytes, format: 'der', type });
      const pem = key.export({ type: 'pkcs8', format: 'pem' });
      return { bytes: Buffer.from(pem), certificates: [], hasKey: true, isPkcs12: false };
    } catch {
      // the next kind, or none
    }
  }
  return null;
}

/** Without its password its content is unknown; that it is one is known. */
function pkcs12In(bytes: Buffer): SentCertificate {
  try {
    createSecureContext({ pfx: bytes, passphrase: '' });
  } catch (cause) {
    if (!LOCKED_PKCS12.test(messageOf(cause))) throw notOne(cause);
  }
  return { bytes, certificates: [], hasKey: true, isPkcs12: true };
}

function opened(bytes: Buffer): SentCertificate {
  if (bytes.length === 0) throw refusal('empty', 'must not be empty');
  const text = textOf(bytes);
  if (text.includes(BEGIN)) return pemIn(text);
  if (bytes[0] !== DER) throw notOne();
  return certificateInDer(bytes) ?? keyInDer(bytes) ?? pkcs12In(bytes);
}

/**
 * @param kind what the field that it is for takes; null where the field was not named
 * @throws {FieldError}
 */
export function sentCertificate(bytes: Buffer, kind: FileKind | null): SentCertificate {
  const sent = opened(bytes);
  if (kind === null) return sent;
  if (kind === 'pkcs12' && !sent.isPkcs12)
    throw refusal('not-pkcs12', 'must be PKCS #12 (.pfx, .p12), certificate and key in one file');
  if (kind !== 'pkcs12' && sent.isPkcs12) throw refusal('not-pem', 'must be PEM, and is PKCS #12');
  if (kind === 'certificate' && sent.certificates.length === 0)
    throw refusal('lacks-certificate', 'must hold a certificate, and holds a key alone');
  if (kind === 'key' && !sent.hasKey) throw refusal('lacks-key', 'must hold a key, and holds a certificate alone');
  return sent;
}
