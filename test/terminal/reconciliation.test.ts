/** A bank's registry beside the ledger: every difference is named, in any form of the file. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { REFUND_DONE } from '../../firmware/banks/bank-refund.ts';
import { zoneNow } from '../../firmware/core/host/zone.ts';
import type { KnownOperations, RegistryColumns } from '../../firmware/features/reconciliation/config.ts';
import type { Difference, Reconciliation } from '../../firmware/features/reconciliation/differences.ts';
import { type MethodPayout, Payouts } from '../../firmware/features/reconciliation/payouts.ts';
import { reconcile } from '../../firmware/features/reconciliation/reconcile.ts';
import { OwnBooks, type OwnBooksOptions } from '../../firmware/features/reconciliation/reconciled-books.ts';
import { columnsOf } from '../../firmware/features/reconciliation/registry-columns.ts';
import { registryOf } from '../../firmware/features/reconciliation/registry-entries.ts';
import { registryLines } from '../../firmware/features/reconciliation/registry-file.ts';
import { localDayOf } from '../../firmware/payments/model/local-day.ts';
import type { PaymentRow } from '../../firmware/payments/model/payment-row.ts';
import type { Ledger } from '../../firmware/payments/money/ledger.ts';
import { Money } from '../../firmware/payments/money/money.ts';
import { bytesIn } from '../store/letters.ts';
import { tableOf, workbookWith } from '../store/workbooks.ts';
import { type Answer, call, each, onSetUpDevice, setUp, startTestDevice } from '../support.ts';
import { sellByQR } from './device-calls.ts';
import { type Lane, onLane, until } from './harness.ts';
import { pay } from './refund-rig.ts';

const test = suite('terminal: a registry of the bank');
const it = each(test, onLane);
const onDevice = each(test, onSetUpDevice);

const HEAD =
  'Мерчант;Дата операции МСК;Тип;id заказа;id возврата;Комментарий;Способ оплаты;QR id;id клиента;Сумма;Комиссия';

const line = (type: string, order: string, amount: string, { refund = '', qr = '' } = {}): string =>
  `Ромашка;20.11.2026 12:00;${type};${order};${refund};"Яблоки; ""Антоновка""";СБП;${qr};;${amount};0,40`;
const paidLine = (order: string, amount: string): string => line('Оплата', order, amount);
const file = (...lines: string[]): string => `${[HEAD, ...lines].join('\r\n')}\r\n`;

/** What a device that stands alone finds. */
type Found = Omit<Reconciliation, 'lanes' | 'master'>;
const AGREED = { differences: [], more: 0, tests: { count: 0, sum: 0 }, operations: [] };

/** The ledger, as if money had moved: its bank is one for tests. */
function moneyOf(ledger: Ledger): OwnBooksOptions['ledger'] {
  const moved = (payment: PaymentRow): PaymentRow => ({ ...payment, merchant: null });
  return {
    book: ledger.book,
    find: (orderId) => {
      const payment = ledger.find(orderId);
      return payment && moved(payment);
    },
    queries: {
      search: (...wanted) => {
        const found = ledger.queries.search(...wanted);
        return { ...found, payments: found.payments.map(moved) };
      },
    },
    accepted: { between: (...range) => ledger.accepted.between(...range).map(moved) },
  };
}

async function compare(
  l: Lane,
  text: string | Uint8Array,
  columns: RegistryColumns | null = null,
  operations: KnownOperations = {},
): Promise<Found> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const { refunds } = Money.over(l.db);
  const { from, to } = localDayOf(l.clock.wall());
  const range = { from, to, profile: null };
  const books = new OwnBooks({ lane: 'LW1', ledger: moneyOf(l.ledger), refunds });
  const store = { lanes: [{ lane: 'LW1', reportedAt: to, isMissing: false }], master: null };
  await using lines = registryLines(bytes);
  const { items, timeZone } = await registryOf(lines, columns, { bank: null, device: zoneNow(), operations });
  const payouts = new Payouts(null);
  async function* source() {
    yield { entries: payouts.read(items), counts: payouts, method: null, timeZone };
  }
  const { lanes, master: _none, ...found } = await reconcile([books], source(), range, store);
  assert.equal(
    lanes.map(({ lane, payments, refunds: back, taken, returned }) => [lane, payments, back, taken > 0, returned > 0]),
    [['LW1', found.payments, found.refunds, found.payments > 0, found.refunds > 0]],
  );
  return found;
}
const refusal = (compared: Promise<Found>): Promise<string> =>
  compared.then(
    () => 'it was taken',
    (error: Error) => error.message,
  );
const differencesOf = ({ differences }: Found): [Difference['kind'], number | null][] =>
  differences.map(({ kind, line: number }) => [kind, number]);
