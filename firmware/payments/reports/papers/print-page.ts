/** The totals of a day, and a shift, as a page to print on a roll of 80 mm or on A4: no script, nothing fetched. */

import { type Language, LOCALES } from '../../../../drivers/lib/languages.ts';
import { escaped } from '../../../../drivers/lib/text.ts';
import { PEOPLE } from '../../../core/access/index.ts';
import { zoneNow } from '../../../core/host/index.ts';
import {
  methodsOf,
  type NamedPayment,
  type Shift,
  type ShiftGroup,
  type Turnover,
  turnoverBy,
  turnoverOf,
} from '../../model/shift.ts';
import type { Sum, Totals } from '../../model/sums.ts';
import type { MethodTotals } from '../../model/words.ts';
import {
  DAY_WORDS,
  HEADS,
  METHOD_IN,
  PAPER_WORDS,
  type ProfileNames,
  SHIFT_WORDS,
  TEST_MARK,
} from '../../model/words.ts';
import type { DayReport } from '../days/day-report.ts';

/** Styles for roll and sheet: the rows are as wide as the paper, up to a readable width. */
const STYLE = `
@page { margin: 4mm }
html { font-size: 130% }
body { font: 0.8125rem/1.45 system-ui, sans-serif; color: #000; background: #fff; max-width: 150mm; margin: 0 auto; padding: 3mm }
@media print { html { font-size: 100% } body { padding: 0 } }
h1 { font-size: 1.0625rem; margin: 2mm 0 0 }
.shop { font-size: 0.875rem; font-weight: bold }
.test { border: 2px solid #000; font-size: 0.875rem; font-weight: bold; text-align: center; margin: 2mm 0 }
.sign { display: flex; align-items: end; gap: 2mm; margin-top: 12mm; overflow-wrap: anywhere }
.sign .line { flex: 1; min-width: 24mm; border-bottom: 1px solid #000 }
h2 { font-size: 0.875rem; margin: 4mm 0 1mm; border-top: 1px solid #000; padding-top: 2mm; overflow-wrap: anywhere }
p { margin: 0; font-size: 0.6875rem }
section { break-inside: avoid }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums }
th { text-align: left; font-weight: normal; padding: 0 }
td { text-align: right; vertical-align: bottom; white-space: nowrap; padding: 0 0 0 2mm }
.made { margin-top: 4mm }
.net th, .net td { font-weight: bold; font-size: 0.9375rem }
`;

/** Functions that make the rows of a table in a language. */
function rowsIn(language: Language) {
  const names = HEADS[language];
  const roubles = new Intl.NumberFormat(LOCALES[language], {
    style: 'currency',
    currency: 'RUB',
    currencyDisplay: 'narrowSymbol',
  });
  const money = (kopecks: number): string => escaped(roubles.format(kopecks / 100));
  const row = (name: string, { count, sum }: Sum): string =>
    `<tr><th>${escaped(name)}</th><td>${count}</td><td>${money(sum)}</td></tr>`;
  const rowIfAny = (name: string, of: Sum): string => (of.count === 0 ? '' : row(name, of));
  return {
    row,
    rowIfAny,
    turnover: ({ accepted, refunds, net }: Pick<Totals, 'accepted' | 'refunds' | 'net'>): string[] => [
      row(names.accepted, accepted),
      row(names.refunds, refunds),
      `<tr class="net"><th>${names.net}</th><td colspan="2">${money(net)}</td></tr>`,
    ],
    withoutReceipt: (of: Sum): string => rowIfAny(names.withoutReceipt, of),
    amount: (name: string, kopecks: number): string =>
      `<tr><th>${escaped(name)}</th><td colspan="2">${money(kopecks)}</td></tr>`,
    countIfAny: (name: string, count: number): string =>
      count === 0 ? '' : `<tr><th>${name}</th><td>${count}</td><td></td></tr>`,
  };
}

const momentIn = (language: Language, wall: number): string =>
  new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'short', timeStyle: 'medium' }).format(wall);
const dateIn = (language: Language, wall: number): string =>
  new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long' }).format(wall);

const section = (name: string, rows: string): string =>
  `<section><h2>${escaped(name)}</h2><table>\n${rows}\n</table></section>`;

/** Totals by method on paper; nothing where no bank has reported how payments were paid. */
function methodSection(methods: readonly MethodTotals[], language: Language): string[] {
  if (methods.every(({ method }) => method === 'unknown')) return [];
  const { row } = rowsIn(language);
  const rows = methods.map(({ method, ...of }) => row(METHOD_IN[language][method], of));
  return [section(PAPER_WORDS[language].methods, rows.join('\n'))];
}

/** The shop's heading of a paper. Name and address are empty where not set. */
export interface Letterhead {
  readonly name: string;
  readonly address: string;
  /** Serial number of the device. */
  readonly device: string;
}

/** Whether no money moves at a bank. @param bank as a report names it */
const isOfTest = (bank: string): boolean => bank === 'Sandbox' || bank.endsWith(TEST_MARK);

interface PrintPage {
  readonly title: string;
  /** What follows `title` in the title of the window. */
  readonly of: string | number;
  readonly heading: string;
  /** Under the heading: the day, or the times of the shift, and the time zone. */
  readonly under: string;
  /** Sections in HTML. */
  readonly sections: readonly string[];
  /** A sentence at the end; empty for none. */
  readonly remark: string;
  readonly letterhead: Letterhead;
  /** Whether something on the page moves no money. */
  readonly isTest: boolean;
  /** The signer: a name, or the word before the line to sign on; null where nobody signs. */
  readonly signer?: string | null;
}

