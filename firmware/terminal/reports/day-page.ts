/** The totals of a day as a page to print, on a roll of 80 mm or on A4: no script, nothing fetched. */
import type { PageLanguage } from '../../http/index.ts';
import type { DayReport, ProfileTotals, Sum, Totals } from './day-report.ts';
import { timeZone } from './local-day.ts';

const WORDS = {
  ru: {
    title: 'Итоги дня',
    accepted: 'Оплачено',
    refunds: 'Возвращено',
    net: 'Итого за вычетом возвратов',
    late: 'Нужно проверить',
    open: 'Ещё открыты',
    openBefore: 'Открыты с прошлых дней',
    openRefunds: 'Возвраты в обработке',
    notFollowed: 'Показано статических кодов',
    onlyTheBank: 'Оплачены ли статические коды, знает только банк.',
    notOver: 'День ещё не закончился: это промежуточные итоги.',
    all: 'Все профили',
    none: 'В этот день платежей не было.',
    printed: 'Составлено',
    pieces: { one: 'шт.', other: 'шт.' },
    locale: 'ru-RU',
  },
  en: {
    title: 'Daily totals',
    accepted: 'Paid',
    refunds: 'Refunded',
    net: 'Net',
    late: 'To review',
    open: 'Still open',
    openBefore: 'Open from earlier days',
    openRefunds: 'Refunds in progress',
    notFollowed: 'Static codes shown',
    onlyTheBank: 'Only the bank knows whether static codes were paid.',
    notOver: 'The day is not over: totals so far.',
    all: 'All profiles',
    none: 'No payments on this day.',
    printed: 'Created',
    pieces: { one: 'pc', other: 'pcs' },
    locale: 'en-GB',
  },
} as const satisfies Readonly<Record<PageLanguage, object>>;
/** Roll and sheet alike: the rows are as wide as the paper, up to what can be read across. */
const STYLE = `
@page { margin: 4mm }
body { font: 13px/1.45 system-ui, sans-serif; color: #000; background: #fff; max-width: 150mm; margin: 0 auto; padding: 3mm }
@media print { body { padding: 0 } }
h1 { font-size: 17px; margin: 0 }
h2 { font-size: 14px; margin: 4mm 0 1mm; border-top: 1px solid #000; padding-top: 2mm; overflow-wrap: anywhere }
p { margin: 0; font-size: 11px }
section { break-inside: avoid }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums }
th { text-align: left; font-weight: normal; padding: 0 }
td { text-align: right; vertical-align: bottom; white-space: nowrap; padding: 0 0 0 2mm }
.made { margin-top: 4mm }
.net th, .net td { font-weight: bold; font-size: 15px }
`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

function tableOf(totals: Totals, language: PageLanguage): string {
  const words = WORDS[language];
  const roubles = new Intl.NumberFormat(words.locale, {
    style: 'currency',
    currency: 'RUB',
    currencyDisplay: 'narrowSymbol',
  });
  const money = (kopecks: number): string => escaped(roubles.format(kopecks / 100));
  const plurals = new Intl.PluralRules(words.locale);
  const pieces = (count: number): string =>
    `${count} ${words.pieces[plurals.select(count) === 'one' ? 'one' : 'other']}`;
  const row = (name: string, { count, sum }: Sum): string =>
    `<tr><th>${name}</th><td>${pieces(count)}</td><td>${money(sum)}</td></tr>`;
  const rowIfAny = (name: string, of: Sum): string => (of.count === 0 ? '' : row(name, of));
  return `<table>
${row(words.accepted, totals.accepted)}
${row(words.refunds, totals.refunds)}
<tr class="net"><th>${words.net}</th><td colspan="2">${money(totals.net)}</td></tr>
${rowIfAny(words.open, totals.open)}
${rowIfAny(words.openBefore, totals.openBefore)}
${rowIfAny(words.openRefunds, totals.openRefunds)}
${totals.late === 0 ? '' : `<tr><th>${words.late}</th><td>${pieces(totals.late)}</td><td></td></tr>`}
${rowIfAny(words.notFollowed, totals.notFollowed)}
</table>`;
}

/** @param now wall clock, ms since 1970 */
export function dayPage(
  { day, profiles, totals }: Omit<DayReport, 'hours'>,
  language: PageLanguage,
  now: number,
): string {
  const words = WORDS[language];
  const date = new Intl.DateTimeFormat(words.locale, { dateStyle: 'long' }).format(day.from);
  const made = new Intl.DateTimeFormat(words.locale, { dateStyle: 'short', timeStyle: 'medium' }).format(now);
  const section = (name: string, of: Totals): string =>
    `<section><h2>${escaped(name)}</h2>${tableOf(of, language)}</section>`;
  const named = ({ profile, bank }: ProfileTotals): string => (profile === bank ? bank : `${profile} · ${bank}`);
  const sections = [
    ...profiles.map((profile) => section(named(profile), profile)),
    ...(profiles.length > 1 ? [section(words.all, totals)] : []),
  ];
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${words.title} ${day.day}</title>
<style>${STYLE}</style></head>
<body>
<h1>${words.title}</h1>
<p>${escaped(date)} · ${escaped(timeZone())}</p>
${sections.length === 0 ? `<h2>${words.none}</h2>` : sections.join('\n')}
${totals.notFollowed.count === 0 ? '' : `<p>${words.onlyTheBank}</p>`}
<p class="made">${now < day.to ? `${words.notOver}<br>` : ''}${words.printed}: ${escaped(made)}</p>
</body>
</html>
`;
}
