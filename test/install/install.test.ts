/** `install.sh` into the files of a system that does not run: what it lays down, what it leaves alone, what it refuses. */

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { configOf } from '../../firmware/core/config/index.ts';
import { SANDBOX_BANK_CONFIG } from '../../firmware/tools/sandbox-bank/config.ts';
import { needing } from '../needing.ts';
import { ended, NOT_NOW, REFUSED } from '../ota/rig.ts';
import { ROOT as PROJECT } from '../root.ts';
import { each, temporaryFolder } from '../support.ts';
import { type Card, NO_INSTALLATION, onCard, withUnits } from './card.ts';

const install = suite('install.sh');
const TOKEN = 'a-token-of-some-length';

/** Of the steps at which a repair is killed, the same in each run; `LANEWARE_SWEEP=all` takes every one, as for updates. */
const EVERY = process.env.LANEWARE_SWEEP === 'all' ? 1 : 5;

const test = needing(NO_INSTALLATION, 'the installation', install);
const it = each(test, onCard);

it('the release, its units and its users are in place, and the device starts at the next boot', (card) => {
  ended(0, card.install());
  assert.is(card.link('opt/laneware/current'), 'releases/1.1.0');
  assert.is(card.link('opt/laneware/good'), 'releases/1.1.0');
  assert.is(card.link('etc/systemd/system/laneware.service'), '/opt/laneware/current/systemd/laneware.service');
  assert.is(
    card.link('etc/systemd/system/laneware-recover.service'),
    '/opt/laneware/good/systemd/laneware-recover.service',
  );
  for (const wanted of ['multi-user.target.wants/laneware.service', 'timers.target.wants/laneware-update.timer'])
    assert.ok(card.link(`etc/systemd/system/${wanted}`), wanted);
  assert.match(card.read('etc/passwd'), /^laneware:/m);
  assert.match(card.read('etc/group'), /^dialout:.*laneware$/m);
});

it('an image’s device starts only after a good first boot; an installed one has no first boot', (card) => {
  const needed = 'etc/systemd/system/laneware.service.requires/laneware-firstboot.service';
  const wanted = 'etc/systemd/system/sysinit.target.wants/laneware-firstboot.service';
  card.install();
  assert.not.ok(card.isLink(needed) || card.isLink(wanted));
  // as image.sh does
  const script = `PROGRAM=test; for part in say paths releases units; do . "$1/$part.sh"; done; enable_unit "$2"`;
  const args = ['-ec', script, 'bash', join(PROJECT, 'scripts/lib'), 'laneware-firstboot.service'];
  ended(0, spawnSync('bash', args, { encoding: 'utf8', env: { ...process.env, LANEWARE_ROOT: card.root } }));
  for (const link of [needed, wanted]) assert.is(card.link(link), '/etc/systemd/system/laneware-firstboot.service');
  assert.match(card.read('opt/laneware/current/systemd/laneware.service'), /^After=.*laneware-firstboot\.service/m);
  card.run('--uninstall');
  assert.not.ok(card.isLink(needed) || card.isLink(wanted));
});

for (const source of ['https://h.example/x?a=1&b=2', 'https://h.example/a|b\\1@HOST@', 'file "in" $HOME/*']) {
  it(`releases are looked for at ${source} where that was given`, (card) => {
    ended(0, card.install('--source', source));
    const line = card
      .read('etc/laneware/update.conf')
      .split('\n')
      .find((text) => text.startsWith('source='));
    assert.is(line, `source=${source}`);
  });
}

it('plain HTTP as a source of releases is refused unless asked for, and then in the settings', (card) => {
  const source = 'http://updates.example/';
  assert.match(ended(REFUSED, card.install('--source', source)).stderr, '--insecure');
  assert.not.ok(card.has('opt/laneware/current'));
  assert.is(card.install('--source', source, '--insecure').status, 0);
  assert.match(card.read('etc/laneware/update.conf'), /^source=http:\/\/updates\.example\/\n(.*\n)*insecure=yes$/m);
});