/** Only these, of the file as it is. */
const finds = async (l: Lane, text: string | Uint8Array, expected: unknown[], what?: string): Promise<void> =>
  assert.equal(differencesOf(await compare(l, text)), expected, what);

it('what agrees is no difference, in any encoding, with any separator and either decimal sign', async (l) => {
  l.bank.refund = async () => REFUND_DONE;
  const one = await pay(l, 123_456);
  const two = await pay(l, 700);
  const refund = await l.refunds.refund({ orderId: two, tillId: 'a', amount: 300 });
  const text = file(
    paidLine(one, '1 234,56'),
    paidLine(two, '7'),
    line('Возврат', two, '-3.00', { refund: refund.refundId }),
  );
  const withCommas = text.replaceAll('1 234,56', '1234.56').replaceAll('0,40', '0.40').replaceAll(';', ',');
  for (const [name, bytes] of Object.entries<string | Uint8Array>({
    'UTF-8': text,
    'UTF-8 with its mark': `\uFEFF${text}`,
    'windows-1251': bytesIn('windows-1251', text),
    commas: withCommas,
    tabs: text.replaceAll(';', '\t'),
    'blank lines before and between': `\r\n\r\n${text.replaceAll('\r\n', '\r\n\r\n')}`,
  }))
    assert.equal(await compare(l, bytes), { ...AGREED, payments: 2, refunds: 1 }, name);
});

it('each difference is named, with its line, both amounts and what to do', async (l) => {
  l.bank.refund = async () => REFUND_DONE;
  const other = await pay(l, 1000);
  const missing = await pay(l, 2000);
  const twice = await pay(l, 3000);
  const returned = await pay(l, 4000);
  await l.refunds.refund({ orderId: returned, tillId: 'unnamed', amount: 1500 });
  await l.showQR(5000);
  const open = l.bank.registered.at(-1)?.orderId ?? '';
  const found = await compare(
    l,
    file(
      paidLine(other, '10,01'),
      paidLine(twice, '30'),
      paidLine(twice, '30'),
      paidLine(returned, '40'),
      line('Возврат', twice, '5'),
      line('Возврат', 'elsewhere', '6'),
      paidLine(open, '50'),
      paidLine('somebody-else', '8'),
      paidLine('', '9'),
      paidLine(other, 'ten'),
      'Итого',
    ),
  );
  assert.equal(differencesOf(found), [
    ['unreadable-line', 10],
    ['unreadable-line', 11],
    ['unreadable-line', 12],
    ['other-amount', 2],
    ['duplicate-line', 4],
    ['refund-not-in-ledger', 6],
    ['refund-not-in-ledger', 7],
    ['not-accepted', 8],
    ['not-in-ledger', 9],
    ['not-in-registry', null],
    ['refund-not-in-registry', null],
  ]);
  assert.equal([found.payments, found.refunds], [2, 0]);
  const of = (kind: Difference['kind']) => found.differences.find((each) => each.kind === kind);
  assert.equal([of('other-amount')?.registry, of('other-amount')?.ledger], [1001, 1000]);
  assert.is(of('not-in-registry')?.payment, missing);
  assert.is(of('refund-not-in-registry')?.refund, 'unnamed');
  assert.is(
    of('not-accepted')?.sentence,
    'line 8: payment 5 of 50.00 ₽ was paid by the registry, and is PENDING in the ledger: find the sale, and hand the goods out or refund it',
  );
});

it("a refund is known by its id, ours or the bank's, or its amount; a line twice is reported", async (l) => {
  l.bank.refund = async ({ amount }) => ({ ...REFUND_DONE, bankRefundId: `B-${amount}` });
  const order = await pay(l, 1000);
  await l.refunds.refund({ orderId: order, tillId: 'a', amount: 300 });
  await l.refunds.refund({ orderId: order, tillId: 'b', amount: 200 });
  const paid = paidLine(order, '10');
  assert.equal(
    (await compare(l, file(paid, line('Возврат', order, '3', { refund: 'B-300' }), line('Возврат', order, '2'))))
      .refunds,
    2,
  );
  const wrong = file(
    paid,
    line('Возврат', order, '2.50', { refund: 'B-300' }),
    line('Возврат', order, '2'),
    line('Возврат', order, '2'),
  );
  await finds(l, wrong, [
    ['other-amount', 3],
    ['duplicate-line', 5],
  ]);
});

