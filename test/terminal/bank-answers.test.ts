/** Which answers of a bank a device believes, and what it returns to the till for the others. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CFT, call, each, startTestDevice, type TestDevice, until } from '../support.ts';
import { type FakeBank, linkOf, startFakeBank } from './banks/fake-bank.ts';
import { sendProfile, showQR, statusOf, untilAccepted } from './device-calls.ts';

const test = suite('terminal: what a bank answers');

interface Rig {
  readonly device: TestDevice;
  readonly bank: FakeBank;
}

const withBank = (run: (rig: Rig) => Promise<void>) => async () => {
  await using bank = await startFakeBank();
  await using device = await startTestDevice();
  assert.is((await sendProfile(device, { ...CFT, baseUrl: bank.url })).status, 200);
  await run({ device, bank });
};
const it = each(test, withBank);

/** Waits until the bank has been asked twice more: what it said first has been taken in by then. */
async function askedAgain({ bank }: Rig): Promise<void> {
  const before = bank.calls.length;
  await until('two more questions', () => bank.calls.length >= before + 2);
}

it('a payment is accepted on the word of the bank about this payment alone', async (rig) => {
  const { bank } = rig;
  const lies: readonly FakeBank['onState'][] = [
    () => ({ body: { payStatus: { status: 'ACWP' } } }),
    (_honest, { qrcId }) => ({ body: { payStatus: { status: 'ACWP' }, qrCode: { qrcId: `${qrcId}X` } } }),
    (honest, { amount }) => ({ body: { ...honest, amount: amount - 1 } }),
    (honest) => ({ body: { ...honest, cur: 'USD' } }),
    (honest) => ({ body: JSON.stringify(honest).replace('"status":', '"status":"NTST","status":') }),
  ];
  assert.is((await showQR(rig.device, 500)).status, 200);
  bank.payStatus = 'ACWP';
  for (const lie of lies) {
    bank.onState = lie;
    await askedAgain(rig);
    assert.is(await statusOf(rig.device), 'PENDING', String(lie));
  }
  bank.onState = (honest, { amount }) => ({ body: { ...honest, amount, cur: 'RUB' } });
  await untilAccepted(rig.device);
});

it('a link that is not right in all its parts is never drawn: the till gets an error, and the next payment works', async (rig) => {
  const { bank, device } = rig;
  for (const payload of ['javascript:alert(1)', 'https://example.org/pay', `${linkOf('AD1', 700)}\u0003`]) {
    bank.onRegister = (honest) => ({ body: { ...honest, payload } });
    const { status: code, body } = await showQR(rig.device, 700);
    assert.equal([code, body.error_category, body.error_code], [500, 'Bank', 3], payload);
    assert.match(body.error_message, /the bank gave a link .*; it is not shown/);
    assert.is((await call(`${device.recognition}/display/state`)).body.kind, 'clear');
    assert.is(await statusOf(rig.device), 'ERROR');
  }
  bank.onRegister = (honest) => ({ body: honest });
  assert.is((await showQR(rig.device, 700)).status, 200);
  assert.is((await call(`${device.recognition}/display/state`)).body.payload, bank.sales.at(-1)?.payload);
});

it("the bank's own code and text reach the till from an answer with HTTP 200, without the password", async (rig) => {
  rig.bank.onRegister = () => ({ body: { errorCode: 'QRC-17', error: `key ${CFT.password} is blocked` } });
  const { status: code, body } = await showQR(rig.device, 700);
  assert.equal([code, body.error_category, body.error_code], [500, 'Bank', 2]);
  assert.is(body.error_message, 'the bank refused (HTTP 200: key <PASSWORD> is blocked) (bank code QRC-17)');
  const answer = (await call(`${rig.device.terminal}/getDynamicQRStatus`)).body;
  assert.equal([answer.dynamicQRStatus, answer.error_message], ['ERROR', body.error_message]);
});

test("a profile without an address asks the bank at the device's own setting", async () => {
  await using bank = await startFakeBank();
  await using device = await startTestDevice({ LANEWARE_BANKS_CFT_BASEURL: bank.url });
  const { baseUrl: _, ...profile } = CFT;
  assert.is((await sendProfile(device, profile)).status, 200);
  assert.is((await showQR(device, 500)).status, 200);
  assert.equal(
    bank.sales.map(({ amount }) => amount),
    [500],
  );
});

test.run();