it('the settings are valid, commented, and keep the sandbox bank and the network out', (card) => {
  card.install();
  const config = card.config();
  assert.is(configOf(SANDBOX_BANK_CONFIG, config).enabled, false);
  assert.equal([config.terminal.host, config.recognition.host], ['127.0.0.1', '127.0.0.1']);
  assert.match(card.read('etc/laneware/update.conf'), /^closed=22:00-06:00$/m);
  assert.is(config.dataDir, '/var/lib/laneware');
  assert.is(config.camera.driver, 'libcamera');
  assert.equal(config.terminal.exportRoots, ['/var/lib/laneware/exports', '/media/laneware']);
  assert.ok(
    card
      .read('etc/laneware/config.json')
      .split('\n')
      .filter((line) => line.trim().startsWith('//')).length >= 8,
  );
});

it('listening on the network is refused without a token or an allow-list', (card) => {
  const run = ended(REFUSED, card.install('--listen-lan'));
  assert.match(run.stderr, 'needs --token, --new-token, --claim or --allow');
  assert.not.ok(card.has('etc/laneware/config.json'));
});

it('without a token a list of all addresses is refused before anything is installed', (card) => {
  for (const network of ['0.0.0.0/0', '128.0.0.0/1', '::/0']) {
    const run = ended(REFUSED, card.install('--listen-lan', '--allow', '192.168.1.0/24', '--allow', network));
    assert.match(run.stderr, `--allow ${network} lets in everybody`);
  }
  assert.not.ok(card.has('opt/laneware') || card.has('etc/laneware/config.json'));
  assert.is(card.install('--listen-lan', '--allow', '0.0.0.0/0', '--token', TOKEN).status, 0);
});

it('a network that is none is refused before anything is installed', (card) => {
  for (const network of [
    '192.168.1.0/99',
    'everyone',
    '192.168.1',
    '192.168.1.256',
    '10.0.0.0/',
    'fd00::/129',
    ':::',
    'lane',
  ]) {
    const run = ended(REFUSED, card.install('--listen-lan', '--allow', network));
    assert.match(run.stderr, `${network} is no network; write it as 192.168.1.0/24`);
  }
  assert.not.ok(card.has('opt/laneware') || card.has('etc/laneware/config.json'));
});

it('settings that are there are kept, and options for others get a note of that', (card) => {
  const first = card.install('--listen-lan', '--token', TOKEN);
  assert.not.match(first.stderr, 'kept');
  const before = card.read('etc/laneware/config.json');
  const run = ended(
    0,
    card.install('--listen-lan', '--token', 'another-token-0123456789', '--source', 'https://updates.example/'),
  );
  assert.is(card.read('etc/laneware/config.json'), before);
  for (const file of ['config.json', 'update.conf']) assert.match(run.stderr, `laneware/${file} is kept as it is`);
});

it('an unknown option, an unknown camera and a release without a key are named', (card) => {
  for (const [options, words] of [
    [['--sorce', 'x'], '--sorce is no option'],
    [['--release', 'r', '--key', 'k', '--camera', 'usb'], /--camera usb: .*libcamera/],
    [['--release', 'r'], 'needs --release and --key'],
  ] as const) {
    const run = ended(2, card.run(...options));
    assert.match(run.stderr.trim().split('\n').at(-1) ?? '', words);
  }
});

it('the device can read what is installed, with any umask of the technician', (card) => {
  const before = process.umask(0o077);
  const run = card.install();
  process.umask(before);
  assert.is(run.status, 0, run.stderr);
  const closed = ['-not', '-type', 'l', '-not', '-perm', '-o=r', '-print'];
  const args = ['opt', 'etc/laneware/release-keys', 'etc/laneware/update.conf', ...closed];
  assert.is(spawnSync('find', args, { cwd: card.root, encoding: 'utf8' }).stdout, '');
});

