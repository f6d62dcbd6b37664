/** `type` of a problem is the path of a page on the device that says what its code means and what there is to do. */
import fastify from 'fastify';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { refused } from '../../drivers/lib/records.ts';
import { addErrorPages, errorRows } from '../../firmware/core/http/reference/errors-page.ts';
import { FEATURE_ERRORS } from '../../firmware/features.ts';
import { ERROR_TABLE, TERMINAL_PROBLEMS } from '../../firmware/payments/model/terminal-error.ts';
import { RECOGNITION_PROBLEMS } from '../../firmware/recognition/model/recognition-error.ts';
import { type Answer, call, startTestDevice, type TestDevice } from '../support.ts';

const test = suite('http: the pages of errors');

let device: TestDevice;
test.before(async () => {
  device = await startTestDevice();
});
test.after(async () => device[Symbol.asyncDispose]());

const plain = (advice: string): string => advice.replaceAll('`', '');

/** The words of a page, without its marks. */
const wordsOf = ({ text }: Answer): string =>
  text
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

test('a problem of either port leads to a page of that port about its code', async () => {
  const json = { amount: 0 };
  const headers = { 'content-type': 'application/json' };
  for (const [base, path, init, code] of [
    ['terminal', '/v1/payments/none', {}, 'Payments.NotFound'],
    ['terminal', '/v1/payments', { json }, 'RequestParams.InvalidField'],
    ['terminal', '/v1/payments', { method: 'POST', headers, body: '{"amount":"' }, 'JsonParse.UnterminatedString'],
    ['terminal', '/v1/nowhere', {}, 'RequestParams.UnknownPath'],
    ['recognition', '/v1/payments/none', {}, 'Payments.NotFound'],
    ['recognition', '/v1/items/none', {}, 'Items.NotFound'],
    ['recognition', '/v1/items/4011', { method: 'PUT', headers, body: '{' }, 'JsonParse.IllegalValue'],
  ] as const) {
    const refused = await call(device[base] + path, init);
    assert.equal([refused.body.code, refused.body.type], [code, `/errors/${code}`], path);
    const page = await call(new URL(refused.body.type, device[base]).href, {
      headers: { accept: 'text/html, application/json;q=0.9' },
    });
    assert.is(page.status, 200, code);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.match(wordsOf(page), code);
    const { headers, body } = await call(new URL(refused.body.type, device[base]).href, {
      headers: { accept: 'application/json, application/problem+json' },
    });
    assert.equal([headers.get('content-type'), headers.get('vary')], ['application/json', 'Accept, Accept-Language']);
    assert.equal([body.code, Object.keys(body)], [code, ['code', 'statuses', 'meaning', 'todo', 'again']]);
    assert.ok(wordsOf(page).includes(plain(body.todo)), code);
  }
});

test('a program that asks by lang gets that language, else English, despite Accept-Language', async () => {
  const headers = { accept: 'application/json', 'accept-language': 'ru' };
  const todoOf = (body: { todo: string }) => body.todo;
  const rows = (language: 'en' | 'ru') => errorRows({ ...TERMINAL_PROBLEMS, ...FEATURE_ERRORS }, language);
  for (const [query, language] of [
    ['', 'en'],
    ['?lang=en', 'en'],
    ['?lang=ru', 'ru'],
  ] as const) {
    const one = await call(`${device.terminal}/errors/Payments.NotFound${query}`, { headers });
    const row = rows(language).find(({ code }) => code === 'Payments.NotFound');
    assert.equal(one.body, row, query);
    const { body } = await call(`${device.terminal}/errors${query}`, { headers });
    assert.equal(body.errors.map(todoOf), rows(language).map(todoOf), query);
  }
});

