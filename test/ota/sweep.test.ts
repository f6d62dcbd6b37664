/**
 * The updater killed before each program that it runs, and the power cut there, on a file system whose journal is its own:
 * whichever it was, the device comes up whole, and the next update goes through. In `npm test` every few steps;
 * `LANEWARE_SWEEP=all` takes every one.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suiteNeeding } from '../skipping.ts';
import { NEW, NO_RELEASES, OLD, onDevice, Rig } from './rig.ts';

const RELEASE_PATIENCE_MS = 60_000;
const sweep = suiteNeeding(NO_RELEASES, 'faults at every step of an update');
const EVERY = process.env.LANEWARE_SWEEP === 'all' ? 1 : 6;
/** Begins the thinned sweep elsewhere in each run, so that all steps have their turn. */
const FIRST = EVERY === 1 ? 1 : 1 + (Math.floor(Date.now() / 60_000) % EVERY);

/** What must hold whatever happened: one whole release runs, and it is the one that the links name. */
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

async function updates(rig: Rig, where: string): Promise<void> {
  const { code, output } = await rig.ota(['update', '--retry', '--from', rig.release({ version: '1.2.0' })]);
  assert.is(code, 0, `${where}: ${output}`);
  assert.is(await rig.answers(), '1.2.0', where);
}

/** How many programs an update runs that change something. */
async function stepsOfAnUpdate(): Promise<number> {
  let steps = 0;
  await onDevice(async (rig) => {
    await rig.ota(['update', '--from', rig.release()], { FAULT: 'kill:0' });
    assert.is(await rig.answers(), NEW, 'an update without a fault');
    steps = rig.count();
  });
  return steps;
}

sweep('killed before any program that it runs, it is recovered to a whole device', async () => {
  const steps = await stepsOfAnUpdate();
  const ends = new Set<string | null>();
  for (let step = FIRST; step <= steps; step += EVERY) {
    await onDevice(async (rig) => {
      const { code } = await rig.ota(['update', '--from', rig.release()], { FAULT: `kill:${step}` });
      assert.is(code, null, `step ${step}: the fault came`);
      await rig.ota(['recover']);
      await isWhole(rig, `killed before step ${step} of ${steps}`);
      ends.add(rig.link('good'));
      await updates(rig, `after step ${step}`);
    });
  }
  process.stdout.write(`  ${steps} steps, every ${EVERY} from ${FIRST}; ended in ${[...ends].sort().join(' and ')}\n`);
});

/** A disk of its own for the device, whose power can be cut. */
class Disk {
  readonly #image = join(mkdtempSync(join(tmpdir(), 'laneware-disk-')), 'disk.img');
  readonly mount = mkdtempSync(join(tmpdir(), 'laneware-mount-'));

  constructor() {
    execFileSync('truncate', ['--size', '160M', this.#image]);
    execFileSync('mke2fs', ['-q', '-F', '-t', 'ext4', '-O', 'has_journal', '-m', '0', this.#image]);
    this.plugIn();
  }

  plugIn(): void {
    execFileSync('mount', ['-o', 'loop', this.#image, this.mount]);
  }

  /**
   * What was just ended may still hold a file, and a container that starts elsewhere at this moment may still see the disk:
   * it is off when nobody does.
   */
  unplug(): void {
    const limit = performance.now() + RELEASE_PATIENCE_MS;
    for (;;) {
      const { status, stderr } = spawnSync('umount', [this.mount], { encoding: 'utf8' });
      if (status === 0) break;
      if (performance.now() > limit) throw new Error(stderr);
      execFileSync('sleep', ['0.1']);
    }
    while (execFileSync('losetup', ['--associated', this.#image], { encoding: 'utf8' }).trim() !== '') {
      if (performance.now() > limit) throw new Error(`${this.#image} is still mounted somewhere`);
      execFileSync('sleep', ['0.1']);
    }
  }

  discard(): void {
    this.unplug();
    rmSync(join(this.#image, '..'), { recursive: true });
    rmSync(this.mount, { recursive: true });
  }
}

/** Loop devices and the ioctl need root, and a kernel that has them. */
function canCutPower(): boolean {
  if (process.getuid?.() !== 0 || spawnSync('perl', ['-e', '1']).status !== 0) return false;
  try {
    new Disk().discard();
    return true;
  } catch {
    return false; // no loop devices here: said below
  }
}

async function cutAt(step: number, steps: number, ends: Set<string | null>): Promise<void> {
  const disk = new Disk();
  const rig = new Rig(join(disk.mount, 'root'));
  try {
    await rig.install();
    execFileSync('sync', ['-f', disk.mount]);
    await rig.ota(['update', '--from', rig.release()], { FAULT: `cut:${step}` });
    // the machine is off: nothing of it goes on
    rig.stopService();
    disk.unplug();
    disk.plugIn();
    // what was in memory is gone with it
    rmSync(join(rig.root, 'run'), { recursive: true, force: true });
    mkdirSync(join(rig.root, 'run/laneware'), { recursive: true });
    const { code, output } = await rig.ota(['recover', '--boot']);
    assert.is(code, 0, `step ${step}: ${output}`);
    await rig.startService();
    await isWhole(rig, `power cut before step ${step} of ${steps}`);
    ends.add(rig.link('good'));
    await updates(rig, `after the power cut before step ${step}`);
  } finally {
    rig.close();
    disk.discard();
  }
}

const cut = canCutPower() ? sweep : sweep.skip;
if (cut !== sweep) process.stdout.write('SKIPPED the power cuts: they need root, perl and loop devices\n');

cut('without power before any program that it runs, it boots into a whole device', async () => {
  const steps = await stepsOfAnUpdate();
  const ends = new Set<string | null>();
  for (let step = FIRST; step <= steps; step += EVERY) await cutAt(step, steps, ends);
  process.stdout.write(`  ${steps} steps, every ${EVERY} from ${FIRST}; ended in ${[...ends].sort().join(' and ')}\n`);
});

sweep.run();
