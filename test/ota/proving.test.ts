/** A release that ends by itself, slowly: one time a day too often, and the release before runs again. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { isWayBackOpen } from '../../firmware/core/files/before-migration.ts';
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

/** What the updater's timer does, the shop being open. */
const judged = (rig: Rig) => rig.ota(['update', '--when-closed']);

/** So many ends, one every so many seconds; answers what is current after each, once it is judged where that was asked for. */
async function ends(rig: Rig, count: number, { every = HOUR, from = 0, result = 'exit-code', boot = 'boot-1' } = {}) {
  const current: (string | null)[] = [];
  for (let at = 1; at <= count; at++) {
    machine(rig, from + at * every, boot);
    const asked = asksForJudgement(rig);
    const { code, output } = await ended(rig, result);
    assert.is(code, 0, output);
    if (asksForJudgement(rig) > asked) await judged(rig);
    current.push(rig.link('current'));
  }
  return current;
}

/** How often systemd was asked to start the unit of the updater. */
const asksForJudgement = (rig: Rig): number => rig.systemctl(/^--no-block start laneware-update\.service$/).length;

function updated(rig: Rig, uptime = 0) {
  machine(rig, uptime);
  return rig.ota(['update', '--from', rig.release()]);
}
const runs = (version: string, times: number) => Array.from({ length: times }, () => version);

it('ends far apart, a hang, exhausted memory: the release before is what starts next', async (rig) => {
  await updated(rig);
  assert.equal(await ends(rig, 1, { every: 63 }), [NEW]);
  assert.equal(await ends(rig, 1, { every: 63, from: 63, result: 'watchdog' }), [NEW]);
  assert.equal(await ends(rig, 1, { every: 63, from: 126, result: 'oom-kill' }), [NEW]);
  machine(rig, 252);
  const last = await ended(rig);
  assert.is(last.code, 0);
  assert.not.match(last.output, 'within half an hour', 'whom it starts, the lock is free for');
  const { code, output } = await judged(rig);
  assert.is(code, 0, output);
  const why =
    'it ended 4 times in its first day (exit-code 2, watchdog 1, oom-kill 1; load from outside can cause this, too), 1.0.0 0 times in a day';
  assert.match(output, `${NEW} gives way to ${OLD}: ${why}`);
  assert.equal(
    { good: rig.link('good'), current: rig.link('current'), previous: rig.link('previous'), left: rig.link('left') },
    { good: OLD, current: OLD, previous: null, left: NEW },
  );
  assert.is(await rig.answers(), OLD);
  assert.match((await rig.ota(['status'])).output, `${NEW} gave way to ${OLD}`);
  assert.match((await updated(rig)).output, `was undone before (${why})`);
});

it('what only the release itself can have done is not said to come from outside', async (rig) => {
  await updated(rig);
  await ends(rig, TOLERATED + 1);
  const { output } = await rig.ota(['status']);
  assert.match(output, `failed     ${NEW}: it ended 4 times in its first day (exit-code 4), ${OLD} 0 times in a day\n`);
  assert.match(output, `${NEW} gave way to ${OLD}: it ended 4 times in its first day (exit-code 4)`);
});

