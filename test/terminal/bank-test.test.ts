/** A bank is tried out over the device's own calls: with what is kept and with what is not, and nothing stays of it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LogRing } from '../../firmware/core/host/log-ring.ts';
import { openLog } from '../../firmware/device/composition/base.ts';
import { call, each, onDevice, SANDBOX_SETTINGS, SCREEN, setUp, startTestDevice, type TestDevice } from '../support.ts';
import { type Asked, type Reply, startWireBank } from './banks/wire-bank.ts';

const test = suite('POST /console/api/settings/bank-test');
const it = each(test, onDevice);

const SECRET = 'made-up-kept-password';
const OTHER = 'made-up-new-password';
/** A gateway with one login; it repeats the credentials that it rejects. */
const gateway = ({ text, call: asked }: Asked): Reply => {
  const password = new URLSearchParams(text).get('password');
  if (!asked.endsWith('/getOrderStatusExtended.do')) return { status: 404, body: {} };
  return password === SECRET
    ? { body: { errorCode: '6', errorMessage: 'Неверный номер заказа' } }
    : { body: { errorCode: '5', errorMessage: `Доступ запрещён: ${password}` } };
};
const sber = (url: string, more: object = {}) => ({ bankName: 'Sber', userName: 'shop-api', baseUrl: url, ...more });
const settings = (profile: object) => ({
  bankProfile: 'shop',
  bankProfiles: { shop: profile },
  deviceConnection: SCREEN,
});
const put = ({ recognition }: TestDevice, json: object) =>
  call(`${recognition}/console/api/settings`, { method: 'PUT', json });
const trial = ({ recognition }: TestDevice, json: object) =>
  call(`${recognition}/console/api/settings/bank-test`, { json });
const lines = async ({ recognition }: TestDevice) => {
  const { body } = await call(`${recognition}/console/api/audit`);
  return body.lines.filter(({ deed }: { deed: string }) => deed === 'bank-tried');
};

it('a secret that the form omits, empties or masks is the kept one, and goes nowhere else', async (device) => {
  await using bank = await startWireBank(gateway);
  await using elsewhere = await startWireBank(gateway);
  assert.is((await put(device, settings(sber(bank.url, { password: SECRET })))).status, 200);
  for (const json of [
    {},
    { profile: sber(bank.url) },
    { bankProfile: 'shop', profile: sber(bank.url, { password: '' }) },
    { profile: sber(bank.url, { password: '<PASSWORD>' }) },
  ]) {
    const { status, body, text } = await trial(device, json);
    assert.is(status, 200, text);
    assert.equal([body.bankName, body.asked, body.untried], ['Sber', true, []]);
  }
  const taken = await trial(device, { profile: sber(elsewhere.url) });
  assert.equal([taken.status, taken.body.field], [400, 'password'], taken.text);
  assert.is(taken.body.reason, undefined, 'it is missing, as if none were kept');
  const masked = await trial(device, { profile: sber(elsewhere.url, { password: '<PASSWORD>' }) });
  assert.equal([masked.status, masked.body.field, masked.body.reason], [400, 'password', 'secret-again']);
  assert.equal(elsewhere.calls, []);
});

it('a caller that tests banks too often is throttled, and the answer says for how long', async (device) => {
  const once = () => trial(device, { profile: { bankName: 'Sandbox' } });
  for (let n = 0; n < 6; n += 1) assert.is((await once()).status, 200);
  const { status, body, headers } = await once();
  assert.equal([status, body.code], [429, 'BankTest.TooOften']);
  assert.is(headers.get('retry-after'), String(body.seconds));
  assert.ok(body.seconds > 0 && body.seconds <= 60);
});

test('a wrong password is a 400 by its field, and in no answer, log line or audit line', async () => {
  const log = new LogRing();
  await using device = await startTestDevice({}, undefined, { log: openLog('debug', log), lines: log });
  await using bank = await startWireBank(gateway);
  const { status, body, text } = await trial(device, { profile: sber(bank.url, { password: OTHER }) });
  assert.equal([status, body.code, body.field], [400, 'BankTest.WrongCredentials', 'password'], text);
  assert.match(body.said, 'Доступ запрещён');
  await trial(device, { profile: sber(`${bank.url}/other`, { password: OTHER }) });
  const [second, first] = await lines(device);
  assert.equal([first.outcome, first.what], ['failed', { bank: 'Sber', outcome: 'BankTest.WrongCredentials' }]);
  assert.is(second.outcome, 'failed');
  const trail = (await call(`${device.recognition}/console/api/audit`)).text;
  const logged = JSON.stringify((await call(`${device.recognition}/console/api/log`)).body);
  const { calls } = (await call(`${device.recognition}/console/api/calls?path=bank-test`)).body;
  assert.is(calls.length, 2);
  const sent = (await call(`${device.recognition}/console/api/calls/${calls[0].n}`)).text;
  for (const shown of [text, trail, logged, sent]) assert.not.match(shown, OTHER);
});

test('nothing is kept: not the settings, not a payment, not what is known of the banks in use', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  await using bank = await startWireBank(gateway);
  const kept = () => readFileSync(join(device.dataDir, 'settings.json'), 'utf8');
  const health = async () => (await call(`${device.recognition}/health`)).body.data.parts;
  const [before, healthBefore] = [kept(), await health()];
  assert.is((await trial(device, { profile: sber(bank.url, { password: SECRET }) })).status, 200);
  assert.is((await trial(device, { profile: sber(bank.url, { password: OTHER }) })).status, 400);
  assert.is(kept(), before);
  assert.equal(await health(), healthBefore);
  assert.equal((await call(`${device.recognition}/v1/payments`)).body.payments, []);
  assert.equal((await call(`${device.recognition}/console/api/settings`)).body.settings, SANDBOX_SETTINGS);
  // the play bank of the device can be tried out, too
  const played = await trial(device, {});
  assert.equal([played.status, played.body.bankName, played.body.asked], [200, 'Sandbox', true]);
  assert.equal((await call(`${device.sandbox}/sandbox/payments`)).body, []);
});

it('a question keeps its settings if they change meanwhile; the new ones hold afterwards', async (device) => {
  let answer = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await using bank = await startWireBank((one) => {
    answer();
    return gateway(one);
  });
  await put(device, settings(sber(bank.url, { password: SECRET })));
  const trying = trial(device, {});
  await asked;
  assert.is((await put(device, SANDBOX_SETTINGS)).status, 200);
  assert.is((await trying).body.bankName, 'Sber');
  assert.is((await call(`${device.recognition}/console/api/settings`)).body.settings.bankProfile, 'sandbox');
});

it('a profile that cannot be tested is refused with its field, before any bank is asked', async (device) => {
  for (const [json, field] of [
    [{}, 'bankProfile'],
    [{ bankProfile: 'none' }, 'bankProfile'],
    [{ profile: {} }, 'bankName'],
    [{ profile: { bankName: 'Sber', userName: 'a' } }, 'password'],
    [{ bankProfile: 'a.b', profile: { bankName: 'Sber', password: 'made-up' } }, 'userName'],
    [{ profile: sber('ftp://bank.example', { password: 'made-up' }) }, 'baseUrl'],
  ] as const) {
    const { status, body, text } = await trial(device, json);
    assert.equal([status, body.field], [400, field], text);
  }
});

test.run();
