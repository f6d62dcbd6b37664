/**
 * The key of a sale (`Idempotency-Key`): the same key names the same payment, for ever. The same key with another body
 * is a mistake of the till; the error names what differs.
 */

import { hash } from 'node:crypto';
import { amountInWords } from '../../../../drivers/lib/money.ts';
import type { PaymentFailure } from '../../model/payment.ts';
import type { PaymentRow, SaleKey } from '../../model/payment-row.ts';
import { SALE_FIELD_NAMES, type SaleFieldName, saleValues } from '../../model/sale-fields.ts';
import { ERROR_TABLE, type ErrorCategory, type ErrorMember, TerminalError } from '../../model/terminal-error.ts';
import { purposeFor, type SaleRequest } from './sale.ts';

type Field = 'amount' | 'purpose' | 'ttl' | 'profile' | SaleFieldName;

/** The fields that a till sends; each one left out is null. */
const fieldsOf = ({ amount, purpose, ttl, profile, ...asked }: SaleRequest) => ({
  amount,
  purpose: purpose || null,
  ttl: ttl || null,
  profile: profile ?? null,
  ...saleValues((name) => asked[name]),
});

/** Later fields count only where they are sent: the digest of a sale without them stays as it is in every ledger. */
function digestOf(asked: SaleRequest): string {
  const { amount, purpose, ttl, profile, reference, ...later } = fieldsOf(asked);
  const sent = Object.entries(later).filter(([, value]) => value !== null);
  return hash('sha256', JSON.stringify([amount, purpose, ttl, profile, reference, ...sent]), 'base64url');
}

export const saleKeyOf = (key: string, asked: SaleRequest): SaleKey => ({
  key,
  body: digestOf(asked),
  ...saleValues((name) => asked[name]),
});

/**
 * The order id of a sale with a key: a UUID (version 8, RFC 9562) that is derived from the key. So the ledger accepts no
 * second payment for it. Nor does a bank that gets our order ids register a second order, even where the storage has
 * lost the first: a bank that can be asked for an order is asked before a registration (`NewPayments.adopt`).
 * @param digest 16 bytes or more, of this device alone
 */
export function orderIdOf(till: string | null, key: string, digest: (text: string) => Buffer): string {
  const bytes = digest(JSON.stringify([till, key])).subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * Fields that differ between two calls, or between a call and its payment, which has the settings' values for fields
 * left out.
 */
function differing(request: SaleRequest, other: SaleRequest): readonly Field[] {
  const [sent, earlier] = [fieldsOf(request), fieldsOf(other)];
  const isPurposeSame = purposeFor(sent.purpose ?? '') === purposeFor(earlier.purpose ?? '');
  const fields: Field[] = [
    ...(sent.amount === earlier.amount ? [] : ['amount' as const]),
    ...(isPurposeSame ? [] : ['purpose' as const]),
    ...SALE_FIELD_NAMES.filter((name) => sent[name] !== earlier[name]),
    ...(['ttl', 'profile'] as const).filter((name) => sent[name] !== null && sent[name] !== earlier[name]),
  ];
  return fields;
}

/**
 * The field without which, or with whose earlier value, a call would have the digest of the earlier one; where there is none,
 * all fields that may differ.
 */
function leftOut(asked: SaleRequest, { ttl, profile }: SaleRequest, body: string): readonly Field[] {
  const changes: readonly (readonly [readonly Field[], SaleRequest])[] = [
    ...[null, ttl ?? null].map((value) => [['ttl'], { ...asked, ttl: value }] as const),
    ...[null, profile ?? null].map((value) => [['profile'], { ...asked, profile: value }] as const),
  ];
  return changes.find(([, other]) => saleKeyOf('', other).body === body)?.[0] ?? ['purpose', 'ttl', 'profile'];
}

/** What the key names: its payment, or the call that is being answered. */
interface Named extends SaleRequest {
  readonly body: string;
}

/** @param payment order id of the payment; null where it has none yet */
export function keyConflict(asked: SaleRequest, other: Named, payment: string | null): TerminalError {
  const different = differing(asked, other);
  const differs = different.length > 0 ? different : leftOut(asked, other, other.body);
  const subject = payment === null ? 'another call' : `the payment ${payment}`;
  const how =
    different.length > 0
      ? `which has another ${differs.join(' or ')}`
      : `whose call differs in ${differs.join(' or ')}, which one of the two may leave out; for the same sale send the same body`;
  const message = `the Idempotency-Key stands for ${subject}, ${how}: take a new key for each sale`;
  const parameters = { differs, ...(payment !== null && { payment }) };
  return TerminalError.of('Payments', 'IdConflict', message, { parameters });
}

/** The conflict with an order that only the bank still knows by the key. @param amount kopecks of that order */
export function orderConflict(amount: number): TerminalError {
  const message = `the Idempotency-Key stands for an order of ${amountInWords(amount)}, which the bank has and this device has lost: to learn what became of it send that amount, and take a new key for each sale`;
  return TerminalError.of('Payments', 'IdConflict', message, { parameters: { differs: ['amount'] } });
}

/** The refusal for a payment whose row is damaged. */
export const damagedSale = (payment: string): TerminalError =>
  TerminalError.of(
    'Payments',
    'Damaged',
    'the storage has damaged the payment that the Idempotency-Key stands for: what became of it only the bank knows; look there before you take a new key',
    { payment },
  );

const isCategory = (name: string): name is ErrorCategory => Object.hasOwn(ERROR_TABLE, name);

/** The failure that ended a payment, in the same words as the first time. */
export function failedBefore({ orderId, status }: PaymentRow): TerminalError {
  const { category, code, message }: PaymentFailure = status.failure ?? {
    category: 'Internal',
    code: 1,
    message: 'the payment has failed',
  };
  const options = { payment: orderId };
  const members: readonly ErrorMember<ErrorCategory>[] = isCategory(category) ? ERROR_TABLE[category] : [];
  const member = members[code];
  return isCategory(category) && member !== undefined
    ? TerminalError.of<ErrorCategory>(category, member, message, options)
    : TerminalError.of('Internal', 'UnexpectedError', message, options);
}
