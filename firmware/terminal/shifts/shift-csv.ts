/** A shift as CSV: a line for each profile, till and cashier, and one for each payment that it names; in kopecks. */
import { CSV_BOM, csvRow } from '../../store/index.ts';
import { isoTime, isoTimeOrNull } from '../iso-time.ts';
import { type NamedPayment, type Shift, turnoverBy } from './shift.ts';

const HEAD = [
  ...['shift', 'opened_at', 'closed_at', 'line', 'profile', 'bank', 'till', 'cashier'],
  ...['accepted_count', 'accepted_kopecks', 'refund_count', 'refund_kopecks', 'net_kopecks'],
  ...['payment', 'asked_shift', 'amount_kopecks'],
  // added later: programs that read the earlier columns by their place go on doing so
  ...['without_receipt_count', 'without_receipt_kopecks'],
];

export function shiftCsv({ number, openedAt, closedAt, report }: Shift): string {
  const begin = [number, isoTime(openedAt), isoTimeOrNull(closedAt)];
  const groups = turnoverBy(report.groups, ['profile', 'bank', 'till', 'cashier']).map(({ of, turnover }) => {
    const { accepted, refunds, net, withoutReceipt } = turnover;
    return csvRow([
      ...[...begin, 'total', of.profile, of.bank, of.till, of.cashier],
      ...[accepted.count, accepted.sum, refunds.count, refunds.sum, net],
      ...[null, null, null, withoutReceipt?.count ?? null, withoutReceipt?.sum ?? null],
    ]);
  });
  const named = (line: string, payments: readonly NamedPayment[]): string[] =>
    payments.map(({ id, amount, till, askedShift }) =>
      csvRow([
        ...begin,
        line,
        null,
        null,
        till,
        null,
        null,
        null,
        null,
        null,
        null,
        id,
        askedShift,
        amount,
        null,
        null,
      ]),
    );
  const lines = [...groups, ...named('earlier', report.earlier), ...named('returned', report.returned)];
  return CSV_BOM + csvRow(HEAD) + lines.join('');
}