it('a refund of which the bank gave no id is known by its amount, with any id in the registry', async (l) => {
  l.bank.refund = async ({ amount }) => ({ ...REFUND_DONE, bankRefundId: amount === 100 ? 'B-100' : null });
  const order = await pay(l, 1000);
  for (const amount of [300, 300, 100]) {
    await l.refunds.refund({ orderId: order, tillId: `a${l.refunds.of(order).length}`, amount });
  }
  const back = (amount: string, refund: string) => line('Возврат', order, amount, { refund });
  const paid = paidLine(order, '10');
  const all = file(paid, back('3', 'tb-1'), back('3', 'tb-2'), back('1', 'B-100'));
  assert.equal(await compare(l, all), { ...AGREED, payments: 1, refunds: 3 });
  const third = file(paid, back('3', 'tb-1'), back('3', 'tb-2'), back('3', 'tb-3'), back('1', 'tb-4'));
  await finds(l, third, [
    ['duplicate-line', 5],
    ['refund-not-in-ledger', 6], // that refund has an id at the bank, and it is another
    ['refund-not-in-registry', null],
  ]);
  const other = differencesOf(
    await compare(l, file(paid, back('3.50', 'tb-1'), back('3', 'tb-2'), back('1', 'B-100'))),
  );
  assert.equal(other, [
    ['refund-not-in-ledger', 3],
    ['refund-not-in-registry', null],
  ]);
});

test('what a cancellation gave back agrees with the registry, once and with its amount', async () => {
  await onLane(async (l) => {
    await l.showQR(700);
    l.bank.reported = { refunded: 700 };
    l.bank.verdicts.set(l.bankId(0), 'accepted');
    await until('its end', () => l.ledger.last()?.status.state === 'ACCEPTED');
    const order = l.bank.registered[0]?.orderId ?? '';
    const paid = paidLine(order, '7');
    const back = (amount: string) => line('Возврат', order, amount, { refund: 'tb-78' });
    assert.equal(await compare(l, file(paid, back('7'))), { ...AGREED, payments: 1, refunds: 1 });
    await finds(l, file(paid, back('7'), back('7')), [['duplicate-line', 4]]);
    await finds(l, file(paid, back('6')), [['refund-not-in-ledger', 3]]);
    await finds(l, file(paid), [['refund-not-in-registry', null]]);
    const other = paidLine('of another lane', '7');
    await finds(l, file(other), [
      ['not-in-ledger', 2],
      ['not-in-registry', null],
    ]);
  }, {})();
});

it('a line is what its sign and its type say, with any text in the column of refunds', async (l) => {
  const order = await pay(l, 1000);
  for (const nothing of ['-', '0', 'нет', 'R-77', '—'])
    await finds(l, file(line('Оплата', order, '10', { refund: nothing })), [], nothing);
  for (const nothing of ['-', '0', 'нет', '0,00', '0.00', '.', 'NaN', '#Н/Д', 'false', '0000-0000'])
    await finds(l, file(line('', order, '10', { refund: nothing })), [], nothing);
  for (const back of [
    line('Возврат', order, '10'),
    line('Отмена платежа', order, '10'),
    line('Сторно', order, '10'),
    line('Chargeback', order, '10'),
    line('Reversed', order, '10'),
    line('Оплата', order, '(10,00)'),
    line('', order, '10', { refund: 'R-77' }),
  ])
    await finds(l, file(paidLine(order, '10'), back), [['refund-not-in-ledger', 3]], back);
  await finds(l, file(paidLine(order, '10'), paidLine('-', '10')), [['unreadable-line', 3]]);
});

it('an operation that nobody knows is listed by its own word, and is no sale', async (l) => {
  const [one, two] = [await pay(l, 1000), await pay(l, 2000)];
  const head = 'order;amount;type\n';
  const columns = { order: 'order', amount: 'amount', type: 'type' };
  const sold = `${head}${one};10;C2B\n${two};20;Оплата Цифровым рублем в ТСТ Сбербанка\n`;
  const others = `${one};10;BUY\n;-0,40;Комиссия за платежи\n;0,40;Возврат комиссии\n${two};20;Отмена возврата\n;5;BUY\n`;
  const found = await compare(l, sold + others, columns);
  assert.equal([found.payments, found.refunds], [2, 0]);
  assert.equal(differencesOf(found), [
    ['unknown-operation', 4],
    ['unknown-operation', 5],
    ['unknown-operation', 6],
    ['unknown-operation', 7],
    ['unknown-operation', 8],
  ]);
  assert.equal(
    found.differences.map(({ payment, registry, operation }) => [payment, registry, operation]),
    [
      [one, 1000, 'BUY'],
      [null, -40, 'Комиссия за платежи'],
      [null, 40, 'Возврат комиссии'],
      [two, 2000, 'Отмена возврата'],
      [null, 500, 'BUY'],
    ],
  );
  assert.match(
    found.differences[1]?.sentence ?? '',
    /^line 5: "Комиссия за платежи" of -0\.40 ₽ is neither a sale nor/,
  );
  assert.equal(found.operations, [
    { word: 'BUY', count: 2, sum: 1500 },
    { word: 'Комиссия за платежи', count: 1, sum: -40 },
    { word: 'Возврат комиссии', count: 1, sum: 40 },
    { word: 'Отмена возврата', count: 1, sum: 2000 },
  ]);
  const named = { Buy: 'payment', 'отмена возврата': 'payment' } as const;
  const known = await compare(l, `${head}${one};10;BUY\n${two};20;Отмена возврата\n`, columns, named);
  assert.equal(
    { payments: known.payments, differences: known.differences, operations: known.operations },
    { payments: 2, differences: [], operations: [] },
  );
  for (const back of ['Reversal ChargeBack', 'Reversal of a refund', 'Сторно возврата']) {
    const { payments, refunds, operations } = await compare(l, `${sold};5;${back}\n`, columns);
    assert.equal(
      { payments, refunds, operations: operations.map(({ word }) => word) },
      { payments: 2, refunds: 0, operations: [back] },
    );
  }
});

