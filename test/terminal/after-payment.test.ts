/** What a till does with a payment afterwards, by `/v1`, with T-Bank's interface, which takes the same refund twice for two. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, call, each, fieldsOf, problem, type TestDevice, until } from '../support.ts';
import { newestAtBank, payNewest, sellByQR } from './device-calls.ts';
import { connect } from './event-rig.ts';
import { withTBank } from './tbank.ts';

const ALL = { amount: 'all' };

const test = suite('terminal: after the payment, by /v1');

const refundsAtBank = async ({ sandbox }: TestDevice, qrcId: string) =>
  (await call(`${sandbox}/sandbox/payments/${qrcId}/refunds`)).body;

async function show({ terminal }: TestDevice, amount: number, purpose = 'Apples'): Promise<string> {
  const shown = await call(`${terminal}/showQR`, { json: { amount, purpose } });
  assert.is(shown.status, 200, shown.text);
  return (await call(`${terminal}/v1/payments?limit=1`)).body.payments[0].id;
}

async function paid(device: TestDevice, amount: number, purpose = 'Apples'): Promise<{ id: string; qrcId: string }> {
  const id = await sellByQR(device, amount, purpose);
  return { id, qrcId: (await newestAtBank(device)).qrcId };
}

const refund = ({ terminal }: TestDevice, id: string, key: string | null, json: object = ALL): Promise<Answer> =>
  call(`${terminal}/v1/payments/${id}/refunds`, { json, headers: key === null ? {} : { 'idempotency-key': key } });

const it = each(test, (run: (device: TestDevice) => Promise<void>) => () => withTBank(run));

it('a part goes back, then the rest; the same id is one refund; each refusal has its code', async (device) => {
  const { id, qrcId } = await paid(device, 2000);
  const first = await refund(device, id, 'r-1', { amount: 500 });
  assert.equal(
    { status: first.status, state: first.body.state, amount: first.body.amount },
    { status: 200, state: 'done', amount: 500 },
  );
  assert.equal((await refund(device, id, 'r-1', { amount: 500 })).body, first.body);
  const conflict = await refund(device, id, 'r-1', { amount: 501 });
  assert.equal([...problem(conflict), conflict.body.amount], [409, 'Payments.IdConflict', 500]);
  const tooMuch = await refund(device, id, 'r-2', { amount: 1501 });
  assert.equal([...problem(tooMuch), tooMuch.body.left], [409, 'Payments.ExceedsPaid', 1500]);
  assert.equal(problem(await refund(device, id, null, { amount: 1 })), [400, 'RequestParams.InvalidField']);
  assert.equal(problem(await refund(device, id, 'r-2', { ...ALL, id: 'r-3' })), [400, 'RequestParams.InvalidField']);
  assert.equal(problem(await refund(device, id, 'r-2', { amount: 0 })), [400, 'RequestParams.InvalidField']);
  assert.equal(problem(await refund(device, 'unknown', 'r-2')), [404, 'Payments.NotFound']);
  assert.is((await refund(device, id, null, { ...ALL, id: 'r-2' })).body.amount, 1500);
  const { body } = await call(`${device.terminal}/v1/payments/${id}`);
  assert.equal([body.refunded, body.refunds.map((each: { id: string }) => each.id)], [2000, ['r-1', 'r-2']]);
  assert.is((await refundsAtBank(device, qrcId)).length, 2);
  const open = await show(device, 3000);
  assert.equal(problem(await refund(device, open, 'r-4')), [409, 'Payments.NotAccepted']);
});

it('a refund is not refunded: it is no payment, by none of its ids', async (device) => {
  const { id, qrcId } = await paid(device, 2000);
  const { bankRefundId } = (await refund(device, id, 'r-1', { amount: 500 })).body;
  for (const name of ['r-1', bankRefundId ?? 'none', `${id}/refunds/r-1`])
    assert.is((await refund(device, name, 'r-2')).status, 404, name);
  assert.is((await refundsAtBank(device, qrcId)).length, 1);
});

it('a refund without an amount gives nothing back: its body may have been lost on the way', async (device) => {
  const { id, qrcId } = await paid(device, 2000);
  const at = `${device.terminal}/v1/payments/${id}/refunds`;
  const post = async (init: RequestInit): Promise<number> => {
    const headers = { 'idempotency-key': 'r-1', ...init.headers };
    return (await call(at, { method: 'POST', ...init, headers })).status;
  };
  const json = { 'content-type': 'application/json' };
  for (const body of ['{}', '{"amount": null}', '{"amount": "ALL"}', '{"amount": "500"}', 'null', '[]', ''])
    assert.is(await post({ body, headers: json }), 400, body);
  assert.is(await post({}), 400, 'no body');
  const { body } = await refund(device, id, 'r-1', {});
  assert.equal([body.code, body.field], ['RequestParams.InvalidField', 'amount'], body.detail);
  assert.equal(await refundsAtBank(device, qrcId), []);
  assert.is((await refund(device, id, 'r-1', ALL)).body.amount, 2000);
});

/** So much more has passed on the machine since its boot. */
function passed(ms: number): Disposable {
  const { bigint } = process.hrtime;
  process.hrtime.bigint = () => bigint() + BigInt(ms) * 1_000_000n;
  return {
    [Symbol.dispose]: () => {
      process.hrtime.bigint = bigint;
    },
  };
}