test('each code has its meaning and what to do on its page, and all stand on one', async () => {
  for (const [base, records] of [
    ['terminal', { ...TERMINAL_PROBLEMS, ...FEATURE_ERRORS }],
    ['recognition', { ...TERMINAL_PROBLEMS, ...RECOGNITION_PROBLEMS, ...FEATURE_ERRORS }],
  ] as const) {
    const { errors } = (await call(`${device[base]}/errors`, { headers: { accept: 'application/json' } })).body;
    const all = wordsOf(await call(`${device[base]}/errors`));
    assert.not.match(all, /`/, 'a mark that a person would read');
    for (const { code, meaning, todo } of errorRows(records, 'en')) {
      const named = code.replace('*', 'IllegalValue');
      const page = wordsOf(await call(`${device[base]}/errors/${named}`));
      assert.not.match(page, /`/, code);
      for (const words of [meaning, todo]) {
        assert.ok(page.includes(plain(words)), `${named}: ${page}`);
        assert.ok(all.includes(plain(words)), `${base}: ${words}`);
      }
      assert.ok(page.includes(named) && all.includes(code), named);
      assert.ok(errors.some((row: { code: string; meaning: string }) => row.code === code && row.meaning === meaning));
    }
  }
});

test('so has each other code of the nine calls that /v1 returns too; an unknown code has none', async () => {
  for (const base of [device.terminal, device.recognition]) {
    for (const [category, members] of Object.entries(ERROR_TABLE))
      for (const member of members.filter((each) => each !== 'NoError')) {
        const { status, text } = await call(`${base}/errors/${category}.${member}`);
        assert.ok(status === 200 && text.includes(`${category}.${member}`), `${category}.${member}: ${text}`);
      }
    for (const code of [
      'Payments.Nothing',
      'constructor',
      'Bank.NoError',
      'a.b.c',
      'JsonParse.*',
      '%3Cscript%3E',
      'toString.*',
    ]) {
      const { status, text, headers } = await call(`${base}/errors/${code}`);
      assert.is(status, 404, code);
      assert.is(headers.get('content-type'), 'application/problem+json', code);
      assert.match(text, '/errors lists those of this port', code);
      assert.not.match(text, '<script>');
    }
  }
});

test('in Russian each code has its own words, the same names; the address outranks the browser', async () => {
  const records = { ...TERMINAL_PROBLEMS, ...RECOGNITION_PROBLEMS, ...FEATURE_ERRORS };
  const namesOf = (text: string): string[] => [...new Set(text.match(/`[^`]+`/g))].sort();
  const english = new Map(errorRows(records, 'en').map((row) => [row.code, row]));
  const inRussian = errorRows(records, 'ru');
  assert.ok(inRussian.length > 100 && inRussian.length === english.size, `${inRussian.length} codes`);
  for (const { code, meaning, todo, again } of inRussian) {
    const row = english.get(code);
    assert.equal(namesOf(meaning + todo), namesOf(`${row?.meaning}${row?.todo}`), code);
    for (const text of [meaning, todo, again])
      assert.ok(/[а-я]/.test(text) || /^`[^`]+`$/.test(text), `${code}: ${text}`);
  }
  const german = { 'accept-language': 'de' };
  const russian = { 'accept-language': 'ru-RU,en;q=0.5' };
  for (const path of ['/errors', '/errors/Payments.RefundLimit', '/errors/SerialPort.DeviceNotFoundError'])
    for (const [query, headers, language, title] of [
      ['', russian, 'ru', 'что делать'],
      ['', german, 'en', 'what to do'],
      ['?lang=ru', german, 'ru', 'что делать'],
      ['?lang=en', russian, 'en', 'what to do'],
    ] as const) {
      const { text } = await call(`${device.terminal}${path}${query}`, { headers });
      assert.match(text, `<html lang="${language}" `, path + query);
      assert.match(text.toLowerCase(), title, path + query);
    }
  assert.is((await call(`${device.terminal}/errors?lang=de`)).status, 400);
  assert.match((await call(`${device.terminal}/errors?lang=ru`)).text, 'href="/errors/Payments.NotFound?lang=ru"');
  const one = await call(`${device.terminal}/errors/Payments.NotFound?lang=ru`);
  assert.match(one.text, 'href="/errors?lang=ru"');
});

test('words of advice are text, with any content', async () => {
  const app = fastify();
  const advice = { meaning: 'a <b> & `c<d>`', todo: '"nothing" | a bar' };
  addErrorPages(app, { 'A.B': refused({ status: 400, again: 'no', en: advice, ru: advice }) });
  for (const path of ['/errors', '/errors/A.B']) {
    const { body } = await app.inject(path);
    assert.match(body, 'a &lt;b&gt; &amp; <code>c&lt;d&gt;</code>', path);
    assert.match(body, '&quot;nothing&quot; | a bar', path);
  }
  await app.close();
});

test.run();