it('a refund that the bank refused, and has made by its registry, is reported', async (l) => {
  const order = await pay(l, 1000);
  l.bank.refund = async () => ({ state: 'refused', bankRefundId: null, reason: 'no' });
  await l.refunds.refund({ orderId: order, tillId: 'a', amount: 300 });
  const found = await compare(l, file(paidLine(order, '10'), line('Возврат', order, '3')));
  assert.equal(differencesOf(found), [['refund-not-in-ledger', 3]]);
});

it('columns of another bank are named; by transaction or by code, too', async (l) => {
  l.bank.reported = { trxId: 'TRX1' };
  await pay(l, 1000);
  const columns = { transaction: 'RRN', amount: 'amount' };
  assert.is((await compare(l, 'rrn,Amount\nTRX1,10.00\n', columns)).payments, 1);
  const byCode = await compare(l, `code,amount\n${l.bankId(0)},10.00\n`, { bank: 'code', amount: 'amount' });
  assert.is(byCode.payments, 1);
  for (const [wrong, text, message] of [
    [columns, 'a,b\n1,2\n', /^columns\.transaction is "RRN", which is not a column of the file \(a, b\)/],
    [null, 'a,b\n1,2\n', /^file has no column that is known to hold the amount; it has: a, b\./],
    [{ amount: 'b' }, 'a,b\n1,2\n', /^columns must name the amount, and one of/],
    [null, '', /^file must begin with a line that names its columns/],
  ] as const)
    assert.match(await refusal(compare(l, text, wrong)), message);
});

it('money of another order is not taken for ours by the code that the two share', async (l) => {
  const one = await pay(l, 50_000);
  const two = await pay(l, 60_000);
  for (const order of [one, two]) l.ledger.intendToShow(order, 'https://qr.nspk.ru/AS1A0042?type=01');
  const qr = { qr: 'AS1A0042' };
  const [foreign, ours] = [line('Оплата', 'FOREIGN-1', '600', qr), line('Оплата', one, '500', qr)];
  const found = await compare(l, file(foreign, ours));
  assert.equal(differencesOf(found), [
    ['not-in-ledger', 2],
    ['not-in-registry', null],
  ]);
  assert.equal([found.payments, found.differences[1]?.payment], [1, two]);
  const nameless = await compare(l, file(ours, line('Оплата', two, '600', qr), line('Оплата', '', '600', qr)));
  assert.equal(differencesOf(nameless), [['not-in-ledger', 4]], 'a printed code is of no payment alone');
});

/** The same registry as banks send it: text, JSON where it is a table of rows, a workbook. */
const FORMS: readonly ((text: string) => Promise<string | Uint8Array>)[] = [
  async (text) => text,
  async (text) => {
    const rows = text
      .trimEnd()
      .split('\r\n')
      .map((row) => row.replaceAll('"', '').replace('Яблоки; Антоновка', 'Яблоки').split(';'));
    return await workbookWith({ sheets: [tableOf(rows)] });
  },
];

it("the right order with another payment's code or operation is a difference, in each form", async (l) => {
  l.bank.refund = async () => ({ ...REFUND_DONE, trxId: 'TRX-BACK' });
  const one = await pay(l, 1000);
  const two = await pay(l, 1000);
  await l.refunds.refund({ orderId: two, tillId: 'a', amount: 300 });
  const [codeOfOne, codeOfTwo] = [l.bankId(0), l.bankId(1)];
  const agreed = [line('Оплата', one, '10', { qr: codeOfOne }), line('Оплата', two, '10', { qr: codeOfTwo })];
  const back = (qr: string) => line('Возврат', two, '3', { qr });
  for (const form of FORMS) {
    const right = await compare(l, await form(file(...agreed, back(codeOfTwo))));
    assert.equal(
      { differences: right.differences, payments: right.payments, refunds: right.refunds },
      { differences: [], payments: 2, refunds: 1 },
    );
    const swapped = [line('Оплата', one, '10', { qr: codeOfTwo }), line('Оплата', two, '10', { qr: codeOfOne })];
    const wrong = await compare(l, await form(file(...swapped, back(codeOfOne))));
    assert.equal(differencesOf(wrong), [
      ['other-payment', 2],
      ['other-payment', 3],
      ['other-payment', 4],
    ]);
    assert.equal([wrong.payments, wrong.refunds], [0, 0]);
  }
  assert.equal(
    differencesOf(await compare(l, file(line('Оплата', one, '10', { qr: 'of nobody' }), ...agreed.slice(1), back('')))),
    [],
  );
});

