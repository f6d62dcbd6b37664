/** A certificate or a key for the bank is sent to the device. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { FieldError } from '../../../../../drivers/lib/errors.ts';
import { requirePrivacy } from '../../../../http/guard/privacy.ts';
import type { TypeBoxProvider } from '../../../../http/server.ts';
import { terminalFailure } from '../../../failures.ts';
import { type KeptCertificates, MAX_KEPT_BYTES } from '../../../settings/kept-certificates.ts';
import { refusals } from '../problem.ts';

const BASE64_LETTERS = Math.ceil(MAX_KEPT_BYTES / 3) * 4;
/** The letters, and what is around them. */
const BODY_BYTES = 96 * 1024;
const PEM = '-----BEGIN ';
/** SEQUENCE: PKCS #12 is one (RFC 7292, section 4), as is all that X.509 writes in DER. */
const DER = 0x30;

const ToKeep = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 255, description: 'of the file, by which a person knows it again' }),
    content: Type.String({
      minLength: 4,
      maxLength: BASE64_LETTERS,
      description: `the file as Base64, ${MAX_KEPT_BYTES / 1024} KiB at most: PKCS #12 or PEM`,
    }),
  },
  {
    title: 'CertificateToKeep',
    additionalProperties: false,
    examples: [{ name: 'shop.pem', content: Buffer.from(`${PEM}CERTIFICATE-----\n`).toString('base64') }],
  },
);
const Kept = Type.Object(
  {
    path: Type.String({
      description: 'what a field of a profile names it by: `pfxPath`, `certPath`, `keyPath`, `caPath`, …',
    }),
  },
  { title: 'KeptCertificate', examples: [{ path: 'kept:0b5fbb1e6a0d-shop.pem' }] },
);

/** @throws {FieldError} */
function bytesOf(content: string): Buffer {
  const bytes = Buffer.from(content, 'base64');
  if (bytes.toString('base64') !== content)
    throw new FieldError('content', 'must be the whole file as Base64 (RFC 4648)', { reason: 'not-base64' });
  if (bytes.length > MAX_KEPT_BYTES)
    throw new FieldError('content', `must hold ${MAX_KEPT_BYTES} bytes at most`, { reason: 'too-large' });
  if (bytes[0] === DER || bytes.includes(PEM)) return bytes;
  throw new FieldError(
    'content',
    'must be a certificate or a key: PKCS #12 (.pfx, .p12), or PEM, which has -----BEGIN in it',
    { reason: 'no-certificate' },
  );
}

export function addCertificateRoute(plain: FastifyInstance, certificates: KeptCertificates): void {
  plain.withTypeProvider<TypeBoxProvider>().post(
    '/v1/settings/certificates',
    {
      bodyLimit: BODY_BYTES,
      schema: {
        operationId: 'keepCertificate',
        tags: ['device'],
        summary: 'Keep a certificate or a key for the bank on the device',
        description:
          'Sealed as the passwords are, and part of each backup; it is never told again. Sent once more it has the same path. The newest 40 are kept, and whatever a profile names.',
        body: ToKeep,
        response: { 200: Kept, ...refusals() },
      },
    },
    async (request) => {
      requirePrivacy(request, 'a key is taken');
      const { name, content } = request.body;
      try {
        return { path: await certificates.keep(name, bytesOf(content)) };
      } catch (error) {
        throw terminalFailure(error);
      }
    },
  );
}
