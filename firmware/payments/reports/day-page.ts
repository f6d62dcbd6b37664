/** The totals of a day as a page to print, on a roll of 80 mm or on A4: no script, nothing fetched. */
import type { Language } from '../../../drivers/lib/languages.ts';
import type { ProfileNames } from './bank-names.ts';
import type { DayReport, Totals } from './day-report.ts';
import { timeZone } from './local-day.ts';
import { dateIn, isOfTest, type Letterhead, methodSection, printPage, rowsIn, section } from './print-page.ts';
import { DAY_WORDS, HEADS } from './words.ts';

function rowsOf(totals: Totals, language: Language): string {
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
    ...profiles.map((profile) => section(named(profile), rowsOf(profile, language))),
    ...methodSection(methods, language),
    ...(profiles.length > 1 ? [section(words.all, rowsOf(totals, language))] : []),
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
      under: `${dateIn(language, day.from)} · ${timeZone()}`,
      remark: now < day.to ? words.notOver : '',
    },
    language,
    now,
  );
}
