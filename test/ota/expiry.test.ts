/** Releases that expire: what an attacker on the way has kept from last year is refused, at any time of the clock. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suiteNeeding } from '../needing.ts';
import { each } from '../support.ts';
import { MADE, NEW, NO_RELEASES, NOTHING_NEW, OLD, onDevice, REFUSED, type Rig } from './rig.ts';

const expiry = suiteNeeding(NO_RELEASES, 'releases that expire');
const it = each<[Rig]>(expiry, (run) => () => onDevice(run));

const DAY = 86_400;
const YEAR = 365 * DAY;

/** The clock of the device, in seconds since 1970. */
const at = (seconds: number): NodeJS.ProcessEnv => ({ LANEWARE_TEST_NOW: `${seconds}` });

async function isExpired(rig: Rig, file: string, clock: NodeJS.ProcessEnv): Promise<string> {
  const before = rig.restarts();
  const output = await rig.ends(REFUSED, ['update', '--from', file], clock);
  assert.match(output, /1\.1\.0 was valid until 20\d\d-\d\d-\d\d/);
  assert.equal(
    { answers: await rig.answers(), good: rig.link('good'), restarts: rig.restarts() },
    { answers: OLD, good: OLD, restarts: before },
  );
  return output;
}

async function isTaken(rig: Rig, file: string, clock: NodeJS.ProcessEnv, ...more: string[]): Promise<void> {
  await rig.takes(NEW, ['--from', file, ...more], clock);
}

it('a release is taken to the last moment of its time, and not after it', async (rig) => {
  const file = rig.release({ days: 10 });
  const words = await isExpired(rig, file, at(MADE + 10 * DAY + 1));
  assert.match(words, 'was valid until 2023-11-24, and it is 2023-11-24');
  assert.match(words, '--allow-expired');
  for (const command of [['check'], ['update', '--dry-run']])
    await rig.ends(REFUSED, [...command, '--from', file], at(MADE + YEAR));
  await isTaken(rig, file, at(MADE + 10 * DAY));
});

it('an expired release is installed where a technician says so', (rig) =>
  isTaken(rig, rig.release({ days: 10 }), at(MADE + YEAR), '--allow-expired'));

it('a device with any clock takes a release made after it, and none expired before it', async (rig) => {
  await isExpired(rig, rig.release({ made: MADE - YEAR, days: 10 }), at(0));
  await isTaken(rig, rig.release({ days: 10 }), at(0));
});

/** How long the machine is on. */
function machine(rig: Rig, uptime: number): void {
  mkdirSync(join(rig.root, 'proc'), { recursive: true });
  writeFileSync(join(rig.root, 'proc/uptime'), `${uptime}.25 1.00\n`);
}

/** What is lost with the power. */
const startAnew = (rig: Rig): void => rmSync(join(rig.root, 'run/laneware-update'), { recursive: true, force: true });

it('a clock put back revives no expired release, also where the shop opens half of the day', async (rig) => {
  const file = rig.release({ days: 10 });
  // an update that has nothing to do is one that looks at the clock
  for (let night = 1; night <= 12; night += 1) {
    startAnew(rig);
    machine(rig, DAY / 2);
    await rig.ota(['update', '--from', rig.release({ version: OLD })], at(MADE + night * DAY));
  }
  const words = await isExpired(rig, file, at(MADE + DAY));
  assert.match(words, 'the clock of this device says 2023-11-15');
});

it('the date of a signed release is known to have passed', async (rig) => {
  await rig.ota(['update', '--from', rig.release({ version: OLD, made: MADE + YEAR })], at(0));
  await isExpired(rig, rig.release({ days: 10 }), at(0));
});

it('a clock that was wrong for a night holds no release back for years', async (rig) => {
  const file = rig.release({ days: 30 });
  await isExpired(rig, file, at(MADE + 15 * YEAR));
  await isTaken(rig, file, at(MADE + DAY));
});

