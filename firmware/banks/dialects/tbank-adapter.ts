/** The profile of T-Bank: its terminal and its address. */
import { Type } from 'typebox';
import { bankAdapter, checkedAddress, line, plainAddress, WHOLE_RANGE } from '../adapter.ts';
import { readCertificates } from '../certificates.ts';
import { isTestAddress } from '../payment-link.ts';
import { AUTHORITY, addressField, PAUSE_FIELD } from '../profile-fields.ts';
import { TBANK_TEST_HOSTS, TBank } from './tbank.ts';
import { UNKNOWN_TERMINAL } from './tbank-api.ts';

/** SBP payments are tried here too, with a DEMO terminal: the bank's test contour has none. */
const BASE_URL = 'https://securepay.tinkoff.ru/v2';
const DEMO_TERMINAL = /DEMO$/;
/** Least amount of an SBP payment, kopecks. */
const MIN_AMOUNT = 1000;
/** Consents to see payments and to refund them. Source: the bank's page of digital roubles. */
const CONSENTS = '«Доступ к информации о статусе поступлений от физлиц» and «Возвраты по операциям с физлицами»';

const TinkoffProfile = Type.Object(
  {
    bankName: Type.Literal('Tinkoff'),
    terminalKey: line(1, 20, "the bank's id of the terminal"),
    password: line(1, 512, 'of the terminal; a secret'),
    consents: Type.Optional(
      Type.Enum(['given', 'no-digital-roubles'], {
        description: `given: the settings of the shop's digital rouble account have the consents ${CONSENTS}; no-digital-roubles: the terminal takes none. Else a payment in digital roubles may look unpaid`,
      }),
    ),
    baseUrl: addressField(BASE_URL),
    ...AUTHORITY,
    ...PAUSE_FIELD,
  },
  { additionalProperties: false },
);

export const TBANK = bankAdapter({
  name: 'Tinkoff',
  aliases: ['tinkoffbank', 'tbank', 'tkassa', 'тинькофф', 'тинькоффбанк', 'тбанк', 'ткасса'],
  schema: TinkoffProfile,
  distinctiveFields: ['terminalKey'],
  secretFields: ['password'],
  freeFields: ['consents'],
  capabilities: {
    ...WHOLE_RANGE,
    minAmount: MIN_AMOUNT,
    orderId: { maxLength: 36, charset: /^[\x21-\x7e]+$/, words: 'Latin letters, digits and signs' },
    maxPurpose: 140,
    findsOrders: true,
  },
  settingsErrors: 'TinkoffBankSettings',
  lackedConsent: ({ consents }) =>
    consents === undefined
      ? `without the consents ${CONSENTS} in the settings of the shop's digital rouble account a payment in digital roubles may look unpaid, and cannot be refunded. Give them, then set consents of the profile to given; where the terminal takes no digital roubles, to no-digital-roubles`
      : null,
  merchant: ({ terminalKey, baseUrl = BASE_URL }) => [plainAddress(baseUrl), terminalKey],
  isForTest: ([address, terminalKey]) =>
    isTestAddress(address, TBANK_TEST_HOSTS) || DEMO_TERMINAL.test(String(terminalKey)),
  trial: {
    untried: [],
    culprit: ({ isUnauthorized, bankCode }) =>
      bankCode === UNKNOWN_TERMINAL ? 'terminalKey' : isUnauthorized ? 'password' : null,
  },
  async open({ terminalKey, password, baseUrl = BASE_URL, caPath }, context) {
    const address = checkedAddress(baseUrl);
    const tls = await readCertificates({ caPath }, context);
    return new TBank({ baseUrl: address, terminalKey, password, tls });
  },
});