it('an operation of another payment beside the right order or code is a difference', async (l) => {
  l.bank.reported = { trxId: 'TRX1' };
  const one = await pay(l, 1000);
  l.bank.reported = { trxId: 'TRX2' };
  const two = await pay(l, 1000);
  const columns = { order: 'order', bank: 'code', transaction: 'RRN', amount: 'amount' };
  const found = (...rows: readonly string[]) => compare(l, `order,code,RRN,amount\n${rows.join('\n')}\n`, columns);
  assert.equal(differencesOf(await found(`${one},,TRX1,10.00`, `${two},${l.bankId(1)},TRX2,10.00`)), []);
  assert.equal(differencesOf(await found(`${one},,TRX2,10.00`, `${two},,TRX1,10.00`)), [
    ['other-payment', 2],
    ['other-payment', 3],
  ]);
  const byOperation = await found(`,${l.bankId(1)},TRX1,10.00`, `${two},,TRX2,10.00`);
  assert.equal(differencesOf(byOperation), [['other-payment', 2]]);
  assert.match(
    byOperation.differences[0]?.sentence ?? '',
    /^line 2 names payment 1, and has the code or operation of payment 2: /,
  );
});

it('a wrong day is a difference; near midnight the day beside is not, as in another zone', async (l) => {
  const onDay = (order: string, day: string) => paidLine(order, '10').replace('20.11.2026', day);
  const kinds = async (order: string, day: string) =>
    differencesOf(await compare(l, file(onDay(order, day)))).filter(([, at]) => at !== null);
  const order = await pay(l, 1000); // at 00:16 UTC, 03:16 in Moscow
  for (const day of ['20.11.2026', '19.11.2026']) assert.equal(await kinds(order, day), [], day);
  for (const day of ['21.11.2026', '18.11.2026', '20.11.2025', '20.12.2026'])
    assert.equal(await kinds(order, day), [['other-day', 2]], day);
  const { sentence } = (await compare(l, file(onDay(order, '21.11.2026')))).differences[0] ?? {};
  assert.match(sentence ?? '', /^line 2: payment 1 is of 2026-11-21 in the registry and of 2026-11-20 in the ledger: /);
  l.clock.now += 20 * 3_600_000;
  const late = await pay(l, 1000); // at 23:16 in Moscow
  for (const day of ['20.11.2026', '21.11.2026']) assert.equal(await kinds(late, day), [], day);
  assert.equal(await kinds(late, '19.11.2026'), [['other-day', 2]]);
});

it('a refund of another day is a difference', async (l) => {
  l.bank.refund = async () => REFUND_DONE;
  const order = await pay(l, 1000);
  await l.refunds.refund({ orderId: order, tillId: 'a', amount: 300 });
  const back = line('Возврат', order, '3');
  assert.equal(differencesOf(await compare(l, file(paidLine(order, '10'), back))), []);
  const wrong = await compare(l, file(paidLine(order, '10'), back.replace('20.11.2026', '23.11.2026')));
  assert.equal(differencesOf(wrong), [['other-day', 3]]);
});

it('an id in other letters is the same id', async (l) => {
  l.bank.refund = async () => ({ ...REFUND_DONE, bankRefundId: 'Возврат-й' });
  const order = await pay(l, 1000);
  await l.refunds.refund({ orderId: order, tillId: 'a', amount: 300 });
  const refund = 'ВОЗВРАТ-Й'.normalize('NFD');
  const text = file(paidLine(order.toLowerCase(), '10'), line('Возврат', order.toLowerCase(), '3', { refund }));
  assert.equal(await compare(l, text), { ...AGREED, payments: 1, refunds: 1 });
  const byCode = { bank: 'code', amount: 'amount' };
  assert.is((await compare(l, `code,amount\n${l.bankId(0).toUpperCase()},10.00\n`, byCode)).payments, 1);
});

it('an id that a spreadsheet has rounded is no payment of another device', async (l) => {
  const order = await pay(l, 1000);
  const found = await compare(l, file(paidLine(order, '10'), paidLine('1,23457E+11', '10')));
  assert.equal(differencesOf(found), [['unreadable-line', 3]]);
  assert.match(found.differences[0]?.sentence ?? '', /"id заказа" is a number that a spreadsheet has rounded/);
});

