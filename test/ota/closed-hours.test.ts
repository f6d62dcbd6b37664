/** What the timer begins is installed while the shop is closed; what a person begins, at once. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suiteNeeding } from '../needing.ts';
import { each } from '../support.ts';
import { NEW, NO_RELEASES, NOT_NOW, NOTHING_NEW, OLD, onDevice, REFUSED, type Rig, type Run } from './rig.ts';
import { serveReleases } from './server.ts';

const hours = suiteNeeding(NO_RELEASES, 'updates while the shop is closed');
/** Midnight of 2026-01-15 in UTC, later than what the device knows to have passed. */
const MIDNIGHT = 1_768_435_200;
const [HOUR, MINUTE] = [3600, 60];
/** As the updater reckons: its gate (0 s here) and two starts. */
const RESERVE = 180;

/** A trusted clock of the device, `seconds` after midnight. */
const at = (seconds: number): NodeJS.ProcessEnv => ({ TZ: 'UTC', LANEWARE_TEST_NOW: `${MIDNIGHT + seconds}` });

function onClosedDevice(closed: string | null, body: (rig: Rig) => Promise<void>): Promise<void> {
  return onDevice(async (rig) => {
    rig.configure({ gate_seconds: '0', payment_wait_seconds: '0', ...(closed === null ? {} : { closed }) });
    writeFileSync(join(rig.root, 'time-server'), '');
    mkdirSync(join(rig.root, 'run/laneware-update'), { recursive: true });
    await body(rig);
  });
}
const it = each<[Rig]>(hours, (run) => () => onClosedDevice('23:00-05:00', run));

const byTimer = (rig: Rig, file: string, clock: NodeJS.ProcessEnv): Promise<Run> =>
  rig.ota(['update', '--quiet', '--when-closed', '--from', file], clock);

async function isPutOff(rig: Rig, run: Run, words: RegExp | string): Promise<void> {
  assert.is(run.code, NOT_NOW, run.output);
  assert.match(run.output, words);
  assert.equal(
    { answers: await rig.answers(), good: rig.link('good'), state: rig.state() },
    { answers: OLD, good: OLD, state: 'idle' },
  );
}

it('the timer does nothing while the shop may be open, and says when not; a person may update', async (rig) => {
  const file = rig.release();
  const run = await byTimer(rig, file, at(12 * HOUR));
  await isPutOff(rig, run, 'the shop may be open: updates are installed from 23:00 to 05:00');
  assert.not.ok(existsSync(join(rig.root, 'var/lib/laneware-update/state')), 'not even the card is written to');
  await rig.ends(0, ['update', '--from', file], at(12 * HOUR));
  assert.is(await rig.answers(), NEW);
});

it('the start of failing updates, and the last reason, are left for the device until a look', async (rig) => {
  const path = join(rig.root, 'var/lib/laneware-update/put-off');
  const noted = (): string => readFileSync(path, 'utf8');
  const file = rig.release();
  await byTimer(rig, file, at(12 * HOUR));
  assert.is(
    noted(),
    `since=${MIDNIGHT + 12 * HOUR}\nwhy=the shop may be open: updates are installed from 23:00 to 05:00 (closed= in ${join(rig.root, 'etc/laneware')}/update.conf)\n`,
  );
  rmSync(join(rig.root, 'time-server'));
  await byTimer(rig, file, at(26 * HOUR));
  assert.match(noted(), new RegExp(`^since=${MIDNIGHT + 12 * HOUR}\nwhy=nothing vouches for the clock`));
  writeFileSync(join(rig.root, 'time-server'), '');
  assert.is((await byTimer(rig, join(rig.root, 'none.release'), at(26 * HOUR))).code === 0, false);
  assert.match(noted(), /^why=cannot read .*none\.release/m);
  assert.is((await byTimer(rig, file, at(26 * HOUR))).code, 0);
  assert.not.ok(existsSync(path));
  await byTimer(rig, file, at(36 * HOUR));
  assert.is((await byTimer(rig, file, at(50 * HOUR))).code, NOTHING_NEW);
  assert.not.ok(existsSync(path));
});

for (const closed of ['23:00-05:00', 'any', '25:00-05:00'])
  hours(`nightly refusals are noted since the first, by day too, with closed=${closed}`, () =>
    onClosedDevice(closed, async (rig) => {
      const page = join(rig.folder, 'page.release');
      writeFileSync(page, '<html>'.repeat(1000));
      for (let night = 1; night <= 3; night += 1)
        for (const hour of [2, 12]) await byTimer(rig, page, at((night * 24 + hour) * HOUR));
      const why = closed === '25:00-05:00' ? 'closed=25:00-05:00 in .* names no hours' : '.* is no Laneware release';
      const noted = readFileSync(join(rig.root, 'var/lib/laneware-update/put-off'), 'utf8');
      assert.match(noted, new RegExp(`^since=${MIDNIGHT + 26 * HOUR}\nwhy=${why}`));
    }),
  );

