/**
 * A flashable image: made by `image.sh` from a Debian that is laid out as Raspberry Pi OS is (a FAT partition with cmdline.txt and
 * config.txt, an ext4 root), flashed twice, booted, and administered with nothing but what a phone has: the code on the
 * display, and the network. `test/lane/test-lane.sh [x64|arm64] image`; arm64 is emulated where the machine is none.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { secureCall } from '../http/secure.ts';
import { prepare } from '../prepare.ts';
import { ROOT as PROJECT } from '../root.ts';
import { BOOT_AT_MB, layOut, MB, nameBoard, ROOT_AT_MB } from './card.ts';
import { LAB, Lane, sh } from './lane.ts';
import { PUBLIC_KEY, release } from './releases.ts';

const test = suite('a flashable image');
const ARCH = process.argv[2] === 'x64' ? 'x64' : 'arm64';
const MACHINE = ARCH === 'x64' ? 'x86_64' : 'aarch64';
const OWN_MACHINE = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
const ROOT_MB = 700;
/** xz of some hundred megabytes, beside other work of this machine. */
const PACKING_PATIENCE_MS = 1_800_000;
const REPOSITORY = 'https://lanes.example/';
const SSH_WANTED = 'multi-user.target.wants/ssh.service';
const CMDLINE =
  'console=serial0,115200 console=tty1 root=PARTUUID=5e3da3da-02 rootfstype=ext4 fsck.repair=yes rootwait\n';
const CONFIG = '# For more options see the documentation\ncamera_auto_detect=1\ndtoverlay=vc4-kms-v3d\n';

const work = mkdtempSync(join(LAB, 'image-'));
const base = join(work, 'base.img');
const flashable = join(work, 'lane.img');
const lanes: Lane[] = [];

/** The layout of Raspberry Pi OS Lite. What it does not have here: a kernel, for the containers bring their host's. */
function makeBase(): void {
  const tree = join(work, 'tree');
  sh('cp', '-a', join(LAB, `root-${ARCH}`), tree);
  mkdirSync(join(tree, 'etc/systemd/system/multi-user.target.wants'), { recursive: true });
  mkdirSync(join(tree, 'etc/ssh'), { recursive: true });
  // what the real one has switched on, and what it must not share between boards
  mkdirSync(join(tree, 'usr/lib/systemd/system'), { recursive: true });
  mkdirSync(join(tree, 'etc/NetworkManager'), { recursive: true });
  const server = '[Service]\nExecStart=/bin/true\n\n[Install]\nWantedBy=multi-user.target\n';
  writeFileSync(join(tree, 'usr/lib/systemd/system/ssh.service'), server);
  symlinkSync('/usr/lib/systemd/system/ssh.service', join(tree, 'etc/systemd/system', SSH_WANTED));
  writeFileSync(join(tree, 'etc/ssh/ssh_host_ed25519_key'), 'the same on every card\n');
  nameBoard(tree);
  layOut({ tree, rootMb: ROOT_MB, bootFiles: { 'cmdline.txt': CMDLINE, 'config.txt': CONFIG, ssh: '' } }, work);
}

const bootFile = (name: string): string => sh('mtype', '-i', `${flashable}@@${BOOT_AT_MB * MB}`, `::${name}`);

async function flash(name: string, number: number): Promise<Lane> {
  const lane = new Lane(name, number);
  lanes.push(lane);
  lane.flash(flashable, ROOT_AT_MB * MB, MACHINE);
  return lane;
}

const WIRE_LOG = '/var/tmp/wire';
/** A pseudo-terminal inside is the display: what is written to it is what the display gets. */
const PLUG_IN = 'stty raw -echo; chmod 666 "$(tty)"; ln -sfn "$(tty)" /dev/laneware-display; sleep infinity';

/** Plugs a display in; what it was sent, as text, is then read from the card. */
function plugDisplayIn(lane: Lane) {
  const wire = lane.start('script', '--quiet', '--flush', '--command', PLUG_IN, WIRE_LOG);
  const log = join(lane.mount, WIRE_LOG);
  return {
    sent: () => (existsSync(log) ? readFileSync(log, 'latin1') : ''),
    /** A machine does not go off while somebody outside holds a process of it. */
    unplug: () => wire.kill('SIGKILL'),
  };
}

/** What a phone that has photographed the display does: it opens the link, and the page makes the token. */
async function claim(link: string, code: string): Promise<string> {
  const { origin, pathname } = new URL(link);
  const page = await secureCall(origin + pathname);
  assert.match(page.text, /\/console\/assets\/\w+\/claim\.js/); // which draws the page in the phone's language
  const json = { 'content-type': 'application/json' };
  const made = await secureCall(`${origin}/console/api/claim`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ code }),
  });
  assert.is(made.status, 200, made.text);
  return JSON.parse(made.text).token;
}

