/** The profile of Alfa token: the terminal, the key that signs, the certificate that opens the gateway. */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { CertificateError, readCertificateFile } from '../../../tls/certificate-file.ts';
import {
  type BankContext,
  bankAdapter,
  checkedAddress,
  headerText,
  line,
  plainAddress,
  unusableField,
  WHOLE_RANGE,
} from '../adapter.ts';
import { readCertificates } from '../certificates.ts';
import { MUTUAL_TLS } from '../profile-fields.ts';
import { AnyWayBank } from './anyway.ts';

const AnyWayProfile = Type.Object(
  {
    bankName: Type.Literal('Alfa Bank Token'),
    termNo: line(1, 64, "the bank's id of the terminal (TermNo)"),
    keyName: line(1, 256, 'what the bank calls the key (header key-name, the alias)'),
    signKeyPath: line(1, 4096, 'the RSA key that signs every call, PEM'),
    baseUrl: line(1, 512, "the gateway's address, as https://host:2443/fsCryptoProxy; http on this machine"),
    passphrase: Type.Optional(line(1, 512, 'opens the keys; a secret')),
    ...MUTUAL_TLS,
  },
  { additionalProperties: false },
);
type AnyWayProfile = Static<typeof AnyWayProfile>;

async function readSignKey(file: string, passphrase: string): Promise<KeyObject> {
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: await readCertificateFile(file), passphrase });
  } catch (cause) {
    const why =
      cause instanceof CertificateError ? cause.message : 'holds no key in PEM, or another passphrase opens it';
    throw unusableField('signKeyPath', `it ${why}`, cause);
  }
  if (key.asymmetricKeyType !== 'rsa') throw unusableField('signKeyPath', 'it holds no RSA key');
  return key;
}

async function openAnyWay(profile: AnyWayProfile, context: BankContext): Promise<AnyWayBank> {
  const { termNo, keyName, signKeyPath, baseUrl, passphrase = '', pfxPath, certPath, keyPath, caPath } = profile;
  const address = checkedAddress(baseUrl);
  headerText('keyName', keyName);
  const signKey = await readSignKey(signKeyPath, passphrase);
  const tls = await readCertificates({ passphrase, pfxPath, certPath, keyPath, caPath }, context);
  return new AnyWayBank({ baseUrl: address, termNo, keyName, signKey, tls });
}

export const ANYWAY = bankAdapter({
  name: 'Alfa Bank Token',
  aliases: ['alfatoken', 'alfaanyway', 'anyway', 'альфабанктокен'],
  schema: AnyWayProfile,
  tellingFields: ['termNo'],
  identityFields: ['termNo', 'keyName', 'signKeyPath', 'baseUrl', 'pfxPath', 'certPath', 'keyPath', 'caPath'],
  secretFields: ['passphrase'],
  capabilities: WHOLE_RANGE,
  merchant: ({ baseUrl, termNo }) => [plainAddress(baseUrl), termNo],
  open: openAnyWay,
});
