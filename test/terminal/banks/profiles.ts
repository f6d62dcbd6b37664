/** A whole profile of each bank: what the tests of all banks go by. A new bank adds its own. */
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BankProfile } from '../../../firmware/banks/registry.ts';
import type { Banks } from '../../banks/banks.ts';
import { TBANK_PASSWORD } from '../../banks/tbank.ts';
import { IDS } from './support.ts';

export const SECRET = 'made-up-secret';

/** A gateway that is a choice of a bank's profile, and speaks another interface. */
export const SBER_PRESENT = 'Sber, present gateway';
/** The bank of each such gateway. */
const BANK_OF: Readonly<Record<string, string>> = { [SBER_PRESENT]: 'Sber' };
/** The gateways of a bank: itself, and those that are choices of its profile. */
export const gatewaysOf = (bankName: string): readonly string[] => [
  bankName,
  ...Object.keys(BANK_OF).filter((name) => BANK_OF[name] === bankName),
];

interface WholeProfile {
  /** Where `test/banks/` speaks as this bank; none for a bank without an address. */
  readonly at?: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Of a shop that signs what it sends. */
const SIGNING = generateKeyPairSync('rsa', { modulusLength: 2048 });
const KEY_NAME = 'made-up-key';
const SITE = 'made-up-site';
const SIGN_KEY = 'sign.key';

const RBS: WholeProfile = { at: '/rbs/payment/rest', fields: { userName: 'made-up-api', password: SECRET } };
const MERCHANT = 'MA0000000001';

const PROFILES: Readonly<Record<string, WholeProfile>> = {
  Static: { fields: { staticQR: 'https://qr.nspk.ru/AS100001ORTF4GAF80KPJ53K186D9A3G' } },
  Sandbox: { fields: {} },
  CFT: { at: '', fields: { ...IDS, password: SECRET } },
  'Alfa Bank': RBS,
  Sber: RBS,
  [SBER_PRESENT]: { at: '/sber/ecomm/gw/partner/api/v1', fields: { ...RBS.fields, gateway: 'partner' } },
  VTB: RBS,
  'MTS Bank': RBS,
  'Alfa Bank Token': { at: '/anyway', fields: { termNo: '10000001', keyName: KEY_NAME, signKeyPath: SIGN_KEY } },
  Tinkoff: { at: '/tbank/v2', fields: { terminalKey: 'MadeUpTerminal', password: TBANK_PASSWORD, consents: 'given' } },
  Raiffeisenbank: { at: '/raif', fields: { sbpMerchantId: MERCHANT, secretKey: SECRET } },
  Tochka: { at: '/tochka', fields: { siteUid: SITE, token: SECRET, signKeyPath: SIGN_KEY } },
  YooKassa: { at: '/yookassa/v3', fields: { shopId: '123456', secretKey: SECRET } },
  Gazprombank: {
    at: '/gpb',
    fields: { account: '40702810000000000000', merchantId: MERCHANT, login: 'LA0000000001', password: SECRET },
  },
};

/** @param url where `test/banks/`, or another bank of a test, is @param folder for the files that the profile names */
export function profileOf(name: string, url: string, folder: string): BankProfile {
  const whole = PROFILES[name];
  if (whole === undefined) throw new Error(`${name} has no profile in test/terminal/banks/profiles.ts`);
  const { at, fields } = whole;
  const signKeyPath = join(folder, SIGN_KEY);
  if (fields.signKeyPath !== undefined)
    writeFileSync(signKeyPath, SIGNING.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return {
    bankName: BANK_OF[name] ?? name,
    ...fields,
    ...(fields.signKeyPath !== undefined && { signKeyPath }),
    ...(at !== undefined && { baseUrl: url + at }),
  } as BankProfile;
}

/** What a bank must be given before a shop that signs can sell. */
export function introduce({ keys }: Pick<Banks, 'keys'>): void {
  for (const name of [KEY_NAME, SITE]) keys.set(name, SIGNING.publicKey);
}