it('a refund that is not decided yet says where to follow it, whatever its key is written with', async (device) => {
  const { id } = await paid(device, 2000);
  assert.is((await refund(device, id, 'first', { amount: 100 })).headers.get('location'), null, 'it is done');
  const faults = [{ call: 'refund', kind: 'drop', times: 1 }]; // after an earlier part the state says nothing about this one
  for (const key of ['lane-4/21 return 1', 'a"b%?#&.']) {
    await call(`${device.sandbox}/sandbox/faults`, { json: { faults } });
    const { status, headers } = await refund(device, id, key, { amount: 100 });
    assert.is(status, 202);
    const followed = await call(device.terminal + headers.get('location'));
    assert.equal(
      { status: followed.status, id: followed.body.id, payment: followed.body.payment },
      { status: 200, id: key, payment: id },
      key,
    );
    using _ = passed(600_001);
    const decided = await call(`${device.terminal}${headers.get('location')}/decide`, {
      json: { outcome: 'refused', note: 'Anna: not in the account' },
    });
    assert.is(decided.status, 200, decided.text);
  }
});

it('a key that is a step of a path is refused: nobody could follow its refund', async (device) => {
  const { id } = await paid(device, 2000);
  for (const key of ['.', '..']) {
    const byHeader = await refund(device, id, key, { amount: 100 });
    assert.equal([...problem(byHeader), byHeader.body.field], [400, 'RequestParams.InvalidField', 'Idempotency-Key']);
    const byBody = await call(`${device.terminal}/v1/payments/${id}/refunds`, { json: { amount: 100, id: key } });
    assert.equal([...problem(byBody), byBody.body.field], [400, 'RequestParams.InvalidField', 'id']);
  }
  assert.equal((await call(`${device.terminal}/v1/payments/${id}/refunds`)).body.refunds, []);
  assert.is((await refund(device, id, '...', { amount: 100 })).status, 200);
});

