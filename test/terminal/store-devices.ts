/** Whole devices that make a store, each with a sale of its own; the master's message server is in this process. */

import { pairWith } from '../../firmware/sync/pairing.ts';
import { readCode } from '../../firmware/sync/pairing-code.ts';
import { freePort } from '../ports.ts';
import { call, setUp, startTestDevice, type TestDevice, until } from '../support.ts';
import { WITHOUT_SERVER } from '../sync/abandoned-server.ts';
import { sellPaid } from './device-calls.ts';

const post = ({ recognition }: TestDevice, path: string, json: object = {}) =>
  call(`${recognition}/api/${path}`, { json });

export const startLaneDevice = (serial: string): Promise<TestDevice> =>
  startTestDevice({ LANEWARE_SERIAL: serial }, undefined, WITHOUT_SERVER);

export async function startMasterDevice(serial: string): Promise<TestDevice> {
  const settings = {
    ...{ LANEWARE_SERIAL: serial, LANEWARE_SYNC_HOST: '127.0.0.1' },
    LANEWARE_SYNC_PORT: String(await freePort()),
  };
  const device = await startTestDevice(settings, undefined, WITHOUT_SERVER);
  await post(device, 'set_sync_master', { upload: true, download: true });
  return device;
}

export async function join(lane: TestDevice, master: TestDevice): Promise<void> {
  const { pairingCode } = await until(
    'the server of the store runs',
    async () => (await post(master, 'get_sync_pairing_code')).body.data,
  );
  const { mastersyncPort } = (await call(`${master.recognition}/api/get_device_info`)).body.data;
  const directions = { upload: true, download: true };
  await post(lane, 'set_sync_slave', { masterIP: '127.0.0.1', mastersyncPort, ...directions, pairingCode });
}

/** A device that is paired, and never reports. */
export async function pairSilent(serial: string, master: TestDevice): Promise<void> {
  const code = readCode((await post(master, 'get_sync_pairing_code')).body.data.pairingCode);
  if (code === null) throw new Error('no code');
  const { mastersyncPort } = (await call(`${master.recognition}/api/get_device_info`)).body.data;
  await pairWith({ host: '127.0.0.1', port: mastersyncPort }, code, { serial, deviceId: serial });
}

/** @returns the order id */
export async function sellAt(device: TestDevice, amount: number): Promise<string> {
  await setUp(device);
  const key = { 'idempotency-key': `sale of ${amount}` };
  return (await sellPaid(device, { amount, purpose: 'Apples' }, key)).id;
}

export const today = (): string => new Date().toLocaleDateString('sv-SE');

export const csvOf = (lines: readonly (readonly [order: string, kopecks: number])[]): string =>
  ['order;amount', ...lines.map(([order, kopecks]) => `${order};${(kopecks / 100).toFixed(2)}`), ''].join('\n');

export const reconcileAt = ({ terminal }: TestDevice, csv: string) => {
  const [columns, file] = [{ order: 'order', amount: 'amount' }, Buffer.from(csv).toString('base64')];
  return call(`${terminal}/v1/reconciliations`, { json: { from: today(), file, columns } });
};