it('quotes within a name that the bank has not doubled are letters', async (l) => {
  const order = await pay(l, 1000);
  const other = await pay(l, 2000);
  for (const shop of ['ООО "Ромашка"', '"Ромашка" ООО', 'Магазин 24"']) {
    const text = file(paidLine(order, '10'), paidLine(other, '20')).replaceAll('Ромашка;', `${shop};`);
    const found = await compare(l, text);
    assert.equal([shop, found.payments, differencesOf(found)], [shop, 2, []]);
  }
});

it('an unclosed quote takes only its line along; too many lines are refused', async (l) => {
  const order = await pay(l, 1000);
  const broken = await compare(l, `${file(paidLine(order, '10'))}"never closed;${'x'.repeat(100)}\r\n`);
  assert.equal([broken.payments, broken.differences.map(({ kind }) => kind)], [1, ['unreadable-line']]);
  const many = file(...Array.from({ length: 100_001 }, () => paidLine(order, '10')));
  assert.match(await refusal(compare(l, many)), /file must have at most 100000 lines/);
});

it('a file of any form gets a clear answer', async (l) => {
  const one = await pay(l, 123_456_700);
  const two = await pay(l, 700);
  const good = [paidLine(one, '1 234 567,00'), paidLine(two, '7,00')];
  const [first = '', second = ''] = good;
  const amounts = [
    '1\u00a0234\u00a0567,00',
    '1\u202f234\u202f567.00',
    '1234567',
    '1234567,0 ₽',
    '1234567.00 руб.',
    '1234567 RUB',
  ];
  for (const amount of amounts) await finds(l, file(paidLine(one, amount), second), [], amount);
  await finds(l, file(first, second.replace('Яблоки', 'Яблоки\r\nи груши')), [], 'quoted newline');
  await finds(l, Buffer.from(`\uFEFF${file(...good)}`, 'utf16le'), [], 'UTF-16');
  await finds(l, file(...good).replaceAll('\r\n', '\r'), [], 'the line ends of old');
  await finds(l, file(...good).trimEnd(), [], 'no end of the last line');
  await finds(l, file(...good, 'Итого;;;;;;;;;1 234 574,00;'), [], 'totals that agree');
  for (const totals of ['Итого;;;;;;;;;1 234 574,01;', ';;;;;;;;;1 234 574,00;', 'Всего 2'])
    await finds(l, file(...good, totals), [['unreadable-line', 4]], totals);
  await finds(l, file(...good, ';;;;;;;;;;', '', '   '), [], 'lines that say nothing');
  const above = ['Реестр за 21.11.2026', 'АО Банк, г. Москва, Сумма', ''].join('\r\n');
  await finds(l, above + file(...good), [], 'a title above the table');
  await finds(l, `sep=;\r\n${file(...good)}`, [], 'what Excel writes above');
  await finds(l, `sep=;\r\n${file(...good).replaceAll('\r', '')}`, [], 'above other line ends');
  const late = 'about the day\r\n'.repeat(20) + file(...good);
  assert.match(await refusal(compare(l, late)), /^file has no column that is known to hold the amount; it has: /);
  const whole = file(...good);
  const missing = ['not-in-registry', null];
  const last = whole.lastIndexOf('Ромашка');
  const cuts = { 'in its amount': ';7,00', 'in a quoted cell': 'Антоновка', 'between cells': 'СБП;' };
  for (const [where, before] of Object.entries(cuts)) {
    const cut = await compare(l, whole.slice(0, whole.indexOf(before, last) + 2));
    assert.equal(differencesOf(cut), [['unreadable-line', 3], missing], where);
  }
  await finds(l, whole.slice(0, last), [missing], 'cut between lines');
  await finds(l, HEAD, [
    ['not-in-registry', null],
    ['not-in-registry', null],
  ]);
  for (const [wrong, message] of [
    ['', /^file must begin with a line that names its columns/],
    ['\r\n \r\n', /^file must begin with a line that names its columns/],
    ['id "заказа";Сумма\r\n1;2\r\n', /^columns must name the amount, and one of order, bank and transaction/],
    ['"never closed;', /^file must begin with a line that names its columns/],
    [Buffer.from('PK\u0003\u0004....'), /^file is a damaged workbook: open it/],
    [Buffer.from('d0cf11e0a1b11ae1', 'hex'), /^file is a workbook with a password, or an old one/],
    [file(first).replace('Комиссия', 'Сумма'), /^columns\.amount is "Сумма", which the file has twice/],
  ] as const)
    assert.match(await refusal(compare(l, wrong)), message);
});

