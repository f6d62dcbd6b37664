/** What a call that was answered with a code is told beside it. */
import { ERROR_TABLE, type ErrorMember } from '../errors.ts';
import type { PaymentRow } from '../ledger/payment-row.ts';
import type { PaymentFault } from './payment.ts';

/** Amounts of payments, in a row. */
export const kopecks = (payments: readonly PaymentRow[]): string => payments.map(({ amount }) => amount).join(', ');

export interface Note {
  readonly member: ErrorMember<'Bank'>;
  readonly message: string;
}

export const sameCode = (leftMs: number): Note => ({
  member: 'SameCode',
  message: `the code of an earlier call for the same is shown again, for ${Math.ceil(leftMs / 1000)} s more: it is paid once`,
});

export const SHARED_CODE: Note = {
  member: 'SameCode',
  message: 'two calls for the same came at once and share one code: it is paid once',
};

export const unknownBefore = (payments: readonly PaymentRow[]): Note => ({
  member: 'Unreachable',
  message: `it is not known whether what was asked for before was paid, as the bank does not tell: ${kopecks(payments)} kopecks`,
});

export const unreadBefore = (payments: readonly PaymentRow[], count: number): Note => ({
  member: 'PreviousPaid',
  message: `${kopecks(payments)} kopecks${count > payments.length ? ` and ${count - payments.length} payments more` : ''} were accepted late, and no till has read so: /health says what to do`,
});

/** What stands in the optional fields of an answer: the first note gives the code, all of them the message. */
export function noted(notes: readonly Note[]): PaymentFault | null {
  const [first] = notes;
  if (first === undefined) return null;
  const code = (ERROR_TABLE.Bank.members as readonly string[]).indexOf(first.member);
  return { category: 'Bank', code, message: notes.map(({ message }) => message).join('; ') };
}
