/** Tills of one device with tokens of their own: under `/v1` none of them meets the payments of another. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eventsIn } from '../events.ts';
import { RECOGNITION_ROLES, TERMINAL_ROLES } from '../http/declared.ts';
import {
  type Answer,
  call,
  each,
  fieldsOf,
  setUp,
  startTestDevice,
  type TestDevice,
  temporaryFolder,
  until,
} from '../support.ts';
import { payNewest } from './device-calls.ts';
import type { PaymentEvent } from './event-rig.ts';

const test = suite('terminal: tills with names of their own');

const SHOP = { LANEWARE_API_TOKENS_TILL: 'made-up-token-of-all-tills' };
const ONE = { name: 'checkout-1', token: 'made-up-token-of-the-first' };
const TWO = { name: 'checkout-2', token: 'made-up-token-of-the-second' };
const OTHER = { name: 'returns-2', token: 'made-up-token-of-the-other-desk', everyPayment: true };
const DESK = { name: 'returns', token: 'made-up-token-of-the-desk', everyPayment: true };
const withTills = (...tills: object[]) => ({ ...SHOP, LANEWARE_API_TILLS: JSON.stringify(tills) });

type At = Pick<TestDevice, 'terminal' | 'recognition'>;
interface Said {
  readonly json?: object;
  readonly key?: string;
  readonly method?: string;
}

/** Calls as a program of the network does, with a token: a program that passes calls on says so. */
const as =
  (token: string, base: 'terminal' | 'recognition' = 'terminal') =>
  (device: At, path: string, { json, key, method }: Said = {}): Promise<Answer> =>
    call(`${device[base]}${path}`, {
      ...(json !== undefined && { json }),
      ...(method !== undefined && { method }),
      headers: {
        'x-forwarded-for': '10.0.0.7',
        authorization: `Bearer ${token}`,
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
    });
type Till = ReturnType<typeof as>;
const tokens = [...[ONE, TWO, DESK, OTHER].map(({ token }) => token), SHOP.LANEWARE_API_TOKENS_TILL];
const [one, two, desk, other, shop] = tokens.map((token) => as(token)) as [Till, Till, Till, Till, Till];

const sell = (till: Till, device: At, json: object, key = 'sale-1') => till(device, '/v1/payments', { json, key });
const stateOf = async (till: Till, device: At, id: string) =>
  (await till(device, `/v1/payments/${id}?wait=0`)).body.state;
const listed = async (till: Till, device: At, query = ''): Promise<string[]> =>
  (await till(device, `/v1/payments${query}`)).body.payments.map(({ id }: { id: string }) => id);
const problem = ({ status, body }: Answer): unknown[] => [status, body.code];
const warnings = ({ body }: Answer): string[] => body.warnings.map(({ code }: { code: string }) => code);

async function paid(till: Till, device: TestDevice, amount: number, key: string): Promise<string> {
  const { status, body, text } = await sell(till, device, { amount }, key);
  assert.is(status, 201, text);
  await payNewest(device);
  await until('ACCEPTED', async () => (await stateOf(till, device, body.id)) === 'ACCEPTED');
  return body.id;
}

const onDevice = (run: (device: TestDevice) => Promise<void>) => async (): Promise<void> => {
  await using device = await startTestDevice(withTills(ONE, TWO, DESK, OTHER));
  await setUp(device);
  await run(device);
};
const it = each(test, onDevice);

it('the same key and body of two tills are two payments, each unseen by the other', async (device) => {
  const sale = { amount: 12345, purpose: 'Apples' };
  const first = await sell(one, device, sale);
  const second = await sell(two, device, sale);
  assert.equal([first.status, second.status], [201, 201], second.text);
  assert.is.not(first.body.id, second.body.id);
  assert.equal([first.body.till, second.body.till, second.body.warnings], ['checkout-1', 'checkout-2', []]);
  assert.equal((await sell(two, device, sale)).body.id, second.body.id, 'and the key goes on standing for it');
  const unknown = await two(device, '/v1/payments/unknown');
  const { id, number } = first.body;
  for (const [path, said] of [
    [`/v1/payments/${id}`],
    [`/v1/payments/${number}`],
    [`/v1/payments/${id}?wait=25`],
    [`/v1/payments/${id}/cancel`, { method: 'POST' }],
    [`/v1/payments/${id}/refunds`, { json: { amount: 'all' }, key: 'r-1' }],
    [`/v1/payments/${id}/acknowledge`, { json: {} }],
  ] as const) {
    const answer = await two(device, path, said);
    assert.equal(problem(answer), [404, 'Payments.NotFound'], path);
    const plain = answer.text.replaceAll(id, 'unknown').replaceAll(`\\"${number}\\"`, '\\"unknown\\"');
    assert.is(plain, unknown.text, 'as of an unknown payment');
  }
  assert.equal(await listed(two, device), [second.body.id]);
  assert.equal(await listed(two, device, `?orderId=${id}`), []);
  assert.equal(await listed(two, device, '?till=checkout-1'), []);
  for (const [till, own] of [
    [one, first],
    [two, second],
  ] as const)
    assert.equal(await listed(till, device, '?key=sale-1'), [own.body.id]);
  assert.equal(await listed(desk, device, '?key=sale-1'), [], 'a key is of the credential that it came with');
  assert.equal(await listed(one, device, '?amount=12345&till=checkout-1'), [id]);
  for (const till of [desk, shop]) {
    assert.equal((await listed(till, device)).sort(), [id, second.body.id].sort());
    assert.equal(await listed(till, device, '?till=checkout-1'), [id]);
    assert.is((await till(device, `/v1/payments/${id}`)).status, 200);
  }
  assert.is(await stateOf(one, device, id), 'CANCELED');
});

it('a status that another credential reads is not read by the till; its own question is', async (device) => {
  const status = async (till: Till) => (await till(device, '/getDynamicQRStatus')).body.dynamicQRStatus;
  const { id } = (await sell(one, device, { amount: 1500 }, 'mine')).body;
  await payNewest(device);
  await until('it is paid', async () => (await status(two)) === 'ACCEPTED');
  assert.is(await status(shop), 'ACCEPTED');
  await call(`${device.terminal}/getDynamicQRStatus`);
  const again = await sell(one, device, { amount: 1500 }, 'again');
  assert.equal(warnings(again), ['Bank.PreviousPaid'], id);
  assert.is(await stateOf(one, device, id), 'ACCEPTED');
  const next = (await sell(one, device, { amount: 1700 }, 'next')).body.id;
  await payNewest(device);
  await until('the next one is paid', async () => (await status(one)) === 'ACCEPTED');
  const last = await sell(one, device, { amount: 1700 }, 'last');
  assert.equal([last.status, warnings(last)], [201, []], last.text);
  assert.is.not(last.body.id, next);
});

it('a payment of another till is in no warning of this one; its own is', async (device) => {
  const { id } = (await sell(one, device, { amount: 1500 }, 'mine')).body;
  await payNewest(device);
  await until('it is paid', async () => (await desk(device, `/v1/payments/${id}`)).body.state === 'ACCEPTED');
  const other = await sell(two, device, { amount: 1500 }, 'other');
  assert.equal([other.status, other.body.warnings], [201, []], other.text);
  assert.is((await desk(device, `/v1/payments/${id}`)).body.late, true, 'it is for its own till to hear of it');
  const third = await sell(two, device, { amount: 1600 }, 'third');
  assert.equal([third.status, third.body.warnings], [201, []], third.text);
  const sold = await sell(one, device, { amount: 1700 }, 'next');
  assert.equal(warnings(sold), ['Bank.PreviousPaid']);
  assert.is(await stateOf(one, device, id), 'ACCEPTED');
});

it("a return desk's key is no conflict with a till's, nor done by it: each gives money back", async (device) => {
  const [first, second] = [await paid(one, device, 2000, 'a'), await paid(one, device, 2200, 'b')];
  const refund = (till: Till, id: string, amount: number) =>
    till(device, `/v1/payments/${id}/refunds`, { json: { amount }, key: '1' });
  const back = async (id: string) => (await desk(device, `/v1/payments/${id}`)).body.refunded;
  assert.is((await refund(desk, first, 500)).body.state, 'done');
  assert.equal([(await refund(one, first, 500)).body.state, await back(first)], ['done', 1000]);
  assert.is((await refund(one, first, 500)).body.state, 'done');
  assert.is(await back(first), 1000, 'the same again is the same');
  assert.equal(problem(await refund(one, second, 500)), [409, 'Payments.IdConflict'], 'its own key of before');
  assert.equal(problem(await refund(desk, second, 300)), [409, 'Payments.IdConflict']);
  assert.is((await refund(shop, first, 500)).body.state, 'done');
  assert.is(await back(first), 1000, 'who has no name may be any of them');
});

it('two tills refund a payment of no named till by equal keys: each gives its money back', async (device) => {
  const id = await paid(shop, device, 2000, 'a');
  const refund = async (till: Till) =>
    (await till(device, `/v1/payments/${id}/refunds`, { json: { amount: 500 }, key: '1' })).body.state;
  assert.equal([await refund(desk), await refund(other)], ['done', 'done']);
  assert.equal([await refund(desk), await refund(other)], ['done', 'done'], 'the same again is the same');
  assert.is((await desk(device, `/v1/payments/${id}`)).body.refunded, 1000);
});

it('each till has its own refunds of one id, no matter which till asked for the payment', async (device) => {
  const [mine, its] = [await paid(one, device, 2000, 'a'), await paid(two, device, 2200, 'a')];
  const refund = (till: Till, id: string, amount: number, key = 'return-1') =>
    till(device, `/v1/payments/${id}/refunds`, { json: { amount }, key });
  const first = await refund(one, mine, 500);
  assert.equal([first.status, first.body.id], [200, 'return-1'], first.text);
  const second = await refund(two, its, 700);
  assert.equal(
    { status: second.status, id: second.body.id, amount: second.body.amount },
    { status: 200, id: 'return-1', amount: 700 },
    second.text,
  );
  assert.equal((await refund(one, mine, 500)).body, first.body);
  const read = (till: Till, path: string) => till(device, `/v1/payments/${path}`);
  assert.equal((await read(two, `${its}/refunds/return-1`)).body.amount, 700);
  for (const path of [`${mine}/refunds`, `${mine}/refunds/return-1?wait=25`, `${mine}/refunds/nothing`])
    assert.equal(problem(await read(two, path)), [404, 'Payments.NotFound'], path);
  assert.equal(problem(await refund(one, mine, 501)), [409, 'Payments.IdConflict']);
  const more = await paid(one, device, 2300, 'b');
  assert.equal(problem(await refund(one, more, 500)), [409, 'Payments.IdConflict'], 'one id, two payments of a till');
  assert.equal(fieldsOf((await desk(device, `/v1/payments/${its}`)).body.refunds, 'id'), ['return-1']);
  const totals = async (till: Till) => (await till(device, '/v1/reports/day')).body.totals;
  const sums = async (till: Till) => {
    const { accepted, refunds, net } = await totals(till);
    return [accepted.sum, refunds.sum, net];
  };
  assert.equal(await sums(one), [4300, 500, 3800]);
  assert.equal(await sums(two), [2200, 700, 1500]);
  assert.equal(await sums(desk), [6500, 1200, 5300]);
  for (const [path, said, status] of [
    ['/v1/webhooks/deliveries', {}, 200],
    ['/v1/reconciliations', { json: { from: '2026-11-21', file: 'b3JkZXI7YW1vdW50Cg==' } }, 400],
  ] as const) {
    assert.equal(problem(await one(device, path, said)), [403, 'RequestParams.Forbidden'], path);
    assert.is((await desk(device, path, said)).status, status, path);
  }
});

it('a stream of events has those of its till alone, also of what was before', async (device) => {
  const [mine, its] = [await paid(one, device, 2000, 'a'), await paid(two, device, 2200, 'a')];
  await two(device, `/v1/payments/${its}/refunds`, { json: { amount: 'all' }, key: 'r' });
  const heard = async (token: string): Promise<PaymentEvent[]> => {
    const hangUp = new AbortController();
    const headers = { 'x-forwarded-for': '10.0.0.7', authorization: `Bearer ${token}` };
    const stream = await fetch(`${device.terminal}/v1/events?after=0`, { headers, signal: hangUp.signal });
    const events: PaymentEvent[] = [];
    for await (const event of eventsIn<PaymentEvent['data']>(stream.body ?? new ReadableStream())) {
      if (event.name === 'beat') break;
      if (event.name.includes('.')) events.push(event);
    }
    hangUp.abort();
    return events;
  };
  const of = (events: PaymentEvent[]) => new Set(events.map(({ data }) => data.payment?.id));
  const [first, second, all] = [await heard(ONE.token), await heard(TWO.token), await heard(DESK.token)];
  assert.equal([of(first), of(second)], [new Set([mine]), new Set([its])]);
  assert.ok(second.some(({ name }) => name === 'refund.done'));
  assert.is(all.length, first.length + second.length);
  assert.is((await heard(SHOP.LANEWARE_API_TOKENS_TILL)).length, all.length);
});

it('the nine calls are as ever for each of them, and the audit trail names who it was', async (device) => {
  const shown = await one(device, '/showQR', { json: { amount: 4000 } });
  assert.is(shown.status, 200, shown.text);
  await payNewest(device);
  await until('ACCEPTED', async () => (await two(device, '/getDynamicQRStatus')).body.dynamicQRStatus === 'ACCEPTED');
  assert.is((await desk(device, '/v1/payments?limit=1')).body.payments[0].till, 'checkout-1');
  const same = await two(device, '/showQR', { json: { amount: 4100, purpose: 'Milk' } });
  assert.is(same.status, 200, same.text);
  const joined = await one(device, '/showQR', { json: { amount: 4100, purpose: 'Milk' } });
  assert.equal([joined.status, joined.body.error_code], [200, 5], 'two tills that ask for the same share one code');
  const { id } = (await sell(one, device, { amount: 4200 })).body;
  assert.is((await one(device, `/v1/payments/${id}/cancel`, { method: 'POST' })).status, 200);
  const { lines } = (await call(`${device.recognition}/console/api/audit`)).body;
  const cancelled = lines.find(({ deed }: { deed: string }) => deed === 'payment-cancelled');
  assert.equal([cancelled?.credential, cancelled?.till], ['till', 'checkout-1'], JSON.stringify(lines[0]));
  assert.is(problem(await two(device, '/updateDriverSettings', { json: {} }))[0], 403);
  const tokens = [ONE, TWO, DESK].map(({ token }) => token);
  let read = 0;
  for (const [base, roles] of [
    ['terminal', TERMINAL_ROLES],
    ['recognition', RECOGNITION_ROLES],
  ] as const) {
    const paths = Object.keys(roles).filter((route) => /^GET [^:*]*$/.test(route) && !route.endsWith('/events'));
    for (const path of paths.map((route) => route.slice(4))) {
      const { status, text } = await call(`${device[base]}${path}`);
      if (status === 200) read += 1;
      assert.not(
        tokens.some((token) => text.includes(token)),
        path,
      );
    }
  }
  assert.ok(read > 60, `${read} calls have answered`);
});

test('a token may be changed and a till taken away: its payments stay what they are', async () => {
  using folder = temporaryFolder();
  const renewed = { ...ONE, token: 'made-up-token-of-the-first-anew' };
  let id: string;
  {
    await using device = await startTestDevice(withTills(ONE), folder.path);
    await setUp(device);
    id = await paid(one, device, 2000, 'a');
  }
  {
    await using device = await startTestDevice(withTills(renewed, TWO), folder.path);
    assert.is((await one(device, `/v1/payments/${id}`)).status, 401, 'the old token opens nothing');
    const repeated = await sell(as(renewed.token), device, { amount: 2000 }, 'a');
    assert.equal([repeated.status, repeated.body.id], [200, id]);
  }
  await using device = await startTestDevice(withTills(TWO), folder.path);
  assert.is((await two(device, `/v1/payments/${id}`)).status, 404);
  assert.equal(await listed(shop, device, '?till=checkout-1'), [id]);
  const taken = await shop(device, `/v1/payments/${id}/refunds`, { json: { amount: 'all' }, key: 'r' });
  assert.equal([taken.status < 300, taken.body.payment], [true, id], taken.text); // whose bank knows nothing of it by now
});

test.run();