it('on a bare board the check lists what installing brings, and nothing that only follows', (card) => {
  card.write('proc/cmdline', 'console=ttyAMA0,115200 root=1\n');
  const bare = card.run('--check');
  assert.is(bare.stderr, '');
  assert.match(bare.stdout, /to come +Laneware\n +sudo install\.sh --release FILE --key KEY\.pub\.pem\n/);
  assert.match(bare.stdout, /to come +the UART free of a login console\n +the installation switches it off/);
  assert.match(bare.stdout, /(ok|optional) +the camera's programs/);
  assert.not.match(bare.stdout, /the device runs|a clock|MISSING +Laneware|reboot:/);
});

it('after installing the console goes with the next start; parts unnamed are not asked for', (card) => {
  card.write('proc/cmdline', 'console=ttyAMA0,115200 root=1\n');
  card.install('--camera', 'push');
  const { stdout } = card.run('--check');
  assert.match(stdout, /the device runs/);
  assert.not.match(stdout, /the camera's programs|to come/);
  assert.match(
    stdout,
    /optional +the UART free of a login console\n +reboot: it is switched off from the next start on/,
  );
  card.write('proc/cmdline', 'root=1\n');
  assert.match(card.run('--check').stdout, /ok +the UART free of a login console/);
});

it('a console that was kept is no promise of the next start', (card) => {
  card.write('proc/cmdline', 'console=ttyAMA0,115200 root=1\n');
  card.install('--keep-console');
  assert.match(card.run('--check').stdout, /optional +the UART free of a login console\n +take console=… out of/);
});

it('a camera that the settings name is needed', (card) => {
  card.install('--camera', 'libcamera');
  assert.match(card.run('--check').stdout, /(ok|MISSING) +the camera's programs/);
});

it('the exit status of the check depends on what is needed, and on nothing else', (card) => {
  const { status, stdout } = card.run('--check');
  const count = stdout.match(/^ +MISSING/gm)?.length ?? 0;
  assert.is(status, count === 0 ? 0 : 1);
  assert.match(stdout, count === 0 ? 'Nothing is missing.' : `${count} of these are missing.`);
});

it('the time zone that is asked for is the one of the machine; without one it stays', (card) => {
  card.write('usr/share/zoneinfo/Europe/Moscow', 'TZif2');
  card.write('usr/share/zoneinfo/tzdata.zi', '# version');
  card.write('usr/share/zoneinfo/localtime', 'TZif2'); // where Debian leads back to the zone that is set
  card.write('etc/timezone', 'Etc/UTC\n');
  symlinkSync('/usr/share/zoneinfo/Etc/UTC', join(card.root, 'etc/localtime'));
  assert.match(card.install().stderr, 'Time zone: Etc/UTC (--timezone)');
  assert.is(card.link('etc/localtime'), '/usr/share/zoneinfo/Etc/UTC');
  assert.match(ended(0, card.install('--timezone', 'Europe/Moscow')).stderr, 'Time zone: Europe/Moscow');
  assert.is(card.link('etc/localtime'), '../usr/share/zoneinfo/Europe/Moscow');
  assert.is(card.read('etc/timezone'), 'Europe/Moscow\n');
  for (const zone of [
    'Europe/Mosco',
    'Europe',
    'tzdata.zi',
    'localtime',
    '../zoneinfo/Europe/Moscow',
    '/etc/passwd',
    '',
  ]) {
    const refused = card.install('--timezone', zone);
    assert.is(refused.status, zone === '' ? 1 : REFUSED, refused.stderr);
    assert.match(refused.stderr, zone === '' ? '--timezone needs a name' : `${zone} is no time zone of this system`);
  }
  assert.is(card.link('etc/localtime'), '../usr/share/zoneinfo/Europe/Moscow');
});

it('the hours in which the shop is closed stand in the settings, and mistyped ones are refused', (card) => {
  for (const closed of ['23-5', '05:00-05:00', '22:00-22:30']) {
    const run = ended(REFUSED, card.install('--closed', closed));
    assert.match(run.stderr, `--closed ${closed} names no hours: they are written as 23:00-05:00`);
  }
  assert.not.ok(card.has('etc/laneware/update.conf'));
  assert.match(card.install('--closed', '21:30-09:00').stderr, 'Updates come from 21:30-09:00, its time');
  assert.match(card.read('etc/laneware/update.conf'), /^closed=21:30-09:00$/m);
  assert.match(
    card.install('--closed', 'any').stderr,
    'update.conf is kept as it is: put the source and the closed hours',
  );
});

it('a folder that holds no system is not taken for a mounted card', (card) => {
  for (const folder of [join(card.root, 'typo'), join(card.root, 'boot')]) {
    assert.match(ended(REFUSED, card.install('--root', folder)).stderr, `${folder} holds no system`);
    assert.not.ok(existsSync(join(folder, 'opt')));
  }
});

for (const [what, options, check] of [
  [
    'a code on the display in the place of a token',
    ['--claim'],
    (card: Card) => assert.equal([card.config().api.token, card.config().api.claim], [null, true]),
  ],
  ['a token', ['--token', TOKEN], (card: Card) => assert.is(card.config().api.token, TOKEN)],
  [
    'a token of its own making',
    ['--new-token'],
    (card: Card) => assert.match(card.config().api.token ?? '', /^[0-9a-f]{32}$/),
  ],
  [
    'an allow-list',
    ['--allow', '192.168.1.0/24', '--allow', '10.0.0.7'],
    (card: Card) => assert.equal(card.config().api.allow, ['192.168.1.0/24', '10.0.0.7']),
  ],
] as const) {
  it(`it listens on the network with ${what}`, (card) => {
    ended(0, card.install('--listen-lan', ...options));
    assert.is(card.config().terminal.host, '0.0.0.0');
    check(card);
  });
}

it('a token that is short, or would break out of the settings, is refused', (card) => {
  for (const token of ['short', 'abcdefghijklmnop", "x": "'])
    assert.is(card.install('--listen-lan', '--token', token).status, REFUSED, token);
});

const MEMORY = 'cgroup_enable=memory cgroup_memory=1';
const PI5 = '[pi5]\ndtparam=uart0=on\n[all]\n';

it('memory limits hold from the next start on, and the removal takes back what set them', (card) => {
  card.write('boot/firmware/cmdline.txt', 'cgroup_memory=1 root=1\n');
  for (const _ of ['once', 'and again']) card.install('--keep-console');
  assert.is(card.read('boot/firmware/cmdline.txt'), 'cgroup_memory=1 root=1 cgroup_enable=memory\n');
  card.run('--uninstall');
  assert.is(card.read('boot/firmware/cmdline.txt'), 'cgroup_memory=1 root=1\n');
});

it('the check reports whether the kernel keeps limits of memory, and what to do', (card) => {
  const reported = (): string =>
    /(ok|MISSING|to come) +limits of memory.*(\n {12}.*)?/.exec(card.run('--check').stdout)?.[0] ?? '';
  assert.is(reported(), '', 'a folder has no kernel');
  card.write('proc/cgroups', '#subsys_name\thierarchy\tnum_cgroups\tenabled\ncpu\t0\t9\t1\nmemory\t0\t9\t0\n');
  assert.match(
    reported(),
    /^to come .*\n +the installation switches them on \(cgroup_enable=memory cgroup_memory=1 in cmdline\.txt\)/,
  );
  card.install();
  assert.match(reported(), /^MISSING .*\n +reboot: they are switched on/);
  card.write('boot/firmware/cmdline.txt', 'root=1\n');
  assert.match(reported(), /^MISSING .*\n +put cgroup_enable=memory cgroup_memory=1 at the end of/);
  card.write('proc/cgroups', '#subsys_name\thierarchy\tnum_cgroups\tenabled\nmemory\t0\t9\t1\n');
  assert.match(reported(), /^ok /);
  card.write('sys/fs/cgroup/cgroup.controllers', 'cpuset cpu io pids\n');
  assert.match(reported(), /^MISSING /);
  card.write('sys/fs/cgroup/cgroup.controllers', 'cpuset cpu io memory pids\n');
  assert.match(reported(), /^ok /);
});

it('the header of a Pi 5 is ttyAMA0: the UART of the debug connector is not taken for it', (card) => {
  const reported = (): string =>
    /(ok|optional) +a UART for the display(\n {12}.*)?/.exec(card.run('--check').stdout)?.[0] ?? '';
  card.write('dev/serial0', '');
  assert.match(reported(), /^ok/);
  card.write('proc/device-tree/compatible', 'raspberrypi,5-model-b\0brcm,bcm2712\0');
  card.write('dev/ttyAMA10', '');
  assert.match(reported(), /^optional .*\n +dtparam=uart0=on in config\.txt;/);
  card.write('dev/ttyAMA0', '');
  assert.match(reported(), /^ok/);
  const rules = readdirSync(join(PROJECT, 'systemd/udev')).map((name) =>
    readFileSync(join(PROJECT, 'systemd/udev', name), 'utf8'),
  );
  const [, kernels = ''] = /KERNEL=="([^"]*)", SYMLINK\+="laneware-uart"/.exec(rules.join('')) ?? [];
  assert.equal(kernels.split('|'), ['ttyAMA0', 'ttyS0']);
});

it('the UART is freed of the login console, once, and given back by the removal', (card) => {
  const before = card.read('boot/firmware/cmdline.txt');
  card.install();
  card.install();
  assert.is(card.read('boot/firmware/cmdline.txt'), `console=tty1 root=PARTUUID=1-02 rootwait ${MEMORY}\n`);
  assert.is(card.read('boot/firmware/config.txt'), `camera_auto_detect=1\nenable_uart=1\n${PI5}`);
  assert.is(card.link('etc/systemd/system/serial-getty@ttyAMA0.service'), '/dev/null');
  card.run('--uninstall');
  assert.is(card.read('boot/firmware/cmdline.txt'), before);
  assert.is(card.read('boot/firmware/config.txt'), 'camera_auto_detect=1\n');
});

it('a setting is for every board, also where config.txt ends in the section of one', (card) => {
  const config = 'camera_auto_detect=1\r\n[pi4]\r\nenable_uart=1\r\narm_boost=1\r\n';
  card.write('boot/firmware/config.txt', config);
  card.install();
  card.install();
  assert.is(card.read('boot/firmware/config.txt'), `${config}[all]\nenable_uart=1\n${PI5}`);
});

for (const [list, word] of [
  ['Available cameras\n-----------------\n0 : imx708 [4608x2592 10-bit RGGB] (/base/axi/pcie/i2c/imx708@1a)\n', 'ok'],
  ['No cameras available!\n', 'MISSING'],
] as const)
  it(`the camera is there where its programs list it: ${word}`, (card) => {
    card.install('--camera', 'libcamera');
    using folder = temporaryFolder();
    writeFileSync(
      join(folder.path, 'rpicam-hello'),
      `#!/bin/sh\n[ "$1" = --list-cameras ] && cat <<'END'\n${list}END\n`,
      {
        mode: 0o755,
      },
    );
    const { stdout } = card.check(folder.path);
    assert.match(stdout, new RegExp(`${word} +a camera\\n`));
  });

it('a 32-bit system under a 64-bit kernel is named before anything is installed', (card) => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, 'uname'), '#!/bin/sh\necho aarch64\n', { mode: 0o755 });
  writeFileSync(join(folder.path, 'getconf'), '#!/bin/sh\necho 32\n', { mode: 0o755 });
  assert.match(card.check(folder.path).stdout, /MISSING +a system of 64 bits\n +write the 64-bit Raspberry Pi OS Lite/);
});

