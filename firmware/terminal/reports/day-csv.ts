/** The totals of a day as CSV: a line for each profile, in kopecks. */
import { CSV_BOM, csvRow } from '../../store/index.ts';
import type { DayReport } from './day-report.ts';

const HEAD = [
  'day',
  'profile',
  'bank',
  'accepted_count',
  'accepted_kopecks',
  'refund_count',
  'refund_kopecks',
  'net_kopecks',
  'late_count',
  'open_count',
  'open_kopecks',
  // added later: programs that read the earlier columns by their place go on doing so
  'open_refund_count',
  'open_refund_kopecks',
  'not_followed_count',
  'not_followed_kopecks',
  'open_before_count',
  'open_before_kopecks',
  'without_receipt_count',
  'without_receipt_kopecks',
  'shifts',
];

export function dayCsv({ day, profiles, shifts }: Pick<DayReport, 'day' | 'profiles' | 'shifts'>): string {
  const rows = profiles.map(
    ({ profile, bank, accepted, refunds, net, late, open, openRefunds, notFollowed, openBefore, withoutReceipt }) =>
      csvRow([
        ...[day.day, profile, bank, accepted.count, accepted.sum],
        ...[refunds.count, refunds.sum, net, late, open.count, open.sum],
        ...[openRefunds.count, openRefunds.sum, notFollowed.count, notFollowed.sum, openBefore.count, openBefore.sum],
        ...[withoutReceipt.count, withoutReceipt.sum],
        shifts.join(' '),
      ]),
  );
  return CSV_BOM + csvRow(HEAD) + rows.join('');
}