it('a technician decides a lost partial refund that T-Bank cannot report, and it is audited', async (device) => {
  const { id, qrcId } = await paid(device, 2000);
  const at = `${device.terminal}/v1/payments/${id}/refunds`;
  assert.is((await refund(device, id, 'r/1', { amount: 500 })).body.state, 'done');
  const faults = [{ call: 'refund', kind: 'drop', times: 1 }]; // after an earlier part the state says nothing about this one
  await call(`${device.sandbox}/sandbox/faults`, { json: { faults } });
  const lost = await refund(device, id, 'r/2', { amount: 300 });
  assert.equal([lost.status, lost.body.state, lost.body.decided], [202, 'unknown', null], lost.text);
  const decide = (json: object, of = 'r%2F2') => call(`${at}/${of}/decide`, { json });
  const done = { outcome: 'done', note: 'Anna: it stands in the account' };
  for (const wrong of [
    {},
    { outcome: 'done' },
    { ...done, note: '' },
    { ...done, outcome: 'unknown' },
    { ...done, a: 1 },
  ])
    assert.equal(problem(await decide(wrong)), [400, 'RequestParams.InvalidField'], JSON.stringify(wrong));
  assert.equal(problem(await decide(done, 'r%2F3')), [404, 'Payments.RefundNotFound']);
  assert.equal(problem(await decide(done, 'r%2F1')), [409, 'Payments.RefundDecided']);
  const early = await decide(done);
  assert.equal(problem(early), [409, 'Payments.RefundFollowed']);
  const fromMs = Date.parse(early.body.from) - Date.parse(lost.body.createdAt);
  assert.ok(Math.abs(fromMs - 600_000) < 50, String(fromMs)); // two clocks, each in whole milliseconds
  using _ = passed(600_001);
  const { status, body, text } = await decide(done);
  assert.equal(
    { status, state: body.state, decided: body.decided, note: body.note, told: body.told },
    { status: 200, state: 'done', decided: 'done', note: done.note, told: 'unknown' },
    text,
  );
  assert.equal((await decide(done)).body, body);
  const payment = (await call(`${device.terminal}/v1/payments/${id}`)).body;
  assert.equal([payment.refunded, payment.refunds[1]], [800, body]);
  assert.is((await refundsAtBank(device, qrcId)).length, 2);
  const { lines } = (await call(`${device.recognition}/console/api/audit?limit=20`)).body;
  const line = lines.find(
    ({ deed, outcome }: Record<string, string>) => deed === 'refund-decided' && outcome === 'done',
  );
  assert.equal(line?.what, { id, refundId: 'r/2', outcome: 'done' });
  const taken = await decide({ outcome: 'refused', note: 'Boris: that was another one' });
  assert.equal(
    { status: taken.status, state: taken.body.state, decided: taken.body.decided },
    { status: 200, state: 'refused', decided: 'refused' },
    taken.text,
  );
  assert.is((await call(`${device.terminal}/v1/payments/${id}`)).body.refunded, 500);
});

it('a cancelled payment is CANCELED; one paid in that moment is a refund, never CANCELED', async (device) => {
  const id = await show(device, 2000);
  const { body } = await call(`${device.terminal}/v1/payments/${id}/cancel`, { method: 'POST' });
  assert.equal([body.outcome, body.payment.state], ['withdrawn', 'CANCELED']);
  assert.is((await call(`${device.recognition}/display/state`)).body.payment ?? null, null);
  const raced = await show(device, 2021, 'Pears');
  const answer = await call(`${device.terminal}/v1/payments/${raced}/cancel`, { method: 'POST' });
  // to a till, which would hand the goods out, nothing is paid that has gone back
  const { outcome, payment } = answer.body;
  assert.ok(['refunded', 'already-paid'].includes(outcome), answer.text);
  assert.equal([payment.state, payment.late], outcome === 'refunded' ? ['ERROR', true] : ['ACCEPTED', false]);
  const unknown = await call(`${device.terminal}/v1/payments/unknown/cancel`, { method: 'POST' });
  assert.equal(problem(unknown), [404, 'Payments.NotFound']);
});

it('a late payment is acknowledged once, with a note, which is in the export too', async (device) => {
  const id = await show(device, 2000);
  await call(`${device.sandbox}/sandbox/faults`, { json: { faults: [{ call: 'cancel', kind: 'refuse' }] } });
  await call(`${device.terminal}/clearScreen`, { method: 'POST' });
  await payNewest(device);
  const at = `${device.terminal}/v1/payments/${id}`;
  await until('late', async () => (await call(at)).body.late === true);
  await show(device, 2100);
  const found = async (query: string) => (await call(`${device.terminal}/v1/payments?${query}`)).body.payments.length;
  assert.equal([await found('late=true'), await found('late=false'), await found('limit=1000')], [1, 2, 2]);
  const long = await call(`${at}/acknowledge`, { json: { note: 'x'.repeat(501) } });
  assert.equal([...problem(long), long.body.field], [400, 'RequestParams.InvalidField', 'note']);
  const done = await call(`${at}/acknowledge`, { json: { note: 'Anna: goods handed out' } });
  assert.equal([done.body.late, done.body.note], [false, 'Anna: goods handed out'], done.text);
  assert.ok(Math.abs(Date.parse(done.body.acknowledgedAt) - Date.now()) < 60_000);
  assert.equal(problem(await call(`${at}/acknowledge`, { json: {} })), [409, 'Payments.NotLate']);
  const lines = (await call(`${device.recognition}/console/api/audit?limit=20`)).body.lines;
  const acknowledged = lines.filter(({ deed }: { deed: string }) => deed === 'payment-acknowledged');
  assert.equal(fieldsOf(acknowledged, 'what', 'outcome'), [
    [{ id }, 'failed'],
    [{ id }, 'done'],
    [{}, 'failed'],
  ]);
});

