/** What a device says whose pairing, role or list is worth nothing any more: what has happened, and what to do. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { each, pick, temporaryFolder, until } from '../support.ts';
import { BOTH, joinStore, type Lane, running, startLane } from './rig.ts';
import { inStore, type Store, storeOf } from './store.ts';

const test = suite('synchronisation: what pairing anew mends');
const it = each(test, inStore);

const partOf = ({ health }: Lane, name = 'sync') => health.report().parts.find(({ part }) => part === name);
const codesOf = (lane: Lane, name = 'sync') => pick(partOf(lane, name)?.reasons ?? [], 'code');

/** The master goes, and comes back without some of its files. */
async function withoutFiles(store: Store, lost: (name: string) => boolean): Promise<Lane> {
  await store.leave('M');
  const folder = join(store.folderOf('M'), 'sync');
  for (const name of readdirSync(folder).filter(lost)) rmSync(join(folder, name), { recursive: true });
  return await store.start('M');
}

for (const [what, lost, code, words] of [
  ['whose card was emptied', () => true, 'sync-other-master', /^What answers at 127\.0\.0\.1:\d+ is not the master/],
  [
    'that has lost its list of devices',
    (name: string) => name.startsWith('devices.json'),
    'sync-not-known',
    /^The master at 127\.0\.0\.1:\d+ does not know this device/,
  ],
] as const)
  it(`a master ${what}: a slave says what to do until paired anew`, async (store) => {
    const slave = await store.add('S1');
    const master = await withoutFiles(store, lost);
    await until('it is said', () => codesOf(slave).includes(code));
    const { reason = '' } = partOf(slave) ?? {};
    assert.match(reason, words);
    assert.match(reason, /Pair this device (?:with it )?anew/);
    assert.not.match(reason, /use-system-ca|Node\.js/);
    assert.is((await storeOf(slave)).reason, code);
    await running(master);
    await joinStore(slave, master);
    assert.equal([codesOf(slave), (await storeOf(slave)).reason], [[], null]);
  });

/** Spoils both copies of a small file. */
function spoil(path: string): void {
  for (const copy of [path, `${path}.copy`]) writeFileSync(copy, readFileSync(copy).subarray(0, -10));
}

test('what was damaged and is chosen again is no reason any more', async () => {
  using folder = temporaryFolder();
  const file = (name: string): string => join(folder.path, name);
  const start = () => startLane('M', { folder: folder.path });
  {
    await using lane = await start();
    await lane.must('set_sync_master', BOTH);
    await lane.must('set_sync_standalone');
    await lane.must('set_predict_speed', { speed: 'fast' });
  }
  spoil(file('sync.json'));
  spoil(file('recognition.json'));
  await using lane = await start();
  assert.equal([codesOf(lane), (await storeOf(lane)).reason], [['sync-settings-damaged'], 'sync-settings-damaged']);
  assert.ok(codesOf(lane, 'templates').includes('recognition-settings-damaged'));
  await lane.must('set_sync_standalone');
  await lane.must('set_predict_speed', { speed: 'fast' });
  assert.equal([codesOf(lane), (await storeOf(lane)).reason], [[], null]);
  assert.not.ok(codesOf(lane, 'templates').includes('recognition-settings-damaged'));
});

it('a damaged list of devices is a reason until one is paired or removed, and keeps the others', async (store) => {
  const slave = await store.add('S1');
  await slave.learn('7');
  await store.holds('7');
  await store.leave('M');
  spoil(join(store.folderOf('M'), 'sync', 'devices.json'));
  const master = await store.start('M');
  assert.equal([codesOf(master), (await storeOf(master)).reason], [['sync-devices-damaged'], 'sync-devices-damaged']);
  await running(master);
  await joinStore(slave, master);
  await until('all is well', () => codesOf(master).length === 0);
  await store.holds('7');
  // and not only because it is given again
  assert.not.ok(master.warnings.some(({ details }) => details.device === 'S1' && details.bucket === 'templates'));
});

test.run();
