/** Updates on a device in a folder: what is installed, what is refused, and in which words. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suiteNeeding } from '../needing.ts';
import { each } from '../support.ts';
import {
  ARCH,
  FAILED,
  flip,
  NEW,
  NO_RELEASES,
  NOT_NOW,
  NOTHING_NEW,
  OLD,
  onDevice,
  REFUSED,
  type Rig,
  WENT_BACK,
} from './rig.ts';

const update = suiteNeeding(NO_RELEASES, 'update');
const it = each<[Rig]>(update, (run) => () => onDevice(run));

/** Enough that the head of the file is not all of it. */
const FILLING = 300_000;

/** The device is unchanged: what ran runs, and was never stopped. */
async function isUntouched(rig: Rig, restartsBefore: number): Promise<void> {
  assert.is(await rig.answers(), OLD);
  assert.equal([rig.link('good'), rig.link('current')], [OLD, OLD]);
  assert.is(rig.restarts(), restartsBefore);
  assert.is(rig.state(), 'idle');
  assert.equal(rig.releases(), [OLD]);
}

async function isRefused(rig: Rig, file: string, words: RegExp | string, code = REFUSED): Promise<void> {
  const before = rig.restarts();
  assert.match(await rig.ends(code, ['update', '--from', file]), words);
  await isUntouched(rig, before);
}

it('a card on which no step can be noted is named, and nothing is changed', async (rig) => {
  mkdirSync(join(rig.root, 'var/lib/laneware-update/state.new'));
  const file = rig.release();
  await isRefused(
    rig,
    file,
    /nothing can be noted in .*laneware-update, where \d+ MB are free: the card is full/,
    FAILED,
  );
  assert.is(rig.downloaded(), 0);
});

it('the release before the running one is not offered as new, not even as a downgrade', async (rig) => {
  const before = rig.release({ version: OLD });
  await rig.ends(0, ['update', '--from', rig.release()]);
  const restarts = rig.restarts();
  for (const more of [[], ['--allow-downgrade']]) {
    const output = await rig.ends(REFUSED, ['update', '--from', before, ...more]);
    assert.match(output, "1.0.0 is the release before this one: 'laneware-ota rollback' goes back to it");
  }
  assert.equal(
    { good: rig.link('good'), previous: rig.link('previous'), restarts: rig.restarts() },
    { good: NEW, previous: OLD, restarts },
  );
});

it('a newer release is installed, runs, and the one before it is kept', async (rig) => {
  await rig.takes(NEW, ['--from', rig.release()]);
  assert.equal(
    { good: rig.link('good'), current: rig.link('current'), previous: rig.link('previous') },
    { good: NEW, current: NEW, previous: OLD },
  );
  assert.equal(rig.releases(), [OLD, NEW]);
  assert.is(rig.state(), 'idle');
  assert.is(rig.downloaded(), 0);
});

/** Permission bits of all that an update may have made on the device. */
const modesOf = (rig: Rig): string[] =>
  execFileSync('find', ['opt', 'etc', 'var', '-not', '-type', 'l', '-printf', '%m %p\n'], {
    cwd: rig.root,
    encoding: 'utf8',
  })
    .trim()
    .split('\n');

for (const umask of [0o077, 0o000])
  it(`the device reads its new release, and cannot write it, with umask ${umask.toString(8)}`, async (rig) => {
    const file = rig.release();
    const before = process.umask(umask);
    await rig.ends(0, ['update', '--from', file]).finally(() => process.umask(before));
    const release = modesOf(rig).filter((line) => line.includes(`releases/${NEW}`));
    assert.equal(
      release.filter((line) => !/^(755|644) /.test(line)),
      [],
    );
    assert.equal(
      modesOf(rig).filter((line) => /^\d*[2367] /.test(line)),
      [],
      'writable by others',
    );
  });

it('two releases are kept, however many there have been', async (rig) => {
  for (const version of ['1.1.0', '1.2.0', '1.10.0']) {
    await rig.ends(0, ['update', '--from', rig.release({ version })]);
  }
  assert.equal(rig.releases(), ['1.10.0', '1.2.0']);
});

it('rollback goes to the release before, once', async (rig) => {
  await rig.ota(['update', '--from', rig.release()]);
  await rig.ends(0, ['rollback']);
  assert.is(await rig.answers(), OLD);
  assert.match(await rig.ends(REFUSED, ['rollback']), 'there is no whole release before this one');
});