/** What stands above the login prompt of each console; the program wants a terminal of its own, which the emulation has not. */
const onConsole = (lane: Lane): string =>
  MACHINE === OWN_MACHINE
    ? lane.in('script', '--quiet', '--return', '--command', 'agetty --show-issue', '/dev/null')
    : lane.try('cat', '/run/laneware-claim/issue').text;

const LINK = /(https:\/\/[0-9.]+:8080\/claim)#([0-9A-Z]{4}-[0-9A-Z]{4})&/;

prepare(test, () => {
  makeBase();
  const file = release(ARCH);
  const options = ['--arch', ARCH, '--camera', 'push', ...(ARCH === 'arm64' ? ['--url', REPOSITORY] : [])];
  const args = ['--base', base, '--release', file, '--key', PUBLIC_KEY, '--out', flashable, ...options];
  execFileSync(join(PROJECT, 'scripts/release/image.sh'), args, { stdio: 'inherit', timeout: PACKING_PATIENCE_MS });
});

test.after(async () => {
  for (const lane of lanes) await lane.remove();
  rmSync(work, { recursive: true, force: true });
});

test('is there for dd, and packed for an imager, with its description', () => {
  const digest = sh('sha256sum', flashable).slice(0, 64);
  assert.is(sh('sh', '-c', `xz --decompress --stdout ${flashable}.xz | sha256sum`).slice(0, 64), digest);
  if (ARCH !== 'arm64') return; // Imager offers nothing for a PC
  const list = readFileSync(join(work, 'rpi-imager.json'), 'utf8');
  assert.match(list, `"extract_sha256": "${digest}"`);
  assert.match(list, `"url": "${REPOSITORY}lane.img.xz"`);
  assert.match(list, '"init_format": "none"'); // this Debian takes nothing of the imager's
});

test('the image frees the UART, counts memory, and leaves the rest of the kernel’s command line', () => {
  const kept = CMDLINE.replace('console=serial0,115200 ', '').trim();
  assert.is(bootFile('cmdline.txt'), `${kept} cgroup_enable=memory cgroup_memory=1`);
  assert.is(bootFile('config.txt'), `${CONFIG}enable_uart=1\n[pi5]\ndtparam=uart0=on\n[all]`);
});

test('switches ssh off: no file that would switch it on, no unit, no key that two boards share', async () => {
  assert.throws(() => bootFile('ssh'));
  const lane = await flash('image-a', 21);
  assert.not.ok(existsSync(join(lane.mount, 'etc/systemd/system', SSH_WANTED)));
  assert.not.ok(existsSync(join(lane.mount, 'etc/ssh/ssh_host_ed25519_key')));
  assert.is(readFileSync(join(lane.mount, 'etc/machine-id'), 'utf8'), '');
});

test('an imager that is asked for ssh can enable it', () => {
  const [lane] = lanes;
  assert.ok(lane !== undefined);
  const link = join(lane.mount, 'etc/systemd/system', SSH_WANTED);
  const isOn = (): boolean => lstatSync(link, { throwIfNoEntry: false }) !== undefined;
  sh('systemctl', `--root=${lane.mount}`, 'enable', 'ssh.service');
  assert.ok(isOn());
  sh('systemctl', `--root=${lane.mount}`, 'disable', 'ssh.service');
  assert.not.ok(isOn());
});

