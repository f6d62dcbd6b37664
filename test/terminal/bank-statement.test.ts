/** The shop's account beside what the bank owes: which payout has come, which has not, and what may be either; never a guess. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withArrivals } from '../../firmware/features/reconciliation/arrivals.ts';
import { type BankStatement, bankStatement } from '../../firmware/features/reconciliation/bank-statement.ts';
import type { Credit, OwedDay } from '../../firmware/features/reconciliation/payouts.ts';
import { TerminalError } from '../../firmware/payments/model/terminal-error.ts';
import { bytesIn } from '../store/letters.ts';
import { type Answer, call, each, failed, onSetUpDevice } from '../support.ts';

const test = suite("terminal: a statement of the shop's account");
const onDevice = each(test, onSetUpDevice);

const OURS = '40702810000000000001';
const THEIRS = '30301810000000000002';
const HEAD = [
  ...['1CClientBankExchange', 'ВерсияФормата=1.03', 'Кодировка=Windows', 'Отправитель=Банк', 'Получатель='],
  ...['ДатаНачала=21.11.2026', 'ДатаКонца=30.11.2026', `РасчСчет=${OURS}`],
  ...['СекцияРасчСчет', `РасчСчет=${OURS}`, 'НачальныйОстаток=0.00', 'КонецРасчСчет'],
];

interface Fields {
  readonly [field: string]: string | null;
}

/** A document that brings money, with other fields; null leaves one out. */
function document(fields: Fields = {}): string[] {
  const all: Fields = {
    ...{ Номер: '5181', Дата: '23.11.2026', Сумма: '99.60', ПлательщикСчет: THEIRS, ПолучательСчет: OURS },
    ...{ ДатаПоступило: '23.11.2026', НазначениеПлатежа: 'Возмещение по СБП = эквайринг', ...fields },
  };
  const lines = Object.entries(all).flatMap(([field, value]) => (value === null ? [] : [`${field}=${value}`]));
  return ['СекцияДокумент=Платежное поручение', ...lines, 'КонецДокумента'];
}

const textOf = (...documents: readonly string[][]): string =>
  [...HEAD, ...documents.flat(), 'КонецФайла', ''].join('\r\n');
const read = (text: string): Promise<BankStatement> => bankStatement(bytesIn('windows-1251', text));
const refusalOf = async (bytes: Uint8Array): Promise<TerminalError> => failed(TerminalError, bankStatement(bytes));
const CREDIT: Credit = {
  ...{ line: 13, number: '5181', day: '2026-11-23', amount: 9960 },
  purpose: 'Возмещение по СБП = эквайринг',
};

test('it is read in each encoding that banks use, whichever it says', async () => {
  const text = textOf(document());
  for (const [name, bytes] of Object.entries<Uint8Array>({
    'windows-1251': bytesIn('windows-1251', text),
    cp866: bytesIn('ibm866', text),
    'UTF-8': Buffer.from(text),
    'UTF-8 with its mark': Buffer.from(`\uFEFF${text}`),
    'lines of Unix': bytesIn('windows-1251', text.replaceAll('\r', '')),
  }))
    assert.equal(
      await bankStatement(bytes),
      { from: '2026-11-21', to: '2026-11-30', credits: [CREDIT], unread: [] },
      name,
    );
});

test('one broken byte is the fault of its document, and not another encoding', async () => {
  const bytes = Buffer.from(textOf(document({ Сумма: '1X.00' }), document()));
  bytes[bytes.indexOf('1X.00') + 1] = 0xff;
  for (const file of [bytes, Buffer.concat([Buffer.from('\ufeff'), bytes])]) {
    const { credits, unread } = await bankStatement(file);
    assert.equal([credits.length, credits[0]?.purpose], [1, CREDIT.purpose]);
    assert.match(unread[0]?.reason ?? '', /^has "1\ufffd\.00" as Сумма in line 16/);
  }
});

test('only what came to the account of the shop is a payout, on the day on which it came', async () => {
  const creditsOf = async (fields: Fields) => (await read(textOf(document(fields)))).credits;
  assert.equal(await creditsOf({ ПолучательСчет: THEIRS, ПлательщикСчет: OURS }), []);
  assert.equal(await creditsOf({ ПолучательСчет: THEIRS, ПолучательРасчСчет: OURS }), [CREDIT]);
  assert.equal(await creditsOf({ ПолучательСчет: null }), [CREDIT], 'a bank that names no account');
  assert.equal(await creditsOf({ ПолучательСчет: null, ДатаПоступило: null, ДатаСписано: '23.11.2026' }), []);
  assert.equal((await creditsOf({ Дата: '20.11.2026' }))[0]?.day, '2026-11-23');
  assert.equal((await creditsOf({ ДатаПоступило: '', Дата: '22.11.2026' }))[0]?.day, '2026-11-22');
  const lines = { НазначениеПлатежа: null, НазначениеПлатежа1: 'Возмещение', НазначениеПлатежа2: 'за 21.11.2026' };
  assert.equal((await creditsOf(lines))[0]?.purpose, 'Возмещение за 21.11.2026');
  const debit = document({ ПолучательСчет: THEIRS, Сумма: 'n', ДатаПоступило: 'n' });
  assert.equal((await read(textOf(debit, document()))).credits.length, 1, 'what took money is not looked at');
});