it('rollback to a release that does not start or sell ends in the good one that ran', async (rig) => {
  for (const effect of ['exits', 'sells-nothing']) {
    await rig.ota(['update', '--from', rig.release()]);
    rig.configure({ gate_seconds: '1', payment_wait_seconds: '0', sells_within_seconds: '1' });
    writeFileSync(join(rig.root, 'damaged-data'), `${effect} ${OLD}`);
    assert.match(await rig.ends(WENT_BACK, ['rollback']), '1.1.0 runs again: 1.0.0 did not prove itself');
    assert.equal(
      {
        answers: await rig.answers(),
        good: rig.link('good'),
        current: rig.link('current'),
        previous: rig.link('previous'),
      },
      { answers: NEW, good: NEW, current: NEW, previous: OLD },
    );
    assert.not.match((await rig.ota(['status'])).output, /^failed +1\.1\.0/m);
  }
});

it('the release that was left stays to be looked at, once, until another update is kept', async (rig) => {
  await rig.ota(['update', '--from', rig.release()]);
  await rig.ota(['rollback']);
  assert.equal([rig.releases(), rig.link('previous'), rig.link('left')], [[OLD, NEW], null, NEW]);
  assert.match((await rig.ota(['status'])).output, /^left +1\.1\.0$/m);
  await rig.ota(['update', '--from', rig.release({ version: '1.2.0', behaviour: 'exits' })]);
  assert.equal([rig.releases(), rig.link('left')], [[OLD, NEW], NEW], 'an update that is undone changes nothing of it');
  await rig.takes('1.3.0', ['--from', rig.release({ version: '1.3.0' })]);
  assert.equal([rig.releases(), rig.link('left')], [[OLD, '1.3.0'], null]);
  await rig.ota(['rollback']);
  assert.equal([rig.releases(), rig.link('left')], [[OLD, '1.3.0'], '1.3.0']);
  await rig.takes('1.3.0', ['--retry', '--from', rig.release({ version: '1.3.0' })]);
  assert.equal([rig.link('previous'), rig.link('left')], [OLD, null]);
});

it('the release that was left makes room for a newer one, and only where room is short', async (rig) => {
  await rig.ota(['update', '--from', rig.release()]);
  await rig.ota(['rollback']);
  const judged = (free: string): string =>
    rig.bash(
      `. "$1/opt/laneware/good/scripts/lib/judge.sh"; ROOT=$1; LANEWARE=$1/opt/laneware RELEASES=$1/opt/laneware/releases UPDATE_DIR=$1/var/lib/laneware-update
      PAYLOAD_SIZE=10 UNPACKED_SIZE=10
      eval "free_bytes() { if [ -e '$RELEASES/${NEW}' ]; then echo $2; else echo 999999999; fi; }"
      judge_space 0; ls "$RELEASES" | tr '\\n' ' '`,
      [rig.root, free],
    );
  assert.is(judged('999999999'), `${OLD} ${NEW} `);
  assert.is(judged('1'), `${OLD} `);
  assert.is(rig.link('left'), null);
});

it('a release left by hand stays away at night, until asked for or followed by a newer one', async (rig) => {
  const left = rig.release();
  const atNight = async (source: string) => {
    rig.configure({ source, gate_seconds: '0', payment_wait_seconds: '0' });
    return await rig.ota(['update', '--quiet']);
  };
  await rig.ota(['update', '--from', left]);
  await rig.ota(['rollback']);
  const night = await atNight(left);
  assert.is(night.code, REFUSED, night.output);
  assert.match(night.output, '1.1.0 was undone before (it was left by hand); --retry tries it again');
  assert.is(await rig.answers(), OLD);
  await rig.takes(NEW, ['--retry', '--from', left]);
  await rig.ota(['rollback']);
  assert.is((await atNight(rig.release({ version: '1.2.0' }))).code, 0);
  assert.is(await rig.answers(), '1.2.0');
});

it('rollback does not go to a release that has lost bytes', async (rig) => {
  await rig.ota(['update', '--from', rig.release()]);
  appendFileSync(join(rig.root, 'opt/laneware/releases', OLD, 'VERSION'), ' ');
  await rig.ends(REFUSED, ['rollback']);
  assert.is(await rig.answers(), NEW);
});

it('the same release again is nothing new', (rig) =>
  isRefused(rig, rig.release({ version: OLD }), '1.0.0 runs already', NOTHING_NEW));

it('an older release is refused, and installed when it is asked for', async (rig) => {
  const older = rig.release({ version: '0.9.9' });
  await isRefused(rig, older, '0.9.9 is older than 1.0.0');
  await rig.takes('0.9.9', ['--allow-downgrade', '--from', older]);
});

it('a release for another kind of processor is refused', (rig) =>
  isRefused(rig, rig.release({ arch: ARCH === 'x64' ? 'arm64' : 'x64' }), `boards; this one is ${ARCH}`));

it('a release for other boards is refused, one for this board is taken', async (rig) => {
  rig.board('raspberrypi,4-model-b', 'brcm,bcm2711');
  await isRefused(
    rig,
    rig.release({ boards: 'raspberrypi,5-model-b' }),
    'is for raspberrypi,5-model-b; this board is raspberrypi,4-model-b brcm,bcm2711',
  );
  const fitting = rig.release({ boards: 'raspberrypi,5-model-b raspberrypi,4-model-b' });
  await rig.ends(0, ['update', '--from', fitting]);
});

