/** A certificate or a key for the bank is sent to the device. */

import type { X509Certificate } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { FieldError } from '../../../drivers/lib/errors.ts';
import {
  type FileKind,
  fileKindOf,
  holderOf,
  type KeptCertificates,
  MAX_KEPT_BYTES,
  terminalFailure,
} from '../../banks/index.ts';
import { requirePrivacy } from '../../core/http/index.ts';

import { sentCertificate } from '../settings/sent-certificate.ts';
import { timestamp } from './fields.ts';

const lettersOf = (bytes: number): number => Math.ceil(bytes / 3) * 4;
/** Larger files are read, too, so that the answer can say why they are refused. */
const MAX_SENT_BYTES = 8 * MAX_KEPT_BYTES;
/** The letters, and what is around them. */
const BODY_BYTES = 768 * 1024;

/** Made up: a certificate of no key that anybody has, in DER. */
const EXAMPLE = [
  'MIIBRzCB76ADAgECAhA17LP4U3XMmd9CKS2B4lm7MAoGCCqGSM49BAMCMBcxFTAT',
  'BgNVBAMMDHNob3AuZXhhbXBsZTAgFw03MDAxMDEwMDAwMDBaGA85OTk5MTIzMTIz',
  'NTk1OVowFzEVMBMGA1UEAwwMc2hvcC5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZI',
  'zj0DAQcDQgAEUl5YRrvrKDJehXUdfCuRPulACmoWThypZRSk2lvJK1e7o3VH4OqL',
  'CMBwXreyoADlbgg8jfiEAPcKcjKP/c+NnqMbMBkwFwYDVR0RBBAwDoIMc2hvcC5l',
  'eGFtcGxlMAoGCCqGSM49BAMCA0cAMEQCIAuhuMhrZ1m9st3w07FTcn4/hcBVIsZK',
  'aGIgOn6ZMjl9AiA+kWpAloAr9Y4pIWdKx4N7JS15CyTm5t1+bS6NizE8zw==',
].join('');

const ToKeep = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 255, description: 'of the file, by which a person knows it again' }),
    content: Type.String({
      maxLength: lettersOf(MAX_SENT_BYTES),
      description: `the file as Base64, ${MAX_KEPT_BYTES / 1024} KiB at most: PKCS #12, PEM, or a certificate or an unlocked key in DER`,
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
export const Kept = Type.Object({
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
  if (bytes.length > MAX_KEPT_BYTES)
    throw new FieldError('content', `must hold ${MAX_KEPT_BYTES} bytes at most`, { reason: 'too-large' });
  return bytes;
}

/** What the field takes; null where none is named. @throws {FieldError} */
function kindFor(field: string | undefined): FileKind | null {
  if (field === undefined) return null;
  const kind = fileKindOf(field);
  if (kind === null) throw new FieldError('field', 'must be a field of a profile that names a file');
  return kind;
}

const described = (certificate: X509Certificate): Static<typeof Kept>['certificates'][number] => ({
  name: holderOf(certificate),
  validFrom: new Date(certificate.validFrom).toISOString(),
  validTo: new Date(certificate.validTo).toISOString(),
});

export function addCertificateRoute(app: FastifyInstance, certificates: KeptCertificates): void {
  app.post(
    '/console/api/settings/certificates',
    {
      config: { role: 'technician', audit: { event: 'certificate-kept' } }, // what the bank knows the shop by
      bodyLimit: BODY_BYTES,
      schema: {
        body: ToKeep,
        response: { 200: Kept },
      },
    },
    async (request) => {
      requirePrivacy(request, 'a key is taken');
      const { name, content, field } = request.body;
      try {
        const sent = sentCertificate(bytesOf(content), kindFor(field));
        const path = await certificates.keep(name, sent.bytes);
        return { path, certificates: sent.certificates.map(described), key: sent.hasKey };
      } catch (error) {
        throw terminalFailure(error);
      }
    },
  );
}
