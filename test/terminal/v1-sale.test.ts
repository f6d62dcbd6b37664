/** A sale through `/v1`: whatever is lost, killed or sent twice, a key stands for one payment with one code. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, call, setUp, startTestDevice, type TestDevice } from '../support.ts';

const test = suite('terminal: a sale by /v1');

const onDevice =
  (run: (device: TestDevice) => Promise<void>, settings: Record<string, string> = {}) =>
  async () => {
    await using device = await startTestDevice(settings);
    await setUp(device);
    await run(device);
  };

interface Sending {
  readonly key?: string;
  readonly headers?: Record<string, string>;
}

const sell = (
  { terminal }: Pick<TestDevice, 'terminal'>,
  json: object,
  { key = 'sale-1', headers }: Sending = {},
): Promise<Answer> =>
  call(`${terminal}/v1/payments`, {
    json,
    headers: { 'content-type': 'application/json', 'idempotency-key': key, ...headers },
  });

const atBank = async ({ sandbox }: TestDevice) => (await call(`${sandbox}/sandbox/payments`)).body;
const payNewest = async (device: TestDevice): Promise<void> => {
  const [{ qrcId }] = await atBank(device);
  await call(`${device.sandbox}/sandbox/payments/${qrcId}/pay`, { method: 'POST' });
};
const get = ({ terminal }: TestDevice, id: string, query = ''): Promise<Answer> =>
  call(`${terminal}/v1/payments/${id}${query}`);
test(
  'a sale is answered with its payment, code and link; it is waited for and paid',
  onDevice(async (device) => {
    const made = await sell(device, { amount: 12345, purpose: 'Apples' });
    assert.is(made.status, 201, made.text);
    const { id, state, payload, link, till, warnings } = made.body;
    assert.equal([state, link, till, warnings], ['PENDING', payload, null, []]);
    assert.is(made.headers.get('location'), `/v1/payments/${id}`);
    const waiting = get(device, id, '?wait=25');
    await payNewest(device);
    assert.is((await waiting).body.state, 'ACCEPTED');
    const again = await sell(device, { amount: 12345, purpose: 'Apples' });
    assert.equal([again.status, again.body.id, again.body.state], [200, id, 'ACCEPTED']);
    assert.is((await atBank(device)).length, 1);
    assert.is((await sell(device, { amount: 12345, purpose: 'Apples' }, { key: 'sale-2' })).status, 201);
  }),
);

test.run();
