/** What T-Bank's states of a payment mean. Source: the bank's OpenAPI 1.80 and its manual of the same interface. */
import { type BankVerdict, CANCEL_OUTCOMES, type CancelOutcome } from '../bank.ts';

const VERDICTS: ReadonlyMap<string, BankVerdict> = new Map([
  ['NEW', 'pending'],
  ['FORM_SHOWED', 'pending'],
  ['PREAUTHORIZING', 'processing'],
  ['AUTHORIZING', 'processing'],
  ['3DS_CHECKING', 'processing'],
  ['3DS_CHECKED', 'processing'],
  ['PAY_CHECKING', 'processing'],
  ['AUTHORIZED', 'processing'],
  ['CONFIRMING', 'processing'],
  ['CONFIRM_CHECKING', 'processing'],
  ['CONFIRMED', 'accepted'],
  ['REFUNDING', 'accepted'],
  ['ASYNC_REFUNDING', 'accepted'],
  ['PARTIAL_REFUNDED', 'accepted'],
  ['REFUNDED', 'accepted'],
  ['REJECTED', 'rejected'],
  ['AUTH_FAIL', 'rejected'],
  ['ATTEMPTS_EXPIRED', 'rejected'],
  ['CANCELED', 'canceled'],
  ['DEADLINE_EXPIRED', 'canceled'],
  ['REVERSED', 'canceled'],
]);

export const verdictOf = (state: string): BankVerdict => VERDICTS.get(state) ?? 'processing';

/** The money goes back, or has gone. */
const GOING_BACK: readonly string[] = ['REFUNDING', 'ASYNC_REFUNDING'];
const WHOLLY_BACK = 'REFUNDED';
const PARTLY_BACK = 'PARTIAL_REFUNDED';

export const isGoingBack = (state: string): boolean => GOING_BACK.includes(state);
export const isWhollyBack = (state: string): boolean => state === WHOLLY_BACK;
export const isPartlyBack = (state: string): boolean => state === PARTLY_BACK;
export const isPaidWhole = (state: string): boolean => state === 'CONFIRMED';

/** Only these may be cancelled: in any later state the same call makes a refund. */
export const isUntouched = (state: string): boolean => state === 'NEW' || state === 'FORM_SHOWED';

/** What a payment in this state is to somebody who wants its code taken back, before anything is sent; null: it may be. */
export function outcomeBefore(state: string): CancelOutcome | null {
  if (isUntouched(state)) return null;
  if (isGoingBack(state) || isWhollyBack(state)) return 'refunded';
  const verdict = VERDICTS.get(state);
  return verdict === undefined ? 'not-possible' : CANCEL_OUTCOMES[verdict];
}

/** Money that had been paid, or held, when the cancellation came. */
const TAKEN_BACK: readonly string[] = [PARTLY_BACK, 'REVERSING', 'PARTIAL_REVERSED', 'REVERSED'];

/** The same after a cancellation was sent: what was paid meanwhile has gone back by it. */
export const outcomeAfter = (state: string): CancelOutcome | null =>
  TAKEN_BACK.includes(state) ? 'refunded' : outcomeBefore(state);
