/** What a device does whose ledger cannot be opened or written, and that it goes on afterwards. */
import * as assert from 'uvu/assert';
import { call, setUp, startTestDevice, type TestDevice, until } from '../support.ts';
import { healthOf, newestAtBank, showQR } from './device-calls.ts';

export const ledgerHealth = (device: TestDevice) => healthOf(device, 'ledger');
/** The same of a sale that the till has named. */
const showNamed = ({ terminal }: TestDevice, amount: number) =>
  call(`${terminal}/showQR`, {
    json: { amount },
    headers: { 'content-type': 'application/json', 'idempotency-key': 'k' },
  });
export const status = ({ terminal }: TestDevice) => call(`${terminal}/getDynamicQRStatus`);

/** Leaves an open payment. Returns the bank's id of it. */
export async function sell(folder: string): Promise<string> {
  await using device = await startTestDevice({}, folder);
  await setUp(device);
  assert.is((await showQR(device, 100)).status, 200);
  return (await newestAtBank(device)).qrcId;
}

/** Every call that needs no ledger works, and the others say why they do not. */
export async function isRefused(device: TestDevice, { category, code, pattern }: Refusal): Promise<void> {
  for (const ask of [() => showQR(device, 300), () => showNamed(device, 300), () => status(device)]) {
    const { status: http, body } = await ask();
    const first = ask.toString();
    if (http === 200) assert.is(body.dynamicQRStatus, 'ERROR', first);
    else assert.is(http, 500, first);
    assert.equal([body.error_category, body.error_code], [category, code], first);
  }
  const exported = await call(`${device.terminal}/exportToCSV`, { json: { path: 'all.csv' } });
  assert.equal([exported.status, exported.body.error_category], [500, category]);
  assert.match(exported.body.error_message, /nothing was exported/);
  const { state, reason } = await ledgerHealth(device);
  assert.is(state, 'degraded');
  assert.match(reason, pattern);
  assert.is((await call(`${device.terminal}/clearScreen`, { json: {} })).status, 200);
  assert.is((await call(`${device.terminal}/showInfoQR`, { json: { infoQR: 'x' } })).status, 200);
  for (const path of ['/health', '/console/api/overview', '/metrics'])
    assert.is((await call(device.recognition + path)).status, 200, path);
  assert.is((await call(`${device.recognition}/api/get_device_info`)).body.code, 0);
}

interface Refusal {
  readonly category: string;
  readonly code: number;
  readonly pattern: RegExp;
}

export const REFUSED: Refusal = {
  category: 'Internal',
  code: 3,
  pattern: /ledger cannot be written: payments are not possible/,
};
export const FULL: Refusal = {
  category: 'Internal',
  code: 2,
  pattern: /No space left on the device: payments are not possible/,
};

/** The payment of the process before is followed, and the next one is taken. */
export async function goesOn(device: TestDevice, qrcId: string): Promise<void> {
  assert.is((await call(`${device.sandbox}/sandbox/payments/${qrcId}/pay`, { method: 'POST' })).status, 200);
  const recent = async () => (await call(`${device.recognition}/console/api/overview`)).body.recent;
  await until('the payment of the process before', async () => (await recent())[0]?.state === 'ACCEPTED');
  const refused = await showQR(device, 400);
  assert.match(refused.body.error_message ?? '', /has been paid/, 'the till gets this once');
  assert.is((await showQR(device, 400)).status, 200);
  assert.is((await status(device)).body.dynamicQRStatus, 'PENDING');
}
