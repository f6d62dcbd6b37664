/** What `image.sh --read-only` makes of a base, and what the scripts of a board do whose root is read-only. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { REFUSED, USAGE } from '../ota/rig.ts';
import { ROOT as PROJECT } from '../root.ts';
import { each } from '../support.ts';
import { type Machine, onMachine } from './machine.ts';

const readOnly = suite('a read-only root');
const STATE = 'run/laneware-root/state';
const IN_MEMORY = 'root=memory\ndata=ok\nwhy=\n';
const FILE = 'boot/firmware/laneware.txt';
const FIRST_PROGRAM = readFileSync(join(PROJECT, 'scripts/release/read-only/root.sh'), 'utf8');
const OURS = 'ro init=/usr/lib/laneware/read-only-root';

/** Runs functions of the image's maker, with `$1` as a mounted root. */
function card(script: string, ...args: string[]) {
  const parts = ['lib/say', 'lib/paths', 'lib/releases', 'lib/units', 'lib/boot-files', 'release/read-only/card'];
  const sources = parts.map((part) => `. ${PROJECT}/scripts/${part}.sh`).join('; ');
  return spawnSync('bash', ['-euc', `HERE=${PROJECT}/scripts/release; ${sources}; ${script}`, 'card', ...args], {
    encoding: 'utf8',
  });
}

const it = each(readOnly, onMachine);

for (const [base, line, expected] of [
  [
    'Raspberry Pi OS until 2025',
    'console=tty1 root=PARTUUID=5e3da3da-02 rootfstype=ext4 fsck.repair=yes rootwait quiet init=/usr/lib/raspberrypi-sys-mods/firstboot',
    `console=tty1 root=PARTUUID=5e3da3da-02 rootfstype=ext4 fsck.repair=yes rootwait quiet ${OURS}`,
  ],
  [
    'Raspberry Pi OS since',
    'console=tty1 root=PARTUUID=7351b90c-02 rootfstype=ext4 fsck.repair=yes rootwait resize',
    `console=tty1 root=PARTUUID=7351b90c-02 rootfstype=ext4 fsck.repair=yes rootwait ${OURS}`,
  ],
  ['words that only look alike', 'rw a=resize  noresize init=/x resize b', `a=resize noresize b ${OURS}`],
  ['a card that is read-only already', `a ${OURS}`, `a ${OURS}`],
] as const)
  readOnly(`${base}: the command line grows no root, and starts our program`, () => {
    const { stdout } = card('printf "%s\\nsecond line\\n" "$1" | read_only_line', line);
    assert.is(stdout, `${expected}\nsecond line\n`);
    // what the initramfs of Raspberry Pi OS looks for, anywhere in the line, to make the root grow
    assert.not.match(OURS, /firstboot| resize/);
  });

it('the card is prepared: our program, no growing root, the log in memory, no package lists', (machine) => {
  const { root } = machine;
  machine.write('boot/firmware/cmdline.txt', 'root=PARTUUID=1-02 resize\n');
  machine.write('etc/init.d/resize2fs_once', '#!/bin/sh\n');
  machine.write('etc/rc3.d/S01resize2fs_once', '#!/bin/sh\n');
  machine.write('etc/systemd/system/sysinit.target.wants/rpi-resize.service', '');
  const { status, stderr } = card('ROOT=$1; set_paths; make_read_only "$1"', root);
  assert.is(status, 0, stderr);
  assert.is(machine.read('boot/firmware/cmdline.txt'), `root=PARTUUID=1-02 ${OURS}\n`);
  assert.is(machine.read('usr/lib/laneware/read-only-root'), FIRST_PROGRAM);
  for (const gone of [
    'init.d/resize2fs_once',
    'rc3.d/S01resize2fs_once',
    'systemd/system/sysinit.target.wants/rpi-resize.service',
  ])
    assert.not.ok(existsSync(join(root, 'etc', gone)), gone);
  assert.match(machine.read('etc/systemd/journald.conf.d/60-laneware-read-only.conf'), '[Journal]\nStorage=volatile\n');
  assert.match(machine.read('etc/rpi/swap.conf.d/60-laneware-read-only.conf'), /^\[Main\]\nMechanism=zram\n$/m);
  assert.match(
    machine.read('etc/systemd/system/ssh.service.d/50-laneware-keys.conf'),
    'ExecStartPre=/usr/bin/ssh-keygen -A\n',
  );
  const isMasked = (unit: string) =>
    spawnSync('readlink', [join(root, 'etc/systemd/system', unit)], { encoding: 'utf8' }).stdout;
  for (const unit of ['dphys-swapfile.service', 'apt-daily.timer']) assert.is(isMasked(unit), '/dev/null\n');
  for (const folder of ['mnt', 'var/lib/bluetooth']) assert.ok(existsSync(join(root, folder)), folder);
});

