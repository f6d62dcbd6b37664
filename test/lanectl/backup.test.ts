/** `lanectl backup` and `restore`: what was sold is in the file, and no restore loses what was sold since. */

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  createReadStream,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EXIT_CODES } from '../../firmware/core/cli/exit-codes.ts';
import { openFile } from '../../firmware/core/files/database.ts';
import { openSealer } from '../../firmware/core/secrets/sealer.ts';
import { writeBackup } from '../../firmware/features/backup/backup-file.ts';
import { childJudge } from '../../firmware/features/backup/child-process.ts';
import { DATABASES, DOCUMENTS, isBeside } from '../../firmware/features/backup/contents.ts';
import { prepareRestore } from '../../firmware/features/backup/prepare.ts';
import { featureDatabases } from '../../firmware/features.ts';
import { DriverSettings } from '../../firmware/payments/settings/settings.ts';
import { needing } from '../needing.ts';
import { IS_ROOT, keepsNobodyOut, NOBODY } from '../nobody.ts';
import { ROOT } from '../root.ts';
import {
  CFT,
  call,
  each,
  SANDBOX_SETTINGS,
  setUp,
  startTestDevice,
  type TestDevice,
  temporaryFolder,
  until,
} from '../support.ts';
import { healthOf, showQR } from '../terminal/device-calls.ts';
import { ends, lanectlApart as lanectl, start } from './lanectl.ts';

const test = suite('lanectl backup');

async function sell(device: TestDevice, amount: number): Promise<void> {
  await until('a sale', async () => (await showQR(device, amount)).status === 200);
}

const amounts = async ({ terminal }: TestDevice): Promise<number[]> =>
  (await call(`${terminal}/v1/payments?limit=100`)).body.payments
    .map(({ amount }: { amount: number }) => amount)
    .sort();

/** What a device in a folder knows once it has started there. */
async function amountsIn(folder: string): Promise<number[]> {
  await using device = await startTestDevice({}, folder);
  const ledger = await healthOf(device, 'ledger');
  assert.is(ledger.state, 'ok', ledger.reason);
  return await amounts(device); // before the device is closed
}

/** A folder of a device that has sold for these amounts; it runs no more. */
async function soldIn(folder: string, ...sold: number[]): Promise<void> {
  await using device = await startTestDevice({}, folder);
  await setUp(device);
  for (const amount of sold) await sell(device, amount);
}

const PASSPHRASE = 'seven lamps over the counter';
const env = { LANEWARE_PASSPHRASE: PASSPHRASE };

const back = (folder: string, file: string, ...more: string[]) =>
  lanectl(['backup', file, '--data', folder, ...more], { env });
const restored = (folder: string, file: string, ...more: string[]) =>
  lanectl(['restore', file, '--data', folder, ...more], { env });

/** Each with the folder of a device, and a file for its backup in another folder. */
const it = each<[folder: string, file: string, other: string]>(test, (run) => async () => {
  using folder = temporaryFolder();
  using other = temporaryFolder();
  await run(folder.path, join(other.path, 'lane.backup'), other.path);
});

