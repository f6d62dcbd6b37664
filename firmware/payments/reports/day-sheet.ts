/** The totals of a day as a table: a line for each profile. */
import type { DayReport, ProfileTotals } from './day-report.ts';
import { timeZone } from './local-day.ts';
import { moneyColumn, sumColumns, type TotalsSheet } from './sheet.ts';

interface Row extends ProfileTotals {
  readonly day: string;
  readonly shifts: readonly number[];
}

const COLUMNS: TotalsSheet<Row>['columns'] = [
  { name: 'day', ru: 'День', en: 'Day', width: 11, value: ({ day }) => day },
  { name: 'profile', ru: 'Профиль', en: 'Profile', width: 14, value: ({ profile }) => profile },
  { name: 'bank', ru: 'Банк', en: 'Bank', width: 14, value: ({ bank }) => bank },
  ...sumColumns<Row>('accepted', 'Оплачено', 'Paid', ({ accepted }) => accepted),
  ...sumColumns<Row>('refund', 'Возвраты', 'Refunded', ({ refunds }) => refunds),
  moneyColumn<Row>('net', 'Итого', 'Net', ({ net }) => net),
  { name: 'late_count', ru: 'Нужно проверить, шт.', en: 'To review, pcs', width: 22, value: ({ late }) => late },
  ...sumColumns<Row>('open', 'Ещё открыты', 'Still open', ({ open }) => open),
  ...sumColumns<Row>('open_refund', 'Возвраты ещё идут', 'Refunds in progress', ({ openRefunds }) => openRefunds),
  ...sumColumns<Row>('not_followed', 'Показано стат. кодов', 'Static codes shown', ({ notFollowed }) => notFollowed),
  ...sumColumns<Row>('open_before', 'Открыты с прошлых дней', 'Open from earlier days', ({ openBefore }) => openBefore),
  ...sumColumns<Row>('without_receipt', 'Без чека', 'Without a receipt', ({ withoutReceipt }) => withoutReceipt),
  { name: 'shifts', ru: 'Смены', en: 'Shifts', width: 10, value: ({ shifts }) => shifts.join(' ') },
  { name: 'time_zone', ru: 'Часовой пояс', en: 'Time zone', width: 18, value: () => timeZone() },
];

export function daySheet({ day, profiles, shifts }: Pick<DayReport, 'day' | 'profiles' | 'shifts'>): TotalsSheet<Row> {
  const rows = profiles.map((profile) => ({ ...profile, day: day.day, shifts }));
  return { name: `day-${day.day}`, columns: COLUMNS, pieces: [rows] };
}