it('a page with 200, as of a sign-in portal, is no answer: the source is asked again at night', async (rig) => {
  const page = join(rig.folder, 'page');
  writeFileSync(page, '<html>'.repeat(1000));
  using server = await serveReleases(page);
  server.others.set('/laneware.keys', readFileSync(page));
  const first = await byTimer(rig, server.url, at(25 * HOUR));
  assert.is(first.code, 1, first.output);
  assert.match(
    first.output,
    /is no Laneware release, but another page: is there a network that wants a sign-in first\?/,
  );
  server.file = rig.release();
  server.others.clear();
  const second = await byTimer(rig, server.url, at(25 * HOUR + 30 * MINUTE));
  assert.is(second.code, 0, second.output);
  assert.is(await rig.answers(), NEW);
});

it('a person who is refused has read why: nothing is noted', async (rig) => {
  await rig.ends(REFUSED, ['update', '--from', rig.release({ arch: 'riscv' })], at(2 * HOUR));
  assert.not.ok(existsSync(join(rig.root, 'var/lib/laneware-update/put-off')));
});

it('since when, where the clock was ahead, is no later than now', async (rig) => {
  await byTimer(rig, rig.release(), at(300 * 24 * HOUR + 12 * HOUR));
  await byTimer(rig, rig.release(), at(12 * HOUR));
  const noted = readFileSync(join(rig.root, 'var/lib/laneware-update/put-off'), 'utf8');
  assert.match(noted, new RegExp(`^since=${MIDNIGHT + 12 * HOUR}\n`));
});

/** Seconds within which an update may still begin, of hours and a time of the wall clock. */
function left(rig: Rig, closed: string, now: number, zone = 'UTC'): number {
  const libraries = ['update-state', 'validity', 'closed-hours'].map((name) => `. "$1/scripts/lib/${name}.sh"`);
  const script = `${libraries.join('; ')}; export TZ="$4"; date() { command date --date="@$3" "$@"; }
    CONFIG_DIR=$1/none; read_hours "$2"; seconds_of() { echo 0; }; closed_seconds_left`;
  return Number(rig.bash(script.replaceAll('$3', `${now}`), [join(rig.root, 'opt/laneware/good'), closed, '', zone]));
}

hours('of the hours there is left what a clock says', () =>
  onClosedDevice(null, async (rig) => {
    for (const [closed, clock, expected] of [
      ['23:00-05:00', '22:59:59', -86_399 + 6 * HOUR],
      ['23:00-05:00', '23:00:00', 6 * HOUR],
      ['23:00-05:00', '00:00:00', 5 * HOUR],
      ['23:00-05:00', '04:59:59', 1],
      ['23:00-05:00', '05:00:00', 0],
      ['01:30-08:09', '01:30:00', 6 * HOUR + 39 * MINUTE],
      ['01:30-08:09', '01:29:59', -86_399 + 6 * HOUR + 39 * MINUTE],
      ['00:00-23:59', '23:59:00', 0],
    ] as const) {
      const [hour = 0, minute = 0, second = 0] = clock.split(':').map(Number);
      const seconds = left(rig, closed, MIDNIGHT + hour * HOUR + minute * MINUTE + second);
      assert.is(seconds, expected - RESERVE, `${closed} at ${clock}`);
    }
  }),
);

it('where the hour changes in the night, the hours stay those of the clock on the wall', async (rig) => {
  const berlin = 'CET-1CEST,M3.5.0,M10.5.0/3';
  const spring = Date.UTC(2026, 2, 29, 1) / 1000; // 2026-03-29 02:00 is 03:00
  const autumn = Date.UTC(2026, 9, 25, 1) / 1000; // 2026-10-25 03:00 is 02:00
  const [before, after] = [spring - 1, autumn - 1].map((now) => left(rig, '23:00-05:00', now, berlin));
  assert.equal([before, left(rig, '23:00-05:00', spring, berlin)], [3 * HOUR + 1 - RESERVE, 2 * HOUR - RESERVE]);
  assert.equal([after, left(rig, '23:00-05:00', autumn, berlin)], [2 * HOUR + 1 - RESERVE, 3 * HOUR - RESERVE]);
});

hours('hours that are none are refused in a sentence: an update must not come by a typing mistake', () =>
  onClosedDevice(null, async (rig) => {
    const file = rig.release();
    for (const closed of ['05:00-05:00', '24:00-05:00', '22:00-22:59', '23-5', '23:00', 'never', '22:00-06:60']) {
      rig.configure({ closed });
      const run = await byTimer(rig, file, at(5 * HOUR));
      assert.is(run.code, REFUSED, run.output);
      assert.match(run.output, `closed=${closed} in `);
      assert.match(run.output, 'written as 23:00-05:00');
    }
    assert.is(await rig.answers(), OLD);
  }),
);

hours('without the line it is closed from 22:00 to 06:00, and the status says so', () =>
  onClosedDevice(null, async (rig) => {
    const file = rig.release();
    await isPutOff(rig, await byTimer(rig, file, at(21 * HOUR)), 'from 22:00 to 06:00');
    assert.match((await rig.ota(['status'])).output, /^closed +22:00-06:00$/m);
    assert.is((await byTimer(rig, file, at(29 * HOUR))).code, 0);
  }),
);