it('a release signed with a foreign key is refused, with any content', async (rig) => {
  rig.makeKey('foreign');
  await isRefused(rig, rig.release({ key: 'foreign' }), 'signed with a key that this device does not know');
});

it('a manifest that was changed after it was signed is refused', async (rig) => {
  const file = rig.release();
  const text = readFileSync(file, 'latin1');
  writeFileSync(file, text.replace('version=1.1.0', 'version=9.1.0'), 'latin1');
  await isRefused(rig, file, 'signed with a key that this device does not know');
});

it('bytes that changed on the way are thrown away before anything is unpacked', async (rig) => {
  const file = rig.release({ filling: FILLING });
  flip(file, -1000);
  await isRefused(rig, file, 'the download is damaged and was thrown away', 1);
  assert.is(rig.downloaded(), 0);
});

for (const [what, spoil] of [
  ['a file that is cut short in its head', (file: string) => truncateSync(file, 200)],
  ['an empty file', (file: string) => truncateSync(file, 0)],
  ['a file of something else', (file: string) => writeFileSync(file, '<html>not found</html>\n'.repeat(50))],
  ['a head that promises an endless manifest', (file: string) => spoilHead(file, /^(\S+ 1) \d+/, '$1 99999')],
  ['a signature of another length', (file: string) => spoilHead(file, /^(\S+ 1 \d+) \S+/, '$1 QUJD')],
  ['a format of the future', (file: string) => spoilHead(file, /^(\S+) 1/, '$1 2')],
  ['a signed file of another kind', (file: string) => spoilHead(file, /^laneware-release/, 'laneware-keys')],
] as const) {
  it(`${what} is no release`, async (rig) => {
    const file = rig.release();
    spoil(file);
    const { code, output } = await rig.ota(['update', '--from', file]);
    assert.ok(code === REFUSED || code === 1, output);
    assert.match(output, /is no Laneware release|cannot read .*: it is empty/);
    await isUntouched(rig, rig.restarts());
  });
}

it('what a manifest says beside all that the updater knows is passed over', async (rig) => {
  await rig.takes(NEW, ['--from', rig.release({ says: ['small-size=100'] })]);
});

function spoilHead(file: string, pattern: RegExp, replacement: string): void {
  writeFileSync(file, readFileSync(file, 'latin1').replace(pattern, replacement), 'latin1');
}

it('while a payment is open nothing is touched; afterwards the update goes through', async (rig) => {
  const release = rig.release();
  rig.openPayments(1);
  await isRefused(rig, release, 'a payment is open', NOT_NOW);
  rig.openPayments(0);
  await rig.ends(0, ['update', '--from', release]);
});

it('the wait for a payment says what is waited for and how long, and ends by itself', async (rig) => {
  rig.configure({ gate_seconds: '0', payment_wait_seconds: '1' });
  rig.openPayments(1);
  const output = await rig.ends(NOT_NOW, ['update', '--from', rig.release()]);
  assert.match(output, 'Waiting for up to 1 s: a payment is open.');
  assert.match(output, 'a payment is open: put off, nothing was changed');
  assert.is(await rig.answers(), OLD);
});

it('a number of seconds that is none does not stop an update half way', async (rig) => {
  rig.configure({ gate_seconds: '00', payment_wait_seconds: '10 min', rescue_pause_seconds: 'long' });
  await rig.takes(NEW, ['--from', rig.release()]);
});

it('rollback waits for a payment too', async (rig) => {
  await rig.ota(['update', '--from', rig.release()]);
  rig.openPayments(1);
  await rig.ends(NOT_NOW, ['rollback']);
  assert.is(await rig.answers(), NEW);
  assert.match((await rig.ota(['status'])).output, /^last +a payment is open: put off, nothing was changed$/m);
});

it('a device that runs and does not say whether a payment is open is left alone', async (rig) => {
  rmSync(join(rig.root, 'run/laneware/endpoints'));
  const output = await rig.ends(NOT_NOW, ['update', '--from', rig.release()]);
  assert.match(output, 'the device runs and does not say whether a payment is open');
  assert.is(rig.link('current'), OLD);
});

it('a dry run says what would happen and changes nothing', async (rig) => {
  const before = rig.restarts();
  assert.match(await rig.ends(0, ['update', '--dry-run', '--from', rig.release()]), '1.1.0 would replace 1.0.0');
  await isUntouched(rig, before);
  assert.is(rig.downloaded(), 0);
});

