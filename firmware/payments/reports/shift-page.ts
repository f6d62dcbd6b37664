/** A shift as a page to print. */

import type { Language } from '../../../drivers/lib/languages.ts';
import { PEOPLE } from '../../core/access/index.ts';
import type { ProfileNames } from './bank-names.ts';
import { timeZone } from './local-day.ts';
import { isOfTest, type Letterhead, methodSection, momentIn, printPage, rowsIn, section } from './print-page.ts';
import {
  methodsOf,
  type NamedPayment,
  type Shift,
  type ShiftGroup,
  type Turnover,
  turnoverBy,
  turnoverOf,
} from './shift.ts';
import { SHIFT_WORDS } from './words.ts';

/** The signer: a person by name. A person signed in by PIN is known only by role, and writes the name by hand. */
function signerOf(closedBy: Shift['closedBy'], word: string): string {
  const name = closedBy?.cashier ?? '';
  return name === '' || PEOPLE.some((person) => person === name) ? `${word}:` : `${word}: ${name}`;
}

/** @param now wall clock, ms since 1970 */
export function shiftPage(
  shift: Shift,
  language: Language,
  now: number,
  bankOf: ProfileNames,
  letterhead: Letterhead,
): string {
  const { number, openedAt, closedAt, closedBy, report } = shift;
  const words = SHIFT_WORDS[language];
  const { turnover, withoutReceipt, amount } = rowsIn(language);
  const rowsOf = (its: Turnover): string => [...turnover(its), withoutReceipt(its.withoutReceipt)].join('\n');
  const named = (title: string, payments: readonly NamedPayment[], isEarlier: boolean): string[] => {
    const from = ({ askedShift }: NamedPayment): string => (isEarlier ? `, ${words.inShift} ${askedShift}` : '');
    const rows = payments.map((payment) => amount(`№ ${payment.number}${from(payment)}`, payment.amount));
    return rows.length === 0 ? [] : [section(title, rows.join('\n'))];
  };
  const cashierOf = ({ till, cashier }: ShiftGroup): string =>
    [till, cashier].filter((name) => name !== null).join(' · ') || words.nobody;
  const profiles = turnoverBy(report.groups, ['profile', 'bank']);
  const cashiers = turnoverBy(report.groups, ['till', 'cashier']);
  const remark = closedAt === null ? words.notOver : closedBy === null ? words.itself : '';
  const sections = [
    ...profiles.map(({ of, turnover: its }) => section(bankOf(of), rowsOf(its))),
    ...(cashiers.length > 1 || cashiers.some(({ of }) => of.cashier !== null)
      ? cashiers.map(({ of, turnover: its }) => section(cashierOf(of), rowsOf(its)))
      : []),
    ...methodSection(methodsOf(report.groups), language),
    ...(profiles.length === 1 ? [] : [section(words.all, rowsOf(turnoverOf(report.groups)))]),
    ...named(words.earlier, report.earlier, true),
    ...named(words.returned, report.returned, false),
  ];
  const end = closedAt === null ? '' : ` – ${momentIn(language, closedAt)}`;
  return printPage(
    {
      title: words.title,
      of: number,
      sections,
      remark,
      letterhead,
      isTest: profiles.some(({ of: { bank } }) => isOfTest(bank)),
      signer: signerOf(closedBy, words.by),
      heading: `${words.title} № ${number}`,
      under: `${momentIn(language, openedAt)}${end} · ${timeZone()}`,
    },
    language,
    now,
  );
}