const headOf = ({ name, address, device }: Letterhead, language: Language): string =>
  [
    ...(name === '' ? [] : [`<p class="shop">${escaped(name)}</p>`]),
    ...(address === '' ? [] : [`<p>${escaped(address)}</p>`]),
    `<p>${PAPER_WORDS[language].device}: ${escaped(device)}</p>`,
  ].join('\n');

/** @param now wall clock, ms since 1970 */
const printPage = (
  { title, of, heading, under, sections, remark, letterhead, isTest, signer = null }: PrintPage,
  language: Language,
  now: number,
): string => `<!doctype html>
<html lang="${language}" translate="no">
<head><meta charset="utf-8"><meta name="google" content="notranslate"><meta name="viewport" content="width=device-width"><title>${title} ${of}</title>
<style>${STYLE}</style></head>
<body><main>
${headOf(letterhead, language)}
${isTest ? `<p class="test">${PAPER_WORDS[language].test}</p>\n` : ''}<h1>${heading}</h1>
<p>${escaped(under)}</p>
${sections.join('\n')}
<p class="made">${remark === '' ? '' : `${remark}<br>`}${PAPER_WORDS[language].printed}: ${escaped(momentIn(language, now))}</p>
${signer === null ? '' : `<p class="sign"><span>${escaped(signer)}</span><span class="line"></span><span>${PAPER_WORDS[language].sign}</span></p>\n`}</main></body>
</html>
`;

function rowsOfDay(totals: Totals, language: Language): string {
  const names = HEADS[language];
  const { turnover, rowIfAny, countIfAny, withoutReceipt } = rowsIn(language);
  return [
    ...turnover(totals),
    rowIfAny(names.open, totals.open),
    rowIfAny(names.openBefore, totals.openBefore),
    rowIfAny(names.openRefunds, totals.openRefunds),
    countIfAny(names.late, totals.late),
    withoutReceipt(totals.withoutReceipt),
    rowIfAny(names.notFollowed, totals.notFollowed),
  ].join('\n');
}

/** @param now wall clock, ms since 1970 */
export function dayPage(
  { day, profiles, totals, methods, shifts }: Omit<DayReport, 'hours'>,
  language: Language,
  now: number,
  named: ProfileNames,
  letterhead: Letterhead,
): string {
  const words = DAY_WORDS[language];
  const sections = [
    ...profiles.map((profile) => section(named(profile), rowsOfDay(profile, language))),
    ...methodSection(methods, language),
    ...(profiles.length > 1 ? [section(words.all, rowsOfDay(totals, language))] : []),
    ...(profiles.length === 0 ? [`<h2>${words.none}</h2>`] : []),
    ...(totals.notFollowed.count === 0 ? [] : [`<p>${words.onlyTheBank}</p>`]),
    ...(shifts.length === 0 ? [] : [`<p class="made">${HEADS[language].shifts}: ${shifts.join(', ')}</p>`]),
  ];
  return printPage(
    {
      title: words.title,
      of: day.day,
      heading: words.title,
      sections,
      letterhead,
      isTest: profiles.some(({ bank }) => isOfTest(bank)),
      under: `${dateIn(language, day.from)} · ${zoneNow()}`,
      remark: now < day.to ? words.notOver : '',
    },
    language,
    now,
  );
}

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
  const rowsOf = (sums: Turnover): string => [...turnover(sums), withoutReceipt(sums.withoutReceipt)].join('\n');
  const named = (
    title: string,
    payments: readonly NamedPayment[],
    { namesShift }: { readonly namesShift: boolean },
  ): string[] => {
    const from = ({ askedShift }: NamedPayment): string => (namesShift ? `, ${words.inShift} ${askedShift}` : '');
    const rows = payments.map((payment) => amount(`№ ${payment.number}${from(payment)}`, payment.amount));
    return rows.length === 0 ? [] : [section(title, rows.join('\n'))];
  };
  const cashierOf = ({ till, cashier }: ShiftGroup): string =>
    [till, cashier].filter((name) => name !== null).join(' · ') || words.nobody;
  const profiles = turnoverBy(report.groups, ['profile', 'bank']);
  const cashiers = turnoverBy(report.groups, ['till', 'cashier']);
  const remark = closedAt === null ? words.notOver : closedBy === null ? words.itself : '';
  const sections = [
    ...profiles.map(({ of, turnover: sums }) => section(bankOf(of), rowsOf(sums))),
    ...(cashiers.length > 1 || cashiers.some(({ of }) => of.cashier !== null)
      ? cashiers.map(({ of, turnover: sums }) => section(cashierOf(of), rowsOf(sums)))
      : []),
    ...methodSection(methodsOf(report.groups), language),
    ...(profiles.length === 1 ? [] : [section(words.all, rowsOf(turnoverOf(report.groups)))]),
    ...named(words.earlier, report.earlier, { namesShift: true }),
    ...named(words.returned, report.returned, { namesShift: false }),
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
      under: `${momentIn(language, openedAt)}${end} · ${zoneNow()}`,
    },
    language,
    now,
  );
}
