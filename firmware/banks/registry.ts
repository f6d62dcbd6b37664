/** The built-in banks. A new one is a file that exports its adapter, and a line in `BANKS`: everything else derives from it. */
import type { Static } from 'typebox';
import { Type } from 'typebox';
import { MAX_PAYLOAD_BYTES, PAYLOAD_SIZE, payloadProblem } from '../../drivers/display/payload.ts';
import { FieldError } from '../../drivers/lib/errors.ts';
import { amountInWords } from '../../drivers/lib/money.ts';
import { DEFAULT_TTL_MINUTES } from '../core/config/index.ts';
import { fits } from '../core/schema/index.ts';
import {
  type BankAdapter,
  type BankContext,
  bankAdapter,
  FILE_KIND,
  type FileKind,
  identityOf,
  line,
  unusableField,
  WHOLE_RANGE,
} from './adapter.ts';
import type { Bank } from './bank.ts';
import { ANYWAY } from './dialects/anyway.ts';
import { CFT } from './dialects/cft.ts';
import { GAZPROMBANK } from './dialects/gazprombank-adapter.ts';
import { RAIFFEISEN } from './dialects/raiffeisen.ts';
import { Rbs } from './dialects/rbs.ts';
import { ALFA, MTS, SBER, VTB } from './dialects/rbs-adapter.ts';
import { TBANK } from './dialects/tbank-adapter.ts';
import { TOCHKA } from './dialects/tochka-adapter.ts';
import { YOOKASSA } from './dialects/yookassa-adapter.ts';
import { sbpLinkWarning } from './sbp-link.ts';

/** A fixed code, printed or registered elsewhere: the customer types the amount, and no outcome can be known. */
const StaticProfile = Type.Object(
  {
    bankName: Type.Literal('Static'),
    staticQR: line(1, MAX_PAYLOAD_BYTES, `what the QR code holds, most often a link; ${PAYLOAD_SIZE}`),
  },
  { additionalProperties: false },
);

const STATIC = bankAdapter({
  name: 'Static',
  aliases: ['staticqr'],
  schema: StaticProfile,
  distinctiveFields: ['staticQR'],
  secretFields: [],
  capabilities: WHOLE_RANGE,
  settingsErrors: 'StaticBankSettings',
  warning: ({ staticQR }) => sbpLinkWarning(staticQR),
  open({ staticQR }) {
    const problem = payloadProblem(staticQR);
    if (problem !== null) throw unusableField('staticQR', `it ${problem}`);
    return Object.freeze({ kind: 'static', payload: staticQR });
  },
});

// The sandbox bank of this device, without money. It is called as an RBS gateway, which can do all that a till may need.

/** The login at the sandbox bank, which accepts any. */
const LOGIN = { userName: 'laneware', password: 'sandbox' } as const;

export const SANDBOX = bankAdapter({
  name: 'Sandbox',
  aliases: ['sandboxbank'],
  isPlay: true,
  schema: Type.Object({ bankName: Type.Literal('Sandbox') }, { additionalProperties: false }),
  secretFields: [],
  capabilities: ALFA.capabilities,
  asking: { firstMs: 1000 }, // its scripts pay by themselves after two seconds
  open(_profile, { sandboxBaseUrl }) {
    if (sandboxBaseUrl === null) {
      throw unusableField('bankName', 'the sandbox bank does not run here (sandboxBank.enabled)');
    }
    return new Rbs({ ...LOGIN, baseUrl: `${sandboxBaseUrl}/rbs/payment/rest`, returnUrl: `${sandboxBaseUrl}/` });
  },
});

export type { BankContext } from './adapter.ts';

export const BANKS = [
  STATIC,
  CFT,
  ALFA,
  ANYWAY,
  GAZPROMBANK,
  RAIFFEISEN,
  TBANK,
  TOCHKA,
  YOOKASSA,
  SBER,
  VTB,
  MTS,
  SANDBOX,
] as const satisfies readonly BankAdapter[];

/** All adapters, without their types. */
const ADAPTERS: readonly BankAdapter[] = BANKS;

/** A valid profile: what the schema of its bank says. */
export type BankProfile = Static<(typeof BANKS)[number]['schema']>;

/** Names of secrets, whichever bank has them: masked in the log, and sealed in every profile. */
const SECRET_WORDS = ['password', 'passphrase', 'secretKey', 'secret', 'token', 'privateKey'];

/** Names of fields, of any bank, whose values never leave the device and are stored sealed. */
export const SECRET_FIELDS: readonly string[] = [
  ...new Set([...SECRET_WORDS, ...ADAPTERS.flatMap(({ secretFields }) => secretFields)]),
];

/** @throws {RangeError} for a name that is not built in */
export function adapterOf(name: string): BankAdapter {
  const adapter = ADAPTERS.find((each) => each.name === name);
  if (adapter === undefined) throw new RangeError(`no bank ${name} is built in`);
  return adapter;
}

const fold = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]+/g, '');

const spellings = new Map<string, BankAdapter>();
for (const bank of ADAPTERS) for (const name of [bank.name, ...bank.aliases]) spellings.set(fold(name), bank);

/** The bank of a name, ignoring case, spaces, hyphens and underscores, also by alias; null for an unknown name. */
export function bankByName(text: string): BankAdapter | null {
  return spellings.get(fold(text)) ?? null;
}

/** The bank of a profile with an unknown bankName, by the fields that only this bank has; null where there is none. */
export function bankByFields(profile: Readonly<Record<string, unknown>>): BankAdapter | null {
  return (
    ADAPTERS.find(({ distinctiveFields = [] }) => distinctiveFields.some((field) => profile[field] !== undefined)) ??
    null
  );
}

