/** Which calls count as the till's reading that a payment is paid; what a look, and what a till that goes on with it, does to one that is late. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, each, setUp, startTestDevice, type TestDevice, until } from '../support.ts';
import { healthOf, payNewest } from './device-calls.ts';

const test = suite('terminal: what tills have read');
const OWN = { name: 'checkout-1', token: 'made-up-token-of-the-first' };
const TILLS = {
  LANEWARE_API_TOKENS_TILL: 'made-up-token-of-all-tills',
  LANEWARE_API_TILLS: JSON.stringify([OWN]),
};
const SOON = { LANEWARE_TERMINAL_UNREADMS: '1' };
const SALE = { amount: 15_000 };

type Headers = Readonly<Record<string, string>>;

const OF_PROGRAM: Headers = {};
const OF_TILL: Headers = { 'x-forwarded-for': '10.0.0.7', authorization: `Bearer ${OWN.token}` };
const OF_ALL: Headers = { 'x-forwarded-for': '10.0.0.7', authorization: `Bearer ${TILLS.LANEWARE_API_TOKENS_TILL}` };
const OF_PAGE: Headers = { 'sec-fetch-site': 'same-origin' };
const OF_LANECTL: Headers = { 'user-agent': 'lanectl' };

/** Tills with tokens, and those of a device that asks for none. */
const KINDS = [
  ['a till with a token', TILLS, OF_TILL],
  ['a till without a token', {}, OF_PROGRAM],
] as const;

const keyed = (headers: Headers, key = 'k-1') => ({
  ...headers,
  'content-type': 'application/json',
  'idempotency-key': key,
});

interface Look {
  /** `ID` stands for that of the payment. */
  readonly path?: string;
  readonly headers?: Headers;
  readonly method?: string;
  readonly json?: object;
}

const look = ({ terminal }: TestDevice, id: string, by: Headers, { path = '/v1/payments/ID', ...init }: Look) =>
  call(`${terminal}${path.replace('ID', id)}`, { headers: by, ...init });

/** Nobody that counts as its till asks for it. */
async function paid(device: TestDevice, by: Headers): Promise<string> {
  const { body, text } = await call(`${device.terminal}/v1/payments`, { json: SALE, headers: keyed(by) });
  assert.is(body.state, 'PENDING', text);
  await payNewest(device);
  const state = async () => (await look(device, body.id, by, { headers: OF_LANECTL })).body.state;
  await until('ACCEPTED', async () => (await state()) === 'ACCEPTED');
  return body.id;
}

/** The next sale of the till is told of a payment of which that has not read. */
async function isRead(device: TestDevice, by: Headers): Promise<boolean> {
  const { body } = await call(`${device.terminal}/v1/payments`, { json: SALE, headers: keyed(by, 'k-2') });
  return !body.warnings.some(({ code }: { code: string }) => code === 'Bank.PreviousPaid');
}

const isLate = async (device: TestDevice): Promise<boolean> => (await healthOf(device, 'payments')).state !== 'ok';

const LOOKS: Readonly<Record<string, Look>> = {
  'its id': {},
  'a list that names it': { path: '/v1/payments' },
  'its key, looked for': { path: '/v1/payments?key=k-1' },
};
const DEEDS: Readonly<Record<string, (by: Headers) => Look>> = {
  'its id, waiting': () => ({ path: '/v1/payments/ID?wait=0' }),
  'its key again': (by) => ({ path: '/v1/payments', headers: keyed(by), json: SALE }),
  'its cancellation': () => ({ path: '/v1/payments/ID/cancel', method: 'POST' }),
  'its receipt': (by) => ({
    path: '/v1/payments/ID/receipt',
    method: 'PUT',
    headers: keyed(by),
    json: { state: 'printed' },
  }),
  'the status of the last payment': () => ({ path: '/getDynamicQRStatus' }),
};

for (const [kind, settings, by] of KINDS) {
  const on = (more: object, run: (device: TestDevice, id: string) => Promise<void>) => async () => {
    await using device = await startTestDevice({ ...settings, ...more });
    await setUp(device);
    await run(device, await paid(device, by));
  };
  const inTime = each(test, (run: (device: TestDevice, id: string) => Promise<void>) => on({}, run));
  const late = each(test, (run: (device: TestDevice, id: string) => Promise<void>) =>
    on(SOON, async (device, id) => {
      await until('late', () => isLate(device));
      await run(device, id);
    }),
  );

  for (const [what, made] of Object.entries({ ...LOOKS, ...DEEDS }))
    inTime(`${kind}: ${what} counts as read`, async (device, id) => {
      const answer = await look(device, id, by, typeof made === 'function' ? made(by) : made);
      assert.is(answer.status, 200, answer.text);
      assert.ok(await isRead(device, by));
    });

  inTime(`${kind}: what a person, or another one, looks at is not read by its till`, async (device, id) => {
    const others: readonly (readonly [string, Look])[] = [
      ['HEAD, which returns nothing', { method: 'HEAD' }],
      ['a list of others', { path: '/v1/payments?state=PENDING' }],
      ...[OF_LANECTL, OF_PAGE, ...(by === OF_TILL ? [OF_ALL, OF_PROGRAM] : [])].flatMap((headers) =>
        [...Object.values(LOOKS), { path: '/getDynamicQRStatus' }].map(
          (made) => [JSON.stringify(headers), { ...made, headers }] as const,
        ),
      ),
    ];
    for (const [what, made] of others) assert.is((await look(device, id, by, made)).status, 200, what);
    assert.not(await isRead(device, by));
  });

  late(`${kind}: no look ends a late alarm; a person's note is taken after it`, async (device, id) => {
    for (const [what, made] of Object.entries(LOOKS)) {
      assert.is((await look(device, id, by, made)).body.code, undefined, what);
      assert.ok(await isLate(device), what);
    }
    const json = { note: 'Anna: goods handed out' };
    const reviewed = await look(device, id, by, { path: '/v1/payments/ID/acknowledge', json, headers: keyed(by) });
    assert.equal([reviewed.status, reviewed.body.late, reviewed.body.note], [200, false, json.note], reviewed.text);
    assert.not(await isLate(device));
  });

  for (const [what, made] of Object.entries(DEEDS))
    late(`${kind}: ${what} ends the alarm and it goes on`, async (device, id) => {
      const answer = await look(device, id, by, made(by));
      assert.is(answer.status, 200, answer.text);
      await until('it is no longer late', async () => !(await isLate(device)));
    });
}

test('what a session looks at is not read by the till of the same name', async () => {
  const { LANEWARE_API_TOKENS_TILL: token } = TILLS;
  await using device = await startTestDevice({ LANEWARE_API_TOKENS_TILL: token });
  await setUp(device);
  const id = await paid(device, OF_ALL);
  const page = { 'sec-fetch-site': 'same-origin', origin: device.recognition };
  const signIn = await call(`${device.recognition}/console/api/session`, { json: { token }, headers: keyed(page) });
  assert.is(signIn.status, 200, signIn.text);
  const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  for (const path of [`/${id}`, '', '?key=k-1'])
    assert.is((await call(`${device.recognition}/v1/payments${path}`, { headers: { ...page, cookie } })).status, 200);
  assert.not(await isRead(device, OF_ALL));
});

test('a till that is a page of another address is no look of a person', async () => {
  const origin = 'http://till.example';
  await using device = await startTestDevice({ LANEWARE_API_CORS: origin });
  await setUp(device);
  const id = await paid(device, OF_PROGRAM);
  await look(device, id, { 'sec-fetch-site': 'cross-site', origin }, {});
  assert.ok(await isRead(device, OF_PROGRAM));
});

test.run();
