/** What a shift holds, counted from the rows of both ledgers. */
import type { Ledger } from '../ledger/ledger.ts';
import type { PaymentRow } from '../ledger/payment-row.ts';
import { sumsOf } from '../refunds/refund.ts';
import type { RefundLedger } from '../refunds/refund-ledger.ts';
import type { Sum } from '../reports/day-report.ts';
import type { NamedPayment, ShiftGroup, ShiftReport } from './shift.ts';
import type { OpenShift, ShiftBook } from './shift-book.ts';

export interface CountedBooks {
  readonly ledger: Pick<Ledger, 'acceptedIn' | 'askedBefore' | 'returnedSince' | 'find'>;
  readonly refunds: Pick<RefundLedger, 'of' | 'doneIn' | 'changedSince'>;
  readonly book: Pick<ShiftBook, 'returned'>;
}

const NONE: Sum = Object.freeze({ count: 0, sum: 0 });

const named = ({ orderId, id, till, askedShift }: PaymentRow, amount: number): NamedPayment => ({
  ...{ id: orderId, number: id, amount, till, askedShift },
});

/**
 * Money that banks have given back without a refund of ours: more than refunds explain and earlier shifts have counted. A refund that is
 * not decided may explain it, so it counts when that is.
 */
function returnedIn(books: CountedBooks, shift: OpenShift): { payment: PaymentRow; line: NamedPayment }[] {
  const { ledger, refunds, book } = books;
  const changed = [
    ...ledger.returnedSince(shift.paymentChange).map(({ orderId }) => orderId),
    ...refunds.changedSince(shift.refundChange),
  ];
  const counted = book.returned();
  return [...new Set(changed)].flatMap((orderId) => {
    const payment = ledger.find(orderId);
    if (payment === null || payment.shift === null) return [];
    const { done, undecided } = sumsOf(refunds.of(orderId));
    const amount = Math.max(0, payment.refunded - done - undecided) - (counted.get(orderId) ?? 0);
    return amount === 0 ? [] : [{ payment, line: named(payment, amount) }];
  });
}

/** Lines of the same profile, till, cashier and owner become one. */
function merged(lines: readonly ShiftGroup[]): ShiftGroup[] {
  const groups = new Map<string, ShiftGroup>();
  for (const line of lines) {
    const { accepted, refunds, ...of } = line;
    const key = JSON.stringify([of.profile, of.bank, of.till, of.cashier, of.owner]);
    const before = groups.get(key) ?? { ...of, accepted: NONE, refunds: NONE };
    groups.set(key, {
      ...of,
      accepted: { count: before.accepted.count + accepted.count, sum: before.accepted.sum + accepted.sum },
      refunds: { count: before.refunds.count + refunds.count, sum: before.refunds.sum + refunds.sum },
    });
  }
  return [...groups.keys()].sort().flatMap((key) => groups.get(key) ?? []);
}

export function countShift(books: CountedBooks, shift: OpenShift): ShiftReport {
  const { ledger, refunds } = books;
  const accepted = ledger.acceptedIn(shift.number, shift.paymentChange);
  const returned = returnedIn(books, shift);
  const groups = merged([
    ...accepted.map(({ first, last, ...group }) => ({ ...group, owner: group.till, refunds: NONE })),
    ...refunds.doneIn(shift.number, shift.refundChange).map(({ orderId, profile, bank, amount, asker }) => ({
      ...{ profile, bank, till: asker.till, cashier: asker.cashier, owner: ledger.find(orderId)?.till ?? null },
      ...{ accepted: NONE, refunds: { count: 1, sum: amount } },
    })),
    ...returned.map(({ payment: { profile, bank, till, cashier }, line: { amount } }) => ({
      ...{ profile, bank, till, cashier, owner: till },
      ...{ accepted: NONE, refunds: { count: 1, sum: amount } },
    })),
  ]);
  return {
    groups,
    earlier: ledger.askedBefore(shift.number, shift.paymentChange).map((payment) => named(payment, payment.amount)),
    returned: returned.map(({ line }) => line),
    first: accepted.length === 0 ? 0 : Math.min(...accepted.map(({ first }) => first)),
    last: Math.max(0, ...accepted.map(({ last }) => last)),
  };
}
