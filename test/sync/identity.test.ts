/** Who a device is to its store: its pairing code, its serial number, and its credential, each of which two may show. */
import { cpSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { each, opening, temporaryFolder, until } from '../support.ts';
import { healthOf } from './intruder.ts';
import { agree, invitation, joinStore, startLane, startMaster, status } from './rig.ts';

const test = suite('synchronisation: who a device is');
const it = each(test, opening(startMaster));

it('a wrong pairing code changes nothing: wrong secret, wrong fingerprint, no code at all', async (master) => {
  await using slave = await startLane('S1');
  const { pairingCode: whole, ...request } = await invitation(master);
  const code = whole.replaceAll('-', '');
  const flip = (text: string, at: number) => text.slice(0, at) + (text[at] === '0' ? '1' : '0') + text.slice(at + 1);
  for (const [pairingCode, expected] of [
    [flip(code, 0), -6313],
    [flip(code, 10), -6313],
    ['ABCD', -6213],
  ] as const) {
    assert.is((await slave.post('set_sync_slave', { ...request, pairingCode })).body.code, expected);
    assert.is((await slave.get('get_device_info')).body.data.syncMode, 'standalone');
  }
});

it('a second device with the serial number of one at work is refused and reported, not merged', async (master) => {
  await using first = await startLane('S1');
  await using second = await startLane('S1');
  await using third = await startLane('M');
  await joinStore(first, master);
  const request = await invitation(master);
  for (const lane of [second, third]) {
    const { body } = await lane.post('set_sync_slave', request);
    assert.is(body.code, -6313);
    assert.match(body.msg, 'another device with the serial number');
  }
  assert.match(healthOf(master), /Two devices have the serial number M, S1|S1, M/);
  await first.must('start_sync');
});

test('a slave’s card in a board of another serial number is unpaired, and asks for pairing', async () => {
  using folder = temporaryFolder();
  await using master = await startMaster();
  {
    await using before = await startLane('S1', { folder: folder.path });
    await joinStore(before, master);
  }
  await using spare = await startLane('S2', { folder: folder.path });
  await until('it is said', () => healthOf(spare).includes('paired in a device with the serial number S1') || null);
  assert.match(healthOf(spare), /this one is S2: pair it anew with a pairing code/);
  assert.is((await status(spare)).paired, false);
  assert.is((await spare.post('start_sync')).body.code, -6312);
  await joinStore(spare, master);
  assert.is(healthOf(spare), '');
  await spare.learn('7');
  await agree([master, spare], 1);
});

it('a board that was flashed anew is taken at once, though the one that it was is remembered', async (master) => {
  await using witness = await startLane('S2');
  await joinStore(witness, master);
  {
    await using before = await startLane('S1');
    await joinStore(before, master);
    await before.learn('1');
    await agree([before, master, witness], 1);
  }
  await using flashed = await startLane('S1');
  await joinStore(flashed, master);
  await agree([flashed, master, witness], 1);
  assert.not.match(healthOf(master), 'Two devices have the serial number');
  const { devices } = await status(master);
  const found = devices.map(({ sn, conflict }: { sn: string; conflict: boolean }) => [sn, conflict]);
  assert.equal(found, [
    ['M', false],
    ['S2', false],
    ['S1', false],
  ]);
});

it('a device refused beside another is taken when that one is gone, and no conflict stays', async (master) => {
  await using second = await startLane('S1');
  {
    await using first = await startLane('S1');
    await joinStore(first, master);
    const { body } = await second.post('set_sync_slave', await invitation(master));
    assert.match(body.msg, 'is at work in this store: switch that one off and pair again');
    assert.match(healthOf(master), 'Two devices have the serial number S1');
  }
  await second.must('set_sync_slave', await invitation(master));
  assert.not.match(healthOf(master), 'Two devices have the serial number');
});

test('one credential that is used in two places at once is reported', async () => {
  using folder = temporaryFolder();
  using copy = temporaryFolder();
  await using master = await startMaster();
  {
    await using slave = await startLane('S1', { folder: folder.path });
    await joinStore(slave, master);
  }
  cpSync(folder.path, copy.path, { recursive: true });
  await using one = await startLane('S1', { folder: folder.path });
  await one.must('start_sync');
  await using other = await startLane('S1', { folder: copy.path });
  await other.must('start_sync');
  await one.must('start_sync');
  await until('the conflict', async () => {
    const { devices } = (await master.get('get_sync_status')).body.data;
    return devices.find(({ sn }: { sn: string }) => sn === 'S1')?.conflict || null;
  });
  assert.match(healthOf(master), 'Two devices have the serial number S1');
  assert.ok(master.warnings.some(({ message }) => message.startsWith('one credential is used by two devices')));
});

it('a pairing code is the same while it is young and pairs any number of devices', async (master) => {
  await using one = await startLane('S1');
  await using two = await startLane('S2');
  const request = await invitation(master);
  assert.equal(await invitation(master), request);
  const pairingCode = request.pairingCode.toLowerCase().replaceAll('-', ' ');
  for (const lane of [one, two]) await lane.must('set_sync_slave', { ...request, pairingCode });
});

test.run();
