/** The call by which a person stores a certificate or a key for the bank, and the checks of the file. */

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { FieldError, messageOf } from '../../../../drivers/lib/errors.ts';
import {
  type CertificateStore,
  type FileKind,
  fileKindOf,
  holderOf,
  MAX_CERTIFICATE_BYTES,
} from '../../../banks/index.ts';
import { requirePrivacy } from '../../../core/http/index.ts';
import { terminalFailure } from '../../model/failures.ts';
import { timestamp } from './fields.ts';

/** The content of a sent file, checked before it is stored: one that no bank can use is refused with the reason. */
interface SentCertificate {
  /** The bytes to store: PKCS #12 as it came, all else as plain PEM. */
  readonly bytes: Buffer;
  /** The certificates readable without a password, in the order of the file. */
  readonly certificates: readonly X509Certificate[];
  readonly hasKey: boolean;
  readonly isPkcs12: boolean;
}

const refusal = (reason: string, must: string, cause?: unknown): FieldError =>
  new FieldError('content', must, { reason, ...(cause !== undefined && { cause }) });

/** DER tag SEQUENCE: begins a PKCS #12 file (RFC 7292, section 4) and everything of X.509 in DER. */
const DER = 0x30;
const UTF16_MARK = Buffer.from([0xff, 0xfe]);
const BEGIN = '-----BEGIN ';
const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----([\s\S]*?)-----END \1-----/g;
/** OpenSSL's messages for a PKCS #12 file that needs its password: for a file with a checksum (MAC), and for one without. */
const LOCKED_PKCS12 = /^(mac verify failure|bad decrypt)$/;

/** The text of a PEM file, which is ASCII. Windows editors may write UTF-16 or a byte order mark. */
function textOf(bytes: Buffer): string {
  const isWide = bytes.subarray(0, UTF16_MARK.length).equals(UTF16_MARK);
  return isWide ? bytes.subarray(UTF16_MARK.length).toString('utf16le') : bytes.toString('latin1');
}

/** The block with `\n` at the end of each line, and without spaces around the lines. */
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
    throw notCertificate();
  }
  const bytes = Buffer.from(blocks.map(({ block }) => block).join(''));
  return { bytes, certificates, hasKey: keys.length > 0, isPkcs12: false };
}

function notCertificate(cause?: unknown): FieldError {
  const must = 'must be a certificate or a key: PKCS #12 (.pfx, .p12), or PEM, which has -----BEGIN in it';
  return refusal('no-certificate', must, cause);
}

/** A certificate in DER, stored as PEM because banks are opened with that; null where the bytes hold none. */
function certificateInDer(bytes: Buffer): SentCertificate | null {
  try {
    const certificate = new X509Certificate(bytes);
    return { bytes: Buffer.from(certificate.toString()), certificates: [certificate], hasKey: false, isPkcs12: false };
  } catch {
    return null; // it may be something else in DER
  }
}

/** A key in DER, stored as PEM; null where the bytes hold none. */
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

/** A PKCS #12 file: recognised without its password, its content unread. */
function pkcs12In(bytes: Buffer): SentCertificate {
  try {
    createSecureContext({ pfx: bytes, passphrase: '' });
  } catch (cause) {
    if (!LOCKED_PKCS12.test(messageOf(cause))) throw notCertificate(cause);
  }
  return { bytes, certificates: [], hasKey: true, isPkcs12: true };
}

function opened(bytes: Buffer): SentCertificate {
  if (bytes.length === 0) throw refusal('empty', 'must not be empty');
  const text = textOf(bytes);
  if (text.includes(BEGIN)) return pemIn(text);
  if (bytes[0] !== DER) throw notCertificate();
  return certificateInDer(bytes) ?? keyInDer(bytes) ?? pkcs12In(bytes);
}

/** @param kind the kind of file that the named field takes; null where the call named no field @throws {FieldError} */
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

const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4;
/** Files up to this size are read, so that the answer can say why they are refused. */
const MAX_SENT_BYTES = 8 * MAX_CERTIFICATE_BYTES;
/** Bytes of the body: the file as base64, and the fields around it. */
const BODY_BYTES = 768 * 1024;

