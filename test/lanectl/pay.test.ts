import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freePort } from '../ports.ts';
import { call, pick, SANDBOX_SETTINGS, setUp, startTestDevice } from '../support.ts';
import { ends, lanectl, leadingTo } from './lanectl.ts';
import { answering, hangUp, PAYMENT, scripted } from './stand-in.ts';

const test = suite('lanectl pay');

/** A bank that takes none below ten roubles. */
const CHOOSY = {
  ...SANDBOX_SETTINGS,
  bankProfile: 'main',
  bankProfiles: { main: { bankName: 'Tinkoff', terminalKey: 'K', password: 'made-up', baseUrl: 'http://127.0.0.1:9' } },
};

test('a payment that the bank declines ends with 6, one that is too small for it with 2', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  const env = leadingTo(device);
  const declined = await ends('declined', lanectl(['pay', '50.01'], { env }));
  assert.match(declined.stdout, /payment 1 of 50\.01 roubles: declined by the bank/);
  assert.is((await call(`${device.terminal}/updateDriverSettings`, { json: { settings: CHOOSY } })).status, 200);
  const { stderr } = await ends('usage', lanectl(['pay', '5', '--json'], { env }));
  assert.match(stderr, /amount must be at least 1000 kopecks \(10\.00 roubles\) at Tinkoff/);
});

test('an answer that is lost is asked for again, by the same key', async () => {
  await using device = await scripted(hangUp, hangUp, answering(200, { ...PAYMENT, state: 'ACCEPTED' }));
  await ends('ok', lanectl(['pay', '10'], { env: device.env }));
  assert.equal(pick(device.asked, 'call'), Array(3).fill('POST /v1/payments'));
  assert.is(new Set(device.asked.map(({ key }) => key)).size, 1);
  assert.match(String(device.asked[0]?.key), /^[0-9a-f-]{36}$/);
});

test('--timeout counts from the start: 3 where nothing listens, 8 where it may have heard', async () => {
  const never = (): void => undefined;
  await using device = await scripted(never);
  const closed = `http://127.0.0.1:${await freePort()}`;
  for (const [env, exit, words] of [
    [{ LANEWARE_URL: closed }, 'unreachable', /nothing is listening there: retrying, for up to 1 s\n/],
    [device.env, 'undecided', /no answer from the device within 1 s; the same command with --key k says what/],
  ] as const) {
    await ends(exit, lanectl(['pay', '10', '--timeout', '1', '--key', 'k'], { env }), words);
  }
});

test('a device without a place for a waiting call is asked again; only its answer ends the sale', async () => {
  const busy = (status: number) => answering(status, { code: 'RequestParams.TooMany', detail: 'too many wait' });
  await using device = await scripted(
    answering(201, PAYMENT),
    ...[busy(503), busy(429), hangUp],
    answering(200, { ...PAYMENT, state: 'REJECTED' }),
  );
  await ends('declined', lanectl(['pay', '10'], { env: device.env }));
  assert.is(device.asked.length, 5);
});

test('each end of a payment has its own exit code', async () => {
  for (const [state, exit] of [
    ['ACCEPTED', 'ok'],
    ['REJECTED', 'declined'],
    ['CANCELED', 'cancelled'],
    ['ERROR', 'refused'],
    ['STATIC', 'undecided'],
    ['OF_A_LATER_RELEASE', 'undecided'],
  ] as const) {
    await using device = await scripted(answering(201, PAYMENT), answering(200, { ...PAYMENT, state }));
    await ends(exit, lanectl(['pay', '10'], { env: device.env }));
  }
});

test('any failure once the code is shown ends with 8, the payment and the key: it may be paid', async () => {
  const gone = answering(404, { code: 'Payments.NotFound', detail: 'no payment of this device' });
  await using device = await scripted(answering(201, PAYMENT), gone);
  const { stdout } = await ends('undecided', lanectl(['pay', '10', '--key', 'k-1', '--json'], { env: device.env }));
  const { error } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  assert.equal([error.exit, error.payment, error.code], ['undecided', 'p-1', 'Payments.NotFound']);
  assert.match(error.message, /payment 7 may be paid, or not: the same command with --key k-1/);
});

test('what became of a payment that is taken back is what the device says', async () => {
  for (const [outcome, state, exit, words] of [
    ['already-paid', 'ACCEPTED', 'ok', /it was already paid: hand over the goods, or refund it/],
    ['already-paid', 'PENDING', 'undecided', /it is being paid just now/],
    ['refunded', 'ACCEPTED', 'cancelled', /the bank is refunding it in full/],
    ['not-possible', 'PENDING', 'undecided', /the bank cannot cancel it: it may still be paid/],
    ['unknown', 'PENDING', 'undecided', /the bank is not answering: it may still be paid/],
    ['withdrawn', 'CANCELED', 'cancelled', /cancelled: it can no longer be paid/],
  ] as const) {
    const answer = answering(200, { outcome, payment: { ...PAYMENT, state } });
    const never = (): void => undefined;
    await using device = await scripted(answering(201, PAYMENT), never, answer);
    assert.match((await ends(exit, lanectl(['pay', '10', '--timeout', '1'], { env: device.env }))).stdout, words);
    assert.is(device.asked.at(-1)?.call, 'POST /v1/payments/p-1/cancel');
  }
});

test.run();
