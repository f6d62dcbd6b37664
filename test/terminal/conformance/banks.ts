/** The banks that conform, as a till sets them up beside a sandbox bank that speaks their interfaces. */
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BankProfile } from '../../../firmware/terminal/banks/registry.ts';
import type { Banks } from '../../banks/banks.ts';
import { TBANK_PASSWORD } from '../../banks/tbank.ts';

/** Where the sandbox bank is. */
export interface BankAddress {
  readonly url: string;
  /** For the files that its profile names. */
  readonly folder: string;
}

/** Of a shop that signs what it sends. */
const SIGNING = generateKeyPairSync('rsa', { modulusLength: 2048 });
const KEY_NAME = 'made-up-key';

function signKeyFile(folder: string): string {
  const path = join(folder, 'sign.key');
  writeFileSync(path, SIGNING.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return path;
}

export interface ConformingBank {
  readonly title: string;
  readonly profile: (address: BankAddress) => BankProfile;
  /** Minutes that a code lives. */
  readonly ttl: number;
  /** Whether a lost answer leaves one payment: it is found, or the repeated call is answered with the same. */
  readonly findsLost: boolean;
  readonly cancels: boolean;
  readonly refunds: boolean;
  /** What the bank must be given beforehand. */
  readonly prepare?: (sandbox: Banks) => void;
}

const TEXT = { secret: 'made-up-secret', merchant: 'MA0000000001' } as const;

/** Of a bank that can all that is asked for, and knows shops by a secret. */
const WHOLE = {
  ttl: 5,
  findsLost: true,
  cancels: true,
  refunds: true,
} as const;

const rbs = (bankName: 'Alfa Bank' | 'Sber' | 'VTB' | 'MTS Bank'): ConformingBank => ({
  title: bankName,
  profile: ({ url }) => ({
    bankName,
    userName: 'made-up-api',
    password: TEXT.secret,
    baseUrl: `${url}/rbs/payment/rest`,
  }),
  ...WHOLE,
});

export const ALL_BANKS: readonly ConformingBank[] = [
  {
    title: 'CFT',
    profile: ({ url }) => ({
      bankName: 'CFT',
      accAlias: 'made-up-account',
      extEntityId: 'made-up-company',
      merchantId: TEXT.merchant,
      password: 'made-up',
      baseUrl: url,
    }),
    ttl: 5,
    findsLost: true,
    cancels: false,
    refunds: false,
  },
  rbs('Alfa Bank'),
  {
    title: 'Alfa-Bank by token',
    profile: ({ url, folder }) => ({
      bankName: 'Alfa Bank Token',
      termNo: '10000001',
      keyName: KEY_NAME,
      signKeyPath: signKeyFile(folder),
      baseUrl: `${url}/anyway`,
    }),
    prepare: ({ keys }) => void keys.set(KEY_NAME, SIGNING.publicKey),
    ttl: 5,
    findsLost: false,
    cancels: false,
    refunds: false,
  },
  rbs('Sber'),
  rbs('VTB'),
  rbs('MTS Bank'),
  {
    title: 'T-Bank',
    profile: ({ url }) => ({
      bankName: 'Tinkoff',
      terminalKey: 'MadeUpTerminal',
      password: TBANK_PASSWORD,
      baseUrl: `${url}/tbank/v2`,
    }),
    ...WHOLE,
  },
  {
    title: 'Raiffeisenbank',
    profile: ({ url }) => ({
      bankName: 'Raiffeisenbank',
      sbpMerchantId: TEXT.merchant,
      secretKey: TEXT.secret,
      baseUrl: `${url}/raif`,
    }),
    ttl: 5,
    findsLost: false,
    cancels: true,
    refunds: true,
  },
  {
    title: 'YooKassa',
    profile: ({ url }) => ({
      bankName: 'YooKassa',
      shopId: '123456',
      secretKey: TEXT.secret,
      baseUrl: `${url}/yookassa/v3`,
    }),
    ttl: 60,
    findsLost: true,
    cancels: false,
    refunds: true,
  },
  {
    title: 'Gazprombank',
    profile: ({ url }) => ({
      bankName: 'Gazprombank',
      account: '40702810000000000000',
      merchantId: TEXT.merchant,
      login: 'LA0000000001',
      password: TEXT.secret,
      baseUrl: `${url}/gpb`,
    }),
    ttl: 5,
    findsLost: false,
    cancels: true,
    refunds: true,
  },
];

/** Banks of a gateway that another one stands for: what differs is their profiles, which `bank-trials.test.ts` tries. */
const TWINS = ['Sber', 'VTB', 'MTS Bank'];
/** One of each interface, or the one that is asked for: `BANK=YooKassa`. */
export const CONFORMING = ALL_BANKS.filter(({ title }) =>
  process.env.BANK === undefined ? !TWINS.includes(title) : title === process.env.BANK,
);
