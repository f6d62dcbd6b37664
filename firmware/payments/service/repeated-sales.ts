/**
 * A sale that a till requests again with the same key. A call that is being answered is joined. The code of a payment
 * that may still be paid is shown again. Of a payment that has ended, the state is returned. No new order is ever
 * registered.
 */

import type { BankProfile } from '../../banks/index.ts';
import type { PaymentRow, SaleKey } from '../money/payment-row.ts';
import type { Answered, Caller, ShowQrCalls } from './calls.ts';
import type { PaymentParts } from './parts.ts';
import { isLeft, mayBeShown } from './payment.ts';
import { notShownAgain } from './payment-failures.ts';
import type { AskedPayment } from './sale.ts';
import { damagedSale, failedBefore, keyConflict } from './sale-key.ts';

interface RepeatingParts extends PaymentParts {
  readonly calls: ShowQrCalls;
}

/**
 * @returns null where the key is new
 * @throws {TerminalError} where it stands for something else, or its payment could not be registered
 */
export function answerAgain(
  parts: RepeatingParts,
  key: SaleKey,
  asked: AskedPayment,
  caller: Caller,
): Promise<Answered> | null {
  const joined = parts.calls.join(key, asked, caller);
  if (joined !== null) return joined;
  const payment = paymentOf(parts, key, caller.till);
  if (payment === null) return null;
  if (payment.sale?.body !== key.body)
    throw keyConflict(asked, { ...payment, ...payment.sale, body: payment.sale?.body ?? '' }, payment.orderId);
  return answer(parts, parts.book.find(payment.orderId), key, caller);
}

/** @throws {TerminalError} where its row is damaged: what it was is unknown */
function paymentOf({ ledger }: RepeatingParts, { key }: SaleKey, till: string | null): PaymentRow | null {
  const found = ledger.ofSale(till, key);
  if (found === null) return null;
  if (!ledger.isSound(found.id)) throw damagedSale(found.orderId);
  return ledger.ofSale(till, key); // it may have been put back by now
}

function answer(parts: RepeatingParts, payment: PaymentRow, key: SaleKey, caller: Caller): Promise<Answered> {
  const { clock, view, calls, book, dispatch } = parts;
  const { orderId, amount, purpose, ttl, profile: profileName, till, cashier } = payment;
  const profile = profileOf(parts, payment);
  const wasLeft = isLeft(payment.status); // then its bank is asked about it in its turn
  if (profile !== null && (wasLeft || mayBeShown(payment, clock))) {
    const { clearings } = view;
    const { ownOnly } = caller;
    const request = { amount, purpose, ttl, profileName, profile, till, cashier, ownOnly, key, orderId, clearings };
    const answered = calls.show(request, caller);
    return wasLeft ? answered.then((again) => unlessFailed(book.find(again.orderId), again)) : answered;
  }
  dispatch({ type: 'call-held-back', call: book.statusCalls.nextCall(), orderId }); // this call is the last one, and the status its own
  const again = { orderId, isAgain: true, isShown: false, warnings: notShownAgain(payment) };
  return Promise.resolve(unlessFailed(payment, again));
}

/** @throws {TerminalError} where the payment could not be registered, or its bank has said that it cannot be paid */
function unlessFailed(payment: PaymentRow, answered: Answered): Answered {
  if (payment.status.state === 'ERROR') throw failedBefore(payment);
  return answered;
}

/** Null where its bank is not set up any more: it is followed, and its code not shown. */
function profileOf({ profileOf: named, banks }: RepeatingParts, payment: PaymentRow): BankProfile | null {
  const profile = named(payment.profile);
  return profile !== null && banks.isFor(payment, profile) ? profile : null;
}
