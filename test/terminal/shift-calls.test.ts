/** The calls of shifts: closed by tills and people, read as JSON, CSV and a page; who sat at the till. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, fieldsOf, type TestDevice, temporaryFolder } from '../support.ts';
import { by, sellPaid, signIn, startWithPins } from './device-calls.ts';

const test = suite('terminal: calls of shifts');

const TILL = 'made-up-token-of-the-till';
const OWN = 'made-up-token-of-checkout-2';
const PINS = { technician: '739105', supervisor: '520417', cashier: '4826' } as const;
const ENV = {
  LANEWARE_API_TOKENS_TILL: TILL,
  LANEWARE_API_TOKENS_TECHNICIAN: 'made-up-token-of-the-technician',
  LANEWARE_API_TILLS: JSON.stringify([{ name: 'checkout-2', token: OWN }]),
  LANEWARE_TERMINAL_REFUNDLIMITS_TILL_EACH: '1000',
};
let keys = 0;
const keyed = (headers: Readonly<Record<string, string>> = {}) => ({ 'idempotency-key': `key ${++keys}`, ...headers });

const started = (folder?: string, pins = {}): Promise<TestDevice> => startWithPins(ENV, pins, folder);
const sell = (device: TestDevice, amount: number, headers: Record<string, string>, more: object = {}) =>
  sellPaid(device, { amount, purpose: `Tea ${amount}`, ...more }, keyed(headers));

const close = ({ terminal }: TestDevice, headers: Record<string, string>, json: object = {}) =>
  call(`${terminal}/v1/shifts/close`, { json, headers });

test('a close that names its shift closes no other one', async () => {
  await using device = await started();
  const named = (key: string, number: number) => close(device, { ...by(TILL), 'idempotency-key': key }, { number });
  assert.equal([(await named('one', 1)).status, (await named('one', 1)).status], [201, 200]);
  const late = await named('other', 1);
  assert.equal([late.status, late.body.code], [409, 'Payments.ShiftNotOpen']);
  for (const [key, number] of [
    ['early', 3],
    ['one', 2],
  ] as const)
    assert.equal((await named(key, number)).body.code, 'Payments.ShiftNotOpen', key);
  assert.is((await named('large', 2 ** 63)).status, 400);
  assert.is((await call(`${device.terminal}/v1/shifts/current`)).body.number, 2);
  assert.is((await named('next', 2)).body.number, 2);
});

test('a till closes by a key, once; the shift is JSON, CSV and a page, its payments CSV', async () => {
  using folder = temporaryFolder();
  {
    await using device = await started(folder.path);
    const { terminal } = device;
    await sell(device, 50_000, by(TILL), { cashier: 'Anna' });
    const sold = await sell(device, 20_000, by(TILL), { cashier: 'Boris' });
    assert.equal(
      { till: sold.till, cashier: sold.cashier, shift: sold.shift, askedShift: sold.askedShift },
      { till: 'till', cashier: 'Boris', shift: 1, askedShift: 1 },
    );
    const refunded = await call(`${terminal}/v1/payments/${sold.id}/refunds`, {
      json: { amount: 700, cashier: 'Anna' },
      headers: keyed(by(TILL)),
    });
    assert.equal(
      [refunded.body.till, refunded.body.cashier, refunded.body.answeredBy, refunded.body.shift],
      ['till', 'Anna', null, 1],
    );
    assert.is((await call(`${terminal}/v1/shifts/current`)).body.totals.net, 69_300);
    assert.equal((await call(`${terminal}/v1/shifts`)).body, { shifts: [], cursor: null });
    const closed = await close(device, { ...by(TILL), 'idempotency-key': 'evening' }, { cashier: 'Anna' });
    assert.equal([closed.status, closed.headers.get('location')], [201, '/v1/shifts/1']);
    const { number, closedBy, totals, cashiers, recounted } = closed.body;
    assert.equal(
      { number, closedBy, net: totals.net, recounted },
      { number: 1, closedBy: { till: 'till', cashier: 'Anna' }, net: 69_300, recounted: null },
    );
    assert.equal(fieldsOf(cashiers, 'till', 'cashier', 'net'), [
      ['till', 'Anna', 49_300],
      ['till', 'Boris', 20_000],
    ]);
  }
  await using device = await started(folder.path);
  const { terminal } = device;
  const again = await close(device, { ...by(TILL), 'idempotency-key': 'evening' });
  assert.equal([again.status, again.body.number], [200, 1]);
  const read = await call(`${terminal}/v1/shifts/1?recount=true`);
  assert.equal(read.body.recounted, { accepted: { count: 2, sum: 70_000 }, refunds: { count: 1, sum: 700 } });
  const csv = await call(`${terminal}/v1/shifts/1?format=csv`);
  assert.match(csv.text, /\r\n1,[^,]+Z,[^,]+Z,total,sandbox,[^,]+,till,Anna,1,50000,1,700,49300,,,,0,0\r\n/);
  assert.is(csv.headers.get('content-disposition'), 'attachment; filename="shift-1.csv"');
  const payments = await call(`${terminal}/v1/shifts/1?format=payments`);
  assert.equal(payments.text.trim().split('\r\n').length, 3);
  assert.match(payments.text, /,cashier,shift,method,method_word,why\r\n.*,Anna,1,sbp,SBP_C2B,\r\n/);
  const page = await call(`${terminal}/v1/shifts/1?format=html&lang=ru`);
  assert.match(page.text, /Смена № 1.* · Тестовый банк<.*till · Boris/s);
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  for (const number of [0, 9]) {
    const missing = await call(`${terminal}/v1/shifts/${number}`);
    assert.equal([missing.status, missing.body.code], [404, 'Payments.ShiftNotFound']);
  }
  const unknown = (await call(`${terminal}/v1/shifts/last`)).body;
  assert.is(unknown.code, 'RequestParams.UnknownPath');
  assert.is(unknown.detail, 'there is no /v1/shifts/last here; /reference shows the calls, /openapi.json lists them');
  const wrong = await call(`${terminal}/v1/shifts/close`);
  assert.equal([wrong.status, wrong.headers.get('allow')], [405, 'OPTIONS, POST']);
  const unnamed = await close(device, by(TILL));
  assert.equal([unnamed.status, unnamed.body.code], [400, 'RequestParams.InvalidField']);
  await close(device, keyed(by(TILL)));
  await close(device, keyed(by(TILL)));
  const pages = [];
  for (let cursor = ''; ; ) {
    const { body } = await call(`${terminal}/v1/shifts?limit=2${cursor}`);
    pages.push(body.shifts.map((each: { number: number }) => each.number));
    if (body.cursor === null) break;
    cursor = `&cursor=${body.cursor}`;
  }
  assert.equal(pages, [[3, 2], [1]]);
});

test('a till that reaches only its own payments gets the totals of those', async () => {
  await using device = await started();
  await sell(device, 50_000, by(TILL));
  await sell(device, 20_000, by(OWN));
  const closed = await close(device, keyed(by(OWN)));
  assert.equal([closed.body.totals.net, closed.body.cashiers.length], [20_000, 1]);
  const own = (path: string) => call(`${device.terminal}${path}`, { headers: by(OWN) });
  assert.equal([(await own('/v1/shifts')).body.shifts[0].totals.net], [20_000]);
  const read = await own('/v1/shifts/1?recount=true');
  assert.equal([read.body.totals.net, read.body.recounted], [20_000, null]);
  assert.is((await own('/v1/shifts/1?format=payments')).text.trim().split('\r\n').length, 2);
  assert.is((await call(`${device.terminal}/v1/shifts/1`)).body.totals.net, 70_000);
});

test('what another till refunds of it counts in its totals, as in its day', async () => {
  await using device = await started();
  for (const payment of [await sell(device, 20_000, by(OWN)), await sell(device, 50_000, by(TILL))]) {
    const refunds = `${device.terminal}/v1/payments/${payment.id}/refunds`;
    const refunded = await call(refunds, { json: { amount: 500, cashier: 'Boss' }, headers: keyed(by(TILL)) });
    assert.is(refunded.body.state, 'done', refunded.text);
  }
  const closed = await close(device, keyed(by(OWN)));
  const day = await call(`${device.terminal}/v1/reports/day`, { headers: by(OWN) });
  assert.equal([closed.body.totals.net, day.body.totals.net], [19_500, 19_500]);
  assert.equal(fieldsOf(closed.body.cashiers, 'till', 'cashier', 'net'), [
    ['checkout-2', null, 20_000],
    ['till', 'Boss', -500],
  ]);
  const csv = (await call(`${device.terminal}/v1/shifts/1?format=csv`)).text.split('\r\n');
  assert.equal(csv.filter((line) => line.includes('Boss')).length, 1, 'a line for each till and cashier');
});

test('at the pages the role that has signed in is who sat there, and a cashier closes no shift', async () => {
  await using device = await started(undefined, PINS);
  const elsewhere = {
    'x-forwarded-for': '192.0.2.1',
    'content-type': 'application/json',
    'sec-fetch-site': 'same-origin',
  };
  const at = (path: string, json: object, headers: Record<string, string>) =>
    call(`${device.recognition}${path}`, { json, headers });
  const cashier = await signIn(device, PINS.cashier, elsewhere);
  const supervisor = await signIn(device, PINS.supervisor, elsewhere);
  const sold = await at('/v1/payments', { amount: 5000, cashier: 'somebody else' }, keyed(cashier));
  assert.equal([sold.body.till, sold.body.cashier], ['till', 'cashier'], sold.text);
  const refused = await at('/v1/shifts/close', { cashier: 'Anna' }, keyed(cashier));
  assert.equal([refused.status, refused.body.needs], [403, 'supervisor']);
  const closed = await at('/v1/shifts/close', {}, keyed(supervisor));
  assert.equal([closed.status, closed.body.closedBy], [201, { till: 'till', cashier: 'supervisor' }]);
  const { text } = await call(`${device.recognition}/console/api/audit`);
  assert.match(text, /"supervisor"[^}]*"signedInBy":"pin","deed":"shift-closed","what":\{"number":1\}/);
});

test('whose PIN answered for a refund above the limit stands on it', async () => {
  await using device = await started(undefined, PINS);
  const { id } = await sell(device, 50_000, by(TILL));
  const { body } = await call(`${device.terminal}/v1/payments/${id}/refunds`, {
    json: { amount: 2000, cashier: 'Anna', supervisorPin: PINS.supervisor },
    headers: keyed(by(TILL)),
  });
  assert.equal([body.state, body.cashier, body.answeredBy], ['done', 'Anna', 'supervisor']);
});

test.run();