it('a repetition edits the present boot files: another card’s, with what a person added', (card) => {
  card.install();
  card.write('boot/firmware/cmdline.txt', 'console=serial0,115200 console=tty1 root=PARTUUID=2-02 rootwait quiet\n');
  card.write('boot/firmware/config.txt', 'camera_auto_detect=1\nenable_uart=1\ndtoverlay=imx519\n');
  assert.is(card.install().status, 0);
  assert.is(card.read('boot/firmware/cmdline.txt'), `console=tty1 root=PARTUUID=2-02 rootwait quiet ${MEMORY}\n`);
  assert.is(card.read('boot/firmware/config.txt'), `camera_auto_detect=1\nenable_uart=1\ndtoverlay=imx519\n${PI5}`);
});

it('the removal takes its own lines out of the boot files, and leaves later changes by hand', (card) => {
  card.install();
  card.write('boot/firmware/cmdline.txt', 'console=tty1 root=PARTUUID=2-02 rootwait quiet\n');
  card.write('boot/firmware/config.txt', 'enable_uart=1\ndtoverlay=imx519\n');
  assert.is(card.run('--uninstall').status, 0);
  assert.is(
    card.read('boot/firmware/cmdline.txt'),
    'console=serial0,115200 console=tty1 root=PARTUUID=2-02 rootwait quiet\n',
  );
  assert.is(card.read('boot/firmware/config.txt'), 'dtoverlay=imx519\n');
  const bare = card.read('boot/firmware/config.txt');
  assert.is(card.run('--uninstall').status, 0);
  assert.is(card.read('boot/firmware/config.txt'), bare, 'a second removal finds nothing of its own');
});

