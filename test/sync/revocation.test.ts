/** A paired device that is revoked is shut out at once, for good, and despite faults meanwhile. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pairWith } from '../../firmware/sync/pairing.ts';
import { readCode } from '../../firmware/sync/pairing-code.ts';
import { until } from '../support.ts';
import { codeOf, codeOfFailure, doorOf, healthOf, intruder } from './intruder.ts';
import { joinStore, status } from './rig.ts';
import { inStore } from './store.ts';

const test = suite('synchronisation: revocation');

test(
  'a revoked device is cut off at once, may be paired anew, and goes on where it stopped',
  inStore(async (store) => {
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
  }),
);

test(
  'a pairing code is worth nothing any more when a device is revoked',
  inStore(async ({ master }) => {
    const { address, code } = await doorOf(master);
    const device = { serial: 'EVIL', deviceId: 'id' };
    await pairWith(address, code, device);
    await master.must('revoke_sync_device', { sn: 'EVIL' });
    assert.is(await codeOfFailure(() => pairWith(address, code, device)), 'unauthorised');
    assert.not.equal(readCode(await codeOf(master)), code);
  }),
);

test(
  'damage to the list of paired devices loses none, and brings back no device that was revoked',
  inStore(async (store) => {
    for (const serial of ['S1', 'EVIL']) await (await intruder(store.master, serial)).close();
    await store.master.must('revoke_sync_device', { sn: 'EVIL' });
    await store.leave('M');
    writeFileSync(join(store.folderOf('M'), 'sync', 'devices.json'), 'garbage');
    const master = await store.start('M');
    const { devices } = await status(master);
    assert.equal(
      devices.map(({ sn }: { sn: string }) => sn),
      ['M', 'S1'],
    );
  }),
);

test.run();
