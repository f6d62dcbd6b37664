/** The profile of Raiffeisenbank: who is paid, the key. */
import { Type } from 'typebox';
import { MAX_PAYLOAD_BYTES } from '../../../drivers/display/payload.ts';
import { bankAdapter, checkedAddress, headerText, line, plainAddress, unusableField, WHOLE_RANGE } from '../adapter.ts';
import { readCertificates } from '../certificates.ts';
import { isTestAddress, stickerProblem } from '../payment-link.ts';
import { AUTHORITY, addressField } from '../profile-fields.ts';
import { sbpLinkWarning } from '../sbp-link.ts';
import { RAIFFEISEN_TEST_HOSTS, RaiffeisenBank, raiffeisenLinks } from './raiffeisen.ts';

const DEFAULT_URL = 'https://pay.raif.ru';

const RaiffeisenProfile = Type.Object(
  {
    bankName: Type.Literal('Raiffeisenbank'),
    sbpMerchantId: line(1, 128, "the payment system's id of the point of sale, as MA0000000552"),
    secretKey: line(1, 4096, 'the key that the bank has given; a secret'),
    cashLink: Type.Optional(
      line(
        1,
        MAX_PAYLOAD_BYTES,
        'the link of a printed code (кассовая ссылка): each payment is put on it, and no display is needed',
      ),
    ),
    account: Type.Optional(line(1, 128, 'the account that is paid to; else the one that the bank has set')),
    baseUrl: addressField(DEFAULT_URL),
    ...AUTHORITY,
  },
  { additionalProperties: false },
);

export const RAIFFEISEN = bankAdapter({
  name: 'Raiffeisenbank',
  aliases: ['raiffeisen', 'raifpay', 'райффайзенбанк'],
  schema: RaiffeisenProfile,
  fieldAliases: { merchantId: 'sbpMerchantId' },
  distinctiveFields: ['sbpMerchantId'],
  secretFields: ['secretKey'],
  freeFields: ['cashLink'],
  warning: ({ cashLink }) => (cashLink === undefined ? null : sbpLinkWarning(cashLink)),
  capabilities: {
    ...WHOLE_RANGE,
    orderId: {
      maxLength: 40,
      charset: /^[A-Za-z0-9_.-]+$/,
      words: 'Latin letters, digits, points, hyphens and underscores',
    },
    needsClock: true,
  },
  settingsErrors: 'RaiffeisenbankSettings',
  merchant: ({ baseUrl = DEFAULT_URL, sbpMerchantId }) => [plainAddress(baseUrl), sbpMerchantId],
  isForTest: ([address]) => isTestAddress(address, RAIFFEISEN_TEST_HOSTS),
  trial: {
    untried: ['sbpMerchantId', 'account', 'cashLink'],
    culprit: ({ isUnauthorized }) => (isUnauthorized ? 'secretKey' : null),
  },
  async open(profile, context) {
    const { bankName: _, baseUrl: address = DEFAULT_URL, caPath, ...rest } = profile;
    headerText('secretKey', rest.secretKey);
    const baseUrl = checkedAddress(address);
    const problem = rest.cashLink === undefined ? null : stickerProblem(rest.cashLink, raiffeisenLinks(baseUrl));
    if (problem !== null) throw unusableField('cashLink', `it is ${problem}`);
    const tls = await readCertificates({ caPath }, context);
    return new RaiffeisenBank({ ...rest, baseUrl, tls });
  },
});
