/**
 * The updater killed before each program that it runs, and the power cut there, on a file system whose journal is its own:
 * after each, the device comes up whole, and the next update goes through. Every few steps, the same in each run;
 * `LANEWARE_SWEEP=all` takes every one.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { Disk, NO_POWER_CUTS } from '../disk.ts';
import { needing, suiteNeeding } from '../needing.ts';
import { NEW, NO_RELEASES, OLD, onDevice, Rig } from './rig.ts';

const sweep = suiteNeeding(NO_RELEASES, 'faults at every step of an update');
const EVERY = process.env.LANEWARE_SWEEP === 'all' ? 1 : 5;

/** What must always hold: one whole release runs, and it is the one that the links name. */
async function isWhole(rig: Rig, where: string): Promise<void> {
  const good = rig.link('good');
  assert.ok(good === OLD || good === NEW, `${where}: good is ${good}`);
  assert.is(rig.link('current'), good, `${where}: what starts is what is good`);
  assert.is(await rig.answers(), good, `${where}: what answers`);
  assert.is(rig.state(), 'idle', `${where}: state`);
  assert.not.ok(
    rig.releases().some((name) => name.startsWith('.')),
    `${where}: nothing half unpacked`,
  );
  rig.bash('whole() { (cd "$1" && sha256sum --check --quiet --strict SHA256SUMS); }; whole "$1"', [
    join(rig.root, 'opt/laneware/releases', good ?? ''),
  ]);
}

/** The update that is cut short: to a release of a new key, which a statement beside it brings along. */
function nextRelease(rig: Rig): string {
  rig.makeKey('next');
  rig.publish({ trust: ['next'], signedBy: 'key' });
  return rig.release({ key: 'next' });
}

/** The next one goes through, and the new key is the only one that is left. */
async function updates(rig: Rig, where: string): Promise<void> {
  const release = rig.release({ version: '1.2.0', key: 'next' });
  const { code, output } = await rig.ota(['update', '--retry', '--from', release]);
  assert.is(code, 0, `${where}: ${output}`);
  assert.is(await rig.answers(), '1.2.0', where);
  const keys = readdirSync(join(rig.root, 'etc/laneware/release-keys')).filter((name) => name.endsWith('.pem'));
  assert.is(keys.length, 1, `${where}: ${keys.join(', ')}`);
}

/** How many programs an update runs that change something. */
async function stepsOfAnUpdate(): Promise<number> {
  let steps = 0;
  await onDevice(async (rig) => {
    await rig.ota(['update', '--from', nextRelease(rig)], { FAULT: 'kill:0' });
    assert.is(await rig.answers(), NEW, 'an update without a fault');
    steps = rig.count();
  });
  return steps;
}

sweep('killed before any program that it runs, it is recovered to a whole device', async () => {
  const steps = await stepsOfAnUpdate();
  const ends = new Set<string | null>();
  for (let step = 1; step <= steps; step += EVERY) {
    await onDevice(async (rig) => {
      const { code } = await rig.ota(['update', '--from', nextRelease(rig)], { FAULT: `kill:${step}` });
      assert.is(code, null, `step ${step}: the fault came`);
      await rig.ota(['recover']);
      await isWhole(rig, `killed before step ${step} of ${steps}`);
      ends.add(rig.link('good'));
      await updates(rig, `after step ${step}`);
    });
  }
  process.stdout.write(`  ${steps} steps, every ${EVERY}; ended in ${[...ends].sort().join(' and ')}\n`);
});

/** Runs an update that a fault ends by cutting the power, boots again, and returns which release runs then. */
async function cutBy(fault: string): Promise<string | null> {
  using disk = new Disk();
  using rig = new Rig(join(disk.mount, 'root'));
  await rig.install();
  execFileSync('sync', ['-f', disk.mount]);
  const { code: ended } = await rig.ota(['update', '--from', nextRelease(rig)], { FAULT: fault });
  assert.is(ended, null, `${fault}: the fault came`);
  // the machine is off: nothing of it goes on
  rig.stopService();
  disk.unplug();
  disk.plugIn();
  // what was in memory is gone with it
  rmSync(join(rig.root, 'run'), { recursive: true, force: true });
  mkdirSync(join(rig.root, 'run/laneware'), { recursive: true });
  const { code, output } = await rig.ota(['recover', '--boot']);
  assert.is(code, 0, `${fault}: ${output}`);
  await rig.startService();
  await isWhole(rig, `after the power cut (${fault})`);
  const runs = rig.link('good');
  await updates(rig, `after the power cut (${fault})`);
  return runs;
}

const cut = needing(NO_RELEASES ?? NO_POWER_CUTS, 'power cuts', sweep);

cut('without power before any program that it runs, it boots into a whole device', async () => {
  const steps = await stepsOfAnUpdate();
  const ends = new Set<string | null>();
  for (let step = 1; step <= steps; step += EVERY) ends.add(await cutBy(`cut:${step}`));
  process.stdout.write(`  ${steps} steps, every ${EVERY}; ended in ${[...ends].sort().join(' and ')}\n`);
});

cut('the release that is kept is on the disk before anything else is done', async () => {
  assert.is(await cutBy('linked:good'), NEW);
});

sweep('the rename of a link is synced at once', () =>
  onDevice(async (rig) => {
    await rig.ota(['update', '--from', rig.release()], { FAULT: 'log' });
    const ran = rig.ran();
    const folder = join(rig.root, 'opt/laneware');
    for (const link of ['current', 'good', 'previous']) {
      const at = ran.indexOf(`mv -T ${folder}/${link}.new ${folder}/${link}`);
      assert.ok(at >= 0, link);
      assert.is(ran[at + 1], `sync ${folder}`, link);
    }
  }),
);

sweep.run();
