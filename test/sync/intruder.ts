/** What the tests of security share: somebody with a credential of his own and bad intentions. */
import type { NatsConnection } from '@nats-io/transport-node';
import { type Address, connectTo } from '../../firmware/sync/centre/connect.ts';
import { inboxOf } from '../../firmware/sync/centre/subjects.ts';
import { SyncError } from '../../firmware/sync/errors.ts';
import { pairWith } from '../../firmware/sync/pairing.ts';
import { type PairingCode, readCode } from '../../firmware/sync/pairing-code.ts';
import type { Lane } from './rig.ts';

export async function addressOf(master: Lane) {
  const { mastersyncPort } = (await master.get('get_device_info')).body.data;
  return { host: '127.0.0.1', port: Number(mastersyncPort) };
}

export const codeOf = async (master: Lane): Promise<string> => (await master.must('get_sync_pairing_code')).pairingCode;

/** What a device needs to be paired. */
export async function doorOf(master: Lane): Promise<{ readonly address: Address; readonly code: PairingCode }> {
  const code = readCode(await codeOf(master));
  if (code === null) throw new Error('no code');
  return { address: await addressOf(master), code };
}

/** A device with a credential of its own and bad intentions. */
export async function intruder(master: Lane, serial: string): Promise<NatsConnection & AsyncDisposable> {
  const { address, code } = await doorOf(master);
  const { certificate, seed } = await pairWith(address, code, { serial, deviceId: `id of ${serial}` });
  const credential = { kind: 'key', seed } as const;
  const connection = await connectTo({ address, certificate, credential, inboxPrefix: inboxOf(serial) });
  return Object.assign(connection, { [Symbol.asyncDispose]: () => connection.close() });
}

export async function codeOfFailure(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
  } catch (error) {
    return error instanceof SyncError ? error.code : String(error);
  }
  return 'done';
}

export const healthOf = (lane: Lane): string =>
  lane.health.report().parts.find(({ part }) => part === 'sync')?.reason ?? 'no such part';
