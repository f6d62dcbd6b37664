/** Sales that are asked for again: what banks do meanwhile, and how long. */
import { BankError } from '../../firmware/banks/bank-error.ts';
import type { PaymentFailure } from '../../firmware/payments/model/payment.ts';
import { ERROR_TABLE } from '../../firmware/payments/model/terminal-error.ts';
import { MINUTE_MS, unreachable } from './harness.ts';

export const memberOf = (note: PaymentFailure | null): string | undefined =>
  note === null ? undefined : ERROR_TABLE.Bank[note.code];
/** What a bank may do in place of reporting a state: not answer, or not make sense. */
export const SILENCES = {
  'does not answer': unreachable,
  'answers 404': () => new BankError('refused', 'the bank refused (HTTP 404)'),
  'answers nonsense': () => new BankError('contradiction', 'the bank returned no state of the payment'),
} as const;

export const AN_HOUR_MS = 60 * MINUTE_MS;
/** A moment at which less than half of a ttl of five minutes is left. */
export const LATER_MS = 2.5 * MINUTE_MS + 1;