it('a running device’s backup is restored in another folder: settings, payments, secrets', async (folder, file, other) => {
  const data = join(other, 'data');
  {
    await using device = await startTestDevice({}, folder);
    const profiles = { ...SANDBOX_SETTINGS.bankProfiles, real: CFT };
    await call(`${device.terminal}/updateDriverSettings`, {
      json: { settings: { ...SANDBOX_SETTINGS, bankProfiles: profiles } },
    });
    await call(`${device.recognition}/api/set_extra_info`, { json: { info: 'lane 7' } });
    await sell(device, 100);
    const { stdout } = await ends('ok', back(folder, file, '--json'));
    const names = JSON.parse(stdout).files;
    const needed = ['money.db', 'templates.db', 'sandbox.db', 'settings.json', 'extra-info.json'];
    const lacking = needed.filter((name) => !names.includes(name));
    assert.equal(lacking, []);
    assert.is(statSync(file).mode & 0o777, 0o600);
    await sell(device, 200);
  }
  assert.equal(readdirSync(other), ['lane.backup'], 'nothing else stays behind');
  await ends('usage', restored(data, file));
  using empty = temporaryFolder();
  await ends('ok', restored(empty.path, file));
  assert.not.match(readFileSync(join(empty.path, 'settings.json'), 'utf8'), CFT.password);
  assert.not(readFileSync(file).includes(CFT.password), 'nor in the backup');
  const opened = new DriverSettings(
    join(empty.path, 'settings.json'),
    openSealer(join(empty.path, 'secret.key'), undefined),
  );
  assert.is(opened.problem, null);
  assert.equal(opened.with('real')?.profile, CFT);
  assert.equal(await amountsIn(empty.path), [100]);
  assert.match(readFileSync(join(empty.path, 'extra-info.json'), 'utf8'), 'lane 7');
});

it('while the device runs nothing is put back', async (folder, file) => {
  await using device = await startTestDevice({}, folder);
  await setUp(device);
  await back(folder, file);
  await ends('refused', restored(folder, file), /is in use by another Laneware process.*stop the device before/);
});

it('newer payments are not overwritten, unless an option says so, and then are put beside', async (folder, file) => {
  await soldIn(folder, 100);
  await ends('ok', back(folder, file));
  await soldIn(folder, 200, 300);
  const { stderr } = await ends('refused', restored(folder, file));
  assert.match(stderr, /the device has [23] payments that the backup of .* does not know: nothing was changed/);
  assert.equal(await amountsIn(folder), [100, 200, 300]);
  const forced = await ends('ok', restored(folder, file, '--over-newer-payments', '--json'));
  assert.equal(await amountsIn(folder), [100]);
  using kept = openFile(join(JSON.parse(forced.stdout).before, 'money.db'));
  assert.is(kept.prepare('SELECT count(*) AS count FROM payments').get()?.count, 3);
});

test('no passphrase, or a short one, makes no backup, and another one restores none', async () => {
  using folder = temporaryFolder();
  await soldIn(folder.path, 100);
  const file = join(folder.path, 'x.backup');
  const none = await ends('usage', lanectl(['backup', file, '--data', folder.path]));
  assert.match(
    none.stderr,
    /sealed by a passphrase, and none was given: --passphrase-file FILE, or LANEWARE_PASSPHRASE/,
  );
  const noFile = await lanectl(['restore', file, '--data', folder.path]);
  assert.match(noFile.stderr, `there is no ${file}`, 'nobody types a passphrase for a file that is not there');
  const short = lanectl(['backup', file, '--data', folder.path], { env: { LANEWARE_PASSPHRASE: 'short' } });
  await ends('usage', short, /needs 10 characters or more/);
  assert.not.ok(existsSync(file));
  await ends('ok', back(folder.path, file));
  const wrong = restored(folder.path, file, '--passphrase-file', join(folder.path, 'settings.json'));
  await ends('failed', wrong, /does not open with this passphrase/);
});

it('spaces at a passphrase’s ends belong to it, as in the console; its line end does not', async (folder, file, other) => {
  await soldIn(folder, 100);
  const spaced = join(other, 'passphrase');
  const passphrase = ` ${PASSPHRASE} `;
  const key = openSealer(join(folder, 'secret.key'), undefined);
  const source = { folder: folder, version: '0.1.0', device: 'made up', sealer: key };
  await writeBackup(file, source, passphrase, new AbortController().signal); // as the console does
  writeFileSync(spaced, `${passphrase}\r\n`);
  for (const [more, set] of [
    [[], { LANEWARE_PASSPHRASE: passphrase }],
    [['--passphrase-file', spaced], {}],
  ] as const) {
    using into = temporaryFolder();
    await ends('ok', lanectl(['restore', file, '--data', into.path, ...more], { env: set }));
  }
  for (const [named, words] of [
    [folder, /cannot be read: it is a folder/],
    [join(folder, 'none'), /cannot be read: there is no such file/],
  ] as const) {
    await ends('usage', lanectl(['restore', file, '--data', folder, '--passphrase-file', named]), words);
  }
});