test('from power-on with a phone alone: the display shows the code, and the network takes it', async () => {
  const [lane] = lanes;
  assert.ok(lane !== undefined);
  const began = performance.now();
  await lane.switchOn();
  const display = plugDisplayIn(lane);
  // the emulation knows no terminals: there the page of the machine's own screen is read
  const shown = (): string =>
    MACHINE === OWN_MACHINE ? display.sent() : lane.try('curl', '--silent', 'http://127.0.0.1:8080/display/state').text;
  await lane.until('a code on the display', async () => LINK.test(shown()));
  const [, link = '', code = ''] = LINK.exec(shown()) ?? [];
  assert.is(new URL(link).hostname, lane.address);
  await lane.until('the same code on the consoles', async () => onConsole(lane).includes(code));
  assert.match(onConsole(lane), link);
  assert.match((await secureCall(`https://${lane.address}:8080/health`)).text, 'asks callers from the network');
  lane.token = await claim(link, code);
  await lane.until('the code to be gone from the consoles', async () => !onConsole(lane).includes(code));
  assert.not.match(onConsole(lane), 'Laneware');
  display.unplug();
  await lane.answers();
  process.stdout.write(`  from power to a technician: ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
  assert.is(lane.in('uname', '-m'), MACHINE);
  assert.match(lane.in('cat', '/etc/hostname'), /^laneware-[0-9a-f]{8}$/);
  assert.match(lane.in('cat', '/etc/laneware/config.json'), '"token": null, "claim": true');
  // units of the system itself fail under emulation: qemu-user has no credentials for them
  assert.is(lane.in('systemctl', 'list-units', '--failed', '--no-legend', '--plain', 'laneware*'), '');
  assert.not.match(lane.in('journalctl', '--no-pager', '--output', 'cat'), code);
});

test('with that token everything is done from the network', async () => {
  const [lane] = lanes;
  assert.ok(lane !== undefined);
  const settings = {
    bankProfile: 'x',
    bankProfiles: { x: { bankName: 'Static', staticQR: 'https://qr.nspk.ru/AS100001ORTF4GAF80KPJ53K186D9A3G' } },
    deviceConnection: { connectionType: 'Screen' },
  };
  assert.is((await lane.post(1234, '/updateDriverSettings', { settings })).status, 200);
  assert.match((await lane.post(8080, '/api/set_sync_master', { upload: true, download: true })).text, '"code":0');
  if (existsSync(join(lane.mount, 'opt/laneware/current/bin/nats-server')))
    await lane.until('a pairing code', async () =>
      /"pairingCode":"[0-9A-Z-]{24}"/.test((await lane.post(8080, '/api/get_sync_pairing_code', {})).text),
    );
  else process.stdout.write('  SKIPPED the pairing code: this release has no message server\n');
  const made = await lane.get(8080, '/console/api/tokens/till', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  assert.is(made.status, 200, made.text);
});

test('has the sandbox bank off and the log capped', () => {
  const [lane] = lanes;
  assert.ok(lane !== undefined);
  assert.match(lane.in('cat', '/etc/laneware/config.json'), '"sandboxBank": { "enabled": false }');
  assert.match(lane.in('cat', '/etc/systemd/journald.conf.d/50-laneware.conf'), 'SystemMaxUse=64M');
  assert.match(lane.in('journalctl', '--header', '--no-pager'), '/var/log/journal/');
});

const OWN_TOKEN = 'made-up-token-on-the-card';

test('two cards from one image are two boards, and the second is set by a file on its card', async () => {
  const second = await flash('image-b', 22);
  mkdirSync(join(second.mount, 'boot/firmware'), { recursive: true });
  const lines = [
    'HOSTNAME=lane-22',
    'TIMEZONE=Nowhere/Land',
    `TOKEN=${OWN_TOKEN}`,
    'WIFI_SSID=shop',
    'WIFI_PASSWORD=made-up-password',
  ];
  writeFileSync(join(second.mount, 'boot/firmware/laneware.txt'), `\ufeff${lines.join('\r\n')}\r\n`);
  second.token = OWN_TOKEN;
  await second.boot();
  assert.is(second.in('cat', '/etc/hostname'), 'lane-22');
  assert.is(second.in('uname', '-n'), 'lane-22');
  assert.match(
    second.in('cat', '/etc/NetworkManager/system-connections/laneware.nmconnection'),
    'psk=made-up-password',
  );
  assert.match(second.in('cat', '/boot/firmware/laneware-errors.txt'), 'line 2: TIMEZONE');
  assert.match((await second.get(8080, '/health')).text, 'line 2: TIMEZONE');
  assert.is(second.try('ls', '/boot/firmware/laneware.txt').code === 0, false);
  assert.is(second.try('grep', '-r', OWN_TOKEN, '/var/lib/laneware', '/etc/laneware').code, 1);
  const [first] = lanes;
  assert.ok(first !== undefined);
  const identity = (lane: Lane) =>
    ['/etc/machine-id', '/etc/hostname', '/etc/credstore/laneware-key'].map((file) => lane.in('sha256sum', file));
  const [one, two] = [identity(first), identity(second)];
  for (const [index, digest] of one.entries()) assert.is.not(digest, two[index]);
});

test('keeps its identity and its token at the next boot, and shows no code by itself', async () => {
  const [lane] = lanes;
  assert.ok(lane !== undefined);
  const before = lane.in('cat', '/etc/hostname', '/etc/laneware/identity');
  await lane.powerOff();
  rmSync(join(lane.mount, WIRE_LOG));
  await lane.boot();
  assert.is(lane.in('cat', '/etc/hostname', '/etc/laneware/identity'), before);
  assert.match((await lane.get(8080, '/health')).text, '"part":"access","state":"ok"');
  assert.match(lane.in('curl', '--silent', 'http://127.0.0.1:8080/display/state'), '"kind":"clear"');
});

test.run();
