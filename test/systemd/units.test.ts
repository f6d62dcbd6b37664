/** The units as systemd itself judges them, without a systemd that runs. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { releaseContents } from '../release-contents.ts';
import { ROOT } from '../root.ts';
import { type TemporaryFolder, temporaryFolder } from '../support.ts';

const units = suite('systemd units');
const FOLDER = join(ROOT, 'systemd');
const UNITS = readdirSync(FOLDER).filter((name) => /\.(service|timer|path|socket)$/.test(name));

/** Highest exposure that a unit may have, in tenths, as `systemd-analyze security` counts. */
const LIMITS: Readonly<Record<string, number>> = {
  'laneware.service': 16,
  'laneware-claim.service': 16,
  'laneware-master@.service': 16,
  'laneware-log-upload.service': 20,
  'laneware-remote@.service': 20, // an interface of the chain's, and keys that only root reads
  'laneware-update.service': 30,
  'laneware-update-now.service': 30,
  'laneware-rollback.service': 30,
  'laneware-recover.service': 20,
  'laneware-rescue.service': 20,
  'laneware-factory-reset.service': 20,
  'laneware-options.service': 55, // writes what of the system a technician may set from his machine
  'laneware-os-update.service': 96, // packages of the system bring their own scripts
  'laneware-firstboot.service': 45, // writes the host's name and its keys, once
};

/** A folder that looks to systemd like a device with the release in place. */
function device(): TemporaryFolder {
  const folder = temporaryFolder();
  const root = folder.path;
  const release = join(root, 'opt/laneware/releases/1.0.0');
  mkdirSync(join(release, 'bin'), { recursive: true });
  writeFileSync(join(release, 'bin/node'), '#!/bin/sh\n', { mode: 0o755 });
  cpSync(join(ROOT, 'scripts'), join(release, 'scripts'), { recursive: true });
  for (const link of ['current', 'good']) symlinkSync('releases/1.0.0', join(root, 'opt/laneware', link));
  for (const folder of ['usr/bin', 'bin', 'etc/laneware', 'etc/systemd/system', 'usr/lib/systemd/system'])
    mkdirSync(join(root, folder), { recursive: true });
  const others = ['usr/bin/env', 'bin/kill', 'usr/bin/timeout', 'etc/laneware/remote'];
  for (const program of [...others, 'usr/lib/systemd/systemd-journal-upload'])
    writeFileSync(join(root, program), '#!/bin/sh\n', { mode: 0o755 });
  for (const unit of UNITS) execFileSync('cp', [join(FOLDER, unit), join(root, 'etc/systemd/system', unit)]);
  // the targets and services that ours refer to, as the machine that runs the test has them
  execFileSync('cp', ['-r', '/usr/lib/systemd/system/.', join(root, 'usr/lib/systemd/system')]);
  return folder;
}

units('verify finds nothing to complain of in any unit', () => {
  using folder = device();
  const root = folder.path;
  const args = ['verify', '--man=no', '--recursive-errors=one', `--root=${root}`];
  const run = spawnSync('systemd-analyze', [...args, ...UNITS.map((unit) => `/etc/systemd/system/${unit}`)], {
    encoding: 'utf8',
  });
  const ours = `${run.stdout}${run.stderr}`.split('\n').filter((line) => line.includes('laneware'));
  assert.equal(ours, []);
  assert.is(run.status, 0, run.stderr);
});

units('verify does see a mistake', () => {
  using folder = device();
  const root = folder.path;
  writeFileSync(join(root, 'etc/systemd/system/laneware.service'), '[Service]\nExecStart=/bin/kill\nWatchDogs=3\n');
  const args = [
    'verify',
    '--man=no',
    '--recursive-errors=yes',
    `--root=${root}`,
    '/etc/systemd/system/laneware.service',
  ];
  assert.match(spawnSync('systemd-analyze', args, { encoding: 'utf8' }).stderr, 'WatchDogs');
});

for (const unit of UNITS.filter((name) => name.endsWith('.service'))) {
  units(`${unit} exposes no more than ${(LIMITS[unit] ?? 0) / 10}`, () => {
    const args = ['security', '--offline=yes', '--no-pager', `--threshold=${LIMITS[unit] ?? 0}`, join(FOLDER, unit)];
    const run = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    assert.is(run.status, 0, run.stdout.split('\n').slice(-3).join('\n') + run.stderr);
  });
}

