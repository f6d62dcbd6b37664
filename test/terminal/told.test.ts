/** Which calls of a till count as reading that a payment is paid: else it is late after a while. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, each, setUp, startTestDevice, type TestDevice, until } from '../support.ts';
import { healthOf, payNewest } from './device-calls.ts';

const test = suite('terminal: what tills have read');
const OWN = { name: 'checkout-1', token: 'made-up-token-of-the-first' };
const TILLS = {
  LANEWARE_API_TOKENS_TILL: 'made-up-token-of-all-tills',
  LANEWARE_API_TILLS: JSON.stringify([OWN]),
  LANEWARE_TERMINAL_UNREADMS: '1',
};
const OF_TILL = { 'x-forwarded-for': '10.0.0.7', authorization: `Bearer ${OWN.token}` };
const OF_ALL = { 'x-forwarded-for': '10.0.0.7', authorization: `Bearer ${TILLS.LANEWARE_API_TOKENS_TILL}` };
const OF_PAGE = { ...OF_TILL, 'sec-fetch-site': 'same-origin' };
const SALE = { amount: 15_000 };

type Headers = Readonly<Record<string, string>>;

const isLate = async (device: TestDevice): Promise<boolean> => (await healthOf(device, 'payments')).state !== 'ok';

/** A payment that is paid, and late since no till has read it. */
async function unread(device: TestDevice, by: Headers): Promise<string> {
  const { body } = await call(`${device.terminal}/v1/payments`, { json: SALE, headers: keyed(by) });
  await payNewest(device);
  await until('late', () => isLate(device));
  return body.id;
}

const keyed = (headers: object) => ({ ...headers, 'content-type': 'application/json', 'idempotency-key': 'k-1' });

interface Look {
  /** `ID` stands for that of the payment. */
  readonly path?: string;
  readonly headers: Headers;
  readonly method?: string;
  readonly json?: object;
}

const READS: Readonly<Record<string, Look>> = {
  'its id': { headers: OF_TILL },
  'its id, waiting': { path: '/ID?wait=0', headers: OF_PAGE },
  'its key again': { path: '', headers: keyed(OF_TILL), json: SALE },
  'a list that names it': { path: '', headers: OF_TILL },
};
const LOOKS: Readonly<Record<string, Look>> = {
  'HEAD, which returns nothing': { headers: OF_TILL, method: 'HEAD' },
  'the token of all tills': { headers: OF_ALL },
  'a program of this machine': { headers: {} },
  'a list of others': { path: '?state=PENDING', headers: OF_TILL },
  'a list that others ask for': { path: '', headers: OF_ALL },
};

const it = each(test, (run: (device: TestDevice, id: string) => Promise<void>) => async () => {
  await using device = await startTestDevice(TILLS);
  await setUp(device);
  await run(device, await unread(device, OF_TILL));
});

const look = ({ terminal }: TestDevice, id: string, { path = '/ID', ...init }: Look) =>
  call(`${terminal}/v1/payments${path.replace('ID', id)}`, init);

for (const [what, by] of Object.entries(READS))
  it(`${what} counts as read`, async (device, id) => {
    assert.is((await look(device, id, by)).status, 200);
    await until('it is no longer late', async () => !(await isLate(device)));
  });

test('on a device without tokens any program that asks for it by its id counts as its till, and a page does not', async () => {
  await using device = await startTestDevice({ LANEWARE_TERMINAL_UNREADMS: '1' });
  await setUp(device);
  const id = await unread(device, {});
  await look(device, id, { headers: { 'sec-fetch-site': 'same-origin' } });
  assert.ok(await isLate(device));
  await look(device, id, { headers: {} });
  await until('it is no longer late', async () => !(await isLate(device)));
});

it('any other look does not count as read', async (device, id) => {
  for (const [what, by] of Object.entries(LOOKS)) {
    assert.is((await look(device, id, by)).status, 200, what);
    assert.ok(await isLate(device), what);
  }
});

test.run();
