/** A paired device that is revoked is shut out at once, for good, and despite faults meanwhile. */
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { encodePart } from '../../drivers/lib/text.ts';
import { Centre } from '../../firmware/sync/centre/centre.ts';
import { subjectOf } from '../../firmware/sync/centre/subjects.ts';
import { pairWith } from '../../firmware/sync/pairing.ts';
import { readCode } from '../../firmware/sync/pairing-code.ts';
import { each, pick, until } from '../support.ts';
import { codeOf, codeOfFailure, doorOf, healthOf, intruder } from './intruder.ts';
import { BOTH, joinStore, type Lane, running, status } from './rig.ts';
import { inStore } from './store.ts';

const test = suite('synchronisation: revocation');
const it = each(test, inStore);

it('a revoked device is cut off at once, may be paired anew, and goes on where it stopped', async (store) => {
  const { master } = store;
  const slave = await store.add('S1');
  await slave.learn('7');
  await store.holds('7');
  await master.must('revoke_sync_device', { sn: 'S1' });
  await master.learn('8');
  await until('it is reported', () => healthOf(slave).includes('does not accept the credential'));
  assert.is((await slave.post('start_sync')).body.code, -6313);
  assert.is(slave.held().length, 1);
  assert.is((await master.post('revoke_sync_device', { sn: 'S1' })).body.code, -6213);
  await joinStore(slave, master);
  await store.holds('7', '8');
});

it('a pairing code is worth nothing any more when a device is revoked', async ({ master }) => {
  const { address, code } = await doorOf(master);
  const device = { serial: 'EVIL', deviceId: 'id' };
  await pairWith(address, code, device);
  await master.must('revoke_sync_device', { sn: 'EVIL' });
  assert.is(await codeOfFailure(() => pairWith(address, code, device)), 'unauthorised');
  assert.not.equal(readCode(await codeOf(master)), code);
});

const junk = async (master: Lane): Promise<number> => {
  await using watching = await intruder(master, 'W');
  const { subjects } = await new Centre(watching).list('templates');
  return subjects.filter((subject) => subject.includes(encodePart('EVIL'))).length;
};

async function flood(master: Lane): Promise<void> {
  await using evil = await intruder(master, 'EVIL');
  for (let number = 0; number < 5; number++)
    await new Centre(evil).put(subjectOf('templates', `${encodePart('EVIL')}.x.y.${number}`), Buffer.alloc(500_000));
  assert.is(await junk(master), 5);
}

it('a revoked device’s entries go, also after a restart; what others learned of it stays', async (store) => {
  const [one] = [await store.add('S1'), await store.add('S2')];
  await one.learn('7');
  await store.holds('7');
  await flood(store.master);
  await store.master.must('revoke_sync_device', { sn: 'EVIL' });
  await until('it is taken away', async () => (await junk(store.master)) === 0);
  await flood(store.master);
  await store.leave('M');
  const list = join(store.folderOf('M'), 'sync', 'devices.json');
  for (const file of readdirSync(join(store.folderOf('M'), 'sync')).filter((name) => name.startsWith('devices.json')))
    rmSync(join(store.folderOf('M'), 'sync', file));
  assert.not.ok(existsSync(list));
  const master = await store.start('M');
  await running(master);
  await until('it is taken away at the start', async () => (await junk(master)) === 0);
  for (const serial of ['S1', 'S2']) await joinStore(store.at(serial), master);
  await store.holds('7');
});

it('what a revoked device puts until the server knows of it goes, too', async ({ master }) => {
  await using watching = await intruder(master, 'W');
  await using evil = await intruder(master, 'EVIL');
  const part = encodePart('EVIL');
  const goOn = async (): Promise<void> => {
    for (let number = 0; ; number++)
      await new Centre(evil).put(subjectOf('templates', `${part}.x.y.${number % 50}`), Buffer.alloc(100));
  };
  const cutOff = goOn().catch(() => undefined);
  await master.must('revoke_sync_device', { sn: 'EVIL' });
  await cutOff;
  await until('it is taken away', async () =>
    (await new Centre(watching).list('templates')).subjects.every((subject) => !subject.includes(part)),
  );
});

it('a store that is founded anew begins empty, and its devices give again what they have', async (store) => {
  const slave = await store.add('S1');
  await slave.learn('7');
  await store.holds('7');
  const { master } = store;
  await flood(master);
  await master.must('set_sync_standalone');
  await master.must('set_sync_master', BOTH);
  await running(master);
  assert.is(await junk(master), 0);
  await joinStore(slave, master);
  const fresh = await store.add('S2');
  await until('it is given again', () => fresh.held().length === 1);
});

it('damage to the list of paired devices loses none, and brings back no revoked one', async (store) => {
  for (const serial of ['S1', 'EVIL']) await (await intruder(store.master, serial)).close();
  await store.master.must('revoke_sync_device', { sn: 'EVIL' });
  await store.leave('M');
  writeFileSync(join(store.folderOf('M'), 'sync', 'devices.json'), 'garbage');
  const master = await store.start('M');
  const { devices } = await status(master);
  assert.equal(pick(devices, 'sn'), ['M', 'S1']);
});

test.run();
