/** Where `type` of a problem leads to: what each code of `/v1` means, whether to send the same again, what to do. A page in English or Russian, or JSON for who asks for it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { escaped } from '../../../../drivers/lib/markup.ts';
import { HttpFailure } from '../failure.ts';
import { JSON_TYPE } from '../failure-answers.ts';
import { LangField, languageOf, type PageLanguage } from '../page-language.ts';
import { ERRORS_PATH } from '../problem.ts';
import { type AdviceRow, adviceRows, COMMON_ADVICE, type OwnAdvice } from '../problem-advice.ts';
import { hidden, PAGE_HEADERS } from './reference.ts';

const Query = Type.Object({ lang: LangField }, { additionalProperties: false });
interface OfPage {
  readonly Querystring: { readonly lang?: PageLanguage };
}

/** What stands between backticks is code. */
const marked = (text: string): string => escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

const TEXTS = {
  en: {
    title: 'Errors of /v1',
    words:
      '<code>detail</code> in the response says what was wrong with the call. If a code is not listed, go by the HTTP status: 4xx needs a person, 5xx can be retried later.',
    columns: ['Code', 'HTTP', 'What happened', 'Retry', 'What to do'],
    facts: ['What happened', 'HTTP', 'Retry the same call?', 'What to do'],
    all: 'All codes of this port',
    calls: 'its calls',
  },
  ru: {
    title: 'Ошибки /v1',
    words:
      'Что не так с вызовом, сказано в <code>detail</code> ответа (по-английски). Если кода здесь нет, смотрите на статус HTTP: 4xx — нужен человек, 5xx — повторите позже.',
    columns: ['Код', 'HTTP', 'Что случилось', 'Повторять', 'Что делать'],
    facts: ['Что случилось', 'HTTP', 'Повторять тот же вызов?', 'Что делать'],
    all: 'Все коды этого порта',
    calls: 'его вызовы',
  },
} as const satisfies Readonly<Record<PageLanguage, object>>;

const page = (language: PageLanguage, title: string, content: string, heading = title): string => `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Laneware: ${title}</title>
    <link rel="icon" href="/reference/assets/favicon-32x32.png">
    <link rel="stylesheet" href="/reference/assets/errors.css">
  </head>
  <body>
    <main>
      <h1>${heading}</h1>
      ${content}
    </main>
  </body>
</html>
`;

const addressOf = (language: PageLanguage, code = ''): string =>
  `${ERRORS_PATH}${code === '' ? '' : `/${code}`}?lang=${language}`;

const linked = (language: PageLanguage, code: string): string =>
  code.endsWith('*') ? `<code>${code}</code>` : `<a href="${addressOf(language, code)}"><code>${code}</code></a>`;

function listed(language: PageLanguage, { code, statuses, meaning, again, todo }: AdviceRow): string {
  const [, ...columns] = TEXTS[language].columns;
  const said = [statuses, marked(meaning), marked(again), marked(todo)];
  const cells = columns.map((column, at) => `<td data-of="${column}">${said[at]}</td>`).join('');
  return `<tr><td>${linked(language, code)}</td>${cells}</tr>`;
}

function allOf(language: PageLanguage, rows: readonly AdviceRow[]): string {
  const { title, words, columns } = TEXTS[language];
  return page(
    language,
    title,
    `<p>${words}</p>
    <table>
      <tr>${columns.map((column) => `<th>${column}</th>`).join('')}</tr>
      ${rows.map((row) => listed(language, row)).join('\n      ')}
    </table>`,
  );
}

function pageOf(language: PageLanguage, code: string, { statuses, meaning, again, todo }: AdviceRow): string {
  const { facts, all, calls } = TEXTS[language];
  const said = [marked(meaning), statuses, marked(again), marked(todo)];
  return page(
    language,
    code,
    `<dl>
      ${facts.map((fact, at) => `<dt>${fact}</dt><dd>${said[at]}</dd>`).join('\n      ')}
    </dl>
    <p><a href="${addressOf(language)}">${all}</a>; <a href="/reference">${calls}</a></p>`,
    `<code>${code.replaceAll('.', '.<wbr>')}</code>`,
  );
}

/** A code that the older calls give by their own table, and `/v1` by the same name; or one of the console, whose pages word it. */
const otherRow = (code: string): AdviceRow => ({
  code,
  statuses: '4xx, 5xx',
  meaning: 'a failure of the bank, the display, the settings or the device, as `detail` says',
  again: 'by HTTP status: 4xx no, 5xx later',
  todo: 'as `detail` says; `repeat` says whether to retry the key of a failed sale',
});

/** @param own what is known of this port's codes beside those of both */
export function addErrorPages(app: FastifyInstance, own: OwnAdvice): void {
  const rows = [...adviceRows(own.advices, own.statuses), ...adviceRows(COMMON_ADVICE, null)];
  const byCode = new Map(rows.map((row) => [row.code, row]));
  async function answer(
    { headers, query: { lang } }: FastifyRequest<OfPage>,
    reply: FastifyReply,
    data: object,
    html: (language: PageLanguage, said: (row: AdviceRow) => AdviceRow) => string,
  ) {
    const { accept = '' } = headers;
    const isJson = accept.includes('json') && !accept.includes('text/html');
    reply.headers({ ...PAGE_HEADERS, vary: 'Accept, Accept-Language' });
    if (isJson) return reply.type(JSON_TYPE).send(data);
    const language = lang ?? languageOf(headers['accept-language']);
    // few ask for it: not read before
    const said = language === 'ru' ? (await import('./errors-in-russian.ts')).inRussian : (row: AdviceRow) => row;
    return reply.type('text/html; charset=utf-8').send(html(language, said));
  }

  /** Of a code, or of its whole category. */
  function rowOf(code: string): AdviceRow | null {
    const known = code.includes('*') ? undefined : (byCode.get(code) ?? byCode.get(code.replace(/\.\w+$/, '.*')));
    return known ?? (own.isOther(code) ? otherRow(code) : null);
  }

  app.get<OfPage>(ERRORS_PATH, { schema: { ...hidden(), querystring: Query } }, async (request, reply) =>
    answer(request, reply, { errors: rows }, (language, said) => allOf(language, rows.map(said))),
  );
  app.get<OfPage & { Params: { readonly code: string } }>(
    `${ERRORS_PATH}/:code`,
    { schema: { ...hidden(), querystring: Query, params: Type.Object({ code: Type.String() }) } },
    async (request, reply) => {
      const { code } = request.params;
      const row = rowOf(code);
      if (row !== null)
        return answer(request, reply, { ...row, code }, (language, said) => pageOf(language, code, said(row)));
      throw new HttpFailure('not-found', `there is no such code; ${ERRORS_PATH} lists those of this port`);
    },
  );
}
