/** A release that ends by itself, slowly: one time a day too often, and the release before runs again. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suiteNeeding } from '../needing.ts';
import { ROOT } from '../root.ts';
import { each } from '../support.ts';
import { NEW, NO_RELEASES, OLD, onDevice, type Rig } from './rig.ts';

const proving = suiteNeeding(NO_RELEASES, 'updates: the first day');
const it = each<[Rig]>(proving, (run) => () => onDevice(run));

const HOUR = 3600;
const DAY = 24 * HOUR;
/** Ends that a release may have in its first day, where the one before had none. */
const TOLERATED = 3;

/** The machine's own time: how long it is on, and which boot it is. */
function machine(rig: Rig, uptime: number, boot = 'boot-1'): void {
  mkdirSync(join(rig.root, 'proc/sys/kernel/random'), { recursive: true });
  writeFileSync(join(rig.root, 'proc/uptime'), `${uptime}.25 1.00\n`);
  writeFileSync(join(rig.root, 'proc/sys/kernel/random/boot_id'), `${boot}\n`);
}

/** What systemd does when the device has ended. */
const ended = (rig: Rig, result = 'exit-code', status = '1') =>
  rig.ota(['ended'], { SERVICE_RESULT: result, EXIT_STATUS: status });

/** So many ends, one every so many seconds; answers what is current after each. */
async function ends(rig: Rig, count: number, { every = HOUR, from = 0, result = 'exit-code', boot = 'boot-1' } = {}) {
  const current: (string | null)[] = [];
  for (let at = 1; at <= count; at++) {
    machine(rig, from + at * every, boot);
    const { code, output } = await ended(rig, result);
    assert.is(code, 0, output);
    current.push(rig.link('current'));
  }
  return current;
}

function updated(rig: Rig, uptime = 0) {
  machine(rig, uptime);
  return rig.ota(['update', '--from', rig.release()]);
}
const runs = (version: string, times: number) => Array.from({ length: times }, () => version);

it('ends at a distance, a hang and memory that runs out: the release before is what starts next', async (rig) => {
  await updated(rig);
  assert.equal(await ends(rig, 1, { every: 63 }), [NEW]);
  assert.equal(await ends(rig, 1, { every: 63, from: 63, result: 'watchdog' }), [NEW]);
  assert.equal(await ends(rig, 1, { every: 63, from: 126, result: 'oom-kill' }), [NEW]);
  machine(rig, 252);
  const { output } = await ended(rig);
  assert.match(output, `${NEW} has ended 4 times in its first day, ${OLD} 0 times in a day: going back to it`);
  assert.equal([rig.link('good'), rig.link('current'), rig.link('previous'), rig.link('left')], [OLD, OLD, null, NEW]);
  assert.match(readFileSync(join(rig.root, 'systemctl.log'), 'utf8'), /daemon-reload\n$/);
  assert.match((await rig.ota(['status'])).output, `${NEW} ended too often; ${OLD} runs again`);
  const why =
    'it ended 4 times in its first day (exit-code 2, watchdog 1, oom-kill 1; load from outside can cause this, too)';
  assert.match(output, why);
  assert.match((await updated(rig)).output, `was undone before (${why})`);
});

it('what only the release itself can have done is not said to come from outside', async (rig) => {
  await updated(rig);
  await ends(rig, TOLERATED + 1);
  const { output } = await rig.ota(['status']);
  assert.match(output, `failed     ${NEW}: it ended 4 times in its first day (exit-code 4)\n`);
  assert.match(output, `${NEW} ended too often; ${OLD} runs again: it ended 4 times in its first day (exit-code 4)`);
});

it('a crash loop by memory that runs out, too, is reported with its cause', async (rig) => {
  await updated(rig);
  await ends(rig, 5, { every: 5, from: HOUR, result: 'oom-kill' });
  rig.stopService();
  assert.is((await rig.ota(['rescue'])).code, 0);
  const why = 'it could not stay up (oom-kill 5; load from outside can cause this, too)';
  const { output } = await rig.ota(['status']);
  assert.match(output, `failed     ${NEW}: ${why}`);
  assert.equal(
    [rig.link('good'), rig.link('previous'), rig.link('left'), rig.releases()],
    [OLD, null, NEW, [OLD, NEW]],
  );
  assert.match(output, `last       ${NEW} could not stay up; ${OLD} runs again: ${why}`);
});

/** Ends at least so far apart, over and over, never reach the start limit of the unit. */
function beyondStartLimit(): number {
  const unit = readFileSync(join(ROOT, 'systemd/laneware.service'), 'utf8');
  const [interval, burst] = ['IntervalSec', 'Burst'].map(
    (name) => new RegExp(`^StartLimit${name}=(\\d+)$`, 'm').exec(unit)?.[1],
  );
  return Number(interval) / Number(burst);
}