test('exchanges one behind the other in a file are all read', async () => {
  const second = '40702810000000000009';
  const other = textOf(document({ ПолучательСчет: second, Номер: '7' }))
    .replaceAll(OURS, second)
    .replace('ДатаНачала=21.11.2026', 'ДатаНачала=20.11.2026')
    .replace('ДатаКонца=30.11.2026', 'ДатаКонца=22.11.2026');
  for (const between of ['', '\r\n\u001a']) {
    const { from, to, credits } = await read(textOf(document()) + between + other);
    assert.equal([from, to, credits.map(({ number }) => number)], ['2026-11-20', '2026-11-30', ['5181', '7']]);
  }
  const cut = other.slice(0, other.indexOf('КонецФайла'));
  assert.is((await refusalOf(bytesIn('windows-1251', textOf(document()) + cut))).parameters.reason, 'statement-cut');
});

test('several accounts of the shop are all its own, and what says less is read, too', async () => {
  const second = '40702810000000000009';
  const head = ['СекцияРасчСчет', `РасчСчет=${second}`, 'КонецРасчСчет'];
  const { credits } = await read(textOf(head, document({ ПолучательСчет: second }), document()));
  assert.is(credits.length, 2);
  assert.equal((await read(textOf(document({ РасчСчет: THEIRS, ПолучательСчет: THEIRS })))).credits, []);
  const bare = ['1CClientBankExchange', 'ВерсияФормата=1.01', `РасчСчет=${OURS}`, 'КонецФайла'].join('\n');
  assert.equal(await read(bare), { from: null, to: null, credits: [], unread: [] });
});

test('a value that cannot be read is named with its line, and the other documents are read', async () => {
  for (const [fields, words] of [
    [{ Сумма: '12,345,6' }, 'has "12,345,6" as Сумма in line 16, which must be an amount'],
    [{ Сумма: '-5.00' }, 'has "-5.00" as Сумма in line 16'],
    [{ Сумма: '#ЗНАЧ!' }, 'has "#ЗНАЧ!" as Сумма in line 16'],
    [{ Сумма: null }, 'has no Сумма in line 13'],
    [{ ПолучательСчет: '4070\ufffd' }, 'has "4070\ufffd" as ПолучательСчет in line 18'],
    [{ ДатаПоступило: '31.11.2026' }, 'has "31.11.2026" as ДатаПоступило in line 19'],
    [{ ДатаПоступило: '12/11/2026' }, 'has "12/11/2026" as ДатаПоступило in line 19'],
    [{ ДатаПоступило: null, Дата: 'soon' }, 'has "soon" as Дата in line 15'],
  ] as const) {
    const { credits, unread } = await bankStatement(Buffer.from(textOf(document(fields), document())));
    assert.equal(
      { credits: credits.length, unread: unread.length, line: unread[0]?.line },
      { credits: 1, unread: 1, line: 13 },
    );
    assert.is(unread[0]?.reason.slice(0, words.length), words);
  }
  const { to, credits, unread } = await read(textOf(document()).replace('ДатаКонца=30.11.2026', 'ДатаКонца=x'));
  assert.equal([to, credits.length, unread.map(({ line }) => line)], [null, 1, [7]]);
  const version = textOf(document()).replace('ВерсияФормата=1.03', 'ВерсияФормата=2.00');
  const { parameters } = await refusalOf(bytesIn('windows-1251', version));
  assert.equal(parameters, { reason: 'statement-value', key: 'ВерсияФормата', line: '2' });
  const nameless = textOf(document()).replaceAll(`\r\nРасчСчет=${OURS}`, '');
  assert.equal((await refusalOf(bytesIn('windows-1251', nameless))).parameters.key, 'РасчСчет');
});