it('a base without the programs that grow and check a file system is refused, by their names', (machine) => {
  const asked = () => card('can_be_read_only "$1"', machine.root);
  for (const program of ['usr/sbin/e2fsck', 'sbin/resize2fs', 'usr/bin/partx']) machine.write(program, '', 0o755);
  mkdirSync(join(machine.root, 'usr/sbin'), { recursive: true });
  spawnSync('ln', ['-s', '/bin/kmod-of-the-base', join(machine.root, 'usr/sbin/modprobe')]);
  assert.is(asked().status, REFUSED);
  assert.match(asked().stderr, /needs a base with sfdisk$/m);
  machine.write('sbin/sfdisk', '', 0o755);
  assert.is(asked().status, 0);
});

readOnly('all that a device keeps is on the data partition', () => {
  const [, kept = ''] = /^KEPT='([^']*)'/m.exec(FIRST_PROGRAM) ?? [];
  const folders = kept.split(/\s+/);
  const { stdout } = card('printf "%s\\n" "$LANEWARE" "$DATA" "$UPDATE_DIR"');
  for (const folder of stdout.trim().split('\n')) assert.ok(folders.includes(folder.slice(1)), folder);
  // the random seed, the clock, the radio; displays; networks; who is logged in
  for (const folder of ['var/lib/systemd', 'var/lib/bluetooth', 'var/lib/NetworkManager', 'home', 'root'])
    assert.ok(folders.includes(folder), folder);
});

it('security updates and a read-only root exclude each other', (machine) => {
  const files = ['--base', 'b', '--release', 'r', '--key', 'k'];
  for (const options of [
    ['--read-only', '--security-updates'],
    ['--security-updates', '--read-only'],
  ]) {
    const { status, stderr } = machine.run('release/image.sh', ...files, ...options);
    assert.is(status, USAGE);
    assert.match(stderr, '--security-updates install into the root, which --read-only never writes to');
  }
  machine.write(STATE, IN_MEMORY);
  for (const program of ['apt-get', 'unattended-upgrade'])
    machine.write(`stand-ins/${program}`, '#!/bin/sh\nexit 1\n', 0o755);
  const update = machine.run('update/os-update.sh');
  assert.is(update.status, REFUSED);
  assert.match(update.stderr, 'the root of this card is read-only');
});

for (const [root, problems] of [
  ['memory', 1],
  ['writable', 0],
] as const)
  it(`SECURITY_UPDATES=yes where the root is ${root}: ${problems} problem, and no is taken`, (machine) => {
    mkdirSync(join(machine.root, 'etc/apt'));
    machine.write(STATE, `root=${root}\ndata=ok\nwhy=\n`);
    const timer = join(machine.root, 'etc/systemd/system/timers.target.wants/laneware-os-update.timer');
    const problemsOf = (answer: string): string[] => {
      machine.write(FILE, `SECURITY_UPDATES=${answer}\n`);
      const { status, stderr } = machine.run('install/options.sh');
      assert.is(status, 0, stderr);
      return JSON.parse(machine.read('var/lib/laneware/handed-over.json')).problems;
    };
    const said = problemsOf('yes');
    assert.is(said.length, problems, said.join());
    if (problems > 0)
      assert.match(said[0] ?? '', 'line 1: SECURITY_UPDATES cannot be: the root of this card is read-only');
    assert.is(spawnSync('test', ['-L', timer]).status === 0, problems === 0);
    assert.equal(problemsOf('no'), []);
  });

