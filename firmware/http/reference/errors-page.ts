/** Where `type` of a problem leads to: what each code of `/v1` means, whether to send the same again, what to do. A page, or JSON for who asks for it. */
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import Type from 'typebox';
import { HttpFailure } from '../failure.ts';
import { JSON_TYPE } from '../failure-answers.ts';
import { ERRORS_PATH } from '../problem.ts';
import { type AdviceRow, adviceRows, COMMON_ADVICE, type OwnAdvice } from '../problem-advice.ts';
import { PAGE_HEADERS } from './reference.ts';

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (letter) => ESCAPED[letter] ?? letter);
/** What stands between backticks is code. */
const marked = (text: string): string => escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

const page = (title: string, content: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Laneware: ${title}</title>
    <link rel="icon" href="/reference/assets/favicon-32x32.png">
    <link rel="stylesheet" href="/reference/assets/errors.css">
  </head>
  <body>
    <h1>${title}</h1>
    ${content}
  </body>
</html>
`;

const linked = (code: string): string =>
  code.endsWith('*') ? `<code>${code}</code>` : `<a href="${ERRORS_PATH}/${code}"><code>${code}</code></a>`;

const listed = ({ code, statuses, meaning, again, todo }: AdviceRow): string =>
  `<tr><td>${linked(code)}</td><td>${statuses}</td><td>${marked(meaning)}</td><td>${marked(again)}</td><td>${marked(todo)}</td></tr>`;

const allOf = (rows: readonly AdviceRow[]): string =>
  page(
    'Errors of /v1',
    `<p><code>detail</code> of an answer says what was wrong in that call. A code that does not stand here is treated by its HTTP status: 4xx is for a person, 5xx for later.</p>
    <table>
      <tr><th>code</th><th>HTTP</th><th>what has happened</th><th>again?</th><th>what to do</th></tr>
      ${rows.map(listed).join('\n      ')}
    </table>`,
  );

const BACK = `<p><a href="${ERRORS_PATH}">All codes of this port</a>; <a href="/reference">its calls</a></p>`;

const pageOf = (code: string, { statuses, meaning, again, todo }: AdviceRow): string =>
  page(
    code,
    `<dl>
      <dt>What has happened</dt><dd>${marked(meaning)}</dd>
      <dt>HTTP</dt><dd>${statuses}</dd>
      <dt>The same call again?</dt><dd>${marked(again)}</dd>
      <dt>What to do</dt><dd>${marked(todo)}</dd>
    </dl>
    ${BACK}`,
  );

/** A code that the older calls give by their own table, and `/v1` by the same name. */
const otherRow = (code: string): AdviceRow => ({
  code,
  statuses: '4xx, 5xx',
  meaning:
    'a failure that the older calls have, too: of a bank, the display, the settings or the device, as `detail` says',
  again: 'by its HTTP status: 4xx is for a person, 5xx for later',
  todo: 'as `detail` says; `repeat` of a failed sale says whether its key is to be sent again',
});

/** @param own what is known of this port's codes beside those of both */
export function addErrorPages(plain: FastifyInstance, own: OwnAdvice): void {
  const rows = [...adviceRows(own.advices, own.statuses), ...adviceRows(COMMON_ADVICE, null)];
  const byCode = new Map(rows.map((row) => [row.code, row]));
  const hidden: FastifySchema & { hide: boolean } = { hide: true };
  const answer = ({ headers: { accept = '' } }: FastifyRequest, reply: FastifyReply, data: object, html: string) => {
    const isJson = accept.includes('json') && !accept.includes('text/html');
    reply.headers({ ...PAGE_HEADERS, vary: 'Accept', 'content-type': isJson ? JSON_TYPE : 'text/html; charset=utf-8' });
    return reply.send(isJson ? data : html);
  };

  /** Of a code, or of its whole category. */
  function rowOf(code: string): AdviceRow | null {
    const known = code.includes('*') ? undefined : (byCode.get(code) ?? byCode.get(code.replace(/\.\w+$/, '.*')));
    return known ?? (own.isOther(code) ? otherRow(code) : null);
  }

  plain.get(ERRORS_PATH, { schema: hidden }, async (request, reply) =>
    answer(request, reply, { errors: rows }, allOf(rows)),
  );
  plain.get<{ Params: { readonly code: string } }>(
    `${ERRORS_PATH}/:code`,
    { schema: { ...hidden, params: Type.Object({ code: Type.String() }) } },
    async (request, reply) => {
      const { code } = request.params;
      const row = rowOf(code);
      if (row !== null) return answer(request, reply, { ...row, code }, pageOf(code, row));
      throw new HttpFailure('not-found', `there is no such code; ${ERRORS_PATH} lists those of this port`);
    },
  );
}
