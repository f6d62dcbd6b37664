/** The profile of Gazprombank: the payee, the gateway's credentials. */
import { Type } from 'typebox';
import { bankAdapter, checkedAddress, headerText, line, plainAddress, WHOLE_RANGE } from '../adapter.ts';
import { readCertificates } from '../certificates.ts';
import { isTestAddress } from '../payment-link.ts';
import { addressField, MUTUAL_TLS, PAUSE_FIELD } from '../profile-fields.ts';
import { GAZPROMBANK_TEST_HOSTS, GazprombankBank } from './gazprombank.ts';

const DEFAULT_URL = 'https://sbp.gazprombank.ru:9443';

const GazprombankProfile = Type.Object(
  {
    bankName: Type.Literal('Gazprombank'),
    account: line(1, 128, 'the account that is paid to'),
    merchantId: line(1, 128, "the payment system's id of the point of sale, as MA0000084118"),
    login: Type.Optional(line(1, 128, "header login, the payment system's id of the company, as LA0000006784")),
    password: Type.Optional(line(1, 512, 'header password; a secret')),
    baseUrl: addressField(DEFAULT_URL),
    passphrase: Type.Optional(line(1, 512, 'opens the client certificate; a secret')),
    ...MUTUAL_TLS,
    ...PAUSE_FIELD,
  },
  { additionalProperties: false },
);

export const GAZPROMBANK = bankAdapter({
  name: 'Gazprombank',
  aliases: ['gpb', 'газпромбанк', 'гпб'],
  schema: GazprombankProfile,
  secretFields: ['password', 'passphrase'],
  capabilities: WHOLE_RANGE,
  settingsErrors: 'GazprombankSettings',
  merchant: ({ baseUrl = DEFAULT_URL, account, merchantId }) => [plainAddress(baseUrl), account, merchantId],
  isForTest: ([address]) => isTestAddress(address, GAZPROMBANK_TEST_HOSTS),
  trial: {
    untried: ['account', 'merchantId'],
    culprit: ({ isUnauthorized, status }, { password, certPath }) => {
      if (!isUnauthorized) return null;
      // a refusal before HTTP, or by a page of a server in front of the bank, is about the certificate
      if (status !== null && status !== 400 && password !== undefined) return 'password';
      return certPath === undefined ? 'pfxPath' : 'certPath';
    },
  },
  async open(profile, context) {
    const {
      bankName: _,
      baseUrl = DEFAULT_URL,
      passphrase = '',
      pfxPath,
      certPath,
      keyPath,
      caPath,
      ...rest
    } = profile;
    for (const field of ['login', 'password'] as const) headerText(field, rest[field] ?? '');
    const tls = await readCertificates({ passphrase, pfxPath, certPath, keyPath, caPath }, context);
    return new GazprombankBank({ ...rest, baseUrl: checkedAddress(baseUrl), tls, log: context.log });
  },
});