it('what was set before the installation is not taken by the removal', (card) => {
  const config = 'enable_uart=1\ncamera_auto_detect=1\n';
  card.write('boot/firmware/cmdline.txt', 'console=tty1 root=PARTUUID=1-02\n');
  card.write('boot/firmware/config.txt', config);
  card.install();
  card.run('--uninstall');
  assert.is(card.read('boot/firmware/cmdline.txt'), 'console=tty1 root=PARTUUID=1-02\n');
  assert.is(card.read('boot/firmware/config.txt'), config);
});

for (const [before, after] of [
  ['console=serial0,115200 console=ttyAMA0,115200 root=1', 'root=1'],
  ['console=ttyAMA0,115200 console=serial0,115200 console=ttyS0', ''],
  ['console=tty1 root=1 console=ttyAMA10', 'console=tty1 root=1'],
  ['console=ttyUSB0 systemd.log=console=ttyS0', 'console=ttyUSB0 systemd.log=console=ttyS0'],
] as const) {
  it(`of "${before}" no UART console stays`, (card) => {
    card.write('boot/firmware/cmdline.txt', `${before}\n`);
    card.install();
    assert.is(card.read('boot/firmware/cmdline.txt'), `${after} ${MEMORY}\n`.trimStart());
  });
}

it('a damaged release is not installed', (card) => {
  const bytes = readFileSync(card.release);
  bytes.writeUInt8((bytes.at(-500) ?? 0) ^ 1, bytes.length - 500);
  writeFileSync(card.release, bytes);
  const damaged = ended(REFUSED, card.install());
  assert.match(damaged.stderr, 'is damaged');
  assert.not.ok(card.has('opt/laneware/current'));
});

