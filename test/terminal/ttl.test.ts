/** How long a code may live at a lane: an hour, unless the configuration says more. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type Answer,
  call,
  each,
  onSetUpDevice,
  problem,
  setUp,
  startTestDevice,
  type TestDevice,
  temporaryFolder,
} from '../support.ts';
import { sendProfile } from './device-calls.ts';

const test = suite('terminal: how long a code lives');
const it = each(test, onSetUpDevice);

const MINUTE_MS = 60_000;
type At = Pick<TestDevice, 'terminal'>;

const sell = ({ terminal }: At, json: object, key = 'sale-1', path = 'v1/payments'): Promise<Answer> =>
  call(`${terminal}/${path}`, { json, headers: { 'content-type': 'application/json', 'idempotency-key': key } });
const showQR = ({ terminal }: At, json: object): Promise<Answer> => call(`${terminal}/showQR`, { json });
const newest = async ({ terminal }: At) => (await call(`${terminal}/v1/payments?limit=1`)).body.payments[0];
const minutesOf = ({ createdAt, expiresAt }: { createdAt: string; expiresAt: string }): number =>
  (Date.parse(expiresAt) - Date.parse(createdAt)) / MINUTE_MS;

it('by /v1 an hour is taken, and more is refused with the field, the limit and what to do', async (device) => {
  const long = await sell(device, { amount: 100, ttl: 61 });
  assert.equal([...problem(long), long.body.field, long.body.limit], [400, 'RequestParams.InvalidField', 'ttl', 60]);
  assert.match(long.body.detail, /^ttl must be from 1 to 60 minutes on this lane: .*terminal\.ttlMaxMinutes/);
  assert.is(await newest(device), undefined, 'nothing has begun');
  for (const ttl of [-1, 0, 129_601]) {
    const wrong = await sell(device, { amount: 100, ttl });
    assert.equal(
      { status: wrong.status, field: wrong.body.field, limit: wrong.body.limit },
      { status: 400, field: 'ttl', limit: 60 },
      wrong.text,
    );
    assert.match(wrong.body.detail, /^ttl must be from 1 to 60 minutes on this lane: /);
  }
  const hour = await sell(device, { amount: 100, ttl: 60 });
  assert.equal([hour.status, minutesOf(hour.body)], [201, 60], hour.text);
});

it('a till that cannot change gets the limit in place of more: its call is taken as before', async (device) => {
  for (const ttl of [60, 61, 129_600]) {
    const shown = await showQR(device, { amount: 1000 + ttl, ttl });
    assert.equal([shown.status, shown.body], [200, { status: 'success' }], shown.text);
    assert.is(minutesOf(await newest(device)), 60, `${ttl}`);
  }
  await showQR(device, { amount: 900, ttl: 7 });
  assert.is(minutesOf(await newest(device)), 7);
  assert.is((await showQR(device, { amount: 100, ttl: 129_601 })).status, 400, 'longer than the payment system knows');
});

it('the same old call is still the same sale, by its key and without one', async (device) => {
  const first = await sell(device, { amount: 100, ttl: 90 }, 'old', 'showQR');
  const again = await sell(device, { amount: 100, ttl: 90 }, 'old', 'showQR');
  assert.equal(
    [again.status, again.headers.get('laneware-payment-id')],
    [200, first.headers.get('laneware-payment-id')],
  );
  await showQR(device, { amount: 200, ttl: 90 });
  const { id } = await newest(device);
  const { status, body } = await showQR(device, { amount: 200, ttl: 90 });
  assert.equal([status, body.error_category, (await newest(device)).id], [200, 'Bank', id], 'its code is shown again');
});

test('a lane with more in its configuration takes more; a key keeps its sale when it has less', async () => {
  using folder = temporaryFolder();
  const long = { amount: 100, ttl: 1440 };
  let id = '';
  {
    await using device = await startTestDevice({ LANEWARE_TERMINAL_TTLMAXMINUTES: '1440' }, folder.path);
    await setUp(device);
    const made = await sell(device, long);
    assert.equal([made.status, minutesOf(made.body)], [201, 1440], made.text);
    id = made.body.id;
    const longer = await sell(device, { amount: 100, ttl: 1441 }, 'sale-2');
    assert.equal([longer.status, longer.body.limit], [400, 1440]);
  }
  await using device = await startTestDevice({}, folder.path);
  const again = await sell(device, long);
  assert.equal([again.status, again.body.id], [200, id], again.text);
});

test("a bank's own limit still holds below that of the lane", async () => {
  await using device = await startTestDevice({ LANEWARE_TERMINAL_TTLMAXMINUTES: '129600' });
  await sendProfile(device, { bankName: 'YooKassa', shopId: '54401', secretKey: 'secret-key-of-the-shop' });
  const refused = await sell(device, { amount: 10_000, ttl: 61 });
  assert.match(refused.body.detail, /^ttl must be 60 minutes or left out at YooKassa/);
});

test.run();
