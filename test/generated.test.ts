/** What is committed and follows from the code is what the code says. */
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type FailureKind, HttpFailure, KINDS } from '../firmware/core/http/call/failure.ts';
import { FEATURE_ERRORS } from '../firmware/features.ts';
import { PaymentAnswer } from '../firmware/payments/http/v1/payment-schemas.ts';
import { terminalProblems } from '../firmware/payments/http/v1/problem.ts';
import {
  ERROR_TABLE,
  type ErrorCategory,
  isErrorCode,
  TerminalError,
} from '../firmware/payments/model/terminal-error.ts';
import { recognitionProblems } from '../firmware/recognition/http/v1/problem.ts';
import { RECOGNITION_PROBLEMS } from '../firmware/recognition/model/recognition-error.ts';
import { callsPage } from '../scripts/generate/calls-page.ts';
import {
  CALLS_PAGE,
  CHOICES,
  CONFIGURATION_PAGE,
  choices,
  configurationPage,
  DASHBOARD,
  DOCUMENTS,
  dashboardText,
  documents,
  ERRORS_PAGE,
  EVENTS_PAGE,
  errorsPage,
  eventsPage,
  PAGE_WORDS,
  pageWords,
  SANDBOX_PAGE,
  sandboxPage,
  tillCodes,
} from '../scripts/generate.ts';

const test = suite('generated documents');

test('the committed OpenAPI documents equal the route schemas (npm run generate writes them)', async () => {
  const written = await documents();
  for (const name of ['terminal', 'recognition'] as const)
    assert.is(written[name], readFileSync(DOCUMENTS[name], 'utf8'), name);
});

test('docs/configuration.md has each key with its default (npm run generate writes them)', () => {
  const text = readFileSync(CONFIGURATION_PAGE, 'utf8');
  assert.is(configurationPage(text), text);
  assert.ok(text.includes('| `terminal.port` | `1234` | port to listen on |'));
});

test('docs/events.md has every event with what it means (npm run generate writes them)', () => {
  const text = readFileSync(EVENTS_PAGE, 'utf8');
  assert.is(eventsPage(text), text);
  assert.ok(text.includes('| `payment.accepted` | it was paid |'));
});

test('docs/sandbox-bank.md has every outcome by amount (npm run generate writes them)', () => {
  const text = readFileSync(SANDBOX_PAGE, 'utf8');
  assert.is(sandboxPage(text), text);
  assert.ok(text.includes('| 01 | declined at once |'));
});

test('docs/errors.md has every code that a till may meet, once (npm run generate writes them)', () => {
  const text = readFileSync(ERRORS_PAGE, 'utf8');
  assert.is(errorsPage(text), text);
  const codes = [...text.matchAll(/^\| `(\w+\.[\w*]+)` \| /gm)].map(([, code]) => code);
  assert.equal(
    codes.toSorted(),
    tillCodes()
      .map(({ code }) => code)
      .toSorted(),
  );
  assert.is(new Set(codes).size, codes.length);
  for (const code of ['Payments.NotFound', 'Items.NotFound', 'JsonParse.*']) assert.ok(codes.includes(code), code);
  assert.match(text, /\| `Internal.UnexpectedError` \| 500 \|[^|]+\| yes, unless `repeat` is `false` \|/);
  for (const code of new Set(Object.values(KINDS).map(([, code]) => code))) {
    assert.ok(isErrorCode(code), code);
    assert.ok(codes.includes(code.startsWith('JsonParse.') ? 'JsonParse.*' : code), code);
  }
  assert.match(text, /\| `RequestParams.TooMany` \| 429, 503 \|/);
});

const isKind = (name: string): name is FailureKind => Object.hasOwn(KINDS, name);
const isCategory = (name: string): name is ErrorCategory => Object.hasOwn(ERROR_TABLE, name);