test('what is no statement, or is in letters of another kind, is refused as that', async () => {
  const text = textOf(document());
  for (const [name, bytes] of Object.entries<Uint8Array>({
    'a registry': Buffer.from('order;amount\na;1\n'),
    'letters of a Mac': bytesIn('x-mac-cyrillic', text),
    'nothing but a mark': Buffer.from('\uFEFF'),
    'one line that never ends': Buffer.from(`1CClientBankExchange\n${'x'.repeat(40_000)}`),
    'a picture': Uint8Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256),
  })) {
    const { field, parameters } = await refusalOf(bytes);
    assert.equal([field, parameters.reason], ['statement', 'statement-unknown'], name);
  }
  const endless = await refusalOf(Buffer.from(`${HEAD.slice(0, 2).join('\n')}\n${'x'.repeat(40_000)}`));
  assert.match(endless.message, /a line of more than 16384 characters/);
});

test('a statement that is cut off anywhere is refused, never taken as if nothing had come', async () => {
  const text = textOf(document(), document({ Сумма: '5.00' }));
  const lines = text.split('\r\n');
  for (let kept = 2; kept < lines.length - 1; kept += 1) {
    const { parameters } = await refusalOf(bytesIn('windows-1251', lines.slice(0, kept).join('\r\n')));
    assert.equal(parameters, { reason: 'statement-cut', line: String(kept) });
  }
  const inside = (missing: string) => refusalOf(bytesIn('windows-1251', text.replace(`${missing}\r\n`, '')));
  assert.match((await inside('КонецДокумента')).message, /lacks КонецДокумента in line 21/);
  assert.match((await inside('КонецРасчСчет')).message, /lacks КонецРасчСчет in line 12/);
  assert.match((await inside('СекцияДокумент=Платежное поручение')).message, /lacks a section in line 20/);
});

const payout = (day: string | null, kopecks: number | null, stated: number | null = null): OwedDay => ({
  ...{ day, sum: 0, refunds: 0, commission: 0, payout: kopecks, stated, difference: null },
});
const credit = (line: number, day: string, amount: number, purpose = 'Возмещение'): Credit => ({
  ...{ line, number: String(line), day, amount, purpose },
});

/** What becomes of the days: the state of each, and lines that may be it. */
function arrivals(days: readonly OwedDay[], credits: readonly Credit[], to: string | null = null): unknown[] {
  return withArrivals(days, { from: null, to, credits, unread: [] }).map(({ arrival }) => [
    arrival?.state,
    ...(arrival?.credits ?? []).map(({ line }) => line),
  ]);
}

test('a payout has come where one line of its sum stands within its days', () => {
  const one = [payout('2026-11-20', 9960)];
  assert.equal(arrivals(one, [credit(1, '2026-11-20', 9960)]), [['arrived', 1]]);
  assert.equal(arrivals(one, [credit(1, '2026-12-05', 9960)]), [['arrived', 1]], 'holidays');
  assert.equal(arrivals(one, [credit(1, '2026-12-06', 9960)]), [['missing']]);
  assert.equal(arrivals(one, [credit(1, '2026-11-19', 9960)]), [['missing']], 'before it was sold');
  assert.equal(arrivals(one, [credit(1, '2026-11-20', 9961)]), [['missing']], 'a kopeck');
  assert.equal(arrivals([payout('2026-11-20', 9960, 9950)], [credit(1, '2026-11-21', 9950)]), [['arrived', 1]]);
  assert.equal(arrivals([payout('2026-11-20', 9960, 9950)], [credit(1, '2026-11-21', 9960)]), [['arrived', 1]]);
});

test('where a document cannot be read, no payout is called missing', () => {
  const statement = { from: null, to: null, credits: [], unread: [{ line: 13, reason: 'has "x" as Сумма' }] };
  const [day] = withArrivals([payout('2026-11-20', 500)], statement);
  assert.equal(day?.arrival, { state: 'unclear', credits: [] });
});

test('what may be two is named as that, until its purpose names the day', () => {
  const alike = [payout('2026-11-20', 500), payout('2026-11-21', 500)];
  assert.equal(arrivals(alike, [credit(1, '2026-11-22', 500)]), [
    ['unclear', 1],
    ['unclear', 1],
  ]);
  for (const written of ['21.11.2026', '21.11.26', '21/11/2026', '2026-11-21'])
    assert.equal(
      arrivals(alike, [credit(1, '2026-11-22', 500, `за ${written} по договору от 01.02.2020`)]),
      [['missing'], ['arrived', 1]],
      written,
    );
  assert.equal(
    arrivals(alike, [credit(1, '2026-11-22', 500, 'за 121.11.2026'), credit(2, '2026-11-22', 500, 'за 20.11.2026')]),
    [
      ['arrived', 2],
      ['arrived', 1],
    ],
  );
  const two = [credit(1, '2026-11-21', 500), credit(2, '2026-11-22', 500)];
  assert.equal(arrivals([payout('2026-11-20', 500)], two), [['unclear', 1, 2]]);
});

