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
import { openFile } from '../../firmware/core/store/database.ts';
import { openSealer } from '../../firmware/core/store/sealer.ts';
import { writeBackup } from '../../firmware/features/backup/backup-file.ts';
import { DATABASES, DOCUMENTS, isBeside } from '../../firmware/features/backup/contents.ts';
import { judge, prepareRestore } from '../../firmware/features/backup/prepare.ts';
import { DriverSettings } from '../../firmware/payments/settings/settings.ts';
import { needing } from '../needing.ts';
import { ROOT } from '../root.ts';
import {
  CFT,
  call,
  SANDBOX_SETTINGS,
  setUp,
  startTestDevice,
  type TestDevice,
  temporaryFolder,
  until,
} from '../support.ts';
import { lanectlApart as lanectl, start } from './lanectl.ts';

const test = suite('lanectl backup');

async function sell(device: TestDevice, amount: number): Promise<void> {
  const json = { amount };
  await until('a sale', async () => (await call(`${device.terminal}/showQR`, { json })).status === 200);
}

const amounts = async ({ terminal }: TestDevice): Promise<number[]> =>
  (await call(`${terminal}/v1/payments?limit=100`)).body.payments
    .map(({ amount }: { amount: number }) => amount)
    .sort();

/** What a device in a folder knows once it has started there. */
async function amountsIn(folder: string): Promise<number[]> {
  await using device = await startTestDevice({}, folder);
  const { body } = await call(`${device.terminal}/health`);
  const ledger = body.health.parts.find(({ part }: { part: string }) => part === 'ledger');
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

test('a backup of a running device is put back into another folder, with settings, payments and secrets', async () => {
  using folder = temporaryFolder();
  using other = temporaryFolder();
  const file = join(other.path, 'lane.backup');
  const data = join(other.path, 'data');
  {
    await using device = await startTestDevice({}, folder.path);
    const profiles = { ...SANDBOX_SETTINGS.bankProfiles, real: CFT };
    await call(`${device.terminal}/updateDriverSettings`, {
      json: { settings: { ...SANDBOX_SETTINGS, bankProfiles: profiles } },
    });
    await call(`${device.recognition}/api/set_extra_info`, { json: { info: 'lane 7' } });
    await sell(device, 100);
    const { code, stdout, stderr } = await back(folder.path, file, '--json');
    assert.is(code, 0, stderr);
    const names = JSON.parse(stdout).files;
    const needed = ['money.db', 'templates.db', 'sandbox.db', 'settings.json', 'extra-info.json'];
    assert.equal(
      needed.filter((name) => !names.includes(name)),
      [],
    );
    assert.is(statSync(file).mode & 0o777, 0o600);
    await sell(device, 200);
  }
  assert.equal(readdirSync(other.path), ['lane.backup'], 'nothing else stays behind');
  const at = await restored(data, file);
  assert.is(at.code, EXIT_CODES.usage, 'there is no such folder yet');
  using empty = temporaryFolder();
  assert.is((await restored(empty.path, file)).code, 0);
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

test('while the device runs nothing is put back', async () => {
  using folder = temporaryFolder();
  using other = temporaryFolder();
  const file = join(other.path, 'lane.backup');
  await using device = await startTestDevice({}, folder.path);
  await setUp(device);
  await back(folder.path, file);
  const { code, stderr } = await restored(folder.path, file);
  assert.is(code, EXIT_CODES.refused);
  assert.match(stderr, /is in use by another Laneware process.*stop the device before/);
});

test('newer payments are not written over, unless an option says so, and then they are kept beside', async () => {
  using folder = temporaryFolder();
  using other = temporaryFolder();
  const file = join(other.path, 'lane.backup');
  await soldIn(folder.path, 100);
  assert.is((await back(folder.path, file)).code, 0);
  await soldIn(folder.path, 200, 300);
  const refused = await restored(folder.path, file);
  assert.is(refused.code, EXIT_CODES.refused);
  assert.match(refused.stderr, /the device has [23] payments that the backup of .* does not know: nothing was changed/);
  assert.equal(await amountsIn(folder.path), [100, 200, 300]);
  const forced = await restored(folder.path, file, '--over-newer-payments', '--json');
  assert.is(forced.code, 0, forced.stderr);
  assert.equal(await amountsIn(folder.path), [100]);
  using kept = openFile(join(JSON.parse(forced.stdout).before, 'money.db'));
  assert.is(kept.prepare('SELECT count(*) AS count FROM payments').get()?.count, 3);
});

test('without a passphrase, or with a short one, there is no backup, and with another one none is put back', async () => {
  using folder = temporaryFolder();
  await soldIn(folder.path, 100);
  const file = join(folder.path, 'x.backup');
  const none = await lanectl(['backup', file, '--data', folder.path]);
  assert.is(none.code, EXIT_CODES.usage);
  assert.match(
    none.stderr,
    /sealed by a passphrase, and none was given: --passphrase-file FILE, or LANEWARE_PASSPHRASE/,
  );
  const noFile = await lanectl(['restore', file, '--data', folder.path]);
  assert.match(noFile.stderr, `there is no ${file}`, 'nobody types a passphrase for a file that is not there');
  const short = await lanectl(['backup', file, '--data', folder.path], { env: { LANEWARE_PASSPHRASE: 'short' } });
  assert.is(short.code, EXIT_CODES.usage);
  assert.match(short.stderr, /needs 10 characters or more/);
  assert.not.ok(existsSync(file));
  assert.is((await back(folder.path, file)).code, 0);
  const wrong = await restored(folder.path, file, '--passphrase-file', join(folder.path, 'settings.json'));
  assert.is(wrong.code, EXIT_CODES.failed);
  assert.match(wrong.stderr, /does not open with this passphrase/);
});

test('spaces at the ends of a passphrase are part of it, as in the console; the end of its line is not', async () => {
  using folder = temporaryFolder();
  using other = temporaryFolder();
  await soldIn(folder.path, 100);
  const [file, spaced] = [join(other.path, 'lane.backup'), join(other.path, 'passphrase')];
  const passphrase = ` ${PASSPHRASE} `;
  const key = openSealer(join(folder.path, 'secret.key'), undefined);
  const source = { folder: folder.path, version: '0.1.0', device: 'made up', sealer: key };
  await writeBackup(file, source, passphrase, new AbortController().signal); // as the console does
  writeFileSync(spaced, `${passphrase}\r\n`);
  for (const [more, set] of [
    [[], { LANEWARE_PASSPHRASE: passphrase }],
    [['--passphrase-file', spaced], {}],
  ] as const) {
    using into = temporaryFolder();
    const { code, stderr } = await lanectl(['restore', file, '--data', into.path, ...more], { env: set });
    assert.is(code, 0, stderr);
  }
  for (const [named, words] of [
    [folder.path, /cannot be read: it is a folder/],
    [join(folder.path, 'none'), /cannot be read: there is no such file/],
  ] as const) {
    const wrong = await lanectl(['restore', file, '--data', folder.path, '--passphrase-file', named]);
    assert.is(wrong.code, EXIT_CODES.usage);
    assert.match(wrong.stderr, words);
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
      assert.is((await back(folder.path, file)).code, 0);
      using into = temporaryFolder();
      assert.is((await restored(into.path, file)).code, 0);
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

const asRoot = needing(process.getuid?.() === 0 ? null : 'the tests do not run as root', 'a backup as root', test);

asRoot(
  'root works as the owner of the folder: what it writes is the owner’s, and what the owner may not, it may not',
  async () => {
    const NOBODY = 65_534;
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
    const { code, stderr } = await back(folder.path, file);
    assert.is(code, 0, stderr);
    assert.is(statSync(file).uid, NOBODY);
    assert.is((await restored(folder.path, file)).code, 0);
    assert.is(statSync(join(folder.path, 'money.db')).uid, NOBODY);
    process.setgroups?.([0]); // as root is who has signed in
    chmodSync(closed.path, 0o770);
    const denied = await back(folder.path, join(closed.path, 'lane.backup'));
    assert.is(denied.code, EXIT_CODES.failed);
    assert.match(denied.stderr, `the owner of ${folder.path}, who may not write into ${closed.path}: name a file`);
    const rooted = join(closed.path, 'lane.backup');
    renameSync(file, rooted);
    const done = await restored(folder.path, rooted);
    assert.is(done.code, 0, done.stderr);
  },
);

/** Of a file that takes no room; no disk of a test has as many free. */
const MUCH_BYTES = 2 ** 43;

test('a disk that is too full is named by the folder of the device, and not by the file', async () => {
  using folder = temporaryFolder();
  using other = temporaryFolder();
  writeFileSync(join(folder.path, 'money.db'), '');
  truncateSync(join(folder.path, 'money.db'), MUCH_BYTES);
  const { code, stderr } = await back(folder.path, join(other.path, 'lane.backup'));
  assert.is(code, EXIT_CODES.failed);
  assert.match(
    stderr,
    new RegExp(`^lanectl: ${folder.path} could not be .*: \\d+ MiB are needed in ${folder.path}, and`),
  );
  const none = await restored(folder.path, other.path);
  assert.match(none.stderr, `lanectl: ${other.path} could not be read or written: EISDIR`);
});

test('a backup that is interrupted leaves nothing behind', async () => {
  using folder = temporaryFolder();
  using other = temporaryFolder();
  await soldIn(folder.path, 100);
  await using making = start(['backup', join(other.path, 'lane.backup'), '--data', folder.path], { env });
  await until('its folder', () => readdirSync(other.path).length > 0);
  making.signal('SIGINT');
  const { code, stderr } = await making.ended;
  assert.is(code, EXIT_CODES.interrupted, stderr);
  const left = [...readdirSync(other.path), ...readdirSync(folder.path).filter((name) => name.startsWith('.backup'))];
  assert.equal(left, []);
});

test('a restore that was killed when it was ready is finished by the next, which says so whatever becomes of its own', async () => {
  using folder = temporaryFolder();
  using other = temporaryFolder();
  const file = join(other.path, 'lane.backup');
  await soldIn(folder.path, 100);
  assert.is((await back(folder.path, file)).code, 0);
  const sealer = openSealer(join(folder.path, 'secret.key'), undefined);
  const incoming = { file: createReadStream(file), passphrase: PASSPHRASE, isForced: false };
  await prepareRestore(incoming, { folder: folder.path, sealer, version: '9.9.9' }, Date.now(), judge, '--over');
  const wrong = await restored(folder.path, file, '--passphrase-file', join(folder.path, 'settings.json'));
  assert.is(wrong.code, EXIT_CODES.failed);
  assert.match(wrong.stderr, `a restore was under way, and is done now: ${folder.path} is as `);
  assert.match(wrong.stderr, /does not open with this passphrase/);
});

test('without --data the device that runs here must be the one of the folder', async () => {
  using folder = temporaryFolder();
  using other = temporaryFolder();
  const file = join(other.path, 'lane.backup');
  await using device = await startTestDevice({}, folder.path);
  const at = { ...env, LANEWARE_URL: device.terminal, LANEWARE_DATADIR: other.path };
  const refused = await lanectl(['backup', file], { env: at });
  assert.is(refused.code, EXIT_CODES.usage);
  assert.match(refused.stderr, `keeps its data elsewhere than in ${other.path}: it has printed its folder`);
  const { code, stderr } = await lanectl(['backup', file], { env: { ...at, LANEWARE_DATADIR: folder.path } });
  assert.is(code, 0, stderr);
  // a clone keeps it where npm start stands
  const clone = await lanectl(['backup', '--json', join(other.path, 'b.backup')], {
    env: { ...env, LANEWARE_URL: at.LANEWARE_URL },
  });
  assert.match(clone.stderr, `${join(ROOT, '.laneware')}: it has printed its folder`);
});

test('a backup goes into a file and nothing else: a device is not written over, and what cannot be written is named', async () => {
  using folder = temporaryFolder();
  await soldIn(folder.path, 100);
  const pipe = join(folder.path, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const link = join(folder.path, 'link');
  symlinkSync(pipe, link);
  for (const file of [pipe, link, folder.path, '']) {
    const { code, stderr } = await back(folder.path, file);
    assert.is(code, EXIT_CODES.usage, file);
    assert.match(stderr, /cannot hold a backup/);
  }
  assert.ok(statSync(pipe).isFIFO());
  const { code, stderr } = await back(folder.path, '/nonexistent/lane.backup');
  assert.is(code, EXIT_CODES.failed);
  assert.match(stderr, /^lanectl: \/nonexistent\/lane\.backup could not be read or written: ENOENT/);
  assert.equal(
    readdirSync(folder.path).filter((name) => name.startsWith('.lanectl')),
    [],
  );
});

test.run();
