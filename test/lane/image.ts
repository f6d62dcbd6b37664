/**
 * A flashable image: made by `image.sh` from a Debian for arm64 that is laid out as Raspberry Pi OS is (a FAT partition with
 * cmdline.txt and config.txt, an ext4 root), flashed twice, booted in emulation. `scripts/test-lane.sh image`
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROOT as PROJECT } from '../runner.ts';
import { LAB, Lane, sh } from './lane.ts';
import { PUBLIC_KEY, release } from './releases.ts';

const image = suite('a flashable image');
const MB = 1024 * 1024;
const BOOT_AT_MB = 4;
const BOOT_MB = 48;
const ROOT_AT_MB = BOOT_AT_MB + BOOT_MB;
const ROOT_MB = 700;
const CMDLINE =
  'console=serial0,115200 console=tty1 root=PARTUUID=5e3da3da-02 rootfstype=ext4 fsck.repair=yes rootwait\n';
const CONFIG = '# For more options see the documentation\ncamera_auto_detect=1\ndtoverlay=vc4-kms-v3d\n';

const work = mkdtempSync(join(LAB, 'image-'));
const base = join(work, 'base.img');
const flashable = join(work, 'lane.img');
const lanes: Lane[] = [];

/** The layout of Raspberry Pi OS Lite. What it does not have here: a kernel, for the containers bring their host's. */
function makeBase(): void {
  const boot = join(work, 'boot.img');
  const root = join(work, 'root.img');
  const tree = join(work, 'tree');
  sh('cp', '-a', join(LAB, 'root-arm64'), tree);
  mkdirSync(join(tree, 'etc/systemd/system/multi-user.target.wants'), { recursive: true });
  mkdirSync(join(tree, 'etc/ssh'), { recursive: true });
  // what the real one has switched on, and what it must not share between boards
  writeFileSync(
    join(tree, 'etc/systemd/system/multi-user.target.wants/ssh.service'),
    '[Service]\nExecStart=/bin/true\n',
  );
  writeFileSync(join(tree, 'etc/ssh/ssh_host_ed25519_key'), 'the same on every card\n');
  writeFileSync(join(tree, 'etc/hostname'), 'raspberrypi\n');
  writeFileSync(join(tree, 'etc/hosts'), '127.0.0.1\tlocalhost\n127.0.1.1\traspberrypi\n');
  sh('truncate', '--size', `${BOOT_MB}M`, boot);
  sh('mkfs.vfat', '-n', 'bootfs', boot);
  for (const [name, text] of [
    ['cmdline.txt', CMDLINE],
    ['config.txt', CONFIG],
    ['ssh', ''],
  ] as const) {
    writeFileSync(join(work, name), text);
    sh('mcopy', '-i', boot, join(work, name), `::${name}`);
  }
  sh('truncate', '--size', `${ROOT_MB}M`, root);
  sh('mke2fs', '-q', '-F', '-t', 'ext4', '-O', 'has_journal', '-L', 'rootfs', '-d', tree, root);
  sh('truncate', '--size', `${ROOT_AT_MB + ROOT_MB}M`, base);
  const table = `label: dos\nstart=${BOOT_AT_MB}MiB, size=${BOOT_MB}MiB, type=c\nstart=${ROOT_AT_MB}MiB, size=${ROOT_MB}MiB, type=83\n`;
  writeFileSync(join(work, 'table'), table);
  sh('sh', '-c', `sfdisk --quiet --no-reread --no-tell-kernel ${base} < ${join(work, 'table')}`);
  const put = (part: string, at: number) =>
    sh('dd', `if=${part}`, `of=${base}`, 'bs=1M', `seek=${at}`, 'conv=notrunc,sparse', 'status=none');
  put(boot, BOOT_AT_MB);
  put(root, ROOT_AT_MB);
  for (const done of [boot, root, tree]) rmSync(done, { recursive: true });
}

const bootFile = (name: string): string => sh('mtype', '-i', `${flashable}@@${BOOT_AT_MB * MB}`, `::${name}`);

async function flash(name: string, number: number): Promise<Lane> {
  const lane = new Lane(name, number);
  lanes.push(lane);
  lane.flash(flashable, ROOT_AT_MB * MB, 'aarch64');
  return lane;
}