it('a workbook is read as the CSV is: its numbers, dates and the rows of one sheet', async (l) => {
  const [one, two] = [await pay(l, 123_456), await pay(l, 700)];
  const cells = (text: string): string[] => text.split(';');
  const csv = [HEAD, paidLine(one, '1234.56'), paidLine(two, '7,00')].map((row) => row.replaceAll('"', ''));
  const rows = csv.map((row) => cells(row.replace('Яблоки; Антоновка', 'Яблоки')));
  const bytes = await workbookWith({ sheets: [tableOf(rows), tableOf([['Возвраты']], 'Другой')] });
  const found = await compare(l, bytes);
  assert.is(found.payments, 2);
  assert.equal(differencesOf(found), [['unreadable-line', 1]]);
  assert.match(found.differences[0]?.sentence ?? '', /line 1 .* it is of the sheet "Другой"/);
  const long = tableOf([cells(HEAD), ...Array.from({ length: 100_001 }, () => ['a', 'b'])]);
  assert.is(await refusal(compare(l, await workbookWith({ sheets: [long] }))), 'file must have at most 100000 lines');
  const none = await workbookWith({ sheets: [tableOf([])] });
  assert.match(await refusal(compare(l, none)), /^file must begin with a line that names its columns/);
});

it("another shop's registry names as many differences as can be read, and counts the others", async (l) => {
  const others = Array.from({ length: 10_003 }, (_, n) => paidLine(`somebody-else-${n}`, '8'));
  const found = await compare(l, file(...others, 'Итого'));
  assert.equal([found.differences.length, found.more], [10_000, 4]);
  assert.equal(differencesOf(found).slice(0, 2), [
    ['unreadable-line', 10_005],
    ['not-in-ledger', 2],
  ]);
});

it('other work goes on while a registry is compared', async (l) => {
  const order = await pay(l, 1000);
  const many = file(...Array.from({ length: 5000 }, () => paidLine(order, '10')));
  let breaths = 0;
  let isOver = false;
  const breathe = (): void => {
    breaths += 1;
    if (!isOver) setImmediate(breathe);
  };
  setImmediate(breathe);
  await compare(l, many);
  isOver = true;
  assert.ok(breaths >= Buffer.byteLength(many) / (32 * 1024), `${breaths} breaths`);
});

test('columns are named by the call, else in the configuration under its word or the profile', () => {
  const [main, other, own] = ['a', 'b', 'c'].map((amount) => ({ order: 'x', amount }));
  const registries = { main, other } as Record<string, RegistryColumns>;
  const none = { columns: null, registry: null, profile: null };
  const cases = [
    [none, null],
    [{ ...none, profile: 'main' }, main],
    [{ ...none, profile: 'unnamed' }, null],
    [{ ...none, profile: 'toString' }, null],
    [{ ...none, profile: 'main', registry: 'other' }, other],
    [{ columns: own ?? null, profile: 'main', registry: 'other' }, own],
  ] as const;
  for (const [named, expected] of cases) assert.equal(columnsOf(named, registries), expected);
  const wrong = { ...none, profile: 'main', registry: 'constructor' };
  assert.throws(() => columnsOf(wrong, registries), /registry is "constructor".*\(main, other\)/);
});

test('by /v1: columns that the configuration names need not be sent', async () => {
  const registries = { sandbox: { order: 'Order', amount: 'Sum' }, other: { bank: 'Id', amount: 'Paid' } };
  await using device = await startTestDevice({ LANEWARE_TERMINAL_REGISTRIES: JSON.stringify(registries) });
  await setUp(device);
  const send = (text: string, json: object) =>
    call(`${device.terminal}/v1/reconciliations`, {
      json: { from: '2026-11-21', file: Buffer.from(text).toString('base64'), ...json },
    });
  const kinds = ({ body }: Answer) => body.differences?.map(({ kind, registry }: Difference) => [kind, registry]);
  const byProfile = await send('Order;Sum\nabc;12,50\n', { profile: 'sandbox' });
  assert.equal(kinds(byProfile), [['not-in-ledger', 1250]], byProfile.text);
  assert.equal(kinds(await send('Id;Paid\nabc;7\n', { profile: 'sandbox', registry: 'other' })), [
    ['not-in-ledger', 700],
  ]);
  assert.equal(kinds(await send('Order;Sum\nabc;3\n', {})), [['not-in-ledger', 300]], 'by what the file has');
  const raiffeisenbank = 'id заказа;Сумма;Id\nabc;4;x\n';
  assert.equal(kinds(await send(raiffeisenbank, {})), [['not-in-ledger', 400]], 'columns that are known');
  const none = await send('a;b\n1;2\n', {});
  assert.equal([none.status, none.body.field, none.body.columns], [400, 'file', ['a', 'b']], none.text);
  assert.match(none.body.detail, /^file has no column that is known to hold the amount; it has: a, b\./);
  const unknown = await send('Order;Sum\nabc;12,50\n', { registry: 'unknown' });
  assert.equal([unknown.status, unknown.body.field], [400, 'registry'], unknown.text);
});

