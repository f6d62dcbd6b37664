/** The profile of YooKassa: the shop, its key. */
import { Type } from 'typebox';
import { bankAdapter, checkedAddress, line, plainAddress, unusableField, WHOLE_RANGE } from '../adapter.ts';
import { readCertificates } from '../certificates.ts';
import { AUTHORITY, addressField, PAUSE_FIELD } from '../profile-fields.ts';
import { isTestKey, YooKassaBank } from './yookassa.ts';

const DEFAULT_URL = 'https://api.yookassa.ru/v3';
/** The part that marks the merchant of a test shop, where no money moves: its address is that of the others. */
const TEST_SHOP = 'test';
/** Kopecks. */
const MIN_AMOUNT = 100;
/** Kopecks; the bank may set it higher for a shop. */
const MAX_AMOUNT = 70_000_000;
/** Minutes. */
const LIFE_OF_A_CODE = 60;

const YooKassaProfile = Type.Object(
  {
    bankName: Type.Literal('YooKassa'),
    shopId: line(1, 128, "the bank's id of the shop"),
    secretKey: line(1, 512, 'the key of the shop; a secret'),
    confirmation: Type.Optional(
      Type.Enum(['qr', 'redirect'], {
        description: "what is shown: the payment system's code, or the address of the bank's page; else qr",
      }),
    ),
    baseUrl: addressField(DEFAULT_URL),
    ...AUTHORITY,
    ...PAUSE_FIELD,
  },
  { additionalProperties: false },
);

export const YOOKASSA = bankAdapter({
  name: 'YooKassa',
  aliases: ['юkassa', 'юкасса', 'yandexkassa'],
  schema: YooKassaProfile,
  distinctiveFields: ['shopId'],
  secretFields: ['secretKey'],
  freeFields: ['confirmation'],
  capabilities: {
    ...WHOLE_RANGE,
    minAmount: MIN_AMOUNT,
    maxAmount: MAX_AMOUNT,
    ttl: { fixed: LIFE_OF_A_CODE },
    // it is the Idempotence-Key, of 64 characters with what is added to it
    orderId: { maxLength: 58, charset: /^[\x21-\x7e]+$/, words: 'Latin letters, digits and signs' },
    maxPurpose: 128,
  },
  asking: { showsProcessing: false },
  settingsErrors: 'YooKassaBankSettings',
  merchant: ({ baseUrl = DEFAULT_URL, shopId, secretKey }) => [
    plainAddress(baseUrl),
    shopId,
    ...(isTestKey(secretKey) ? [TEST_SHOP] : []),
  ],
  isForTest: ([, , shop]) => shop === TEST_SHOP,
  trial: { untried: ['confirmation'], culprit: ({ isUnauthorized }) => (isUnauthorized ? 'secretKey' : null) },
  async open(profile, context) {
    const { shopId, secretKey, confirmation = 'qr', baseUrl = DEFAULT_URL, caPath } = profile;
    if (shopId.includes(':')) throw unusableField('shopId', 'it has a colon, after which the key would begin');
    const tls = await readCertificates({ caPath }, context);
    return new YooKassaBank({
      shopId,
      secretKey,
      confirmation,
      baseUrl: checkedAddress(baseUrl),
      tls,
      log: context.log,
    });
  },
});
