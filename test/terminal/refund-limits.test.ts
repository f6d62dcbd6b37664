/** What a till or a cashier may give back alone, and who answers for more. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { localDayOf } from '../../firmware/payments/model/local-day.ts';
import { type Answer, call, each, type TestDevice, temporaryFolder } from '../support.ts';
import { by, sellPaid, signIn, startWithPins } from './device-calls.ts';
import { onLane, refusal } from './harness.ts';
import { pay, RefundingBank } from './refund-rig.ts';

const test = suite('terminal: limits of refunds');

const DAY_MS = 86_400_000;
const TILL = 'made-up-token-of-the-till';
const OTHER_TILL = 'made-up-token-of-another-till';
const TECHNICIAN = 'made-up-token-of-the-technician';
const PINS = { technician: '739105', supervisor: '520417', cashier: '4826' } as const;
/** A call that a proxy has passed on: none of this machine, for which no limit is meant. */
const FROM_ELSEWHERE = { 'x-forwarded-for': '192.0.2.1' };

const ENV = {
  LANEWARE_API_TOKENS_TILL: TILL,
  LANEWARE_API_TOKENS_TECHNICIAN: TECHNICIAN,
  LANEWARE_API_TILLS: JSON.stringify([{ name: 'checkout-2', token: OTHER_TILL, everyPayment: true }]),
  LANEWARE_TERMINAL_REFUNDLIMITS_TILL_EACH: '1000',
  LANEWARE_TERMINAL_REFUNDLIMITS_TILL_DAY: '1500',
  LANEWARE_TERMINAL_REFUNDLIMITS_CASHIER_EACH: '300',
};

const outcomeOf = ({ status, body }: Answer): unknown[] => [status, body.code ?? body.state];

let refunds = 0;
/** Asks for a refund, each with a key of its own. */
const refund = (device: TestDevice, id: string, headers: Record<string, string>, json: object): Promise<Answer> =>
  call(`${device.terminal}/v1/payments/${id}/refunds`, {
    json,
    headers: { ...headers, 'idempotency-key': `return ${++refunds}` },
  });

const started = (folder?: string, env: Readonly<Record<string, string>> = ENV): Promise<TestDevice> =>
  startWithPins(env, PINS, folder);
const it = each(test, (run: (device: TestDevice) => Promise<void>) => async (): Promise<void> => {
  await using device = await started();
  await run(device);
});
const paid = async (device: TestDevice, amount: number): Promise<string> =>
  (await sellPaid(device, { amount, purpose: 'Tea' }, { 'idempotency-key': `sale ${++refunds}` })).id;

it('a till gives back so much at once and a day, each by itself; a technician without limit', async (device) => {
  const id = await paid(device, 100_000);
  const tooMuch = await refund(device, id, by(TILL), { amount: 1001 });
  assert.equal(
    [...outcomeOf(tooMuch), tooMuch.body.reason, tooMuch.body.left],
    [403, 'Payments.RefundLimit', 'refund', 1000],
  );
  assert.equal(outcomeOf(await refund(device, id, by(TILL), { amount: 1000 })), [200, 'done']);
  const overDay = await refund(device, id, by(TILL), { amount: 501 });
  assert.equal(
    [...outcomeOf(overDay), overDay.body.reason, overDay.body.left],
    [403, 'Payments.RefundLimit', 'day', 500],
  );
  assert.match(overDay.body.detail, /5,00|5\.00/);
  assert.equal(outcomeOf(await refund(device, id, by(TILL), { amount: 500 })), [200, 'done']);
  assert.equal(outcomeOf(await refund(device, id, by(TILL), { amount: 1 })), [403, 'Payments.RefundLimit']);
  assert.equal(outcomeOf(await refund(device, id, by(OTHER_TILL), { amount: 1000 })), [200, 'done']);
  assert.equal(outcomeOf(await refund(device, id, by(TECHNICIAN), { amount: 2000 })), [200, 'done']);
  assert.equal(outcomeOf(await refund(device, id, {}, { amount: 2000 })), [200, 'done']);
  assert.equal(outcomeOf(await refund(device, id, by(TILL), { amount: 'all' })), [403, 'Payments.RefundLimit']);
});