it('a key replaced since it was handed out leads to the present one, and is not taken back', (card) => {
  const { rig } = card;
  rig.makeKey('next');
  rig.publish({ trust: ['next'], signedBy: 'key' });
  const release = rig.release({ key: 'next', extra: withUnits });
  const key = (name: string) => ['--key', join(rig.folder, `${name}.pub.pem`)];
  ended(0, card.run('--release', release, ...key('key')));
  assert.is(card.keys().filter((name) => name.endsWith('.pem')).length, 1);
  rmSync(rig.statements);
  const again = ended(
    REFUSED,
    card.run('--release', rig.release({ version: '1.2.0', extra: withUnits }), ...key('key')),
  );
  assert.match(again.stderr, 'was replaced on this device (statement 1)');
  card.run('--uninstall');
  assert.is(card.run('--release', release, ...key('key')).status, REFUSED, 'nor after a removal');
  ended(0, card.run('--release', release, ...key('next')));
});

it('a release of the newest key is installed with the key handed out, and nothing beside it', (card) => {
  const { rig } = card;
  rig.makeKey('next');
  rig.publish({ trust: ['next'], signedBy: 'key' });
  const release = rig.release({ key: 'next', carries: true, extra: withUnits });
  rmSync(rig.statements);
  ended(0, card.run('--release', release, '--key', join(rig.folder, 'key.pub.pem')));
  assert.match(card.read('etc/laneware/release-keys/replaced'), /^number=1\nreplaced=[0-9a-f]{64}$/m);
});

it('an expired release is installed only on request, and may be repaired while installed', (card) => {
  const expired = card.rig.release({ days: 10, extra: withUnits });
  const command = ['--release', expired, '--key', join(card.rig.folder, 'key.pub.pem')];
  assert.match(ended(REFUSED, card.run(...command)).stderr, /was valid until 2023-11-24.*--allow-expired/);
  assert.not.ok(card.has('opt/laneware/current'));
  assert.is(card.run(...command, '--allow-expired').status, 0);
  card.damage();
  assert.is(card.run(...command).status, 0);
  assert.ok(card.isWhole());
});

it('a repair that fails leaves what was there, and nothing of its own', (card) => {
  card.install();
  card.damage();
  ended(1, card.installWith('fail::tar'));
  assert.ok(card.has('opt/laneware/good/scripts/update/ota.sh'), 'what starts at the next boot');
  assert.equal(card.releases(), ['1.1.0']);
});

