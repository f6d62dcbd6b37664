/** What a till prints on a receipt, and what was paid without one. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PaidBy, Payer } from '../../firmware/banks/method.ts';
import { paymentAnswer } from '../../firmware/payments/http/v1/payment-answer.ts';
import { add, NONE } from '../../firmware/payments/model/sums.ts';
import { daySpan } from '../../firmware/payments/money/tally.ts';
import { type Answer, call, each, onSetUpDevice, problem, startTestDevice, type TestDevice } from '../support.ts';
import { payNewest, sellByQR, sellPaid, sendProfile, showQR, untilAccepted } from './device-calls.ts';
import { connect } from './event-rig.ts';
import { callerNamed, type Lane, onLane } from './harness.ts';
import { pay } from './refund-rig.ts';

const test = suite('terminal: receipts');
const it = each(test, onSetUpDevice);
const onLanes = each(test, onLane);

const PAYER: Payer = { bank: 'Т-Банк', phone: '***4567' };
const DAY_MS = 86_400_000;

const print = ({ terminal }: TestDevice, id: string, json: object = { state: 'printed' }): Promise<Answer> =>
  call(`${terminal}/v1/payments/${id}/receipt`, { method: 'PUT', json });

const lacking = async ({ terminal }: TestDevice): Promise<string[]> =>
  (await call(`${terminal}/v1/payments?receipt=missing`)).body.payments.map(({ id }: { id: string }) => id);

const lackingOn = async ({ terminal }: TestDevice) =>
  (await call(`${terminal}/v1/reports/day`)).body.totals.withoutReceipt;

it("a paid payment has a receipt's fields in each answer and its event; an open one has none", async (device) => {
  await showQR(device, 1000);
  const open = (await call(`${device.terminal}/v1/payments?limit=1`)).body.payments[0];
  assert.is(open.bankPayment, null);
  await payNewest(device);
  await untilAccepted(device);
  const payment = (await call(`${device.terminal}/v1/payments/${open.id}`)).body;
  const { qrcId: id, trxId, paidAt } = payment;
  assert.equal(payment.bankPayment, {
    ...{ id, trxId, paidAt, payerBank: 'Тестовый банк', payerPhone: null },
    ...{ method: payment.method, methodText: 'СБП', operationId: trxId },
  });
  for await (const { name, data } of connect(device.terminal, { query: '?after=0' })) {
    if (name !== 'payment.accepted') continue;
    assert.equal(data.payment?.bankPayment, payment.bankPayment);
    break;
  }
});

it('what was not paid has nothing for a receipt, also where the bank has ended it', async (device) => {
  await showQR(device, 1000);
  const { id } = (await call(`${device.terminal}/v1/payments?limit=1`)).body.payments[0];
  const { payment } = (await call(`${device.terminal}/v1/payments/${id}/cancel`, { method: 'POST' })).body;
  assert.equal([payment.state, payment.endedAt === null, payment.bankPayment], ['CANCELED', false, null]);
});

it('a till says once or again that it has printed a receipt; before it is paid there is none', async (device) => {
  await showQR(device, 1000);
  const { id, receipt } = (await call(`${device.terminal}/v1/payments?limit=1`)).body.payments[0];
  assert.is(receipt, null);
  const early = await print(device, id);
  assert.equal([...problem(early), early.body.state], [409, 'Payments.NotAccepted', 'PENDING']);
  await payNewest(device);
  await untilAccepted(device);
  const first = await print(device, id);
  assert.equal([first.status, first.body.receipt.state], [200, 'printed'], first.text);
  assert.ok(Math.abs(Date.parse(first.body.receipt.at) - Date.now()) < 60_000);
  assert.equal((await print(device, id)).body, first.body, 'the moment of the first call stays');
  assert.equal((await call(`${device.terminal}/v1/payments/${id}`)).body.receipt, first.body.receipt);
  for (const wrong of [{}, { state: 'missing' }, { state: null }, { state: 'printed', more: 1 }])
    assert.equal(problem(await print(device, id, wrong)), [400, 'RequestParams.InvalidField'], JSON.stringify(wrong));
  assert.equal(problem(await print(device, 'unknown')), [404, 'Payments.NotFound']);
  const query = await call(`${device.terminal}/v1/payments?receipt=printed`);
  assert.equal([...problem(query), query.body.field], [400, 'RequestParams.InvalidField', 'receipt']);
});

it('paid without a receipt is a list and a figure of the day once the till has printed one', async (device) => {
  const before = await sellByQR(device, 1000);
  assert.equal([await lacking(device), await lackingOn(device)], [[], { count: 0, sum: 0 }]);
  await print(device, await sellByQR(device, 1100));
  const [second, third] = [await sellByQR(device, 1200), await sellByQR(device, 1300)];
  assert.equal(await lacking(device), [third, second], 'the newest first');
  assert.equal(await lackingOn(device), { count: 2, sum: 2500 });
  const csv = (await call(`${device.terminal}/v1/reports/day?format=csv`)).text.split('\r\n');
  assert.match(csv[0] ?? '', /,without_receipt_count,without_receipt_kopecks,/);
  assert.match(csv[1] ?? '', /,2,2500,1,[\w/]+$/);
  await print(device, third);
  await print(device, before);
  assert.equal(await lacking(device), [second]);
  const refunds = `${device.terminal}/v1/payments/${second}/refunds`;
  const part = await call(refunds, { json: { amount: 200 }, headers: { 'idempotency-key': 'r-1' } });
  assert.is(part.body.state, 'done', part.text);
  assert.equal(await lacking(device), [second], 'the rest was sold');
  await call(refunds, { json: { amount: 'all' }, headers: { 'idempotency-key': 'r-2' } });
  assert.equal([await lacking(device), await lackingOn(device)], [[], { count: 0, sum: 0 }], 'nothing was sold');
});

it('the table for a person has the till’s name of the sale, and when its receipt was printed', async (device) => {
  const headers = { 'idempotency-key': 'lane/1' };
  const sale = { amount: 1500, reference: 'receipt 7', cashier: 'Anna' };
  const { id } = await sellPaid(device, sale, headers);
  const cells = async () => {
    const { text } = await call(`${device.terminal}/v1/reports/day?format=payments-csv-ru`);
    const [names, values] = text.split('\r\n').map((line) => line.split(';'));
    return Object.fromEntries((names ?? []).map((name, at) => [name, values?.[at]]));
  };
  const before = await cells();
  assert.equal([before['Номер чека'], before['Чек напечатан']], ['receipt 7', '']);
  await print(device, id);
  const after = await cells();
  assert.is(after['Номер чека'], 'receipt 7');
  assert.match(after['Чек напечатан'] ?? '', /^\d\d\.\d\d\.\d{4} \d\d:\d\d:\d\d$/);
});

test('a static code may have a receipt, and is never listed as without: only the shop knows', async () => {
  await using device = await startTestDevice();
  const profile = { bankName: 'Static', staticQR: 'https://qr.nspk.ru/AS100001ORTF4GAF80KPJ53K186D9A3G?type=01' };
  await sendProfile(device, profile);
  await showQR(device, 1000);
  const { id, state } = (await call(`${device.terminal}/v1/payments?limit=1`)).body.payments[0];
  assert.is(state, 'STATIC');
  const { status, body } = await print(device, id);
  assert.equal([status, body.receipt.state, body.bankPayment], [200, 'printed', null]);
  assert.equal(await lacking(device), []);
});

onLanes('what a bank says of the payer is kept, and nothing of it is lost by a later answer', async (l) => {
  l.bank.reported = { trxId: 'A1', payer: PAYER };
  const orderId = await pay(l);
  assert.equal(l.ledger.find(orderId)?.payer, PAYER);
  l.ledger.setTransaction(orderId, { trxId: null, paidAt: null, refunded: 10, payer: null, paidBy: null });
  const payment = l.ledger.find(orderId);
  assert.ok(payment);
  assert.equal([payment.payer, payment.trxId, payment.refunded], [PAYER, 'A1', 10]);
  const { bankPayment } = paymentAnswer(payment, null);
  assert.equal([bankPayment?.payerBank, bankPayment?.payerPhone], [PAYER.bank, PAYER.phone]);
});

onLanes('a receipt has the method in words and one id of the operation, whatever the bank says', async (l) => {
  const orderId = await pay(l);
  const on = (trxId: string | null, paidBy: PaidBy | null): unknown => {
    const payment = l.ledger.find(orderId);
    assert.ok(payment);
    const { bankPayment } = paymentAnswer({ ...payment, trxId, paidBy }, null);
    assert.is(bankPayment?.method, paidBy?.method ?? 'unknown');
    return [bankPayment?.methodText, bankPayment?.operationId];
  };
  const id = l.bankId(0);
  assert.equal(on('cb-1', { method: 'digital-rouble', word: 'DIGITAL_RUBLE' }), ['Цифровые рубли', 'cb-1']);
  assert.equal(on('A1', { method: 'sbp', word: null }), ['СБП', 'A1']);
  assert.equal(on(null, { method: 'unknown', word: 'new' }), ['Безналичными', id]);
  assert.equal(on('x'.repeat(256), null), ['Безналичными', 'x'.repeat(256)]);
  assert.equal(on('x'.repeat(257), null), ['Безналичными', id], 'an id that was cut names nothing');
});

onLanes('a bank that does not say when it was paid leaves the moment when the device heard of it', async (l) => {
  const payment = l.ledger.find(await pay(l));
  assert.ok(payment);
  const { paidAt, endedAt, bankPayment } = paymentAnswer(payment, null);
  assert.equal([paidAt, bankPayment?.paidAt], [null, endedAt]);
});

const sumOf = (l: Lane, till: string | null = null) => {
  const { groups } = l.ledger.sums.of(daySpan({ from: l.clock.wall() - DAY_MS, to: l.clock.wall() + DAY_MS }));
  const its = groups.filter((group) => till === null || group.till === till);
  return its.map(({ withoutReceipt }) => withoutReceipt).reduce(add, NONE);
};

onLanes('only a till that prints receipts can lack one, whatever another till does', async (l) => {
  const [one, two] = [{ caller: callerNamed('checkout-1') }, { caller: callerNamed('checkout-2') }];
  const printed = l.ledger.find(await pay(l, 1000, one));
  await pay(l, 2000, two);
  await pay(l, 3000);
  assert.ok(printed);
  l.payments.recordReceipt(printed);
  const lacks = await pay(l, 4000, one);
  await pay(l, 5000, two);
  await pay(l, 6000);
  const found = l.ledger.queries.search({ receipt: 'missing' }, Number.MAX_SAFE_INTEGER, 10).payments;
  assert.equal(
    found.map(({ orderId }) => orderId),
    [lacks],
  );
  assert.equal(
    [sumOf(l), sumOf(l, 'checkout-1'), sumOf(l, 'checkout-2')],
    [
      { count: 1, sum: 4000 },
      { count: 1, sum: 4000 },
      { count: 0, sum: 0 },
    ],
  );
});

onLanes('where the disk is full nothing is marked as printed, and the same call marks it later', async (l) => {
  const orderId = await pay(l);
  const payment = () => l.payments.find(orderId);
  l.ledger.fullFor = ['recordReceipt'];
  assert.throws(() => l.payments.recordReceipt(payment()), /full/);
  assert.is(payment().receiptAt, null);
  l.ledger.fullFor = [];
  l.clock.now += 5000;
  l.payments.recordReceipt(payment());
  assert.is(payment().receiptAt, l.clock.wall());
});

test.run();