it('install.sh --check says what the root is and whether the data partition is in use', (machine) => {
  const asked = () =>
    spawnSync(
      'bash',
      [
        '-euc',
        `for part in say paths read-only check; do . ${PROJECT}/scripts/lib/$part.sh; done; check_root; echo "$MISSING missing"`,
      ],
      {
        encoding: 'utf8',
        env: { ...process.env, LANEWARE_ROOT: machine.root },
      },
    ).stdout;
  assert.is(asked(), '0 missing\n');
  machine.write(STATE, IN_MEMORY);
  assert.match(asked(), /ok +the root is read-only.*\n +ok +the data partition\n0 missing\n$/);
  machine.write(STATE, 'root=writable\ndata=absent\nwhy=it is not there\n');
  assert.match(
    asked(),
    /optional +the root.*\n +it can be written to.*\n +MISSING +the data partition\n +it is not there;.*\n1 missing\n$/,
  );
});

/** Functions of the first program, with programs of `stand-ins` before others, and the machine's folders as the data partition. */
function first(machine: Machine, script: string, { cmdline = '', checks = '0 0' } = {}) {
  const [functions = ''] = FIRST_PROGRAM.split('\nmount_kernel\n');
  const checker = `#!/bin/sh\necho "$1" >>${machine.root}/checks\nset -- $1 ${checks}\n[ "$1" = -p ] && exit "$2"\nexit "$3"\n`;
  machine.write('stand-ins/e2fsck', checker, 0o755);
  const own = `DATA=${machine.root}/data; REPORTED=${machine.root}/reported; PART=vda3; mkdir -p "$DATA" "$REPORTED"
    PATH=${machine.root}/stand-ins:$PATH
    say() { :; }
    asked() { [ "${cmdline}" = "$1" ]; }`;
  return spawnSync('sh', ['-uc', `${functions}\n${own}\n${script}`], { encoding: 'utf8' });
}

for (const [what, checks, cmdline, asked, isWhole] of [
  ['whole', '0 0', '', ['-p'], true],
  ['mended without a loss', '1 0', 'fsck.repair=yes', ['-p'], true],
  ['damaged, and no loss is allowed', '4 1', '', ['-p'], false],
  ['damaged, and a loss is allowed', '4 1', 'fsck.repair=yes', ['-p', '-y'], true],
  ['beyond mending', '8 8', 'fsck.repair=yes', ['-p', '-y'], false],
] as const)
  it(`a data partition that is ${what} is ${isWhole ? '' : 'not '}taken`, (machine) => {
    const { status } = first(machine, 'mend', { cmdline, checks });
    assert.is(status === 0, isWhole);
    assert.equal(machine.read('checks').trim().split('\n'), asked);
    assert.is(existsSync(join(machine.root, 'reported/repair')), asked.length === 2, 'a loss is reported');
  });

it('a folder is copied to the data partition once, whole, with any rest of an earlier start', (machine) => {
  machine.write('from/lane/release', 'of the image');
  machine.write('data/new/half', 'of a start that was cut off');
  const seed = () => first(machine, `seed "${machine.root.slice(1)}/from/lane"`);
  assert.is(seed().status, 0);
  const kept = `data/kept${machine.root}/from/lane`;
  assert.is(machine.read(`${kept}/release`), 'of the image');
  assert.not.ok(existsSync(join(machine.root, kept, 'half')));
  assert.not.ok(existsSync(join(machine.root, 'data/new')));
  machine.write(`${kept}/release`, 'of an update');
  assert.is(seed().status, 0);
  assert.is(machine.read(`${kept}/release`), 'of an update');
});

it('a folder at the top of the root is copied like any other', (machine) => {
  machine.write('data/kept/home/pi/stays', 'it was here before');
  const { status } = first(machine, 'KEPT=srv; seed srv && seed home');
  assert.is(status, 0);
  assert.ok(existsSync(join(machine.root, 'data/kept/srv')));
  assert.not.ok(existsSync(join(machine.root, 'data/kept/srv/new')));
  assert.is(machine.read('data/kept/home/pi/stays'), 'it was here before');
});

it('a mended partition that lost its data is not filled anew: a lost ledger is no new lane', (machine) => {
  machine.write('data/repaired', 'what e2fsck said');
  const run = first(machine, 'KEPT=srv; seed_all; echo "$? $WHY"');
  assert.match(run.stdout, /^1 the file system of the data partition was damaged and mended, and what it kept is gone/);
  assert.not.ok(existsSync(join(machine.root, 'data/kept')));
  mkdirSync(join(machine.root, 'data/kept/var/lib/laneware'), { recursive: true });
  assert.is(first(machine, 'KEPT=srv; seed_all; echo "$? $WHY"').stdout, '0 \n');
});

readOnly.run();