/** A made-up certificate in DER; its key does not exist. */
const EXAMPLE = [
  'MIIBRzCB76ADAgECAhA17LP4U3XMmd9CKS2B4lm7MAoGCCqGSM49BAMCMBcxFTAT',
  'BgNVBAMMDHNob3AuZXhhbXBsZTAgFw03MDAxMDEwMDAwMDBaGA85OTk5MTIzMTIz',
  'NTk1OVowFzEVMBMGA1UEAwwMc2hvcC5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZI',
  'zj0DAQcDQgAEUl5YRrvrKDJehXUdfCuRPulACmoWThypZRSk2lvJK1e7o3VH4OqL',
  'CMBwXreyoADlbgg8jfiEAPcKcjKP/c+NnqMbMBkwFwYDVR0RBBAwDoIMc2hvcC5l',
  'eGFtcGxlMAoGCCqGSM49BAMCA0cAMEQCIAuhuMhrZ1m9st3w07FTcn4/hcBVIsZK',
  'aGIgOn6ZMjl9AiA+kWpAloAr9Y4pIWdKx4N7JS15CyTm5t1+bS6NizE8zw==',
].join('');

const CertificateBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 255, description: 'of the file, by which a person knows it again' }),
    content: Type.String({
      maxLength: base64Length(MAX_SENT_BYTES),
      description: `the file as Base64, ${MAX_CERTIFICATE_BYTES / 1024} KiB at most: PKCS #12, PEM, or a certificate or an unlocked key in DER`,
    }),
    field: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'of a profile, that it is for, as `caPath`: a file that is of no use there is then refused',
      }),
    ),
  },
  {
    additionalProperties: false,
    examples: [{ name: 'shop.cer', content: EXAMPLE, field: 'caPath' }],
  },
);
export const StoredCertificateFile = Type.Object({
  path: Type.String({
    description: 'what a field of a profile names it by: `pfxPath`, `certPath`, `keyPath`, `caPath`, …',
  }),
  certificates: Type.Array(
    Type.Object({
      name: Type.String({ description: 'whose it is' }),
      validFrom: timestamp('from when it is good'),
      validTo: timestamp('until when'),
    }),
    { description: 'those in the file, in its order; none of PKCS #12, which its password opens' },
  ),
  key: Type.Boolean({ description: 'a key is in it, as in each PKCS #12' }),
});

/** @throws {FieldError} */
function bytesOf(content: string): Buffer {
  const bytes = Buffer.from(content, 'base64');
  if (bytes.toString('base64') !== content)
    throw new FieldError('content', 'must be the whole file as Base64 (RFC 4648)', { reason: 'not-base64' });
  if (bytes.length > MAX_CERTIFICATE_BYTES)
    throw new FieldError('content', `must hold ${MAX_CERTIFICATE_BYTES} bytes at most`, { reason: 'too-large' });
  return bytes;
}

/** The kind of file that a field takes; null where the call names no field. @throws {FieldError} */
function kindFor(field: string | undefined): FileKind | null {
  if (field === undefined) return null;
  const kind = fileKindOf(field);
  if (kind === null) throw new FieldError('field', 'must be a field of a profile that names a file');
  return kind;
}

const described = (certificate: X509Certificate): Static<typeof StoredCertificateFile>['certificates'][number] => ({
  name: holderOf(certificate),
  validFrom: new Date(certificate.validFrom).toISOString(),
  validTo: new Date(certificate.validTo).toISOString(),
});

export function addCertificateRoute(app: FastifyInstance, certificates: CertificateStore): void {
  app.post(
    '/console/api/settings/certificates',
    {
      config: { role: 'technician', audit: { event: 'certificate-kept' } }, // the bank identifies the shop by it
      bodyLimit: BODY_BYTES,
      schema: {
        body: CertificateBody,
        response: { 200: StoredCertificateFile },
      },
    },
    async (request) => {
      requirePrivacy(request, 'a key is taken');
      const { name, content, field } = request.body;
      try {
        const sent = sentCertificate(bytesOf(content), kindFor(field));
        const path = certificates.store(name, sent.bytes);
        return { path, certificates: sent.certificates.map(described), key: sent.hasKey };
      } catch (error) {
        throw terminalFailure(error);
      }
    },
  );
}
