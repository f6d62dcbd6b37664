/** The banks that conform, as a till sets them up beside a sandbox bank that speaks their interfaces. */
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TBANK_PASSWORD } from '../../../firmware/sandbox-bank/dialects/tbank.ts';
import type { SandboxBank } from '../../../firmware/sandbox-bank/server.ts';
import type { BankProfile } from '../../../firmware/terminal/banks/registry.ts';

/** Where the sandbox bank is, and what its caller needs for TLS. */
export interface BankAddress {
  readonly url: string;
  /** For the files that its profile names. */
  readonly folder: string;
  /** Authority of its certificate. */
  readonly caPath?: string;
  /** For a bank that asks for a certificate. */
  readonly client?: { readonly certPath: string; readonly keyPath: string };
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
  /** Whether the bank knows the shop by a certificate. */
  readonly isMutual: boolean;
  /** Minutes that a code lives. */
  readonly ttl: number;
  /** Whether a lost answer leaves one payment: it is found, or the repeated call is answered with the same. */
  readonly findsLost: boolean;
  /** Whether its state tells the amount; where not, the link of the code must. */
  readonly tellsAmount: boolean;
  readonly tellsOrder: boolean;
  readonly cancels: boolean;
  readonly refunds: boolean;
  /** What the bank must be given beforehand. */
  readonly prepare?: (sandbox: SandboxBank) => void;
}

const TEXT = { secret: 'made-up-secret', merchant: 'MA0000000001' } as const;

/** Of a bank that can all that is asked for, and knows shops by a secret. */
const WHOLE = {
  ttl: 5,
  findsLost: true,
  tellsAmount: true,
  tellsOrder: true,
  cancels: true,
  refunds: true,
  isMutual: false,
} as const;

const rbs = (bankName: 'Alfa Bank' | 'Sber' | 'VTB' | 'MTS Bank'): ConformingBank => ({
  title: bankName,
  profile: ({ url, caPath }) => ({
    bankName,
    userName: 'made-up-api',
    password: TEXT.secret,
    baseUrl: `${url}/rbs/payment/rest`,
    ...(caPath !== undefined && { caPath }),
  }),
  ...WHOLE,
});

export const ALL_BANKS: readonly ConformingBank[] = [
  {
    title: 'CFT',
    profile: ({ url, caPath, client }) => ({
      bankName: 'CFT',
      accAlias: 'made-up-account',
      extEntityId: 'made-up-company',
      merchantId: TEXT.merchant,
      password: 'made-up',
      baseUrl: url,
      ...(caPath !== undefined && { caPath }),
      ...client,
    }),
    ttl: 5,
    findsLost: true,
    tellsAmount: false,
    tellsOrder: false,
    cancels: false,
    refunds: false,
    isMutual: true,
  },
  rbs('Alfa Bank'),
  {
    title: 'Alfa-Bank by token',
    profile: ({ url, folder, caPath, client }) => ({
      bankName: 'Alfa Bank Token',
      termNo: '10000001',
      keyName: KEY_NAME,
      signKeyPath: signKeyFile(folder),
      baseUrl: `${url}/anyway`,
      ...(caPath !== undefined && { caPath }),
      ...client,
    }),
    prepare: ({ keys }) => keys.add(KEY_NAME, SIGNING.publicKey.export({ type: 'spki', format: 'pem' }).toString()),
    ttl: 5,
    findsLost: false,
    tellsAmount: true,
    tellsOrder: false,
    cancels: false,
    refunds: false,
    isMutual: true,
  },
  rbs('Sber'),
  rbs('VTB'),
  rbs('MTS Bank'),
  {
    title: 'T-Bank',
    profile: ({ url, caPath }) => ({
      bankName: 'Tinkoff',
      terminalKey: 'MadeUpTerminal',
      password: TBANK_PASSWORD,
      baseUrl: `${url}/tbank/v2`,
      ...(caPath !== undefined && { caPath }),
    }),
    ...WHOLE,
  },
  {
    title: 'Raiffeisenbank',
    profile: ({ url, caPath }) => ({
      bankName: 'Raiffeisenbank',
      sbpMerchantId: TEXT.merchant,
      secretKey: TEXT.secret,
      baseUrl: `${url}/raif`,
      ...(caPath !== undefined && { caPath }),
    }),
    ttl: 5,
    findsLost: false,
    tellsAmount: true,
    tellsOrder: true,
    cancels: true,
    refunds: true,
    isMutual: false,
  },
  {
    title: 'YooKassa',
    profile: ({ url, caPath }) => ({
      bankName: 'YooKassa',
      shopId: '123456',
      secretKey: TEXT.secret,
      baseUrl: `${url}/yookassa/v3`,
      ...(caPath !== undefined && { caPath }),
    }),
    ttl: 60,
    findsLost: true,
    tellsAmount: true,
    tellsOrder: true,
    cancels: false,
    refunds: true,
    isMutual: false,
  },
  {
    title: 'Gazprombank',
    profile: ({ url, caPath, client }) => ({
      bankName: 'Gazprombank',
      account: '40702810000000000000',
      merchantId: TEXT.merchant,
      login: 'LA0000000001',
      password: TEXT.secret,
      baseUrl: `${url}/gpb`,
      ...(caPath !== undefined && { caPath }),
      ...client,
    }),
    ttl: 5,
    findsLost: false,
    tellsAmount: false,
    tellsOrder: false,
    cancels: true,
    refunds: true,
    isMutual: true,
  },
];

/** Banks of a gateway that another one stands for: what differs is their profiles, which `bank-trials.test.ts` tries. */
const TWINS = ['Sber', 'VTB', 'MTS Bank'];
/** One of each interface, or the one that is asked for: `BANK=YooKassa`. */
export const CONFORMING = ALL_BANKS.filter(({ title }) =>
  process.env.BANK === undefined ? !TWINS.includes(title) : title === process.env.BANK,
);
