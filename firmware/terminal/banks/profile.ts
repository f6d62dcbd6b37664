/** What a bank profile holds once its bankName is settled: schemas, required fields, secrets. */
import { Type } from 'typebox';
import { MAX_PAYLOAD_BYTES } from '../../../drivers/display/contract.ts';
import type { BuiltInBank } from './bank-names.ts';

/** Text without control characters, which have no place in ids, headers and paths. */
const line = (minLength: number, maxLength: number, description: string) =>
  Type.String({ minLength, maxLength, pattern: '^[^\\u0000-\\u001f\\u007f]*$', description });

const path = (description: string) => Type.Optional(line(1, 4096, description));

export const StaticProfile = Type.Object(
  {
    bankName: Type.Literal('Static'),
    staticQR: line(
      1,
      MAX_PAYLOAD_BYTES,
      `what the QR code holds, most often a link; 1 to ${MAX_PAYLOAD_BYTES} bytes of UTF-8`,
    ),
  },
  { additionalProperties: false },
);

export const CftProfile = Type.Object(
  {
    bankName: Type.Literal('CFT'),
    accAlias: line(1, 128, "the bank's alias of the account that is paid to"),
    extEntityId: line(1, 128, "the bank's id of the company"),
    merchantId: line(1, 128, "the bank's id of the point of sale"),
    password: line(0, 512, 'opens the client certificate (its passphrase); a secret'),
    baseUrl: Type.Optional(
      line(1, 512, "the bank's address without query; https, or http on this machine; else banks.cft.baseUrl"),
    ),
    pfxPath: path('client certificate with its key, PKCS #12'),
    certPath: path('client certificate, PEM'),
    keyPath: path('key of the client certificate, PEM'),
    caPath: path("authorities that the bank's own certificate is checked against, PEM; else the usual ones"),
    authsp: Type.Optional(line(1, 128, 'header authsp, where the bank asks for one')),
  },
  { additionalProperties: false },
);

export const SandboxProfile = Type.Object({ bankName: Type.Literal('Sandbox') }, { additionalProperties: false });

export type StaticProfile = Type.Static<typeof StaticProfile>;
export type CftProfile = Type.Static<typeof CftProfile>;
export type SandboxProfile = Type.Static<typeof SandboxProfile>;

/** Pick the schema by name first: a problem is then told of one bank, not of all of them at once. */
export const PROFILE_SCHEMAS = { Static: StaticProfile, CFT: CftProfile, Sandbox: SandboxProfile } as const;

export const BankProfile = Type.Union([StaticProfile, CftProfile, SandboxProfile]);
export type BankProfile = Type.Static<typeof BankProfile>;

/** In the order in which a missing one is told. */
export const REQUIRED_FIELDS: { readonly [Bank in BuiltInBank]: readonly string[] } = {
  Static: ['staticQR'],
  CFT: ['accAlias', 'extEntityId', 'merchantId', 'password'],
  Sandbox: [],
};

/** Fields that say who is paid and where it is asked: while these stay, a masked secret may keep its stored value. */
export const IDENTITY_FIELDS: { readonly [Bank in BuiltInBank]: readonly string[] } = {
  Static: ['staticQR'],
  CFT: ['accAlias', 'extEntityId', 'merchantId', 'baseUrl', 'pfxPath', 'certPath', 'keyPath', 'caPath', 'authsp'],
  Sandbox: [],
};

/** Names of fields, of any bank of this family, whose values never leave the device and are stored sealed. */
export const SECRET_FIELDS: readonly string[] = [
  'password',
  'passphrase',
  'secretKey',
  'secret',
  'token',
  'privateKey',
];
