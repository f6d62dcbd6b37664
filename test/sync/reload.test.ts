/** Devices are paired in turn; the real server reloads its configuration each time and cuts no connection. */

import type { NatsConnection } from '@nats-io/transport-node';
import * as assert from 'uvu/assert';
import { encodePart } from '../../drivers/lib/text.ts';
import { Centre } from '../../firmware/sync/centre/centre.ts';
import { type Address, connectTo } from '../../firmware/sync/centre/connect.ts';
import { inboxOf, subjectOf } from '../../firmware/sync/centre/subjects.ts';
import { pairWith } from '../../firmware/sync/pairing.ts';
import type { PairingCode } from '../../firmware/sync/pairing-code.ts';
import { suiteNeeding } from '../needing.ts';
import { doorOf } from './intruder.ts';
import { NO_SERVER, startMaster } from './real-rig.ts';

const test = suiteNeeding(NO_SERVER, 'pairing: a server that reads its configuration anew');
const DEVICE = { serial: 'S1', deviceId: 'id of S1' };

/** The connection of DEVICE, paired. */
async function joined(address: Address, code: PairingCode): Promise<NatsConnection> {
  const { certificate, seed } = await pairWith(address, code, DEVICE);
  return await connectTo({
    address,
    certificate,
    credential: { kind: 'key', seed },
    inboxPrefix: inboxOf(DEVICE.serial),
  });
}

test('what others ask during pairing is answered, although the server is away for a moment', async () => {
  await using master = await startMaster();
  const { address, code } = await doorOf(master);
  const connection = await joined(address, code);
  const centre = new Centre(connection);
  let isOver = false;
  const failures: string[] = [];
  const keepAsking = async (ask: () => Promise<unknown>): Promise<void> => {
    while (!isOver) await ask().catch((error: unknown) => failures.push(String(error)));
  };
  const own = subjectOf('progress', encodePart('S1'));
  const asking = [
    keepAsking(() => centre.marks()),
    keepAsking(() => centre.list('templates')),
    keepAsking(() => centre.list('tombstones')),
    keepAsking(() => centre.get('progress', own)),
    keepAsking(() => centre.putOwn('progress', 'S1', { done: [] })),
  ];
  for (let round = 0; round < 15; round++) await pairWith(address, code, { serial: 'S2', deviceId: 'id of S2' });
  isOver = true;
  await Promise.all(asking);
  await connection.close();
  assert.equal(failures, []);
});

test('a master that is at work on its centre pairs device after device', async () => {
  await using master = await startMaster();
  const { address, code } = await doorOf(master);
  const connection = await joined(address, code);
  const centre = new Centre(connection);
  const atStart = master.warnings.length; // it may have been faster than its server
  // each hint has the master look its centre through, which then asks while its server reads the configuration anew
  const hints = setInterval(() => centre.hint('S1'), 1);
  try {
    for (let round = 0; round < 40; round++) await pairWith(address, code, { serial: 'S2', deviceId: 'id of S2' });
  } finally {
    clearInterval(hints);
    await connection.close();
  }
  const own = master.warnings.slice(atStart).filter(({ message }) => message.startsWith('the centre does not work'));
  assert.equal(own, []);
});

test.run();
