/** The profile of Alfa token: the terminal, the key that signs, the certificate that opens the gateway. */
import { Type } from 'typebox';
import { bankAdapter, checkedAddress, file, headerText, line, plainAddress, WHOLE_RANGE } from '../adapter.ts';
import { readCertificates } from '../certificates.ts';
import { isTestAddress } from '../payment-link.ts';
import { MUTUAL_TLS } from '../profile-fields.ts';
import { readSignKey } from '../sign-key.ts';
import { ANYWAY_TEST_HOSTS, AnyWayBank, isAboutTerminal } from './anyway.ts';

const AnyWayProfile = Type.Object(
  {
    bankName: Type.Literal('Alfa Bank Token'),
    termNo: line(1, 64, "the bank's id of the terminal (TermNo)"),
    keyName: line(1, 256, 'what the bank calls the key (header key-name, the alias)'),
    signKeyPath: file('key', 'the RSA key that signs every call, PEM'),
    baseUrl: line(1, 512, "the gateway's address, as https://host:2443/fsCryptoProxy; http on this machine"),
    passphrase: Type.Optional(line(1, 512, 'opens the keys; a secret')),
    ...MUTUAL_TLS,
  },
  { additionalProperties: false },
);

export const ANYWAY = bankAdapter({
  name: 'Alfa Bank Token',
  aliases: ['alfatoken', 'alfaanyway', 'anyway', 'альфабанктокен'],
  schema: AnyWayProfile,
  distinctiveFields: ['termNo'],
  secretFields: ['passphrase'],
  capabilities: WHOLE_RANGE,
  merchant: ({ baseUrl, termNo }) => [plainAddress(baseUrl), termNo],
  isForTest: ([address]) => isTestAddress(address, ANYWAY_TEST_HOSTS),
  trial: {
    untried: [],
    culprit: (error, { certPath }) => {
      if (isAboutTerminal(error)) return 'termNo';
      if (!error.isUnauthorized) return null;
      // an answer of its own is about the signature; anything else about the certificate that opens the gateway
      if (error.bankCode !== null) return 'signKeyPath';
      return certPath === undefined ? 'pfxPath' : 'certPath';
    },
  },
  async open(profile, context) {
    const { termNo, keyName, signKeyPath, baseUrl, passphrase = '', pfxPath, certPath, keyPath, caPath } = profile;
    const address = checkedAddress(baseUrl);
    headerText('keyName', keyName);
    const signKey = await readSignKey(signKeyPath, passphrase, context);
    const tls = await readCertificates({ passphrase, pfxPath, certPath, keyPath, caPath }, context);
    return new AnyWayBank({ baseUrl: address, termNo, keyName, signKey, tls });
  },
});