test("a caller let in by api.allow alone has tills' limit, and needs a supervisor above it", async () => {
  const { LANEWARE_API_TOKENS_TILL, LANEWARE_API_TOKENS_TECHNICIAN, LANEWARE_API_TILLS, ...limits } = ENV;
  const open = { ...limits, LANEWARE_TLS_MODE: 'off', LANEWARE_API_ALLOW: '["127.0.0.1"]' };
  await using device = await started(undefined, open);
  const id = await paid(device, 100_000);
  const stranger = (json: object) => refund(device, id, FROM_ELSEWHERE, json);
  assert.equal(outcomeOf(await stranger({ amount: 'all' })), [403, 'Payments.RefundLimit']);
  assert.equal(outcomeOf(await stranger({ amount: 900 })), [200, 'done']);
  assert.equal(outcomeOf(await stranger({ amount: 601 })), [403, 'Payments.RefundLimit']);
  assert.equal(outcomeOf(await stranger({ amount: 5000, supervisorPin: PINS.supervisor })), [200, 'done']);
});

test('a day is not begun anew by a restart', async () => {
  using folder = temporaryFolder();
  let id = '';
  {
    await using device = await started(folder.path);
    id = await paid(device, 100_000);
    assert.equal(outcomeOf(await refund(device, id, by(TILL), { amount: 1000 })), [200, 'done']);
  }
  await using device = await started(folder.path);
  assert.equal(outcomeOf(await refund(device, id, by(TILL), { amount: 501 })), [403, 'Payments.RefundLimit']);
  assert.equal(outcomeOf(await refund(device, id, by(TILL), { amount: 500 })), [200, 'done']);
});

test('a day has what went back in it alone: a clock that was wrong for a while uses up no other', async () => {
  const bank = new RefundingBank();
  await onLane(
    async (l) => {
      const orderId = await pay(l, 100_000);
      let n = 0;
      const give = (amount: number) =>
        l.refunds.refund({ orderId, tillId: `r${++n}`, amount }, { name: 'till', each: null, day: 1500 });
      const right = l.clock.wall();
      let wrong = 0;
      l.clock.wall = () => right + wrong;
      for (wrong of [400 * DAY_MS, -400 * DAY_MS, 0, localDayOf(right).to - right]) {
        assert.is((await give(1500)).state, 'done', `${wrong} ms wrong`);
        assert.is((await refusal(give(1))).member, 'RefundLimit');
      }
    },
    { bank },
  )();
});

it('a refusal of the bank uses no limit up, and the same refund sent again none either', async (device) => {
  const id = await paid(device, 100_000);
  const headers = { ...by(TILL), 'idempotency-key': 'the same' };
  const once = () => call(`${device.terminal}/v1/payments/${id}/refunds`, { json: { amount: 900 }, headers });
  assert.equal(
    [outcomeOf(await once()), outcomeOf(await once())],
    [
      [200, 'done'],
      [200, 'done'],
    ],
  );
  const faults = [{ call: 'refund', kind: 'refuse', times: 1 }];
  const set = await call(`${device.sandbox}/sandbox/faults`, { json: { faults } });
  assert.is(set.status, 200, set.text);
  assert.equal(outcomeOf(await refund(device, id, by(TILL), { amount: 600 })), [200, 'refused']);
  assert.equal(outcomeOf(await refund(device, id, by(TILL), { amount: 600 })), [200, 'done']);
});