/** The token that a board has made up for itself at its first boot; read from its card. */
const tokenOf = (lane: Lane): string =>
  /"token": "([^"]*)"/.exec(readFileSync(join(lane.mount, 'etc/laneware/config.json'), 'utf8'))?.[1] ?? '';

image.before(() => {
  makeBase();
  const file = release('arm64');
  const options = ['--listen-lan', '--new-token', '--camera', 'push'];
  sh(
    join(PROJECT, 'scripts/image.sh'),
    '--base',
    base,
    '--release',
    file,
    '--key',
    PUBLIC_KEY,
    '--out',
    flashable,
    ...options,
  );
});

image.after(async () => {
  for (const lane of lanes) await lane.remove();
  rmSync(work, { recursive: true, force: true });
});

image('frees the UART from the console and keeps the rest of the kernel’s command line', () => {
  assert.is(bootFile('cmdline.txt'), CMDLINE.replace('console=serial0,115200 ', '').trim());
  assert.is(bootFile('config.txt'), `${CONFIG}enable_uart=1`);
});

image('switches ssh off: no file that would switch it on, no unit, no key that two boards share', async () => {
  assert.throws(() => bootFile('ssh'));
  const lane = await flash('image-a', 21);
  assert.not.ok(existsSync(join(lane.mount, 'etc/systemd/system/multi-user.target.wants/ssh.service')));
  assert.not.ok(existsSync(join(lane.mount, 'etc/ssh/ssh_host_ed25519_key')));
  assert.is(readFileSync(join(lane.mount, 'etc/machine-id'), 'utf8'), '');
});

image('boots as a board of its own, and both ports answer with the token that it made up', async () => {
  const [lane] = lanes;
  assert.ok(lane !== undefined);
  const booting = lane.boot();
  await lane.until('a token of its own', async () => /^[0-9a-f]{32}$/.test(tokenOf(lane)));
  lane.token = tokenOf(lane);
  const ms = await booting;
  process.stdout.write(`  emulated, from power to both ports: ${(ms / 1000).toFixed(1)} s\n`);
  assert.is(lane.in('uname', '-m'), 'aarch64');
  assert.match(lane.in('cat', '/etc/hostname'), /^laneware-[0-9a-f]{8}$/);
  // units of the system itself fail under emulation: qemu-user has no credentials for them
  assert.is(lane.in('systemctl', 'list-units', '--failed', '--no-legend', '--plain', 'laneware*'), '');
});

image('has the sandbox bank off and the log capped', () => {
  const [lane] = lanes;
  assert.ok(lane !== undefined);
  assert.match(lane.in('cat', '/etc/laneware/config.json'), '"sandboxBank": { "enabled": false }');
  assert.match(lane.in('cat', '/etc/systemd/journald.conf.d/50-laneware.conf'), 'SystemMaxUse=64M');
  assert.match(lane.in('journalctl', '--header', '--no-pager'), '/var/log/journal/');
});

image('two cards from one image are two boards', async () => {
  const second = await flash('image-b', 22);
  const booting = second.boot();
  await second.until('a token of its own', async () => /^[0-9a-f]{32}$/.test(tokenOf(second)));
  second.token = tokenOf(second);
  await booting;
  const [first] = lanes;
  assert.ok(first !== undefined);
  const identity = (lane: Lane) =>
    ['/etc/machine-id', '/etc/hostname', '/etc/credstore/laneware-key'].map((file) => lane.in('sha256sum', file));
  const [one, two] = [identity(first), identity(second)];
  for (const [index, digest] of one.entries()) assert.is.not(digest, two[index]);
  assert.is.not(first.token, second.token);
});

image('keeps its identity at the next boot', async () => {
  const [lane] = lanes;
  assert.ok(lane !== undefined);
  const before = lane.in('cat', '/etc/hostname', '/etc/laneware/identity');
  await lane.powerOff();
  await lane.boot();
  assert.is(lane.in('cat', '/etc/hostname', '/etc/laneware/identity'), before);
  assert.is(tokenOf(lane), lane.token);
});

image.run();