for (const more of [0, 4, 9])
  it(`what ends at a distance is undone by one rule or the other: ${more} s beyond the start limit`, async (rig) => {
    await updated(rig);
    const current = await ends(rig, TOLERATED + 1, { every: beyondStartLimit() + more });
    assert.equal(current, [...runs(NEW, TOLERATED), OLD]);
  });

it('what the start limit ends is left to the rescue, up to the last second', async (rig) => {
  await updated(rig);
  assert.equal(
    await ends(rig, 6, { every: beyondStartLimit() - 1, from: HOUR }).then((all) => all.slice(1)),
    runs(NEW, 5),
  );
});

it('an end that was asked for, or that a wrong configuration brings, is not counted', async (rig) => {
  await updated(rig);
  assert.equal(await ends(rig, 8, { result: 'success' }), runs(NEW, 8));
  for (let at = 9; at < 15; at++) {
    machine(rig, at * HOUR);
    await ended(rig, 'exit-code', '78');
  }
  assert.is(rig.link('current'), NEW);
});

it('an end that somebody asked systemd for begins its count of starts anew; one by itself does not', async (rig) => {
  const anew = (): number => rig.systemctl(/^reset-failed laneware\.service$/).length;
  machine(rig, HOUR);
  await ended(rig, 'success', '0');
  assert.is(anew(), 0, 'a release that ends with 0, over and over, is in a crash loop as well');
  writeFileSync(join(rig.root, 'job'), '4711\n');
  for (const result of ['exit-code', 'watchdog', 'oom-kill', 'signal', 'timeout']) await ended(rig, result);
  assert.is(anew(), 0);
  for (let at = 1; at <= 6; at++) await ended(rig, 'success', '0');
  assert.is(anew(), 6);
  assert.is(rig.link('current'), OLD);
});

it('a crash loop is left to the rescue, which knows whether the one before does better', async (rig) => {
  await updated(rig);
  assert.equal(await ends(rig, 12, { every: 5, from: HOUR }), runs(NEW, 12));
});

it('after a day of being on it has proved itself; the clock and the nights do not matter', async (rig) => {
  await updated(rig);
  // off at night: three days of eight hours
  for (const boot of ['a', 'b', 'c']) assert.equal(await ends(rig, 1, { every: 8 * HOUR, boot }), [NEW]);
  assert.equal(await ends(rig, 6, { boot: 'd' }), runs(NEW, 6));
});

it('one that ended as often in the release before is no reason', async (rig) => {
  const often = 6;
  assert.equal(await ends(rig, often), runs(OLD, often), 'there is none to go back to');
  await updated(rig, 10 * HOUR);
  assert.equal(await ends(rig, often + TOLERATED, { from: 10 * HOUR }), runs(NEW, often + TOLERATED));
  assert.equal(await ends(rig, 1, { from: 19.5 * HOUR }), [OLD]);
});

it('ends of long ago do not stand for the day', async (rig) => {
  assert.equal(await ends(rig, 9, { result: 'watchdog' }), runs(OLD, 9));
  assert.equal(await ends(rig, 1, { from: 9 * HOUR, every: DAY }), [OLD]);
  const noted = readFileSync(join(rig.root, 'var/lib/laneware-update/ends', OLD), 'utf8');
  assert.match(noted, /^day=9\ncauses=exit-code:1$/m);
  assert.equal(await ends(rig, 1, { from: 9 * HOUR + DAY, every: DAY }), [OLD]);
  await updated(rig, 100 * HOUR);
  assert.equal(await ends(rig, TOLERATED + 2, { from: 100 * HOUR }), [...runs(NEW, TOLERATED + 1), OLD]);
});

it('a release that is installed again begins anew; while an update runs, its updater watches', async (rig) => {
  await updated(rig);
  assert.equal(await ends(rig, TOLERATED), runs(NEW, TOLERATED));
  assert.is((await rig.ota(['rollback'])).code, 0);
  machine(rig, 5 * HOUR);
  assert.is((await rig.ota(['update', '--from', rig.release(), '--retry'])).code, 0);
  assert.equal(await ends(rig, TOLERATED, { from: 5 * HOUR }), runs(NEW, TOLERATED));
});

it('what cannot be noted is reported, and stops nothing', async (rig) => {
  await updated(rig);
  machine(rig, HOUR);
  rmSync(join(rig.root, 'var/lib/laneware-update/ends'), { recursive: true });
  writeFileSync(join(rig.root, 'var/lib/laneware-update/ends'), 'a file where a folder belongs');
  const { code, output } = await ended(rig);
  assert.is(code, 0);
  assert.match(output, `it cannot be noted that ${NEW} has ended`);
  assert.is(rig.link('current'), NEW);
});

proving.run();