test('a backup that is made while payments are taken holds every one that was answered before', async () => {
  using folder = temporaryFolder();
  await using device = await startTestDevice({}, folder.path);
  await setUp(device);
  let sold = 0;
  let isOver = false;
  const selling = (async () => {
    while (!isOver) {
      await sell(device, 1000 + sold);
      sold += 1;
    }
  })();
  try {
    for (let round = 0; round < 2; round++) {
      using other = temporaryFolder();
      const answered = sold;
      const file = join(other.path, 'lane.backup');
      await ends('ok', back(folder.path, file));
      using into = temporaryFolder();
      await ends('ok', restored(into.path, file));
      using ledger = openFile(join(into.path, 'money.db'));
      assert.is(ledger.prepare('PRAGMA integrity_check').get()?.integrity_check, 'ok');
      const count = Number(ledger.prepare('SELECT count(*) AS count FROM payments').get()?.count);
      assert.ok(count >= answered, `${count} of ${answered}`);
    }
  } finally {
    isOver = true;
    await selling;
  }
});

/**
 * What stays where it is: keys and certificates, which no copy of the data holds; the tokens of those who may call this board; the trail,
 * which is never restored; the store and the chain that this board belongs to; what is made again by itself.
 */
const LEFT_OUT: readonly RegExp[] = [
  /^secret\.key/,
  /^tls\.pem$/,
  /^tokens\.json/,
  /^handed-over\.json/,
  /^sync/,
  /^chain/,
  /^releases$/,
  /^audit$/,
  /^exports$/,
  /^packages$/,
  /^incoming$/,
  /^last-time/,
  /^certain-time/,
  /^on-display$/,
  /^measured-speed\.json/,
  /^self-test/,
  /^deletions\.json/,
  /^pins\.json/,
  /^sessions\.json/,
  /^owner\.lock/,
  /^before-restore-/,
  /^restore-/,
  /^restored\.json/,
  /^backup-made/,
  /^\.backup-/,
];

test('everything that a device keeps is in a backup, or left out on purpose', async () => {
  using folder = temporaryFolder();
  await soldIn(folder.path, 100);
  const known = [...DATABASES.map(({ name }) => name), ...DOCUMENTS];
  const undecided = readdirSync(folder.path).filter(
    (name) =>
      !known.includes(name) &&
      !known.some((file) => isBeside(name, file)) &&
      !LEFT_OUT.some((pattern) => pattern.test(name)),
  );
  assert.equal(undecided, []);
});

const asRoot = needing(IS_ROOT ? await keepsNobodyOut() : 'the tests do not run as root', 'a backup as root', test);

asRoot('root works as the owner of the folder: it writes and may do what the owner may', async () => {
  using folder = temporaryFolder();
  using other = temporaryFolder();
  using closed = temporaryFolder();
  await soldIn(folder.path, 100);
  const all = [
    folder.path,
    other.path,
    ...readdirSync(folder.path, { recursive: true }).map((name) => join(folder.path, String(name))),
  ];
  for (const path of all) chownSync(path, NOBODY, NOBODY);
  const file = join(other.path, 'lane.backup');
  await ends('ok', back(folder.path, file));
  assert.is(statSync(file).uid, NOBODY);
  await ends('ok', restored(folder.path, file));
  assert.is(statSync(join(folder.path, 'money.db')).uid, NOBODY);
  process.setgroups?.([0]); // as root is who has signed in
  chmodSync(closed.path, 0o770);
  const { stderr } = await ends('failed', back(folder.path, join(closed.path, 'lane.backup')));
  assert.match(stderr, `the owner of ${folder.path}, who may not write into ${closed.path}: name a file`);
  const rooted = join(closed.path, 'lane.backup');
  renameSync(file, rooted);
  await ends('ok', restored(folder.path, rooted));
});