hours('"any" asks no clock', () =>
  onClosedDevice('any', async (rig) => {
    rmSync(join(rig.root, 'time-server'));
    assert.is((await byTimer(rig, rig.release(), { LANEWARE_TEST_NOW: '0' })).code, 0);
  }),
);

/** What the clock chip says. */
function chip(rig: Rig, seconds: number): void {
  mkdirSync(join(rig.root, 'sys/class/rtc/rtc0'), { recursive: true });
  writeFileSync(join(rig.root, 'sys/class/rtc/rtc0/since_epoch'), `${seconds}\n`);
}

it('an untrusted clock begins no update, at any time', async (rig) => {
  const file = rig.release();
  rmSync(join(rig.root, 'time-server'));
  await isPutOff(rig, await byTimer(rig, file, at(2 * HOUR)), 'nothing vouches for the clock');
  chip(rig, 3600); // without a battery: the clock goes on from where it was saved, and the chip from 1970
  await isPutOff(rig, await byTimer(rig, file, at(2 * HOUR)), 'nothing vouches for the clock');
  chip(rig, MIDNIGHT + 2 * HOUR - 30);
  assert.is((await byTimer(rig, file, at(2 * HOUR))).code, 0);
});

it('a clock that stands before what is known to have passed begins none, with any source', async (rig) => {
  chip(rig, 7200);
  const run = await byTimer(rig, rig.release(), { TZ: 'UTC', LANEWARE_TEST_NOW: '7200' });
  await isPutOff(rig, run, 'nothing vouches for the clock');
});

it('each device has its turn, the same each night, all of them an hour before the end', async (rig) => {
  const turn = (id: string): number => {
    writeFileSync(join(rig.root, 'etc/machine-id'), `${id}\n`);
    const script = `. "$1/closed-hours.sh"; ROOT=$2; DAY_SECONDS=86400; read_hours 23:00-05:00; turn_of_device`;
    return Number(rig.bash(script, [join(rig.root, 'opt/laneware/good/scripts/lib'), rig.root]));
  };
  const turns = Array.from({ length: 40 }, (_, lane) => turn(`${lane}`.padStart(32, 'a')));
  assert.ok(turns.every((seconds) => seconds >= 0 && seconds < 5 * HOUR));
  for (const third of [0, 1, 2])
    assert.ok(
      turns.some((seconds) => Math.floor(seconds / (100 * MINUTE)) === third),
      `in third ${third}`,
    );
  const mine = turn('a'.repeat(32));
  assert.is(turn('a'.repeat(32)), mine);
  const file = rig.release();
  const closing = -1 * HOUR;
  await isPutOff(rig, await byTimer(rig, file, at(closing + mine - 1)), 'the turn of this device comes later tonight');
  assert.is((await byTimer(rig, file, at(closing + mine))).code, 0);
});

it('a device looks once a night, and the next night again', async (rig) => {
  const file = rig.release({ version: OLD });
  const look = (clock: NodeJS.ProcessEnv) => rig.ota(['update', '--when-closed', '--from', file], clock);
  assert.match((await look(at(-1 * HOUR))).output, '1.0.0 runs already');
  const second = await look(at(4 * HOUR));
  assert.equal([second.code, second.output.trim()], [NOTHING_NEW, 'Tonight it was looked for already.']);
  assert.match((await look(at(23 * HOUR))).output, '1.0.0 runs already');
});

it('a look while the clock was ahead keeps no later one off', async (rig) => {
  await byTimer(rig, rig.release({ version: OLD }), at(300 * 24 * HOUR));
  assert.is((await byTimer(rig, rig.release(), at(10 * 24 * HOUR))).code, 0);
});

it('a look without a result for an open payment or the network is repeated that night', async (rig) => {
  const file = rig.release();
  rig.openPayments(1);
  await isPutOff(rig, await byTimer(rig, file, at(1 * HOUR)), 'a payment is open');
  rig.openPayments(0);
  assert.is((await byTimer(rig, '/nowhere.release', at(2 * HOUR))).code, 1);
  assert.is((await byTimer(rig, file, at(3 * HOUR))).code, 0);
});

it('it waits for a payment no longer than the shop is closed', async (rig) => {
  rig.configure({ gate_seconds: '0', payment_wait_seconds: '600', closed: '23:00-05:00' });
  rig.openPayments(1);
  const run = await rig.ota(['update', '--when-closed', '--from', rig.release()], at(5 * HOUR - RESERVE - 2));
  await isPutOff(rig, run, /Waiting for up to 2 s: a payment is open/);
});

it('a download that lasts into the morning stops nothing, and is there the next night', async (rig) => {
  const clock = { ...at(4 * HOUR), LANEWARE_TEST_LATER: `${MIDNIGHT + 5 * HOUR}` };
  const before = rig.restarts();
  await isPutOff(rig, await byTimer(rig, rig.release(), clock), 'the hours in which the shop is closed are over');
  assert.equal([rig.restarts(), rig.downloaded()], [before, 1]);
  assert.match(readFileSync(join(rig.root, 'var/lib/laneware-update/state'), 'utf8'), 'the download is kept');
});

hours.run();
