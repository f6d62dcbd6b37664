/** The profile of Tochka: the site, its token, the key that signs refunds. */
import { Type } from 'typebox';
import { bankAdapter, checkedAddress, file, headerText, line, plainAddress, WHOLE_RANGE } from '../adapter.ts';
import { readCertificates } from '../certificates.ts';
import { AUTHORITY, addressField, offeredMethods, PAUSE_FIELD, PAYMENT_METHODS } from '../profile-fields.ts';
import { readSignKey } from '../sign-key.ts';
import { TochkaBank, tochkaLinks } from './tochka.ts';
import { isAboutSignature, isUnknownShop, TochkaClient } from './tochka-client.ts';

const DEFAULT_URL = 'https://enter.tochka.com/uapi/pay';
const DAY_MS = 86_400_000;
/** The part that marks the merchant of a test site, where no money moves. */
const TEST = 'test';

const TochkaProfile = Type.Object(
  {
    bankName: Type.Literal('Tochka'),
    siteUid: line(1, 64, "the bank's id of the site, as tochka-site-00"),
    token: line(1, 4096, 'the JWT token that the bank has given; a secret'),
    signKeyPath: file('key', 'the RSA key that signs refunds, PEM; the bank has its public half'),
    ...PAYMENT_METHODS,
    mode: Type.Optional(
      Type.Enum(['live', TEST], {
        description: "test for a site of the bank's tests, where no money moves; else live",
      }),
    ),
    baseUrl: addressField(DEFAULT_URL),
    passphrase: Type.Optional(line(1, 512, 'opens the key; a secret')),
    ...AUTHORITY,
    ...PAUSE_FIELD,
  },
  { additionalProperties: false },
);

export const TOCHKA = bankAdapter({
  name: 'Tochka',
  aliases: ['tochkabank', 'точка', 'точкабанк'],
  schema: TochkaProfile,
  distinctiveFields: ['siteUid'],
  secretFields: ['token', 'passphrase'],
  freeFields: ['paymentMethods'],
  capabilities: {
    ...WHOLE_RANGE,
    orderId: { maxLength: 64, charset: /^[0-9A-Za-z-]+$/, words: 'Latin letters, digits and hyphens' },
    findsOrders: true,
  },
  asking: { knowsForMs: DAY_MS }, // a code has a state in its time, or for a day after its payment
  merchant: ({ baseUrl = DEFAULT_URL, siteUid, mode }) => [
    plainAddress(baseUrl),
    siteUid,
    ...(mode === TEST ? [TEST] : []),
  ],
  isForTest: ([, , mode]) => mode === TEST,
  trial: {
    untried: ['signKeyPath', 'paymentMethods', 'mode'],
    culprit: (error) => {
      if (isUnknownShop(error)) return 'siteUid';
      if (isAboutSignature(error)) return 'signKeyPath';
      return error.isUnauthorized ? 'token' : null;
    },
  },
  async open(profile, context) {
    const { siteUid, token, signKeyPath, passphrase = '', baseUrl = DEFAULT_URL, caPath, mode } = profile;
    headerText('token', token);
    const signKey = await readSignKey(signKeyPath, passphrase, context);
    const address = { baseUrl: checkedAddress(baseUrl), tls: await readCertificates({ caPath }, context) };
    const client = new TochkaClient(address, siteUid, token, signKey);
    const isTest = mode === TEST;
    return new TochkaBank(client, tochkaLinks(baseUrl, isTest), offeredMethods(profile.paymentMethods), isTest);
  },
});
