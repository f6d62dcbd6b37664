/** A bank that hides what was paid in digital roubles from a shop that has not given a consent: nobody sells again blindly. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, each, type TestDevice, until } from '../support.ts';
import { healthOf } from './device-calls.ts';
import { tbankSettings, withTBank } from './tbank.ts';

const test = suite('terminal: consents of a shop');
const it = each(test, (run: (device: TestDevice) => Promise<void>) => () => withTBank(run));

/** T-Bank's profile says what the shop has agreed to. */
async function agree({ terminal, sandbox }: TestDevice, consents: string | null): Promise<number> {
  const settings = tbankSettings(sandbox);
  const bankProfiles = { main: { ...settings.bankProfiles.main, ...(consents !== null && { consents }) } };
  return (await call(`${terminal}/updateDriverSettings`, { json: { settings: { ...settings, bankProfiles } } })).status;
}

async function sold({ terminal }: TestDevice, key: string, amount = 5000) {
  const headers = { 'idempotency-key': key };
  const { status, body, text } = await call(`${terminal}/v1/payments`, { json: { amount, purpose: key }, headers });
  assert.is(status, 201, text);
  const read = async () => (await call(`${terminal}/v1/payments/${body.id}`)).body;
  const take = (what: string, json: object = {}) =>
    call(`${terminal}/v1/payments/${body.id}/${what}`, { json, headers: { 'idempotency-key': `${key} ${what}` } });
  return { read, take, id: String(body.id) };
}

it('an unpaid T-Bank payment is doubted, consents in /health, until the profile says given', async (device) => {
  const part = await healthOf(device, 'bank');
  assert.is((await call(`${device.terminal}/health`)).body.health.sales, 'sells-look-later');
  for (const words of ['статусе поступлений от физлиц', 'Возвраты по операциям с физлицами', 'may look unpaid'])
    assert.match(part.reason, words);
  const open = await sold(device, 'open');
  assert.equal([(await open.read()).state, (await open.read()).doubt], ['PENDING', 'consent']);
  assert.is((await open.take('cancel')).body.outcome, 'withdrawn');
  assert.equal([(await open.read()).state, (await open.read()).doubt], ['CANCELED', 'consent']);
  const paid = await sold(device, 'paid');
  await call(`${device.sandbox}/sandbox/payments/${paid.id}/pay`, { method: 'POST' });
  await until('it is accepted', async () => (await paid.read()).state === 'ACCEPTED');
  assert.is((await paid.read()).doubt, null);
  for (const consents of ['given', 'no-digital-roubles']) {
    assert.is(await agree(device, consents), 200);
    assert.is((await healthOf(device, 'bank')).reason ?? '', '');
    assert.is((await open.read()).doubt, null, consents);
  }
  assert.is(await agree(device, 'perhaps'), 400);
});

it('a refund without the consent is refused in words that say what to do, and the money stays', async (device) => {
  const paid = await sold(device, 'paid', 5033);
  await call(`${device.sandbox}/sandbox/payments/${paid.id}/pay`, { method: 'POST' });
  await until('it is accepted', async () => (await paid.read()).state === 'ACCEPTED');
  const { status, body } = await paid.take('refunds', { amount: 'all' });
  assert.equal([status, body.state, body.code], [200, 'refused', 'Bank.NoConsent'], JSON.stringify(body));
  assert.is((await paid.read()).refunded, 0);
});

test.run();
