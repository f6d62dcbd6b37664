/** Whose fault it is: a release that does not work is undone and left alone, damaged data are not held against it. */
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suiteNeeding } from '../needing.ts';
import { each, until } from '../support.ts';
import { FAILED, NEW, NO_RELEASES, OLD, onDevice, type Rig, WENT_BACK } from './rig.ts';

const gate = suiteNeeding(NO_RELEASES, 'releases that do not work, and data that are damaged');
const it = each<[Rig]>(gate, (run) => () => onDevice(run));

const damageOf = (rig: Rig): string => join(rig.root, 'damaged-data');

/** Damages the data of the device, which finds out at its next start: a part `failed` or `degraded`, or `sells-nothing`, or it `exits`. */
const damage = (rig: Rig, effect: 'failed' | 'degraded' | 'sells-nothing' | 'exits'): void =>
  writeFileSync(damageOf(rig), effect);

async function blames(rig: Rig): Promise<boolean> {
  return /^failed /m.test((await rig.ota(['status'])).output);
}

it('a restart refused once by systemd on the way back is tried again, and what runs stays', async (rig) => {
  const once = rig.refusingOnce(`grep -q state=undo ${rig.root}/var/lib/laneware-update/state`);
  rig.configure({ gate_seconds: '0', payment_wait_seconds: '0', sells_within_seconds: '1' });
  await rig.ends(FAILED, ['update', '--from', rig.release({ behaviour: 'sells-nothing' })], once);
  assert.equal([rig.state(), ...rig.releases()], ['undo', OLD, NEW]);
  await rig.ends(0, ['recover'], once);
  assert.equal([await rig.answers(), rig.state(), ...rig.releases()], [OLD, 'idle', OLD]);
});

it('who reads no more of an update, or hangs up twice, leaves no release that does not sell', async (rig) => {
  const file = rig.release({ behaviour: 'sells-nothing' });
  rig.configure({ gate_seconds: '1', payment_wait_seconds: '0', sells_within_seconds: '1' });
  const unread = rig.start(['update', '--from', file]);
  unread.stdout?.destroy();
  unread.stderr?.destroy();
  await once(unread, 'exit');
  assert.is(rig.link('current'), OLD);
  // what systemd runs once an updater has ended, however it did
  await rig.ends(0, ['recover']);
  assert.equal([await rig.answers(), rig.state()], [OLD, 'idle']);
  rig.configure({ gate_seconds: '30', payment_wait_seconds: '0' });
  const left = rig.start(['update', '--from', file, '--retry']);
  const ended = once(left, 'exit');
  await until('the gate', () => rig.state() === 'gate');
  process.kill(-(left.pid ?? 0), 'SIGINT');
  await until('the way back', () => rig.link('current') === OLD);
  process.kill(-(left.pid ?? 0), 'SIGINT');
  await ended;
  await rig.ends(0, ['recover']);
  assert.equal(
    { answers: await rig.answers(), current: rig.link('current'), state: rig.state() },
    { answers: OLD, current: OLD, state: 'idle' },
  );
});

it('damage that the device reports as degraded undoes no update', async (rig) => {
  damage(rig, 'degraded');
  await rig.takes(NEW, ['--from', rig.release()]);
});

it('a part failing in the old release too is no fault of the new, which the next update brings', async (rig) => {
  const release = rig.release();
  damage(rig, 'failed');
  const { code, output } = await rig.ota(['update', '--from', release]);
  assert.is(code, WENT_BACK, output);
  assert.match(output, '1.0.0 runs again, and does no better (it reports as failed: templates)');
  assert.is(await rig.answers(), OLD);
  assert.not.ok(await blames(rig));
  assert.match((await rig.ota(['status'])).output, /^last +1\.1\.0 was undone, and 1\.0\.0 does no better/m);
  await rig.ends(0, ['update', '--from', release]);
  assert.is(await rig.answers(), NEW);
});

it('what keeps the release before from selling too is not held against the new one', async (rig) => {
  rig.configure({ gate_seconds: '2', payment_wait_seconds: '0', sells_within_seconds: '2' });
  damage(rig, 'sells-nothing');
  const output = await rig.ends(WENT_BACK, ['update', '--from', rig.release()]);
  assert.match(output, '1.0.0 runs again, and does no better (it does not sell: storage-refused)');
  assert.not.ok(await blames(rig));
});

it('a lane that did not sell before takes a release that does not either', async (rig) => {
  rig.configure({ gate_seconds: '1', payment_wait_seconds: '0', sells_within_seconds: '60' });
  rig.stopService();
  damage(rig, 'sells-nothing');
  await rig.startService();
  await rig.takes(NEW, ['--from', rig.release()]);
});

