/** Rows for the inspector's journal: payments asked for, ended or refunded in the period, and shifts closed in it. */
import { nextTurn } from '../../../../drivers/lib/turns.ts';
import type { LocalDay } from '../../model/local-day.ts';
import type { PaymentRow } from '../../model/payment-row.ts';
import type { Refund } from '../../model/refund.ts';
import type { Shift } from '../../model/shift.ts';
import type { Terminal } from '../../terminal.ts';
import { paymentAnswer } from './payment-answer.ts';
import { refundAnswer } from './refund-schemas.ts';
import { shiftAnswer } from './shift-answer.ts';

/** Rows read in one turn of the event loop: a few milliseconds. */
const ROWS_A_PIECE = 100;

type Period = Pick<LocalDay, 'from' | 'to'>;

function touches({ from, to }: Period, payment: PaymentRow, refunds: readonly Refund[]): boolean {
  const timestamps = [payment, ...refunds].flatMap(({ createdAt, endedAt }) => [createdAt, endedAt ?? createdAt]);
  return [...timestamps, payment.paidAt ?? payment.createdAt].some((timestamp) => timestamp >= from && timestamp < to);
}

/** Payments of the period in ledger order. A row damaged beyond repair is named whatever its time was. */
export async function* journalPayments(
  terminal: Pick<Terminal, 'ledger' | 'refunds' | 'whenRestored'>,
  period: Period,
) {
  const { ledger, refunds } = terminal;
  for (let last = 0; ; ) {
    const from = last;
    const rows = await terminal.whenRestored(() => ledger.checked(from, ROWS_A_PIECE));
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.id;
    for (const { id, payment, isDamaged } of rows) {
      if (payment === null) yield { kind: 'damaged-payment', number: id };
      else {
        const refundsOfPayment = refunds.of(payment.orderId);
        if (!touches(period, payment, refundsOfPayment)) continue;
        const answer = { ...paymentAnswer(payment, null), refunds: refundsOfPayment.map(refundAnswer) };
        yield { kind: 'payment', damaged: isDamaged, ...answer };
      }
    }
    await nextTurn();
  }
}

/** Shifts closed in the period, oldest first. */
export async function* journalShifts({ shifts }: Pick<Terminal, 'shifts'>, { from, to }: Period) {
  const found: Shift[] = [];
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const page = shifts.list(before, ROWS_A_PIECE);
    found.push(...page.filter(({ closedAt }) => closedAt !== null && closedAt >= from && closedAt < to));
    before = page.at(-1)?.number ?? 0;
    if (page.length < ROWS_A_PIECE) break;
    await nextTurn();
  }
  for (const shift of found.reverse()) yield { kind: 'shift', ...shiftAnswer(shift) };
}