/** Of a file that takes no room; no disk of a test has as many free. */
const MUCH_BYTES = 2 ** 43;

it('a disk that is too full is named by the folder of the device, and not by the file', async (folder, file, other) => {
  writeFileSync(join(folder, 'money.db'), '');
  truncateSync(join(folder, 'money.db'), MUCH_BYTES);
  const { stderr } = await ends('failed', back(folder, file));
  assert.match(stderr, new RegExp(`^lanectl: ${folder} could not be .*: \\d+ MiB are needed in ${folder}, and`));
  const none = await restored(folder, other);
  assert.match(none.stderr, `lanectl: ${other} could not be read or written: EISDIR`);
});

it('a backup that is interrupted leaves nothing behind', async (folder, file, other) => {
  await soldIn(folder, 100);
  await using making = start(['backup', file, '--data', folder], { env });
  await until('its folder', () => readdirSync(other).length > 0);
  making.signal('SIGINT');
  const { code, stderr } = await making.ended;
  assert.is(code, EXIT_CODES.interrupted, stderr);
  const left = [...readdirSync(other), ...readdirSync(folder).filter((name) => name.startsWith('.backup'))];
  assert.equal(left, []);
});

it('a restore killed when ready is finished by the next, which says so whatever becomes of it', async (folder, file) => {
  await soldIn(folder, 100);
  await ends('ok', back(folder, file));
  const sealer = openSealer(join(folder, 'secret.key'), undefined);
  const incoming = { file: createReadStream(file), passphrase: PASSPHRASE, isForced: false };
  await prepareRestore(
    incoming,
    { folder: folder, sealer, version: '9.9.9', databases: featureDatabases },
    Date.now(),
    childJudge(),
    '--over',
  );
  const wrong = await ends('failed', restored(folder, file, '--passphrase-file', join(folder, 'settings.json')));
  assert.match(wrong.stderr, `a restore was under way, and is done now: ${folder} is as `);
  assert.match(wrong.stderr, /does not open with this passphrase/);
});

it('without --data the device that runs here must be the one of the folder', async (folder, file, other) => {
  await using device = await startTestDevice({}, folder);
  const at = { ...env, LANEWARE_URL: device.terminal, LANEWARE_DATADIR: other };
  const { stderr } = await ends('usage', lanectl(['backup', file], { env: at }));
  assert.match(stderr, `keeps its data elsewhere than in ${other}: it has printed its folder`);
  await ends('ok', lanectl(['backup', file], { env: { ...at, LANEWARE_DATADIR: folder } }));
  // a clone keeps it where npm start stands
  const clone = await lanectl(['backup', '--json', join(other, 'b.backup')], {
    env: { ...env, LANEWARE_URL: at.LANEWARE_URL },
  });
  assert.match(clone.stderr, `${join(ROOT, '.laneware')}: it has printed its folder`);
});

test('a backup goes to a new file only: no device is written over, and a bad path is named', async () => {
  using folder = temporaryFolder();
  await soldIn(folder.path, 100);
  const pipe = join(folder.path, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const link = join(folder.path, 'link');
  symlinkSync(pipe, link);
  for (const file of [pipe, link, folder.path, '']) {
    await ends('usage', back(folder.path, file), /cannot hold a backup/);
  }
  assert.ok(statSync(pipe).isFIFO());
  const { stderr } = await ends('failed', back(folder.path, '/nonexistent/lane.backup'));
  assert.match(stderr, /^lanectl: \/nonexistent\/lane\.backup could not be read or written: ENOENT/);
  const left = readdirSync(folder.path).filter((name) => name.startsWith('.lanectl'));
  assert.equal(left, []);
});

test.run();
