/** The banks that conform, as a till sets them up beside a sandbox bank that speaks their interfaces. */
import { TBANK_PASSWORD } from '../../../firmware/sandbox-bank/dialects/tbank.ts';
import type { BankProfile } from '../../../firmware/terminal/banks/registry.ts';

export interface ConformingBank {
  readonly title: string;
  /** @param url of the sandbox bank */
  readonly profile: (url: string) => BankProfile;
  /** Minutes that a code lives. */
  readonly ttl: number;
  /** Whether a lost answer leaves one payment: it is found, or the repeated call is answered with the same. */
  readonly findsLost: boolean;
  /** Whether its state tells the amount; where not, the link of the code must. */
  readonly tellsAmount: boolean;
  readonly tellsOrder: boolean;
  readonly cancels: boolean;
  readonly refunds: boolean;
}

const TEXT = { secret: 'made-up-secret', merchant: 'MA0000000001' } as const;

const rbs = (bankName: 'Alfa Bank' | 'Sber' | 'VTB' | 'MTS Bank'): ConformingBank => ({
  title: bankName,
  profile: (url) => ({
    bankName,
    userName: 'made-up-api',
    password: TEXT.secret,
    baseUrl: `${url}/rbs/payment/rest`,
  }),
  ttl: 5,
  findsLost: true,
  tellsAmount: true,
  tellsOrder: true,
  cancels: true,
  refunds: true,
});

export const CONFORMING: readonly ConformingBank[] = [
  {
    title: 'CFT',
    profile: (url) => ({
      bankName: 'CFT',
      accAlias: 'made-up-account',
      extEntityId: 'made-up-company',
      merchantId: TEXT.merchant,
      password: '',
      baseUrl: url,
    }),
    ttl: 5,
    findsLost: true,
    tellsAmount: false,
    tellsOrder: false,
    cancels: false,
    refunds: false,
  },
  rbs('Alfa Bank'),
  rbs('Sber'),
  rbs('VTB'),
  rbs('MTS Bank'),
  {
    title: 'T-Bank',
    profile: (url) => ({
      bankName: 'Tinkoff',
      terminalKey: 'MadeUpTerminal',
      password: TBANK_PASSWORD,
      baseUrl: `${url}/tbank/v2`,
    }),
    ttl: 5,
    findsLost: true,
    tellsAmount: true,
    tellsOrder: true,
    cancels: true,
    refunds: true,
  },
  {
    title: 'Raiffeisenbank',
    profile: (url) => ({
      bankName: 'Raiffeisenbank',
      sbpMerchantId: TEXT.merchant,
      secretKey: TEXT.secret,
      baseUrl: `${url}/raif`,
    }),
    ttl: 5,
    findsLost: false,
    tellsAmount: true,
    tellsOrder: true,
    cancels: true,
    refunds: true,
  },
  {
    title: 'YooKassa',
    profile: (url) => ({
      bankName: 'YooKassa',
      shopId: '123456',
      secretKey: TEXT.secret,
      baseUrl: `${url}/yookassa/v3`,
    }),
    ttl: 60,
    findsLost: true,
    tellsAmount: true,
    tellsOrder: true,
    cancels: false,
    refunds: true,
  },
  {
    title: 'Gazprombank',
    profile: (url) => ({
      bankName: 'Gazprombank',
      account: '40702810000000000000',
      merchantId: TEXT.merchant,
      login: 'LA0000000001',
      password: TEXT.secret,
      baseUrl: `${url}/gpb`,
    }),
    ttl: 5,
    findsLost: false,
    tellsAmount: false,
    tellsOrder: false,
    cancels: true,
    refunds: true,
  },
];
