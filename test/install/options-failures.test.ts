/** laneware.txt where something fails: each setting stands by itself, nothing secret stays, and no half of a value is taken. */
import { lstatSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ALL, board, ERRORS, FILE, HANDED, handed, has, OS_TIMER, problemsOf, TOKEN, WIFI } from './flashed-board.ts';
import type { Machine } from './machine.ts';

const options = suite('options.sh: failures');

/** Puts a folder with something in it in the place of a file: nobody, root neither, can write or replace it. */
function block({ root }: Machine, path: string): void {
  rmSync(join(root, path), { recursive: true, force: true });
  mkdirSync(join(root, path, 'obstacle'), { recursive: true });
}

const line = (key: string): number => ALL.split('\n').findIndex((each) => each.startsWith(`${key}=`)) + 1;

/** What shows that a setting of ALL was taken. */
const TAKEN: Readonly<Record<string, (machine: Machine) => boolean>> = {
  HOSTNAME: (machine) => machine.read('etc/hostname') === 'lane-7\n',
  TIMEZONE: (machine) => machine.read('etc/timezone') === 'Europe/Moscow\n',
  WIFI_SSID: (machine) => has(machine, WIFI),
  WIFI_COUNTRY: (machine) => machine.read('boot/firmware/cmdline.txt').includes('regdom=RU'),
  SSH_KEY: (machine) => has(machine, 'home/pi/.ssh/authorized_keys'),
  LISTEN: (machine) => machine.read('etc/laneware/environment').includes('LANEWARE_TERMINAL_HOST=0.0.0.0'),
  LEARN_BUTTON: (machine) => machine.read('boot/firmware/config.txt').includes('gpio=22=ip,pu'),
  SECURITY_UPDATES: ({ root }) => lstatSync(join(root, OS_TIMER), { throwIfNoEntry: false })?.isSymbolicLink() === true,
  TOKEN: (machine) => handed(machine).tokens.technician === TOKEN,
  MASTER: (machine) => handed(machine).master.host === '192.168.1.10',
};

for (const [key, path, also] of [
  ['HOSTNAME', 'etc/hostname', []],
  ['TIMEZONE', 'etc/localtime', []],
  ['WIFI_SSID', WIFI, []],
  ['WIFI_COUNTRY', 'boot/firmware/cmdline.txt.new', []],
  ['SSH_KEY', 'etc/ssh/sshd_config.d/00-laneware.conf', []],
  ['LISTEN', 'etc/laneware/environment', ['LEARN_BUTTON']],
  ['LEARN_BUTTON', 'boot/firmware/config.txt.new', []],
  ['SECURITY_UPDATES', 'etc/apt/apt.conf.d/99laneware-security-updates', []],
] as const)
  options(`a ${key} that cannot be set ends no other, and is reported by its line`, () => {
    using machine = board(ALL);
    block(machine, path);
    const { stderr } = machine.ends(0, 'install/options.sh');
    const failed = [key, ...also];
    for (const [other, isTaken] of Object.entries(TAKEN))
      if (!(failed as readonly string[]).includes(other)) assert.ok(isTaken(machine), other);
    const said = problemsOf(machine);
    assert.is(said.length, failed.length, said.join('\n'));
    for (const each of failed) {
      assert.match(said.join('\n'), `laneware.txt, line ${line(each)}: ${each} `);
      assert.match(machine.read(ERRORS), `line ${line(each)}: ${each} `);
      assert.match(stderr, `line ${line(each)}: ${each} `);
    }
    assert.not.ok(has(machine, FILE), 'it is removed');
  });

options('what cannot be handed over is in the file of errors, and does not stay on the card', () => {
  using machine = board(ALL);
  block(machine, HANDED);
  machine.ends(1, 'install/options.sh');
  assert.not.ok(has(machine, FILE));
  const errors = machine.read(ERRORS);
  for (const key of ['TOKEN', 'TILL_TOKEN', 'MASTER']) assert.match(errors, `line ${line(key)}: ${key} `);
  assert.not.match(errors, TOKEN);
  assert.not.ok(machine.files().some((file) => file.includes(TOKEN)));
  assert.is(machine.read('etc/hostname'), 'lane-7\n');
});

options('of a card whose data partition is gone, the file is what is kept', () => {
  using machine = board(ALL);
  block(machine, HANDED);
  machine.write('run/laneware-root/state', 'root=memory\ndata=absent\nwhy=damaged\n');
  const { stderr } = machine.ends(1, 'install/options.sh');
  assert.match(stderr, 'waits for the data partition');
  assert.is(machine.read(FILE), ALL);
  assert.ok(has(machine, 'home/pi/.ssh/authorized_keys'), 'a technician gets in');
});