it('a refund keeps why it was made: in its answer, its event and the exported table', async (device) => {
  const { id } = await paid(device, 2000);
  const path = `${device.terminal}/v1/payments/${id}/refunds`;
  const refund = await call(path, { json: { amount: 500, id: 'back 1', why: 'Яблоко с пятном' } });
  assert.equal([refund.status, refund.body.why], [200, 'Яблоко с пятном'], refund.text);
  const again = await call(path, { json: { amount: 500, id: 'back 1', why: 'another' } });
  assert.equal([again.status, again.body.why], [200, 'Яблоко с пятном'], 'it is the same refund');
  assert.is((await call(path, { json: { amount: 100, id: 'back 2' } })).body.why, null);
  for (const why of ['x'.repeat(501), ' ', '\u00a0 ', 'half \ud800']) {
    const unfit = await call(path, { json: { amount: 1, id: 'back 3', why } });
    assert.equal([...problem(unfit), unfit.body.field], [400, 'RequestParams.InvalidField', 'why']);
  }
  for (const field of ['cashier', 'id']) {
    const half = await call(path, { json: { amount: 1, id: 'back 3', [field]: '\ud800' } });
    assert.equal([...problem(half), half.body.field], [400, 'RequestParams.InvalidField', field]);
  }
  for await (const event of connect(device.terminal, { query: '?after=0' }))
    if (JSON.stringify(event).includes('"why":"Яблоко с пятном"')) break;
  const table = await call(`${device.terminal}/v1/reports/day?format=payments-csv-ru`);
  assert.match(table.text, /Причина возврата[\s\S]*Яблоко с пятном/);
  const forPrograms = await call(`${device.terminal}/v1/reports/day?format=payments`);
  assert.match(forPrograms.text, /,why\r\n.*,Яблоко с пятном\r\n$/);
  await call(`${device.terminal}/exportToCSV`, { json: { path: 'all.csv' } });
  assert.match(readFileSync(join(device.dataDir, 'exports', 'all.csv'), 'utf8'), /,why\r\n.*,Яблоко с пятном\r\n$/);
});

it('payments are found by a part of what a person knows, in any letters', async (device) => {
  const { id } = await paid(device, 2000, 'Яблоки и груши');
  await paid(device, 3000, 'Pears');
  const found = async (text: string) =>
    (await call(`${device.terminal}/v1/payments?${new URLSearchParams({ text })}`)).body.payments.map(
      (one: { id: string }) => one.id,
    );
  assert.equal(await found('ЯБЛОКИ'), [id]);
  assert.equal(await found(id.slice(2).toLowerCase()), [id]);
  assert.equal(await found('сливы'), []);
});

it('payments are found by number, id, code, amount and day', async (device) => {
  const { id } = await paid(device, 2000);
  const second = await paid(device, 3000, 'Pears');
  const find = async (query: string) => {
    const { status, body, text } = await call(`${device.terminal}/v1/payments?${query}`);
    assert.is(status, 200, text);
    return body.payments.map((each: { id: string }) => each.id);
  };
  const { number, qrcId: bankId } = (await call(`${device.terminal}/v1/payments/${id}`)).body;
  const now = new Date();
  const day = (date: Date): string =>
    [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
  assert.equal(await find(`number=${number}`), [id]);
  assert.equal(await find(`orderId=${id}`), [id]);
  assert.equal(await find(`qrcId=${bankId}`), [id]);
  assert.equal(await find('amount=3000'), [second.id]);
  assert.equal(await find('amount=3000&orderId=unknown'), []);
  assert.equal(await find(`day=${day(now)}`), [second.id, id]);
  assert.equal(await find('day=2020-02-29'), []);
  assert.is((await call(`${device.terminal}/v1/payments/${number}`)).body.id, id);
  assert.equal(problem(await call(`${device.terminal}/v1/nothing`)), [404, 'RequestParams.UnknownPath']);
});

test.run();
