/**
 * The pages behind `type` of a problem: what each code of `/v1` means, whether to send the same again, what to do. As a
 * page, or as JSON on request.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { DEFAULT_LANGUAGE, type Language } from '../../../../drivers/lib/languages.ts';
import type { ErrorRecords } from '../../../../drivers/lib/records.ts';
import { escaped } from '../../../../drivers/lib/text.ts';
import { HttpFailure, KINDS } from '../call/failure.ts';
import { ERRORS_PATH, JSON_TYPE } from '../failure-answers.ts';
import { LangField, languageOf } from '../own-pages.ts';
import { PAGE_HEADERS } from '../page-headers.ts';
import { AGAIN, ERROR_PAGE_WORDS } from '../words.ts';
import { undocumented } from './api-documents.ts';

// The records of codes as rows for people, on `/errors` and in `docs/errors.md`.

/** The description of one code; between backticks stands what a program reads. */
export interface ErrorRow {
  readonly code: string;
  readonly statuses: string;
  readonly meaning: string;
  readonly todo: string;
  readonly again: string;
}

/** The statuses of a code: a failure around a handler has several. */
function statusesOf(code: string, own: number): string {
  const ofKinds = Object.values(KINDS).flatMap(([status, of]) => (of === code ? [status] : []));
  return [...new Set(ofKinds.length === 0 ? [own] : ofKinds)].join(', ');
}

/** Rows of the codes that a till meets. */
export const errorRows = (records: ErrorRecords, language: Language): ErrorRow[] =>
  Object.entries(records)
    .flatMap(([code, { status, again, advice }]) =>
      advice === null || again === null
        ? []
        : [{ code, statuses: statusesOf(code, status), ...advice[language], again: AGAIN[language][again] }],
    )
    .toSorted((one, other) => one.code.localeCompare(other.code, DEFAULT_LANGUAGE));

const Query = Type.Object({ lang: LangField }, { additionalProperties: false });
interface OfPage {
  readonly Querystring: { readonly lang?: Language };
}

/** HTML of a text, with code between backticks. */
const marked = (text: string): string => escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

const page = (language: Language, title: string, content: string, heading = title): string => `<!doctype html>
<html lang="${language}" translate="no">
  <head>
    <meta charset="utf-8">
    <meta name="google" content="notranslate">
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

const addressOf = (language: Language, code = ''): string =>
  `${ERRORS_PATH}${code === '' ? '' : `/${code}`}?lang=${language}`;

const linked = (language: Language, code: string): string =>
  code.endsWith('*') ? `<code>${code}</code>` : `<a href="${addressOf(language, code)}"><code>${code}</code></a>`;

function listed(language: Language, { code, statuses, meaning, again, todo }: ErrorRow): string {
  const [, ...columns] = ERROR_PAGE_WORDS[language].columns;
  const texts = [statuses, marked(meaning), marked(again), marked(todo)];
  const cells = columns.map((column, at) => `<td data-of="${column}">${texts[at]}</td>`).join('');
  return `<tr><td>${linked(language, code)}</td>${cells}</tr>`;
}

function allOf(language: Language, rows: readonly ErrorRow[]): string {
  const { title, words, columns } = ERROR_PAGE_WORDS[language];
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

function pageOf(language: Language, { code, statuses, meaning, again, todo }: ErrorRow): string {
  const { facts, all, calls } = ERROR_PAGE_WORDS[language];
  const texts = [marked(meaning), statuses, marked(again), marked(todo)];
  return page(
    language,
    code,
    `<dl>
      ${facts.map((fact, at) => `<dt>${fact}</dt><dd>${texts[at]}</dd>`).join('\n      ')}
    </dl>
    <p><a href="${addressOf(language)}">${all}</a>; <a href="/reference">${calls}</a></p>`,
    `<code>${code.replaceAll('.', '.<wbr>')}</code>`,
  );
}

/** Adds the pages. @param errors the port's codes: those without words belong to the older calls, or the console */
export function addErrorPages(app: FastifyInstance, errors: ErrorRecords): void {
  function answer(
    { headers, query: { lang } }: FastifyRequest<OfPage>,
    reply: FastifyReply,
    data: (language: Language, rows: readonly ErrorRow[]) => object,
    html: (language: Language, rows: readonly ErrorRow[]) => string,
  ) {
    const { accept = '' } = headers;
    const isJson = accept.includes('json') && !accept.includes('text/html');
    reply.headers({ ...PAGE_HEADERS, vary: 'Accept, Accept-Language' });
    // a program compares words: only its own choice changes them, not a header of its library
    const language = lang ?? (isJson ? DEFAULT_LANGUAGE : languageOf(headers['accept-language']));
    if (isJson) return reply.type(JSON_TYPE).send(data(language, errorRows(errors, language)));
    return reply.type('text/html; charset=utf-8').send(html(language, errorRows(errors, language)));
  }

  const categoryOf = (code: string): string => code.replace(/\.\w+$/, '.*');
  const isCode = (code: string): boolean =>
    !code.includes('*') && (Object.hasOwn(errors, code) || Object.hasOwn(errors, categoryOf(code)));
  /** The row of a code, or of its whole category. */
  const rowOf = (rows: readonly ErrorRow[], code: string, language: Language): ErrorRow => ({
    ...(rows.find((row) => row.code === code) ??
      rows.find((row) => row.code === categoryOf(code)) ??
      ERROR_PAGE_WORDS[language].other),
    code,
  });

  app.get<OfPage>(
    ERRORS_PATH,
    { config: { role: 'till' }, schema: { ...undocumented(), querystring: Query } },
    async (request, reply) => answer(request, reply, (_, rows) => ({ errors: rows }), allOf),
  );
  app.get<OfPage & { Params: { readonly code: string } }>(
    `${ERRORS_PATH}/:code`,
    {
      config: { role: 'till' },
      schema: { ...undocumented(), querystring: Query, params: Type.Object({ code: Type.String() }) },
    },
    async (request, reply) => {
      const { code } = request.params;
      if (!isCode(code))
        throw new HttpFailure('not-found', `there is no such code; ${ERRORS_PATH} lists those of this port`);
      return answer(
        request,
        reply,
        (language, rows) => rowOf(rows, code, language),
        (language, rows) => pageOf(language, rowOf(rows, code, language)),
      );
    },
  );
}
