/** The Debian package of a release: what is in it, that the same release gives the same bytes, and what its scripts decide. */
import { execFileSync, type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { missingPrograms, suiteNeeding } from '../needing.ts';
import { ARCH, MADE, NEW, NO_RELEASES, Rig } from '../ota/rig.ts';
import { prepare } from '../prepare.ts';
import { ROOT as PROJECT } from '../root.ts';

const deb = suiteNeeding(NO_RELEASES ?? missingPrograms('dpkg-deb', 'md5sum'), 'the Debian package');
const REFUSED = 5;
const DEBIAN_ARCH = ARCH === 'x64' ? 'amd64' : ARCH;
const NAME = `laneware_${NEW}_${DEBIAN_ARCH}.deb`;
const INSTALLER = ['scripts/install.sh', 'scripts/lib'];

const rig = new Rig();
const folder = mkdtempSync(join(tmpdir(), 'laneware-deb-'));
const file = join(folder, NAME);
const tree = join(folder, 'tree');
let release = '';

const digest = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');
const field = (name: string): string => execFileSync('dpkg-deb', ['--field', file, name], { encoding: 'utf8' }).trim();

function make(from: string, out: string, key = 'key'): SpawnSyncReturns<string> {
  const args = ['--release', from, '--key', join(rig.folder, `${key}.pub.pem`), '--out', out];
  return spawnSync(join(PROJECT, 'scripts/deb.sh'), args, { encoding: 'utf8' });
}

prepare(deb, () => {
  release = rig.release({
    extra: (stage) => cpSync(join(PROJECT, 'scripts/install.sh'), join(stage, 'scripts/install.sh')),
  });
  const run = make(release, folder);
  assert.is(run.status, 0, run.stderr);
  execFileSync('dpkg-deb', ['--raw-extract', file, tree]);
});
deb.after(() => {
  rig.close();
  rmSync(folder, { recursive: true, force: true });
});

deb('carries the release byte for byte, its key, and the installer of that release', () => {
  const at = join(tree, 'usr/lib/laneware');
  assert.equal(readdirSync(at).sort(), ['key.pub.pem', 'laneware.release', 'scripts']);
  assert.is(digest(join(at, 'laneware.release')), digest(release));
  assert.is(readFileSync(join(at, 'key.pub.pem'), 'utf8'), readFileSync(join(rig.folder, 'key.pub.pem'), 'utf8'));
  for (const part of INSTALLER)
    assert.is(spawnSync('diff', ['--recursive', join(PROJECT, part), join(at, part)]).status, 0, part);
});

deb('says what it is, what it needs and how large it is', () => {
  assert.equal(['Package', 'Version', 'Architecture'].map(field), ['laneware', NEW, DEBIAN_ARCH]);
  const depends = field('Depends')
    .split(', ')
    .map((part) => part.split(' ')[0]);
  for (const name of ['systemd', 'curl', 'openssl', 'tar', 'gzip', 'util-linux', 'libc6', 'polkitd'])
    assert.ok(depends.includes(name), name);
  assert.ok(Number(field('Installed-Size')) * 1024 >= readFileSync(release).length);
  assert.not.match(readFileSync(join(tree, 'DEBIAN/control'), 'utf8'), /@[A-Z]+@/);
});

deb('belongs to root, has no file that others may write, and dates of the release alone', () => {
  const listing = execFileSync('dpkg-deb', ['--contents', file], {
    encoding: 'utf8',
    env: { ...process.env, TZ: 'UTC' },
  });
  const day = new Date(MADE * 1000).toISOString().slice(0, 10);
  for (const line of listing.trim().split('\n'))
    assert.match(line, new RegExp(`^[d-]rw[x-]r-[x-]r-[x-] root/root +\\d+ ${day} `));
  assert.is(spawnSync('md5sum', ['--check', '--quiet', 'DEBIAN/md5sums'], { cwd: tree }).status, 0);
});

deb('the same release gives the same bytes, for any user and time', () => {
  const again = join(folder, 'again');
  const umask = process.umask(0o077);
  try {
    const run = make(release, again);
    assert.is(run.status, 0, run.stderr);
  } finally {
    process.umask(umask);
  }
  assert.is(digest(join(again, NAME)), digest(file));
});

for (const [what, facts, words] of [
  ['signed with another key', { key: 'other' }, 'is not signed with the key'],
  ['damaged', { spoil: 'echo more >>"$1/VERSION"' }, null],
  ['whose payload is not the one that was signed', { lie: { 'payload-sha256': '0'.repeat(64) } }, 'is damaged'],
] as const)
  deb(`makes nothing of a release ${what}`, () => {
    rig.makeKey('other');
    const out = join(folder, 'none');
    const bad = rig.release({ version: '9.9.9', ...facts });
    if (words === null) writeFileSync(bad, readFileSync(bad).subarray(0, -1));
    const run = make(bad, out);
    rmSync(join(rig.folder, 'other.pem'));
    assert.is(run.status, REFUSED, run.stderr);
    assert.match(run.stderr, words ?? 'is damaged');
    assert.not.ok(existsSync(join(out, NAME)));
  });

/** A machine with stand-ins for what the scripts call: each writes down what it was asked for. */
function machine(good: string | null, otaEnds = 0, systemd = true) {
  const root = mkdtempSync(join(folder, 'machine-'));
  const log = join(root, 'log');
  const put = (path: string, text: string, mode = 0o644) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
    chmodSync(join(root, path), mode);
  };
  const standIn = (name: string, code: number) => `#!/bin/sh\necho "${name} $*" >>${log}\nexit ${code}\n`;
  put('usr/lib/laneware/scripts/install.sh', standIn('install', 0), 0o755);
  if (systemd) mkdirSync(join(root, 'run/systemd/system'), { recursive: true });
  if (good !== null) {
    put(`opt/laneware/releases/${good}/scripts/ota.sh`, standIn('ota', otaEnds), 0o755);
    symlinkSync(`releases/${good}`, join(root, 'opt/laneware/good'));
  }
  const run = (script: string, ...args: string[]) =>
    spawnSync(join(tree, 'DEBIAN', script), args, { encoding: 'utf8', env: { ...process.env, DPKG_ROOT: root } });
  const asked = () => (existsSync(log) ? readFileSync(log, 'utf8').replaceAll(root, '').trim().split('\n') : []);
  return { root, put, run, asked };
}

