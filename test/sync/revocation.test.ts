/** Who was let in and is shut out again: at once, for good, and through whatever goes wrong meanwhile. */
import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { temporaryFor } from '../../firmware/store/durable-file.ts';
import { Centre } from '../../firmware/sync/centre/centre.ts';
import { pairWith } from '../../firmware/sync/pairing/pairing.ts';
import { readCode } from '../../firmware/sync/pairing/pairing-code.ts';
import { needing } from '../skipping.ts';
import { temporaryFolder, until } from '../support.ts';
import { addressOf, codeOf, codeOfFailure, healthOf, intruder } from './intruder.ts';
import { agree, joinStore, NO_SERVER, startLane, startMaster } from './rig.ts';

const revocation = suite('synchronisation: revocation');
const test = needing(NO_SERVER, 'synchronisation: revocation', revocation);

test('a revoked device is cut off at once, may be paired anew, and goes on where it stopped', async () => {
  await using master = await startMaster();
  await using slave = await startLane('S1');
  await joinStore(slave, master);
  await slave.learn('7');
  await agree([master, slave], 1);
  await master.must('revoke_sync_device', { sn: 'S1' });
  await master.learn('8');
  await until('it is told', () => healthOf(slave).includes('does not accept the credential') || null);
  assert.is((await slave.post('start_sync')).body.code, -6313);
  assert.is(slave.held().length, 1);
  assert.is((await master.post('revoke_sync_device', { sn: 'S1' })).body.code, -6213);
  await joinStore(slave, master);
  await agree([master, slave], 2);
});

test('a pairing code is worth nothing any more when a device is revoked', async () => {
  await using master = await startMaster();
  const address = await addressOf(master);
  const [code, device] = [readCode(await codeOf(master)), { serial: 'EVIL', deviceId: 'id' }];
  if (code === null) throw new Error('no code');
  await pairWith(address, code, device);
  await master.must('revoke_sync_device', { sn: 'EVIL' });
  assert.is(await codeOfFailure(() => pairWith(address, code, device)), 'unauthorised');
  assert.not.equal(readCode(await codeOf(master)), code);
});

test('a revocation that could not be written whole reaches the server when it is repeated', async () => {
  await using master = await startMaster();
  await using connection = await intruder(master, 'EVIL');
  const centre = new Centre(connection);
  const unwritable = temporaryFor(join(master.folder, 'sync', 'server.conf'));
  mkdirSync(unwritable);
  assert.is.not((await master.post('revoke_sync_device', { sn: 'EVIL' })).body.code, 0);
  rmdirSync(unwritable);
  await centre.putOwn('progress', 'EVIL', { done: [] });
  await master.post('revoke_sync_device', { sn: 'EVIL' });
  await until('it is cut off', () => connection.isClosed());
});

test('damage to the list of paired devices is told of, and brings back no device that was revoked', async () => {
  using folder = temporaryFolder();
  {
    await using master = await startMaster('M', { folder: folder.path });
    for (const serial of ['S1', 'EVIL']) await (await intruder(master, serial)).close();
    await master.must('revoke_sync_device', { sn: 'EVIL' });
  }
  writeFileSync(join(folder.path, 'sync', 'devices.json'), 'garbage');
  await using master = await startLane('M', { folder: folder.path });
  const { devices } = (await master.get('get_sync_status')).body.data;
  assert.equal(
    devices.map(({ sn }: { sn: string }) => sn),
    ['M', 'S1'],
  );
  assert.match(healthOf(master), 'the list of paired devices was damaged');
});

revocation.run();