it('a second updater does not begin while one runs', async (rig) => {
  rig.openPayments(1);
  rig.configure({ gate_seconds: '0', payment_wait_seconds: '60' });
  const first = rig.start(['update', '--from', rig.release()]);
  while (rig.state() !== 'unpack') await new Promise((resolve) => setTimeout(resolve, 20));
  assert.match(await rig.ends(NOT_NOW, ['update', '--from', rig.release({ version: '1.2.0' })]), 'another update runs');
  rig.openPayments(0);
  assert.is(await new Promise((resolve) => first.on('exit', resolve)), 0);
  assert.is(await rig.answers(), NEW);
});

it('a 32-bit system under a 64-bit kernel takes no release, and is told which system it needs', async (rig) => {
  for (const [program, word] of [
    ['uname', 'aarch64'],
    ['getconf', '32'],
  ])
    writeFileSync(join(rig.folder, 'stand-ins', program ?? ''), `#!/bin/sh\necho ${word}\n`, { mode: 0o755 });
  await isRefused(rig, rig.release({ arch: 'arm64' }), 'this system is of 32 bits, and Laneware needs one of 64');
});

it('a device that was given no source looks for nothing, and that is no failure', async (rig) => {
  assert.match(await rig.ends(NOTHING_NEW, ['update']), 'No source of releases');
});

for (const [what, path, words] of [
  [
    'a file that is not there',
    '/nonexistent/lane.release',
    /cannot read \/nonexistent\/lane\.release: there is no such file\n/,
  ],
  ['a folder', tmpdir(), /: it is no plain file\n/],
] as const)
  it(`${what} is reported as what it is`, async (rig) => {
    assert.match(await rig.ends(1, ['update', '--from', path]), words);
  });

it('a server that is not there is one sentence', (rig) =>
  isRefused(rig, 'http://127.0.0.1:9/x.release', 'cannot read http://127.0.0.1:9/x.release', 1));

it('a crash loop after an update ends in the release before, which is then kept', async (rig) => {
  const release = rig.release();
  await rig.ota(['update', '--from', release]);
  rig.stopService();
  await rig.ends(0, ['rescue']);
  assert.is(await rig.answers(), OLD);
  assert.equal(
    { good: rig.link('good'), current: rig.link('current'), previous: rig.link('previous') },
    { good: OLD, current: OLD, previous: null },
  );
  assert.match((await rig.ota(['update', '--from', release])).output, 'it could not stay up');
  rig.stopService();
  await rig.ota(['rescue']);
  assert.is(await rig.answers(), OLD, 'a second crash loop does not go forward again');
});

it('a rescue of a device ended by its configuration changes nothing and blames no release', async (rig) => {
  await rig.ota(['update', '--from', rig.release()]);
  rig.stopService();
  writeFileSync(join(rig.root, 'exit-status'), '78\n');
  assert.match(await rig.ends(0, ['rescue']), 'the configuration is wrong, and no release is to blame');
  assert.equal(
    { good: rig.link('good'), current: rig.link('current'), previous: rig.link('previous') },
    { good: NEW, current: NEW, previous: OLD },
  );
  assert.is(await rig.answers(), null, 'nor is it started again');
});

it('a rescue of a device that is up again does nothing', async (rig) => {
  await rig.ota(['update', '--from', rig.release()]);
  await rig.ends(0, ['rescue']);
  assert.is(await rig.answers(), NEW);
});

it('status prints what runs, what is good and how the last update ended', async (rig) => {
  await rig.ota(['update', '--from', rig.release({ behaviour: 'exits' })]);
  const output = await rig.ends(0, ['status']);
  assert.match(output, /^answers +1\.0\.0$/m);
  assert.match(output, /^last +1\.1\.0 was undone: it did not start$/m);
  assert.match(output, /^failed +1\.1\.0: it did not start$/m);
});

it('room is asked for the download and its contents together, and some is left for the device', async (rig) => {
  const judged = (free: number, downloaded = 0): string =>
    rig
      .bash(
        `. "$1/opt/laneware/good/scripts/lib/judge.sh"; ROOT=$1; set_paths
        free_bytes() { echo "$FREE"; }; FREE=$2 PAYLOAD_SIZE=1000 UNPACKED_SIZE=5000
        (judge_space "$3" 2>/dev/null) && echo enough || echo refused`,
        [rig.root, `${free}`, `${downloaded}`],
      )
      .trim();
  const margin = 64 * 1024 * 1024;
  assert.equal([judged(margin + 6000), judged(margin + 5999)], ['enough', 'refused']);
  assert.equal([judged(margin + 5400, 600), judged(margin + 5399, 600)], ['enough', 'refused']);
});

it('a full disk is reported before anything is downloaded', async (rig) => {
  await isRefused(rig, rig.release({ lie: { 'unpacked-size': `${10 ** 12 - 1}` } }), 'not enough space');
  assert.is(rig.downloaded(), 0);
});

update.run();