const INSTALL = 'install --release /usr/lib/laneware/laneware.release --key /usr/lib/laneware/key.pub.pem';
const UPDATE = 'ota update --from /usr/lib/laneware/laneware.release';

for (const [what, good, asked, ends, exit] of [
  ['without a release it is installed', null, [INSTALL], 0, 0],
  ['with an older release the updater has it', '1.0.9', [UPDATE], 0, 0],
  ['with the same release nothing is done, and no payment cut off', NEW, [], 0, 0],
  ['with a newer release, which the device has fetched itself, that stays', '1.10.0', [], 0, 0],
  ['a release that was undone does not leave a broken package', '1.0.9', [UPDATE], 6, 0],
  ['an open payment leaves it to be configured again', '1.0.9', [UPDATE], 4, 1],
  ['a release that is refused does not hold up every package after it', '1.0.9', [UPDATE], 5, 0],
  ['a failure leaves it to be configured again', '1.0.9', [UPDATE], 1, 1],
] as const)
  deb(`configured on a device ${what}`, () => {
    const { run, asked: calls } = machine(good, ends);
    const { status, stderr } = run('postinst', 'configure', '');
    assert.is(status, exit, stderr);
    assert.equal(calls(), asked);
    if (ends === 6) assert.match(stderr, 'was tried and undone');
    if (ends === 5) assert.match(stderr, /was refused.*dpkg-reconfigure laneware/);
    if (exit !== 0) assert.match(stderr, 'dpkg --configure laneware');
  });

deb('where systemd does not run nothing is started, and it says what to do later', () => {
  const { run, asked } = machine(null, 0, false);
  const { status, stderr } = run('postinst', 'configure', '');
  assert.is(status, 0);
  assert.match(stderr, 'dpkg-reconfigure laneware');
  assert.equal(asked(), []);
});

deb('what is not "configure" changes nothing', () => {
  for (const word of ['abort-upgrade', 'abort-remove', 'abort-deconfigure', 'triggered']) {
    const { run, asked } = machine(null);
    assert.is(run('postinst', word).status, 0);
    assert.equal(asked(), []);
  }
});

deb('a removal uninstalls, an upgrade does not', () => {
  const { run, asked } = machine('1.0.0');
  assert.is(run('prerm', 'upgrade', NEW).status, 0);
  assert.equal(asked(), []);
  assert.is(run('prerm', 'remove').status, 0);
  assert.equal(asked(), ['install --uninstall']);
});

const MONEY = ['ledger.db', 'ledger.db-wal', 'ledger.db.damaged-1', 'refunds.db', 'audit/payments-1.jsonl'];
const OTHER = ['templates.db', 'settings.json'];

function withData() {
  const made = machine(null);
  for (const name of [...MONEY, ...OTHER]) made.put(`var/lib/laneware/${name}`, name);
  for (const path of ['etc/laneware/config.json', 'etc/credstore/laneware-key', 'var/lib/laneware-nats/x'])
    made.put(path, 'x');
  return made;
}

deb('a removal keeps every file', () => {
  const { root, run } = withData();
  for (const word of ['remove', 'upgrade', 'disappear']) assert.is(run('postrm', word).status, 0);
  for (const name of [...MONEY, ...OTHER]) assert.ok(existsSync(join(root, 'var/lib/laneware', name)), name);
  assert.ok(existsSync(join(root, 'etc/laneware/config.json')));
});

deb('a purge takes all but the records of payments, which it puts aside and names', () => {
  const { root, run } = withData();
  const { status, stderr } = run('postrm', 'purge');
  assert.is(status, 0, stderr);
  const aside = /in (\S+) now/.exec(stderr)?.[1] ?? '';
  assert.match(aside, /\/var\/backups\/laneware\/\d{4}-\d\d-\d\dT\d{6}Z$/);
  for (const name of MONEY) assert.is(readFileSync(join(aside, name), 'utf8'), name);
  for (const gone of ['var/lib/laneware', 'var/lib/laneware-nats', 'etc/laneware', 'etc/credstore/laneware-key'])
    assert.not.ok(existsSync(join(root, gone)), gone);
  assert.equal(readdirSync(aside).sort(), ['audit', 'ledger.db', 'ledger.db-wal', 'ledger.db.damaged-1', 'refunds.db']);
});

deb('a purge that cannot put them aside takes nothing', () => {
  const { root, put, run } = withData();
  put('var/backups/laneware', 'a file where the folder should be');
  assert.is.not(run('postrm', 'purge').status, 0);
  for (const name of [...MONEY, ...OTHER]) assert.ok(existsSync(join(root, 'var/lib/laneware', name)), name);
});

deb.run();