it('a repair that is killed at any step leaves a release that starts, and ends in a whole one', (card) => {
  card.install();
  card.damage();
  assert.is(card.installWith('kill:0').status, 0);
  const steps = Number(readFileSync(card.steps, 'utf8'));
  assert.ok(steps > 20, `${steps} steps`);
  for (let step = 1; step <= steps; step += EVERY) {
    card.damage();
    assert.is(card.installWith(`kill:${step}`).signal, 'SIGKILL', `step ${step}: the fault came`);
    for (const link of ['good', 'current'])
      assert.ok(
        card.has(`opt/laneware/${link}/scripts/update/ota.sh`),
        `step ${step} of ${steps}: ${link} leads somewhere`,
      );
    const recovered = card.recover();
    assert.is(recovered.status, 0, `step ${step}: ${recovered.stderr}`);
    assert.is(card.link('opt/laneware/good'), 'releases/1.1.0', `step ${step}`);
    assert.is(card.link('opt/laneware/current'), 'releases/1.1.0', `step ${step}`);
    const again = card.install();
    assert.is(again.status, 0, `step ${step}: ${again.stderr}`);
    assert.ok(card.isWhole(), `step ${step}`);
  }
});

it('neither an installation nor a removal begins while an update runs', (card) => {
  card.install();
  card.write('opt/laneware/releases/.new-1.2.0/half', 'of the update that runs');
  const lock = join(card.root, 'run/laneware-update/lock');
  const key = join(card.rig.folder, 'key.pub.pem');
  for (const options of [['--release', card.release, '--key', key], ['--uninstall']]) {
    const command = [join(PROJECT, 'scripts/install/install.sh'), '--root', card.root, ...options];
    const run = ended(NOT_NOW, spawnSync('flock', [lock, ...command], { encoding: 'utf8' }));
    assert.match(run.stderr, 'another update runs on this device');
    assert.ok(card.has('opt/laneware/releases/.new-1.2.0/half'));
  }
});

it('the removal keeps data and settings, and removes them with an option', (card) => {
  card.install();
  card.write('var/lib/laneware/money.db', 'payments');
  ended(0, card.run('--uninstall'));
  assert.not.ok(card.has('opt/laneware'));
  assert.not.ok(card.has('etc/systemd/system/multi-user.target.wants/laneware.service'));
  assert.ok(card.has('var/lib/laneware/money.db') && card.has('etc/laneware/config.json'));
  card.run('--uninstall', '--purge');
  for (const path of ['var/lib/laneware', 'etc/laneware']) assert.not.ok(card.has(path), path);
});

it('a second medium has its place, writable by the unit, and the removal takes nothing there', (card) => {
  card.install();
  assert.ok(card.has('media/laneware'));
  assert.match(card.read('opt/laneware/current/systemd/laneware.service'), /^ReadWritePaths=-\/media\/laneware$/m);
  card.run('--uninstall');
  assert.not.ok(card.has('media/laneware'));
  card.install();
  card.write('media/laneware/LW1/money.db', 'payments');
  card.run('--uninstall', '--purge');
  assert.ok(card.has('media/laneware/LW1/money.db'));
});

it('the removal of the data follows nothing out of them', (card) => {
  card.install();
  card.write('home/me/photograph', 'mine');
  card.write('var/lib/laneware/-rf/money.db', 'payments');
  for (const name of ['home', '-rf/up', 'nats'])
    symlinkSync(join(card.root, 'home'), join(card.root, 'var/lib/laneware', name));
  assert.is(card.run('--uninstall', '--purge').status, 0);
  assert.is(card.read('home/me/photograph'), 'mine');
  assert.not.ok(card.has('var/lib/laneware'));
});

install('the scripts are what shellcheck finds nothing in', () => {
  const run = spawnSync(
    'bash',
    ['-c', 'shellcheck scripts/*.sh scripts/*/*.sh scripts/release/*/*.sh test/lane/*.sh'],
    { cwd: PROJECT, encoding: 'utf8' },
  );
  assert.is(run.status, 0, run.stdout);
});

install.run();