onDevice('by /v1: sums and fees by method, as the line says it, else the ledger', async (device) => {
  const id = await sellByQR(device, 1000);
  const { method } = (await call(`${device.terminal}/v1/payments/${id}`)).body;
  const rows = [
    'Номер заказа;Тип операции;Способ оплаты;Сумма;Комиссия',
    `${id};Оплата;;10;0,04`,
    'a;Оплата Цифровым рублем в ТСТ Сбербанка;;100;0,30',
    'b;Оплата;Цифровые рубли;50;',
    'a;Возврат Цифрового рубля;;-20;0',
    'c;Оплата;Карта МИР;30;0,60',
  ];
  const columns = { order: 'Номер заказа', type: 'Тип операции', method: 'Способ оплаты' };
  const json = {
    ...{ from: '2026-11-21', file: Buffer.from(`${rows.join('\n')}\n`).toString('base64') },
    columns: { ...columns, amount: 'Сумма', commission: 'Комиссия' },
  };
  const { body } = await call(`${device.terminal}/v1/reconciliations`, { json });
  assert.equal(
    body.methods.map((each: MethodPayout) => [
      each.method,
      each.count,
      each.sum,
      each.refunds,
      each.commission,
      each.payout,
    ]),
    [
      ['digital-rouble', 2, 15_000, 2000, null, null],
      ['card', 1, 3000, 0, 60, 2940],
      [method, 1, 1000, 0, 4, 996],
    ],
  );
  assert.is(body.total.sum, 19_000);
});

onDevice('by /v1: a file of the bank, its days, and what is wrong with either', async (device) => {
  const send = (json: object) => call(`${device.terminal}/v1/reconciliations`, { json });
  const bytes = Buffer.from(bytesIn('windows-1251', file(paidLine('elsewhere', '10')))).toString('base64');
  const { status, body } = await send({ from: '2026-11-20', to: '2026-11-21', file: bytes });
  assert.equal(
    { status, payments: body.payments, kind: body.differences[0].kind, registry: body.differences[0].registry },
    { status: 200, payments: 0, kind: 'not-in-ledger', registry: 1000 },
  );
  for (const wrong of [
    { from: '2026-11-21', to: '2026-11-20', file: bytes },
    { from: '2026-02-30', file: bytes },
    { from: '2026-11-21', file: '***' },
    { from: '2026-11-21', file: Buffer.from('a;b').toString('base64') },
  ]) {
    const answer = await send(wrong);
    assert.equal([answer.body.code, typeof answer.body.field], ['RequestParams.InvalidField', 'string'], answer.text);
  }
  const large = await send({ from: '2026-11-21', file: 'A'.repeat(23_000_000) });
  assert.equal([large.status, large.body.code], [413, 'RequestParams.TooLarge'], large.text);
  const misspelt = await send({ from: '2026-11-21', file: bytes, profil: 'main' });
  assert.equal([misspelt.status, misspelt.body.field], [400, 'profil']);
});

it('a line with more than its columns, or below others, is never read as another amount', async (l) => {
  const [one, two] = [await pay(l, 150), await pay(l, 700)];
  const columns = { order: 'order', amount: 'amount', type: 'type' };
  const head = 'order;amount;type\n';
  const long = `${'x;1,00;sale\n'.repeat(30)}`;
  const missing = ['not-in-registry', null] as const;
  for (const [name, text, expected] of [
    [
      'an amount in two cells',
      `order,amount,type\n${one},1,50,sale\n${two},7,sale\n`,
      [['unreadable-line', 2], missing],
    ],
    ['blanks behind the last column', `${head}${one};1,50;sale;;\n${two};7;sale;;\n`, []],
    ['the same columns again', `${head}${one};1,50;sale\n${head}${two};7;sale\n`, []],
    ['in another order', `${head}${one};1,50;sale\norder;type;amount\n${two};sale;10,00\n`, 10],
    ['with one more', `${head}${one};1,50;sale\norder;note;type;amount\n${two};9;sale;7\n`, []],
    [
      'another table',
      `${head}${one};1,50;sale\n${two};7;sale\ntype;amount;count\n${two};700;1\n`,
      [
        ['unreadable-line', 4],
        ['unreadable-line', 5],
      ],
    ],
  ] as const) {
    const compared = await compare(l, text, columns);
    if (expected === 10)
      assert.equal(
        compared.differences.map(({ registry }) => registry),
        [1000],
        name,
      );
    else assert.equal(differencesOf(compared), expected, name);
  }
  const late = await compare(l, `${head}${long}order;type;amount\n${one};sale;1,50\n${two};sale;7,00\n`, columns);
  assert.equal([late.payments, differencesOf(late).length], [2, 30], 'far below the first');
});

test.run();