/** The banks that a sentence offers: `A, B and C`. @param includesPlay adds those without money */
export function bankList(conjunction: 'and' | 'or', { includesPlay }: { readonly includesPlay: boolean }): string {
  const names = ADAPTERS.filter(({ isPlay = false }) => includesPlay || !isPlay).map(({ name }) => name);
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${conjunction} ${names.at(-1)}`;
}

/** Fields that a profile of the bank must have, in the order in which a missing one is reported. */
export const requiredFields = ({ schema }: BankAdapter): readonly string[] =>
  Object.keys(schema.properties).filter((field) => field !== 'bankName' && schema.required.includes(field));

/** The kind of file that a field names, for a field of any bank; null for a field that names no file. */
export function fileKindOf(field: string): FileKind | null {
  const asked = ADAPTERS.map(({ schema }): { readonly [FILE_KIND]?: FileKind } | undefined => schema.properties[field]);
  return asked.find((each) => each?.[FILE_KIND] !== undefined)?.[FILE_KIND] ?? null;
}

/**
 * Identifies the payee and the bank's address, independent of passwords and certificates: profiles of one merchant can
 * ask about each other's payments, such as before and after a certificate was renewed.
 */
export function merchantOf(profile: BankProfile, context: BankContext): string {
  const bank = adapterOf(profile.bankName);
  const fields: Readonly<Record<string, unknown>> = profile;
  const merchant = bank.merchant?.(profile, context) ?? identityOf(bank).map((field) => fields[field] ?? null);
  return JSON.stringify([bank.name, ...merchant]);
}

/** The bank of a merchant, and its parts; null where none is named, as in a damaged row. */
function partsOf(merchant: string | null): { readonly bank: BankAdapter; readonly parts: readonly unknown[] } | null {
  try {
    const named: unknown = JSON.parse(merchant ?? 'null');
    const [name, ...parts] = Array.isArray(named) ? named : [];
    const bank = ADAPTERS.find((each) => each.name === name);
    return bank === undefined ? null : { bank, parts };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Whether no money moves at a real bank: its test contour, a test shop, a test terminal. */
export function isForTest(merchant: string | null): boolean {
  const found = partsOf(merchant);
  return found?.bank.isForTest?.(found.parts) ?? false;
}

/** Whether no money moves. @param merchant the payee, as the ledger stores it with a payment */
export const isPlayMoney = (merchant: string | null): boolean =>
  partsOf(merchant)?.bank.isPlay === true || isForTest(merchant);

/**
 * The common beginning of all merchants with one login: the bank finds a payment by the login, whatever account was
 * paid.
 */
export function loginOf(merchant: string): string {
  const [bank, ...parts] = JSON.parse(merchant) as [string, ...unknown[]];
  return JSON.stringify([bank, ...parts.slice(0, bankByName(bank)?.loginParts)]).slice(0, -1);
}

/** A payment as a till requests it; `ttl` is null where it names none. */
interface Wanted {
  /** Kopecks. */
  readonly amount: number;
  /** Minutes. */
  readonly ttl: number | null;
}

/**
 * How long a code will live at a bank, in minutes, for a payment that the bank takes.
 * @throws {FieldError} naming the field, its limit and the bank; nothing has changed then
 */
export function fitBank(bankName: string, { amount, ttl }: Wanted): number {
  const { name, capabilities } = adapterOf(bankName);
  const { minAmount, maxAmount, ttl: range } = capabilities;
  if (amount < minAmount) throw new FieldError('amount', `must be at least ${amountInWords(minAmount)} at ${name}`);
  if (amount > maxAmount) throw new FieldError('amount', `must be at most ${amountInWords(maxAmount)} at ${name}`);
  if ('fixed' in range) {
    if (ttl === null || ttl === range.fixed) return range.fixed;
    throw new FieldError('ttl', `must be ${range.fixed} minutes or left out at ${name}, whose codes live so long`);
  }
  const { min, max } = range;
  if (ttl === null) return Math.min(Math.max(DEFAULT_TTL_MINUTES, min), max);
  if (ttl < min) throw new FieldError('ttl', `must be at least ${min} minutes at ${name}`);
  if (ttl > max) throw new FieldError('ttl', `must be at most ${max} minutes at ${name}`);
  return ttl;
}

/** Refuses an order id that a bank does not accept. @throws {FieldError} */
export function requireFittingOrderId(bankName: string, orderId: string): void {
  const { name, capabilities } = adapterOf(bankName);
  const rule = capabilities.orderId;
  if (rule === null) return;
  if (orderId.length > rule.maxLength) {
    throw new FieldError('orderId', `must have at most ${rule.maxLength} characters at ${name}`);
  }
  if (!rule.charset.test(orderId)) throw new FieldError('orderId', `may hold only ${rule.words} at ${name}`);
}

/** Whether a stored value is a profile of a built-in bank. */
export function isBankProfile(value: unknown): value is BankProfile {
  return ADAPTERS.some(({ schema }) => fits(schema, value));
}

/**
 * Opens the bank of a profile; nothing is sent yet. Close an online one when it is no longer needed.
 * @throws {FieldError}
 */
export async function openBank(profile: BankProfile, context: BankContext): Promise<Bank> {
  const adapter = adapterOf(profile.bankName);
  return adapter.open(profile, { ...context, log: (message) => context.log?.(`${adapter.name}: ${message}`) });
}