it('a supervisor answers for more: the audit trail says so, and the PIN stands nowhere', async (device) => {
  const id = await paid(device, 100_000);
  const ask = (supervisorPin: string, amount = 5000) => refund(device, id, by(TILL), { amount, supervisorPin });
  assert.equal(outcomeOf(await ask(PINS.cashier)), [403, 'Payments.WrongPin'], 'a cashier answers for nothing');
  const wrong = await ask('1999');
  assert.equal([...outcomeOf(wrong), wrong.body.field], [403, 'Payments.WrongPin', 'supervisorPin']);
  assert.equal(outcomeOf(await ask(PINS.supervisor)), [200, 'done']);
  assert.equal(outcomeOf(await ask(PINS.technician)), [200, 'done']);
  assert.equal(outcomeOf(await ask('1999', 1000)), [200, 'done'], 'it is not looked at where it is not needed');
  assert.equal(
    outcomeOf(await refund(device, id, by(TILL), { amount: 500 })),
    [200, 'done'],
    'the day is not used up by them',
  );
  const { lines } = (await call(`${device.recognition}/console/api/audit?limit=50`)).body;
  const done = lines.filter(
    (line: { deed: string; outcome: string }) => line.deed === 'payment-refunded' && line.outcome === 'done',
  );
  assert.equal(
    done
      .map(({ what }: { what: { amount: number; answeredForBy?: string } }) => [what.amount, what.answeredForBy])
      .sort(),
    [
      [1000, undefined],
      [500, undefined],
      [5000, 'supervisor'],
      [5000, 'technician'],
    ],
  );
  const calls = (await call(`${device.recognition}/console/api/calls`)).body.calls;
  const whole = await Promise.all(
    calls.map(async ({ n }: { n: number }) => (await call(`${device.recognition}/console/api/calls/${n}`)).text),
  );
  for (const text of [JSON.stringify(lines), JSON.stringify(calls), ...whole]) {
    assert.not.match(text, PINS.supervisor);
    assert.not.match(text, PINS.technician);
  }
});

it('who guesses PINs is throttled, and told how long; a right one is not checked meanwhile', async (device) => {
  const id = await paid(device, 100_000);
  let answer: Answer | undefined;
  for (let guess = 0; guess < 12 && answer?.status !== 429; guess++)
    answer = await refund(device, id, by(TILL), { amount: 5000, supervisorPin: `90${10 + guess}` });
  assert.equal(answer && outcomeOf(answer), [429, 'Payments.TooManyPins']);
  assert.ok(Number(answer?.headers.get('retry-after')) > 0 && Number(answer?.body.seconds) > 0);
  const right = await refund(device, id, by(TILL), { amount: 5000, supervisorPin: PINS.supervisor });
  assert.equal(outcomeOf(right), [429, 'Payments.TooManyPins']);
});

it('a cashier at the page has the limit of cashiers, and the cashier’s own PIN still signs in', async (device) => {
  const id = await paid(device, 100_000);
  const origin = {
    origin: device.recognition,
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/json',
  };
  const { cookie } = await signIn(device, PINS.cashier, origin);
  const ask = (json: object) =>
    call(`${device.recognition}/v1/payments/${id}/refunds`, {
      json,
      headers: { ...origin, cookie, 'idempotency-key': `page ${++refunds}` },
    });
  assert.equal(outcomeOf(await ask({ amount: 300 })), [200, 'done']);
  assert.equal(outcomeOf(await ask({ amount: 301 })), [403, 'Payments.RefundLimit']);
  assert.equal(outcomeOf(await ask({ amount: 301, supervisorPin: PINS.cashier })), [403, 'Payments.WrongPin']);
  await signIn(device, PINS.cashier, origin);
  assert.equal(outcomeOf(await ask({ amount: 301, supervisorPin: PINS.supervisor })), [200, 'done']);
});

it("a signed-in supervisor has cashiers' limits, more by PIN; his sales are the lane's", async (device) => {
  const id = await paid(device, 100_000);
  const origin = { origin: device.recognition, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
  const post = (path: string, json: object, headers: Record<string, string> = {}) =>
    call(device.recognition + path, { json, headers: { ...origin, ...headers } });
  const { cookie } = await signIn(device, PINS.supervisor, origin);
  const keyed = () => ({ cookie, 'idempotency-key': `page ${++refunds}` });
  const ask = (json: object) => post(`/v1/payments/${id}/refunds`, json, keyed());
  assert.equal(outcomeOf(await ask({ amount: 300 })), [200, 'done']);
  assert.equal(outcomeOf(await ask({ amount: 301 })), [403, 'Payments.RefundLimit']);
  assert.equal(outcomeOf(await ask({ amount: 301, supervisorPin: PINS.supervisor })), [200, 'done']);
  const sold = await post('/v1/payments', { amount: 500, purpose: 'Tea' }, keyed());
  assert.is(sold.body.till, 'till', sold.text);
});

test.run();
