/** Counts a shift from the rows of payments and refunds. */

import type { PaymentRow } from '../../model/payment-row.ts';
import { type Refund, sumsOf } from '../../model/refund.ts';
import { asRefunded, type NamedPayment, type ShiftGroup, type ShiftReport, turnoverBy } from '../../model/shift.ts';
import { NONE } from '../../model/sums.ts';
import { reportedBank } from '../../model/words.ts';
import type { Ledger } from '../../money/ledger.ts';
import type { RefundLedger } from '../../money/refund-ledger.ts';
import type { OpenShift, ShiftBook } from '../../money/shift-book.ts';
import { shiftSpan, type Tally } from '../../money/tally.ts';
import type { OrderCache } from '../order-cache.ts';
import type { ReturnedSums } from '../returned-sums.ts';

export interface CountedBooks {
  readonly ledger: Pick<Ledger, 'sums' | 'find'>;
  readonly refunds: Pick<RefundLedger, 'changedSince'>;
  readonly orders: Pick<OrderCache, 'find' | 'of'>;
  readonly book: Pick<ShiftBook, 'returnedOf'>;
}

const namedPayment = ({ orderId, id, till, askedShift }: PaymentRow, amount: number): NamedPayment => ({
  id: orderId,
  number: id,
  amount,
  till,
  askedShift,
});

/** Kopecks by which a count is below the least that went back; negative: by which it is above the most that may have. */
const beyond = (counted: number, least: number, most: number): number =>
  Math.max(0, least - counted) + Math.min(0, most - counted);

/** Kopecks of refunds that an earlier shift has counted as done, and a person has decided to be refused since. */
const takenBackOf = (ofOrder: readonly Refund[], open: number): number =>
  ofOrder
    .filter(({ state, shift }) => state !== 'done' && shift !== null && shift < open)
    .reduce((sum, { amount }) => sum + amount, 0);

/**
 * Money that banks gave back without a refund of ours, beyond what refunds explain and earlier shifts counted. An
 * undecided refund may explain it, so it counts once that is decided.
 * @param changed order ids of payments that have changed since the shift was opened, or whose refunds have
 */
export function returnedIn(
  { orders, book }: Pick<CountedBooks, 'orders' | 'book'>,
  open: OpenShift,
  changed: readonly string[],
): { payment: PaymentRow; line: NamedPayment }[] {
  return [...new Set(changed)].flatMap((orderId) => {
    const payment = orders.find(orderId);
    if (payment === null || payment.shift === null) return [];
    const ofOrder = orders.of(orderId);
    const { done, undecided } = sumsOf(ofOrder);
    const before = book.returnedOf(payment).reduce((sum, { amount }) => sum + amount, 0);
    const counted = done + takenBackOf(ofOrder, open.number) + before;
    const [least, most] = [Math.max(payment.refunded - undecided, done), Math.max(payment.refunded, done)];
    const amount = beyond(counted, least, most);
    return amount === 0 ? [] : [{ payment, line: namedPayment(payment, amount) }];
  });
}

/** Lines that differ in their sums alone become one. */
const merged = (lines: readonly ShiftGroup[]): ShiftGroup[] =>
  turnoverBy(lines, ['profile', 'bank', 'till', 'cashier', 'owner', 'method']).map(
    ({ of, turnover: { net: _, ...sums } }) => ({
      ...of,
      ...sums,
    }),
  );

/** Till and method of a payment. */
const ofPayment = (payment: PaymentRow | null) => ({
  owner: payment?.till ?? null,
  method: payment?.paidBy?.method ?? ('unknown' as const),
});

/** What has gone back in a shift. */
export interface ShiftBack {
  readonly groups: readonly ShiftGroup[];
  readonly returned: readonly NamedPayment[];
}

function readBack(books: CountedBooks, shift: OpenShift, accepted: Tally): ShiftBack {
  const { refunds, orders } = books;
  const changed = refunds.changedSince(shift.sinceChange);
  const done = changed
    .flatMap((orderId) => orders.of(orderId))
    .filter((refund) => refund.shift === shift.number)
    .sort((one, other) => one.id - other.id);
  const returned = returnedIn(books, shift, [...accepted.returned, ...changed]);
  const groups = [
    ...done.map(({ orderId, profile, bank, amount, requester }) => {
      const payment = orders.find(orderId);
      return {
        profile,
        bank: reportedBank({ bank, merchant: payment?.merchant ?? null }),
        till: requester.till,
        cashier: requester.cashier,
        ...ofPayment(payment),
        accepted: NONE,
        refunds: { count: 1, sum: amount },
        withoutReceipt: NONE,
      };
    }),
    ...returned.map(({ payment, line }) => ({
      profile: payment.profile,
      bank: reportedBank(payment),
      till: payment.till,
      cashier: payment.cashier,
      ...ofPayment(payment),
      accepted: NONE,
      refunds: asRefunded(line),
      withoutReceipt: NONE,
    })),
  ];
  return { groups, returned: returned.map(({ line }) => line) };
}

/** @param goneBack caches what has gone back, between one count and the next */
export function countShift(books: CountedBooks, shift: OpenShift, goneBack: ReturnedSums<ShiftBack>): ShiftReport {
  const { ledger } = books;
  const accepted = ledger.sums.of(shiftSpan(shift));
  const back = goneBack.of(accepted, null, () => readBack(books, shift, accepted));
  const groups = merged([
    ...accepted.groups
      .filter(({ kind }) => kind === 'accepted')
      .map(({ profile, bank, merchant, till, cashier, method, count, sum, withoutReceipt }) => ({
        profile,
        bank: reportedBank({ bank, merchant }),
        till,
        cashier,
        method,
        owner: till,
        accepted: { count, sum },
        refunds: NONE,
        withoutReceipt,
      })),
    ...back.groups,
  ]);
  return {
    groups,
    earlier: accepted.earlier
      .flatMap((orderId) => ledger.find(orderId) ?? [])
      .sort((one, other) => one.id - other.id)
      .map((payment) => namedPayment(payment, payment.amount)),
    returned: [...back.returned],
    first: accepted.first,
    last: accepted.last,
  };
}