it('a crash loop by memory that runs out, too, is reported with its cause', async (rig) => {
  await updated(rig);
  await ends(rig, 5, { every: 5, from: HOUR, result: 'oom-kill' });
  rig.stopService();
  await rig.ends(0, ['rescue']);
  const why = 'it could not stay up (oom-kill 5; load from outside can cause this, too)';
  const { output } = await rig.ota(['status']);
  assert.match(output, `failed     ${NEW}: ${why}`);
  assert.equal(
    { good: rig.link('good'), previous: rig.link('previous'), left: rig.link('left'), releases: rig.releases() },
    { good: OLD, previous: null, left: NEW, releases: [OLD, NEW] },
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
  it(`ends far apart are undone by one rule or the other: ${more} s beyond the start limit`, async (rig) => {
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

it('a stop asked of systemd begins its count of starts anew; an end by itself does not', async (rig) => {
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

it('a release knows by what the updater keeps whether the one before may still come back', async (rig) => {
  await updated(rig);
  assert.is(isWayBackOpen(rig.root, NEW), true);
  assert.is(isWayBackOpen(rig.root, '9.9.9'), true, 'one that is only tried');
  await ends(rig, 1);
  assert.is(isWayBackOpen(rig.root, NEW), true);
  await ends(rig, 1, { from: DAY });
  assert.is(isWayBackOpen(rig.root, NEW), false);
  machine(rig, 2 * DAY);
  await rig.ends(0, ['rollback']);
  assert.equal([rig.link('good'), isWayBackOpen(rig.root, OLD)], [OLD, false], 'nothing comes back by itself');
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
  await rig.ends(0, ['rollback']);
  machine(rig, 5 * HOUR);
  await rig.ends(0, ['update', '--from', rig.release(), '--retry']);
  assert.equal(await ends(rig, TOLERATED, { from: 5 * HOUR }), runs(NEW, TOLERATED));
});

it('the release that is left stays good where the one before does not start any more', async (rig) => {
  await updated(rig);
  writeFileSync(join(rig.root, 'damaged-data'), `exits ${OLD}`);
  assert.equal(await ends(rig, TOLERATED + 1), runs(NEW, TOLERATED + 1));
  assert.equal(
    { good: rig.link('good'), current: rig.link('current'), previous: rig.link('previous') },
    { good: NEW, current: NEW, previous: OLD },
  );
  assert.is(await rig.answers(), NEW);
  const { output } = await rig.ota(['status']);
  assert.match(output, `${NEW} was to give way to ${OLD} (it ended 4 times in its first day (exit-code 4)`);
  assert.match(output, 'which does no better: it did not start');
  assert.not.match(output, /^failed /m);
  const restarts = rig.restarts();
  assert.equal(await ends(rig, 6, { from: 5 * HOUR }), runs(NEW, 6));
  await judged(rig);
  assert.is(rig.restarts(), restarts, 'its first day is over');
});

it('a release that sells at first and then no longer gives way to one that sells', async (rig) => {
  rig.configure({ gate_seconds: '0', payment_wait_seconds: '0', sells_within_seconds: '1' });
  await updated(rig);
  machine(rig, HOUR);
  await judged(rig);
  assert.is(rig.link('current'), NEW, 'as long as it sells');
  writeFileSync(join(rig.root, 'damaged-data'), `sells-nothing ${NEW}`);
  await rig.startService();
  const { code, output } = await judged(rig);
  assert.is(code, 0, output);
  assert.match(output, `${NEW} gives way to ${OLD}: it does not sell: storage-refused`);
  assert.equal(
    { good: rig.link('good'), current: rig.link('current'), answers: await rig.answers() },
    { good: OLD, current: OLD, answers: OLD },
  );
  assert.match((await updated(rig)).output, 'was undone before (it does not sell: storage-refused)');
});

it('what keeps the release before from selling too, or did before the update, is no reason', async (rig) => {
  rig.configure({ gate_seconds: '0', payment_wait_seconds: '0', sells_within_seconds: '1' });
  await updated(rig);
  machine(rig, HOUR);
  writeFileSync(join(rig.root, 'damaged-data'), 'sells-nothing');
  await rig.startService();
  await judged(rig);
  assert.equal(
    { good: rig.link('good'), current: rig.link('current'), answers: await rig.answers() },
    { good: NEW, current: NEW, answers: NEW },
  );
  const restarts = rig.restarts();
  await judged(rig);
  assert.is(rig.restarts(), restarts, 'it is tried once');
  await rig.ends(0, ['rollback']);
  await rig.ends(0, ['update', '--from', rig.release(), '--retry']);
  const before = rig.restarts();
  await judged(rig);
  assert.is(rig.restarts(), before, 'it did not sell before');
});

/** The bank is silent in the night of the installation, and answers in the morning. */
it('a release that did not sell when installed is left once it has sold and stops selling', async (rig) => {
  rig.configure({ gate_seconds: '0', payment_wait_seconds: '0', sells_within_seconds: '1' });
  const damage = join(rig.root, 'damaged-data');
  writeFileSync(damage, 'sells-nothing');
  await rig.startService();
  await updated(rig);
  machine(rig, HOUR);
  await judged(rig);
  assert.is(rig.link('good'), NEW, 'it sold as little before');
  rmSync(damage);
  await rig.startService();
  machine(rig, 2 * HOUR);
  await judged(rig);
  writeFileSync(damage, `sells-nothing ${NEW}`);
  await rig.startService();
  machine(rig, 3 * HOUR);
  const { output } = await judged(rig);
  assert.match(output, `${NEW} gives way to ${OLD}: it does not sell: storage-refused`);
  assert.equal([rig.link('good'), await rig.answers()], [OLD, OLD]);
});

it('one that was installed on a silent device is left once it has sold and sells no longer', async (rig) => {
  rig.configure({ gate_seconds: '0', payment_wait_seconds: '0', sells_within_seconds: '1' });
  rig.stopService();
  await updated(rig);
  machine(rig, HOUR);
  await judged(rig);
  writeFileSync(join(rig.root, 'damaged-data'), `sells-nothing ${NEW}`);
  await rig.startService();
  machine(rig, 2 * HOUR);
  await judged(rig);
  assert.equal([rig.link('good'), await rig.answers()], [OLD, OLD]);
});

it('what is noted of that costs nothing of its first day', async (rig) => {
  rig.configure({ gate_seconds: '0', payment_wait_seconds: '0', sells_within_seconds: '1' });
  rig.stopService();
  await updated(rig);
  machine(rig, 12 * HOUR);
  await judged(rig);
  writeFileSync(join(rig.root, 'damaged-data'), `sells-nothing ${NEW}`);
  await rig.startService();
  machine(rig, DAY);
  await judged(rig);
  assert.equal([rig.link('good'), await rig.answers()], [NEW, NEW], 'a day is over');
});

it('a release of an earlier updater is not left for selling nothing: the past is unknown', async (rig) => {
  rig.configure({ gate_seconds: '0', payment_wait_seconds: '0', sells_within_seconds: '0' });
  await updated(rig);
  const file = join(rig.root, 'var/lib/laneware-update/ends', NEW);
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^before=.*\n/m, ''));
  writeFileSync(join(rig.root, 'damaged-data'), `sells-nothing ${NEW}`);
  await rig.startService();
  await judged(rig);
  assert.equal([rig.link('good'), await rig.answers()], [NEW, NEW]);
});

it('after its first day a lane that stops selling, or has a payment open, keeps its release', async (rig) => {
  rig.configure({ gate_seconds: '0', payment_wait_seconds: '0', sells_within_seconds: '0' });
  await updated(rig);
  writeFileSync(join(rig.root, 'damaged-data'), `sells-nothing ${NEW}`);
  await rig.startService();
  rig.openPayments(1);
  assert.is((await judged(rig)).code, 4);
  rig.openPayments(0);
  machine(rig, DAY);
  await judged(rig);
  assert.equal([rig.link('good'), await rig.answers()], [NEW, NEW]);
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

it('a restart refused once, where the old release does no better, is tried again', async (rig) => {
  machine(rig, 0);
  await rig.takes(NEW, ['--from', rig.release()]);
  await ends(rig, TOLERATED, { every: 63 });
  writeFileSync(join(rig.root, 'damaged-data'), 'exits');
  const isBack = `[ "$(readlink ${rig.root}/opt/laneware/current)" = releases/${NEW} ]`;
  const once = rig.refusingOnce(isBack, `rm ${rig.root}/damaged-data;`);
  machine(rig, 63 * 4);
  await ended(rig);
  const { code, output } = await rig.ota(['update', '--when-closed'], once);
  assert.equal([code, rig.state()], [1, 'undo'], output);
  assert.match(output, 'could not be started again: it is tried again');
  await rig.ends(0, ['recover'], once);
  assert.equal([await rig.answers(), rig.state()], [NEW, 'idle']);
});

proving.run();