/** Which module makes a class of devices; null is built into the kernels of Raspberry Pi OS. */
const MODULES: Readonly<Record<string, string | null>> = {
  ttyAMA: null,
  ttyS: null,
  ttyUSB: 'usbserial',
  ttyACM: 'cdc_acm',
  video4linux: 'videodev',
  media: 'mc',
  dma_heap: null,
  gpiochip: null,
  alsa: 'snd',
};

units('a device plugged in after the start is allowed: the module of its class is loaded before', () => {
  const unit = readFileSync(join(FOLDER, 'laneware.service'), 'utf8');
  const named = (key: string) =>
    [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].flatMap(([, words = '']) => words.split(' '));
  const classes = [...unit.matchAll(/^DeviceAllow=char-(\S+)/gm)].map(([, name = '']) => name);
  assert.equal(new Set(classes), new Set(Object.keys(MODULES)));
  const loads = classes.flatMap((name) => MODULES[name] ?? []).map((module) => `modprobe@${module}.service`);
  for (const key of ['Wants', 'After'])
    assert.equal(
      named(key).filter((name) => name.startsWith('modprobe@')),
      loads,
      key,
    );
});

units('the users and folders that the units need are what sysusers and tmpfiles make', () => {
  using folder = temporaryFolder();
  const root = folder.path;
  mkdirSync(join(root, 'etc'));
  const feed = (program: string, file: string, ...args: string[]) =>
    spawnSync(program, [`--root=${root}`, ...args, '-'], {
      input: readFileSync(join(FOLDER, file)),
      encoding: 'utf8',
    });
  const users = feed('systemd-sysusers', 'sysusers.conf');
  assert.is(users.status, 0, users.stderr);
  const groups = readFileSync(join(root, 'etc/group'), 'utf8');
  for (const group of ['dialout', 'video', 'gpio', 'bluetooth'])
    assert.match(groups, new RegExp(`^${group}:x:\\d+:laneware$`, 'm'));
  const further = UNITS.flatMap((unit) =>
    [...readFileSync(join(FOLDER, unit), 'utf8').matchAll(/^SupplementaryGroups=(.+)$/gm)].map(([, name]) => name),
  );
  assert.ok(further.includes('audio'));
  for (const group of further.filter((name) => name !== 'systemd-journal'))
    assert.match(groups, new RegExp(`^${group}:`, 'm'), 'without it the unit does not start');
  assert.not.match(readFileSync(join(root, 'etc/passwd'), 'utf8'), /^laneware:.*(bash|\/sh)$/m);
});

units('systemd makes and hands over no folder inside one of the user’s, who could divert root', () => {
  const made = UNITS.flatMap((unit) =>
    [...readFileSync(join(FOLDER, unit), 'utf8').matchAll(/^(?:State|Runtime|Cache|Logs)Directory=(.*)$/gm)].map(
      ([, names = '']) => `${unit}: ${names}`,
    ),
  );
  assert.ok(made.length > 0);
  assert.equal(
    made.filter((each) => each.includes('/')),
    [],
  );
  const users = /^d (\S+) +\S+ laneware/gm;
  const rules = readFileSync(join(FOLDER, 'tmpfiles.conf'), 'utf8');
  const theirs = [...rules.matchAll(users)].map(([, path = '']) => path);
  assert.ok(theirs.includes('/var/lib/laneware'));
  for (const path of theirs) assert.not.match(rules, ` ${path}/`);
});

units('the device starts where its message server listens, also on a lane updated to that', () => {
  const [device, socket] = ['laneware.service', 'laneware-master.socket'].map((unit) =>
    readFileSync(join(FOLDER, unit), 'utf8'),
  );
  const [, path = ''] = /^ListenStream=(.+)$/m.exec(socket ?? '') ?? [];
  assert.match(device ?? '', `\nEnvironment=MASTER_SOCKET=${path}\n`);
  for (const unit of ['laneware-master.socket', 'laneware-master@.service'])
    assert.match(device ?? '', `/opt/laneware/current/systemd/${unit} /etc/systemd/system/${unit}\n`);
  assert.match(device ?? '', 'systemctl --no-block start laneware-master.socket\n');
});

units('a signed unit file never names a path of the release that the bundle does not hold', () => {
  const held = releaseContents();
  for (const unit of UNITS) {
    const text = readFileSync(join(FOLDER, unit), 'utf8');
    for (const [, path = ''] of text.matchAll(
      /\/opt\/laneware\/(?:good|current)\/((?:scripts|firmware|systemd)\/\S+)/g,
    ))
      assert.ok(held.has(path), `${unit}: ${path}`);
  }
});

units.run();