options('a file of errors that cannot be written keeps no secret on the card', () => {
  using machine = board(`${ALL}\nFOO=1\n`);
  block(machine, ERRORS);
  machine.ends(1, 'install/options.sh');
  assert.not.ok(has(machine, FILE));
  assert.is(handed(machine).tokens.technician, TOKEN);
  assert.match(problemsOf(machine).join('\n'), 'FOO is no setting');
});

options('the lane listens on the network only together with its codes', () => {
  using machine = board('LISTEN=network\n');
  machine.ends(0, 'install/options.sh');
  const lines = machine.read('etc/laneware/environment');
  assert.match(lines, 'LANEWARE_API_CLAIM=true');
  machine.write(FILE, 'LISTEN=device\n');
  machine.ends(0, 'install/options.sh');
  assert.match(machine.read('etc/laneware/environment'), 'LANEWARE_TERMINAL_HOST=127.0.0.1');
  assert.match(machine.read('etc/laneware/environment'), 'LANEWARE_LOG_LEVEL=debug');
});

const LIMIT = 16_384;
const nothingOf = (machine: Machine, why: string): void => {
  assert.equal(handed(machine).tokens, { technician: null, till: null });
  assert.is(handed(machine).master, null);
  assert.equal(problemsOf(machine).length, 1);
  assert.match(problemsOf(machine)[0] ?? '', why);
  assert.match(machine.read(ERRORS), why);
  assert.is(machine.read('etc/hostname'), 'raspberrypi\n');
  assert.not.ok(has(machine, FILE));
};
/** A comment of that many bytes, with its line end. */
const comment = (bytes: number): string => `#${'.'.repeat(bytes - 2)}\n`;

options('a file over 16 KB is refused whole: the limit cuts no token in two', () => {
  const before = `HOSTNAME=lane-7\nMASTER=192.168.1.10\nPAIRING_CODE=0123-4567-89AB-CDEF-GHJK\n`;
  const cut = comment(LIMIT - before.length - 'TOKEN='.length - 20);
  using machine = board(`${before}${cut}TOKEN=${TOKEN}\n`);
  machine.ends(0, 'install/options.sh');
  nothingOf(machine, 'is longer than 16 KB');
  const most = `TOKEN=${TOKEN}\n`;
  machine.write(FILE, comment(LIMIT - most.length) + most);
  machine.ends(0, 'install/options.sh');
  assert.is(handed(machine).tokens.technician, TOKEN, 'a file of 16 KB is taken');
  using other = board(Buffer.from(`\ufeff${comment(LIMIT)}${before}`, 'utf16le'));
  other.ends(0, 'install/options.sh');
  nothingOf(other, 'is longer than 16 KB');
});

for (const [what, bytes] of [
  ['whose beginning was lost', Buffer.concat([Buffer.alloc(512), Buffer.from(`TOKEN=${TOKEN}\nHOSTNAME=lane-7\n`)])],
  ['whose end was lost', Buffer.concat([Buffer.from(`HOSTNAME=lane-7\nTOKEN=${TOKEN}`), Buffer.alloc(100)])],
  ['with a hole', Buffer.from(`HOSTNAME=lane-7\nTOKEN=${TOKEN.slice(0, 20)}\0\0${TOKEN.slice(20)}\n`)],
  ['of half a sign', Buffer.concat([Buffer.from(`\ufeffHOSTNAME=lane-7\nTOKEN=${TOKEN}`, 'utf16le'), Buffer.of(65)])],
  [
    'with a sign that is none',
    Buffer.from(`\ufeffHOSTNAME=lane-7\nTOKEN=${TOKEN.slice(0, 20)}\udc00${TOKEN.slice(20)}\n`, 'utf16le'),
  ],
] as const)
  options(`a file ${what} is refused whole`, () => {
    using machine = board(bytes);
    machine.ends(0, 'install/options.sh');
    nothingOf(machine, 'is no whole text');
  });

options('thousands of wrong lines keep the device from no token', () => {
  using machine = board(`${'x\n'.repeat(7000)}TOKEN=${TOKEN}\n`);
  machine.ends(0, 'install/options.sh');
  assert.is(handed(machine).tokens.technician, TOKEN);
  const problems = problemsOf(machine);
  assert.ok(problems.length <= 51, String(problems.length));
  assert.match(problems.at(-1) ?? '', '6950 more');
  assert.ok(statSync(join(machine.root, HANDED)).size < 65_536);
});

options.run();