test('days that a bank pays in one sum have come together', () => {
  const weekend = [payout('2026-11-20', 100), payout('2026-11-21', 250), payout('2026-11-22', 300)];
  const all = ['arrived', 1];
  assert.equal(arrivals(weekend, [credit(1, '2026-11-23', 650)]), [all, all, all]);
  assert.equal(arrivals(weekend, [credit(1, '2026-11-21', 100), credit(2, '2026-11-23', 550)]), [
    ['arrived', 1],
    ['arrived', 2],
    ['arrived', 2],
  ]);
  assert.equal(arrivals(weekend, [credit(1, '2026-11-21', 650)]), [['missing'], ['missing'], ['missing']]);
  const refunded = [payout('2026-11-20', 1000), payout('2026-11-21', -400)];
  assert.equal(arrivals(refunded, [credit(1, '2026-11-23', 600)]), [all, all], 'refunds are taken off the next days');
  const other = [payout('2026-11-20', 300), payout('2026-11-21', 100), payout('2026-11-22', 200)];
  assert.equal(arrivals(other, [credit(1, '2026-11-23', 300)]), [all, ['missing'], ['missing']], 'it is taken');
  const alike = [payout('2026-11-20', 100), payout('2026-11-21', 100), payout('2026-11-22', 100)];
  assert.equal(arrivals(alike, [credit(1, '2026-11-23', 200)]), [
    ['unclear', 1],
    ['unclear', 1],
    ['unclear', 1],
  ]);
});

test('what the statement cannot have is not called missing, and what is not known is not guessed', () => {
  const one = [payout('2026-11-20', 100)];
  assert.equal(arrivals(one, [], '2026-11-20'), [['outside']]);
  assert.equal(arrivals(one, [], '2026-11-21'), [['missing']]);
  const late = withArrivals(one, { from: '2026-11-21', to: '2026-11-30', credits: [], unread: [] });
  assert.is(late[0]?.arrival?.state, 'outside');
  assert.equal(arrivals([payout('2026-11-20', null), payout('2026-11-21', 0), payout(null, 5)], []), [
    ['unknown'],
    ['unknown'],
    ['unknown'],
  ]);
  assert.equal(arrivals([payout('2026-99-99', 5)], [credit(1, '2026-11-20', 5)]), [['missing']]);
});

test('more days than anybody lays beside a statement are refused, however alike all sums are', () => {
  const days = Array.from({ length: 401 }, (_, at) => payout(new Date(at * 86_400_000).toISOString().slice(0, 10), 5));
  assert.throws(() => arrivals(days, []), /statement can be compared with a registry of at most 400 days/);
  const credits = Array.from({ length: 30_000 }, (_, at) => credit(at, '1970-01-10', 5));
  assert.is(arrivals(days.slice(1), credits).filter((found) => (found as string[])[0] === 'unclear').length, 9);
});

onDevice('the call reads both, says what has come, and refuses what is not the whole file', async (device) => {
  const registry = ['id заказа;Сумма;Комиссия;Дата операции МСК', 'a;100,00;0,40;21.11.2026', 'b;50;0,20;22.11.2026'];
  const file = Buffer.from(registry.join('\n')).toString('base64');
  const send = (statement: unknown): Promise<Answer> =>
    call(`${device.terminal}/v1/reconciliations`, { json: { from: '2026-11-21', to: '2026-11-22', file, statement } });
  const sent = Buffer.from(bytesIn('ibm866', textOf(document()))).toString('base64');
  const { body } = await send(sent);
  assert.equal(body.statement, { from: '2026-11-21', to: '2026-11-30', credits: 1, unread: [] });
  assert.equal(
    body.days.map(({ arrival }: { arrival: unknown }) => arrival),
    [
      { state: 'arrived', credits: [CREDIT] },
      { state: 'missing', credits: [] },
    ],
  );
  const without = (await send(null)).body;
  assert.equal([without.statement, without.days[0].arrival], [null, null]);
  for (const [statement, words] of [
    ['', /statement/],
    [`${sent.slice(0, -1)}!`, /statement must be the whole file in base64/],
    ['A'.repeat(4 * 1_398_102 + 4), /statement/],
    [Buffer.from('x').toString('base64'), /statement must begin with a line 1CClientBankExchange/],
  ] as const) {
    const { status, body: refused } = await send(statement);
    assert.equal([status, refused.field], [400, 'statement']);
    assert.match(refused.detail, words);
  }
});

test.run();
