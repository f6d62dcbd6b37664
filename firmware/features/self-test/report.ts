/**
 * Makes the report for the installation's records: one HTML file without scripts or other files, which prints on A4.
 */

import { type Language, LOCALES } from '../../../drivers/lib/languages.ts';
import { escaped } from '../../../drivers/lib/text.ts';
import type { Remark, ReportLine, Result } from './run.ts';

/** By key, a text, or its plural forms. */
export type Dictionary = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

export interface Report extends ReportLine {
  readonly device: string;
  readonly model: string | null;
  readonly results: readonly Result[];
}

const MOMENT = /^\d{4}-\d{2}-\d{2}T/;
const STYLE = `
@page { size: A4; margin: 12mm }
body { font: 0.8125rem/1.35 system-ui, sans-serif; color: #000; background: #fff; max-width: 186mm; margin: 0 auto; padding: 4mm }
@media print { body { padding: 0; font-size: 9pt } }
h1 { font-size: 1.25rem; margin: 0 }
p { margin: 0.5rem 0; overflow-wrap: anywhere }
table { width: 100%; border-collapse: collapse; margin: 0.75rem 0 }
tr { break-inside: avoid }
th, td { text-align: left; vertical-align: top; padding: 0.2rem 0.4rem 0.2rem 0; border-bottom: 1px solid #bbb; overflow-wrap: break-word }
thead th { border-bottom: 2px solid #000 }
tbody th { font-weight: normal; width: 22% }
.warn, .fail { font-weight: bold }
.people td { height: 2.25rem; width: 50% }
`;

/**
 * The words of the report, and of `lanectl` during the self-test: those of the self-test's page, and those that all
 * pages share.
 */
export async function wordsIn(
  language: Language,
  shared: (language: Language) => Promise<Dictionary>,
): Promise<Dictionary> {
  const own: { readonly default: Dictionary } = await import(`./page/words/${language}.js`);
  return { ...(await shared(language)), ...own.default };
}

/** Makes functions that word keys and times in a language. */
export function translatorIn(words: Dictionary, language: Language) {
  const plurals = new Intl.PluralRules(LOCALES[language]);
  const moment = new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeStyle: 'short' });
  const written = (value: string | number): string =>
    typeof value === 'string' && MOMENT.test(value) ? moment.format(new Date(value)) : String(value);
  const t = (key: string, about: Remark['about'] = {}): string => {
    const entry = words[key] ?? '';
    const text = typeof entry === 'string' ? entry : (entry[plurals.select(Number(about.n))] ?? entry.other ?? '');
    return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
      const value = about[name];
      if (value === undefined) return whole;
      const called = name === 'bank' ? words[`bank.${value}`] : undefined;
      return typeof called === 'string' ? called : written(value);
    });
  };
  return { t, at: written, has: (key: string): boolean => Object.hasOwn(words, key) };
}

type Translator = ReturnType<typeof translatorIn>;

function row({ t, has }: Translator, { step, verdict, says, reasons, detail }: Result): string {
  const measured = says.map(({ code, about }) => t(`selfTest.says.${code}`, about));
  const faults = reasons.map(({ code, about }) =>
    t(has(`reason.${code}`) ? `reason.${code}` : 'device.otherReason', about),
  );
  const lines = [...measured, ...faults, detail].filter((line) => line !== '');
  const cells = [
    `<td class="${verdict}">${escaped(t(`selfTest.verdict.${verdict}`))}</td>`,
    `<td>${lines.map(escaped).join('<br>')}</td>`,
  ];
  return `<tr><th>${escaped(t(`selfTest.step.${step}`))}</th>${cells.join('')}</tr>`;
}

export function reportPage(report: Report, words: Dictionary, language: Language): string {
  const translator = translatorIn(words, language);
  const { t, at } = translator;
  const { number, device, model, version, verdict, results } = report;
  const about = { number, device, version, model: model ?? '—', at: at(report.at) };
  const title = escaped(t('selfTest.reportTitle', about));
  const heads = ['step', 'verdict', 'measured'].map((name) => `<th>${escaped(t(`selfTest.head.${name}`))}</th>`);
  return `<!doctype html>
<html lang="${language}" translate="no">
<head><meta charset="utf-8"><meta name="google" content="notranslate"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>${STYLE}</style></head>
<body>
<h1>${title}</h1>
<p>${escaped(t('selfTest.reportAbout', about))}</p>
<p class="${verdict}">${escaped(t(`selfTest.end.${verdict}`))}</p>
<table><thead><tr>${heads.join('')}</tr></thead><tbody>
${results.map((result) => row(translator, result)).join('\n')}
</tbody></table>
<table class="people"><tr><td>${escaped(t('selfTest.by'))}</td><td>${escaped(t('selfTest.signedAt'))}</td></tr></table>
</body></html>
`;
}