test('a code is answered on each port with the status that docs/errors.md has', () => {
  const said = new Map(tillCodes().map(({ code, statuses }) => [code, statuses.split(', ')]));
  const isSaid = (code: string, status: unknown): void =>
    assert.ok(said.get(code)?.includes(String(status)), `${code} ${status}`);
  for (const kind of Object.keys(KINDS).filter(isKind))
    for (const port of [terminalProblems, recognitionProblems]) {
      const { status } = port.fromFailure(new HttpFailure(kind, 'x'));
      if (kind !== 'json') isSaid(KINDS[kind][1], status);
    }
  for (const category of Object.keys(ERROR_TABLE).filter(isCategory))
    for (const member of ERROR_TABLE[category]) {
      const code = `${category}.${member}`;
      const { status } = terminalProblems.fromError(TerminalError.of<ErrorCategory>(category, member, 'x')) ?? {};
      // what else is wrong with a request is found before its route
      if (said.has(code) && category !== 'RequestParams') isSaid(code, status);
    }
  for (const [code, { status }] of Object.entries({ ...RECOGNITION_PROBLEMS, ...FEATURE_ERRORS }))
    if (said.has(code)) isSaid(code, status);
});

test('clients/calls.md has every member of a payment, and says when one is null', () => {
  const [, table = ''] = readFileSync(CALLS_PAGE, 'utf8').split('### A payment\n');
  const rows = [...(table.split('### ')[0] ?? '').matchAll(/^\| `(\w+)` \| ([^|]+) \| ([^|]+) \|$/gm)].map(
    ([, name = '', type = '', says = '']) => ({ name, type, says }),
  );
  for (const name of [...Object.keys(PaymentAnswer.properties), 'warnings', 'refunds'])
    assert.ok(
      rows.some((row) => row.name === name && row.says.trim() !== ''),
      name,
    );
  for (const { name, type, says } of rows)
    if (/ or null/.test(type)) assert.match(says, /\bnull (until|where|unless|while|of)\b/, name);
});

test('clients/calls.md has each /v1 call’s request, answer and members (npm run generate)', () => {
  const document = readFileSync(DOCUMENTS.terminal, 'utf8');
  const recognition = readFileSync(DOCUMENTS.recognition, 'utf8');
  const text = readFileSync(CALLS_PAGE, 'utf8');
  assert.is(callsPage({ terminal: document, recognition }), text);
  const { paths } = JSON.parse(document);
  const calls = Object.keys(paths).filter((path) => path !== '/health');
  for (const path of calls)
    for (const method of Object.keys(paths[path])) {
      const [, own = ''] = text.split(`## ${method.toUpperCase()} ${path}\n`);
      assert.match(own.split('\n## ')[0] ?? '', /```text\ncurl [\s\S]*Answer 20\d[\s\S]*```/, `${method} ${path}`);
    }
  assert.ok(calls.length > 25);
  assert.match(text, /## GET \/v1\/recognition\n/);
  assert.match(text, /Answer 202; the header `Location`[\s\S]*"state": "unknown"/);
  for (const named of ['payment', 'refund', 'shift', 'day', 'event', 'failure'])
    assert.match(text, new RegExp(`### An? ${named}\n\n\\| member`));
  assert.match(text, /### A payment\n[\s\S]*\| `state` \| [^|]*`ACCEPTED`[^|]*\|/);
});

test('clients/calls.md has what a till may send, with its limits', () => {
  const [, fields = ''] = readFileSync(CALLS_PAGE, 'utf8').split('## Fields of a request\n');
  for (const row of [
    '| `amount` | number, 1 to 100000000, required | ',
    '| `cashier` | text, 64 characters at most | ',
    '| `reference` | text, 128 characters at most | ',
    '| `why` | text, 500 characters at most | ',
    '| `late` | boolean | ',
  ])
    assert.ok(fields.includes(row), row);
});

test('scripts/generate/page-words.d.ts names the words of all pages (npm run generate writes it)', () => {
  assert.is(readFileSync(PAGE_WORDS, 'utf8'), pageWords());
});

test('scripts/lib/choices.sh has every camera that a lane may have (npm run generate writes it)', () => {
  assert.is(readFileSync(CHOICES, 'utf8'), choices());
  assert.match(choices(), /LANE_CAMERAS=\(.*\blibcamera\b.*\)/);
  assert.not.match(choices(), /replay/); // pictures that lie on no tray
});

test('the dashboard is that of the table of panels (npm run generate writes it)', () => {
  assert.is(readFileSync(DASHBOARD, 'utf8'), dashboardText());
});

test.run();