it('a display that is found again within its time undoes nothing', async (rig) => {
  const said = rig.bash(
    `. "$1/opt/laneware/good/scripts/lib/service.sh"; misses() { false; }; looks=$2; seconds_of() { echo 60; }
    main_pid() { echo 1; }; is_up() { :; }; version_on() { echo 1.0.0; }; failed_parts() { :; }
    unsold_reasons() { echo >>"$looks"; [ "$(wc -l <"$looks")" -gt 3 ] || echo display; }
    proves_itself 1.0.0 0 '' '' && echo proven || :`,
    [rig.root, join(rig.folder, 'looks')],
  );
  assert.is(said, 'proven\n');
});

it('nor does it in the first day; one that stays away is named', async (rig) => {
  const judged = (until: number, seconds: number): string =>
    rig.bash(
      `. "$1/opt/laneware/good/scripts/lib/service.sh"; looks=$2; until=$3 within=$4; seconds_of() { echo "$within"; }
      sleep() { :; }; unsold_reasons() { echo >>"$looks"; [ "$(wc -l <"$looks")" -gt "$until" ] || echo display; }
      lost_sales '' || echo found`,
      [rig.root, join(rig.folder, `looks-${until}`), `${until}`, `${seconds}`],
    );
  assert.equal([judged(3, 60), judged(1_000_000, 0)], ['found\n', 'it does not sell: display\n']);
});

it('a process that replaced the started one proves nothing, however well it answers', async (rig) => {
  const judged = (second: number): string =>
    rig.bash(
      `. "$1/opt/laneware/good/scripts/lib/service.sh"; misses() { false; }; looks=$2; second=$3
      main_pid() { echo >>"$looks"; if [ "$(wc -l <"$looks")" -lt 3 ]; then echo 1; else echo "$second"; fi; }
      is_up() { :; }; version_on() { echo 1.0.0; }; failed_parts() { :; }; unsold_reasons() { :; }; seconds_of() { echo 60; }
      proves_itself 1.0.0 5 '' '' && echo proven || :`, // seconds: a loaded machine, too, looks more than twice
      [rig.root, join(rig.folder, `looks-${second}`), `${second}`],
    );
  assert.equal([judged(1), judged(2)], ['proven\n', 'it ended by itself\n']);
});

it('data that let neither release start are not held against the new one', async (rig) => {
  const release = rig.release();
  damage(rig, 'exits');
  assert.match(await rig.ends(FAILED, ['update', '--from', release]), '1.0.0 does not start either');
  assert.equal([rig.link('good'), rig.link('current')], [OLD, OLD]);
  assert.not.ok(await blames(rig));
  rmSync(damageOf(rig));
  await rig.takes(NEW, ['--from', release]);
});

it('a device that did not answer is better off with a release that does, with any report', async (rig) => {
  rig.stopService();
  damage(rig, 'failed');
  await rig.takes(NEW, ['--from', rig.release()]);
});

it('a crash loop that the release before runs into as well undoes nothing', async (rig) => {
  await rig.ota(['update', '--from', rig.release()]);
  damage(rig, 'exits');
  rig.stopService();
  const { code, output } = await rig.ota(['rescue']);
  assert.is(code, FAILED, output);
  assert.match(output, 'neither 1.1.0 nor 1.0.0 stays up (it did not start): the fault is not in the release');
  assert.equal(
    { good: rig.link('good'), current: rig.link('current'), previous: rig.link('previous') },
    { good: NEW, current: NEW, previous: OLD },
  );
  assert.not.ok(await blames(rig));
  rmSync(damageOf(rig));
  await rig.ends(0, ['rescue']);
  assert.is(await rig.answers(), OLD, 'the one before works now: it is what a crash loop ends in');
});

it('a rescue keeps what is good where the release before starts, and does not stay up', async (rig) => {
  rig.configure({ gate_seconds: '5', payment_wait_seconds: '0', rescue_pause_seconds: '0' });
  writeFileSync(join(rig.root, 'opt/laneware/releases', OLD, 'behaviour'), 'ends-soon\n');
  rig.bash('list_checksums "$1"', [join(rig.root, 'opt/laneware/releases', OLD)]);
  await rig.takes(NEW, ['--from', rig.release()]);
  rig.stopService();
  const output = await rig.ends(0, ['rescue']);
  assert.match(output, 'neither 1.1.0 nor 1.0.0 stays up (it ended by itself): the fault is not in the release');
  assert.equal(
    { good: rig.link('good'), current: rig.link('current'), previous: rig.link('previous') },
    { good: NEW, current: NEW, previous: OLD },
  );
  assert.not.ok(await blames(rig));
  assert.is(await rig.answers(), NEW);
});

it('a rescue leaves a device alone that somebody has started anew meanwhile', async (rig) => {
  await rig.ota(['update', '--from', rig.release()]);
  rig.stopService();
  writeFileSync(join(rig.root, 'starting'), '');
  const before = rig.restarts();
  await rig.ends(0, ['rescue']);
  assert.equal(
    { good: rig.link('good'), previous: rig.link('previous'), restarts: rig.restarts() },
    { good: NEW, previous: OLD, restarts: before },
  );
  assert.not.ok(await blames(rig));
});

gate.run();