it('looks in a row correct a wrong clock by no more than the time that has passed', async (rig) => {
  const known = join(rig.root, 'var/lib/laneware-update/known-time');
  const old = rig.release({ version: OLD });
  const daysAfter = async (seconds: number): Promise<number> => {
    machine(rig, seconds);
    await rig.ota(['update', '--from', old], at(MADE + 2 * YEAR));
    return (Number(readFileSync(known, 'utf8')) - MADE) / DAY;
  };
  assert.is(await daysAfter(DAY / 8), 0.875, 'after a start as much as it was on');
  for (let look = 0; look < 3; look += 1) assert.is(await daysAfter(DAY / 8), 0.875);
  assert.is(await daysAfter(DAY / 4), 1.75);
  assert.is(await daysAfter(DAY / 4 + 10 * DAY), 8.75, 'a week at most');
  startAnew(rig);
  assert.is(await daysAfter(DAY / 8), 9.625);
});

it('a year of starts with a wrong clock holds no release of today back', async (rig) => {
  const old = rig.release({ version: OLD });
  for (let start = 0; start < 6; start += 1) {
    startAnew(rig);
    machine(rig, 1200);
    await rig.ota(['update', '--from', old], at(MADE + 10 * YEAR));
  }
  const known = Number(readFileSync(join(rig.root, 'var/lib/laneware-update/known-time'), 'utf8'));
  assert.is(known - MADE, 6 * 7 * 1200, 'a week for a day that it was on');
});

it('looking changes nothing of what is known of the time', async (rig) => {
  const file = rig.release({ days: 10 });
  for (let night = 1; night <= 12; night += 1)
    for (const command of [['check'], ['update', '--dry-run']])
      await rig.ota([...command, '--from', rig.release({ version: OLD })], at(MADE + night * DAY));
  await isTaken(rig, file, at(MADE + DAY));
});

it('a file of the time that holds rubbish counts for nothing, and is written anew', async (rig) => {
  const known = join(rig.root, 'var/lib/laneware-update/known-time');
  const [fresh, old] = [rig.release({ days: 10 }), rig.release({ version: OLD })];
  for (const rubbish of ['', 'tomorrow', '99999999999999999999', '-1', '$(reboot)', '1e9', '08']) {
    writeFileSync(known, `${rubbish}\n`);
    const check = await rig.ota(['check', '--from', fresh], at(MADE + DAY));
    assert.is(check.code, 0, `"${rubbish}": ${check.output}`);
    await rig.ends(NOTHING_NEW, ['update', '--from', old], at(MADE + DAY));
    assert.match(readFileSync(known, 'utf8'), /^\d{10}\n$/, `"${rubbish}"`);
  }
});

it('a release that names no date as its end is refused', async (rig) => {
  for (const value of ['', 'next year', '2026-13-45T00:00:00Z', '2099-01-01T00:00:00Z x']) {
    const run = await rig.ota(['update', '--from', rig.release({ lie: { 'valid-until': value } })]);
    assert.is(run.code, REFUSED, `"${value}": ${run.output}`);
    assert.match(run.output, 'the manifest of the release is not complete');
  }
});

it('a source that offers a release long expired is reported: newer ones may be withheld', async (rig) => {
  const file = rig.release({ version: OLD, days: 10 });
  const fresh = await rig.ends(NOTHING_NEW, ['update', '--from', file], at(MADE + DAY));
  assert.not.match(fresh, 'warning');
  const output = await rig.ends(NOTHING_NEW, ['update', '--quiet', '--from', file], at(MADE + YEAR));
  assert.match(output, 'warning: 1.0.0 was valid until 2023-11-24');
});

it('going back to a release whose time is over needs no word: it has worked here', async (rig) => {
  await isTaken(rig, rig.release({ days: 10 }), at(MADE + DAY));
  await rig.ends(0, ['rollback'], at(MADE + YEAR));
  assert.is(await rig.answers(), OLD);
});

expiry.run();
