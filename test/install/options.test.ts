/** What somebody puts on the boot partition for a board: read as he meant it, and as nothing else. */
import { spawn } from 'node:child_process';
import { lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROOT as PROJECT } from '../root.ts';
import {
  ALL,
  board,
  ERRORS,
  FILE,
  HANDED,
  handed,
  has,
  KEY,
  OS_TIMER,
  problemsOf,
  TOKEN,
  WIFI,
} from './flashed-board.ts';
import type { Machine } from './machine.ts';

const options = suite('options.sh');
const onBoard =
  (text: string | Uint8Array | null, body: (machine: Machine) => void, name = FILE) =>
  (): void => {
    using machine = board(text, name);
    machine.ends(0, 'install/options.sh');
    body(machine);
  };

const mode = ({ root }: Machine, path: string): number => statSync(join(root, path)).mode & 0o777;

/** What all settings together leave, for any form of the file. */
function everythingIsSet(machine: Machine): void {
  assert.is(machine.read('etc/hostname'), 'lane-7\n');
  assert.match(machine.read('etc/hosts'), /^127\.0\.1\.1\tlane-7$/m);
  assert.is(readlinkSync(join(machine.root, 'etc/localtime')), '../usr/share/zoneinfo/Europe/Moscow');
  assert.is(machine.read('etc/timezone'), 'Europe/Moscow\n');
  const wifi = machine.read(WIFI);
  const bytes = [...Buffer.from('Магазин; $(touch /tmp/x)')].map((byte) => `${byte};`).join('');
  assert.match(wifi, `\n[wifi]\nmode=infrastructure\nssid=${bytes}\n`);
  assert.match(wifi, '\nkey-mgmt=wpa-psk\npsk=pass\\\\word\\s$(id)\\s`id`\\s"x\n');
  assert.match(wifi, /^uuid=[0-9a-f-]{36}$/m);
  assert.is(mode(machine, WIFI), 0o600);
  assert.match(
    machine.read('boot/firmware/cmdline.txt'),
    /^console=tty1 .* rootwait cfg80211\.ieee80211_regdom=RU\n?$/,
  );
  assert.not.match(machine.read('boot/firmware/cmdline.txt'), 'GB');
  assert.is(machine.read('var/lib/systemd/rfkill/platform-fe300000.mmcnr:wlan'), '0\n');
  assert.match(machine.read('var/lib/NetworkManager/NetworkManager.state'), 'WirelessEnabled=true');
  assert.is(machine.read('home/pi/.ssh/authorized_keys'), `${KEY}\n`);
  assert.is(mode(machine, 'home/pi/.ssh/authorized_keys'), 0o600);
  assert.match(machine.read('etc/ssh/sshd_config.d/00-laneware.conf'), /^PasswordAuthentication no$/m);
  assert.ok(has(machine, 'etc/ssh/ssh_host_ed25519_key'), 'a key of its own');
  assert.not.ok(has(machine, 'etc/systemd/system/ssh.service'), 'it is masked no more');
  const wanted = join(machine.root, 'etc/systemd/system/multi-user.target.wants/ssh.service');
  assert.is(readlinkSync(wanted), '/usr/lib/systemd/system/ssh.service');
  assert.is(mode(machine, 'etc/laneware/environment'), 0o600, 'it may hold tokens');
  const lines = machine.read('etc/laneware/environment').trim().split('\n');
  assert.equal(lines.sort(), [
    'LANEWARE_API_CLAIM=true',
    'LANEWARE_GPIO_DRIVER=onoff',
    'LANEWARE_GPIO_LEARNBUTTON=22',
    'LANEWARE_LOG_LEVEL=debug',
    'LANEWARE_RECOGNITION_HOST=0.0.0.0',
    'LANEWARE_TERMINAL_HOST=0.0.0.0',
  ]);
  assert.match(machine.read('boot/firmware/config.txt'), /^gpio=22=ip,pu$/m);
  assert.ok(lstatSync(join(machine.root, OS_TIMER)).isSymbolicLink());
  assert.equal(handed(machine), {
    tokens: { technician: TOKEN, till: 'made-up-token-of-the-tills' },
    master: { host: '192.168.1.10', port: 7444, code: '0123-4567-89AB-CDEF-GHJK' },
    problems: [],
  });
  assert.is(mode(machine, HANDED), 0o600);
  for (const gone of [FILE, ERRORS, 'etc/laneware/handed-over.json']) assert.not.ok(has(machine, gone), gone);
}

const utf16 = (text: string): Uint8Array => Buffer.from(`\ufeff${text}`, 'utf16le');

for (const [how, text, name] of [
  ['plainly', ALL, FILE],
  ['without a last line break, with empty lines', `\n\n${ALL}`, FILE],
  ['by Notepad, with its mark and its line ends', `\ufeff${ALL.replaceAll('\n', '\r\n')}\r\n`, FILE],
  ['as what Notepad calls Unicode', utf16(ALL.replaceAll('\n', '\r\n')), FILE],
  ['with spaces around everything', ALL.replaceAll(/^([A-Z_]+)=(.*)$/gm, '  $1 \t=  $2  \t'), FILE],
  ['in small letters', ALL.replaceAll(/^([A-Z_]+)=/gm, (key) => key.toLowerCase()), FILE],
  ['in quotes', ALL.replaceAll(/^([A-Z_]+)= ?(.*)$/gm, '$1="$2"'), FILE],
  ['under a name whose end was hidden', ALL, `${FILE}.txt`],
  ['where older systems mount it', ALL, 'boot/laneware.txt'],
] as const) {
  options(`settings that were written ${how} are taken`, onBoard(text, everythingIsSet, name));
}

options('without a file nothing is changed, and an empty one takes the errors away', () => {
  using machine = board(null);
  const before = machine.files();
  machine.ends(0, 'install/options.sh');
  assert.equal(machine.files(), before);
  machine.write(ERRORS, 'of yesterday');
  machine.write(FILE, '');
  machine.ends(0, 'install/options.sh');
  assert.not.ok(has(machine, ERRORS) || has(machine, FILE));
  assert.equal(problemsOf(machine), []);
});

options('security updates of the system end with "no"; on a system without apt that is reported', () => {
  using machine = board('SECURITY_UPDATES=yes');
  const isOn = (): boolean => lstatSync(join(machine.root, OS_TIMER), { throwIfNoEntry: false }) !== undefined;
  machine.ends(0, 'install/options.sh');
  assert.ok(isOn());
  machine.write(FILE, 'SECURITY_UPDATES=no');
  machine.ends(0, 'install/options.sh');
  assert.not.ok(isOn());
  rmSync(join(machine.root, 'etc/apt'), { recursive: true });
  machine.write(FILE, 'SECURITY_UPDATES=yes');
  machine.ends(0, 'install/options.sh');
  assert.equal(problemsOf(machine), [
    'laneware.txt, line 1: SECURITY_UPDATES needs apt, which this system does not have',
  ]);
  assert.not.ok(isOn());
});

const WRONG: Readonly<Record<string, readonly string[]>> = {
  HOSTNAME: ['-lane', 'lane 7', 'lane_7', 'a'.repeat(64), 'lane.shop', '$(id)', '../x'],
  TIMEZONE: ['Europe/Nowhere', '../../etc/passwd', '/etc/passwd', 'Europe/../Europe/Moscow', 'Europe'],
  WIFI_SSID: ['x'.repeat(33), 'Б'.repeat(17)],
  SECURITY_UPDATES: ['on', '1', 'yes; reboot'],
  WIFI_COUNTRY: ['RUS', 'R', '7', 'RU quiet init=/bin/sh'],
  SSH_KEY: [
    'ssh-ed25519',
    'ssh-ed25519 short x',
    `command="/bin/sh" ${KEY}`,
    `no-pty,${KEY}`,
    '-----BEGIN OPENSSH PRIVATE KEY-----',
    `ssh-dss ${'A'.repeat(68)}`,
  ],
  TOKEN: [
    'short',
    'with space in its middle',
    'with"quote-in-its-middle',
    'back\\slash-in-its-middle',
    'x'.repeat(129),
  ],
  TILL_TOKEN: ['short', 'кириллица-кириллица'],
  LISTEN: ['0.0.0.0', 'yes', 'Network '.trim()],
  LEARN_BUTTON: ['0', '28', '22 ', 'GPIO22', '022'].filter((value) => value !== '22 '),
};

for (const [key, values] of Object.entries(WRONG)) {
  options(`a ${key} that cannot be is reported by its line, and all else is taken`, () => {
    for (const value of values)
      onBoard(
        `TIMEZONE=Europe/Moscow\n\n${key}=${value}\nHOSTNAME=lane-9\n`.replace(
          key === 'HOSTNAME' ? 'HOSTNAME=lane-9\n' : '\0',
          '',
        ),
        (machine) => {
          const [problem = '', ...more] = problemsOf(machine);
          assert.match(problem, `laneware.txt, line 3: ${key} `, value);
          assert.equal(more, [], value);
          if (value.length > 6) assert.not.match(machine.read(ERRORS), value, 'no value is repeated');
          assert.match(machine.read(ERRORS), `line 3: ${key} `);
          assert.match(machine.read(ERRORS), /taken:\r\n.*\r\n$/);
          if (key !== 'HOSTNAME') assert.is(machine.read('etc/hostname'), 'lane-9\n', value);
          if (key !== 'TIMEZONE') assert.is(machine.read('etc/timezone'), 'Europe/Moscow\n', value);
          assert.not.ok(has(machine, FILE), 'it is removed anyway');
          assert.not.ok(has(machine, 'home/pi/.ssh') || has(machine, WIFI));
        },
      )();
  });
}

options(
  'settings that need another one say so',
  onBoard(
    'WIFI_PASSWORD=12345678\nMASTER=192.168.1.10\nTOKEN=the-same-word-for-both\nTILL_TOKEN=the-same-word-for-both\n',
    (machine) => {
      assert.equal(problemsOf(machine), [
        'laneware.txt, line 4: TILL_TOKEN must be another one than TOKEN',
        'laneware.txt, line 1: WIFI_PASSWORD needs WIFI_SSID beside it',
        'laneware.txt, line 2: MASTER needs PAIRING_CODE beside it',
      ]);
      assert.is(handed(machine).master, null);
    },
  ),
);

for (const [what, master] of [
  ['a port beyond them all', '192.168.1.10:65536'],
  ['quotes', '1.2.3.4","port":1,"x":"'],
  ['a name with signs', 'master;reboot'],
] as const)
  options(
    `a master with ${what} is refused`,
    onBoard(`MASTER=${master}\nPAIRING_CODE=0123-4567-89AB-CDEF-GHJK\nTOKEN=${TOKEN}\n`, (machine) => {
      assert.match(problemsOf(machine)[0] ?? '', 'line 1: MASTER');
      assert.equal(handed(machine).tokens, { technician: TOKEN, till: null });
    }),
  );

const HOSTILE = [
  'HOSTNAME=$(touch HERE/pwned)',
  'TIMEZONE=`touch HERE/pwned`',
  'WIFI_SSID=x\ty',
  'x[$(touch HERE/pwned)]=1',
  'OPTIONS[$(touch HERE/pwned)]=1',
  'PATH=/tmp',
  'LC_ALL[0]=x',
  'TOKEN="a\\"b-and-sixteen-more',
  "HOSTNAME='; touch HERE/pwned; '",
  '=value',
  'no equals sign',
  `${'K'.repeat(40)}=1`,
  '-n=1',
].join('\n');

options('a hostile file is text, and nothing of it is run', () => {
  using machine = board(null);
  machine.write(FILE, HOSTILE.replaceAll('HERE', machine.root));
  const before = machine.files().filter((line) => !line.includes('laneware.txt '));
  machine.ends(0, 'install/options.sh');
  assert.not.ok(has(machine, 'pwned'));
  const isOurs = /handed-over|laneware-errors/;
  assert.equal(
    machine.files().filter((line) => !isOurs.test(line)),
    before,
  );
  assert.is(problemsOf(machine).length, HOSTILE.split('\n').length - 1, 'a name that is there twice counts once');
});

options('a file of random bytes, and one that is far too long, change nothing else and are removed', () => {
  let seed = 7;
  for (let round = 0; round < 6; round += 1) {
    const bytes = Buffer.from(
      Array.from({ length: round === 0 ? 100_000 : 4000 }, () => {
        seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
        return (seed >> 16) & 0xff;
      }),
    );
    onBoard(bytes, (machine) => {
      assert.ok(problemsOf(machine).length > 0);
      assert.is(machine.read('etc/hostname'), 'raspberrypi\n');
      assert.not.ok(has(machine, FILE));
    })();
  }
});

options('what was left of a file that was wiped is removed, and the reported problems stay', () => {
  using machine = board('HOSTNAME=-\n');
  machine.ends(0, 'install/options.sh');
  const before = [machine.read(HANDED), machine.read(ERRORS)];
  machine.write(FILE, '\0'.repeat(11));
  machine.ends(0, 'install/options.sh');
  assert.equal([machine.read(HANDED), machine.read(ERRORS)], before);
  assert.not.ok(has(machine, FILE));
});

options('where the folder of the device holds traps, root writes into it and nowhere else', () => {
  using machine = board(`TOKEN=${TOKEN}\n`);
  const { root } = machine;
  symlinkSync(join(root, 'etc/hostname'), join(root, HANDED));
  symlinkSync(join(root, 'etc/hostname'), join(root, 'var/lib/laneware/handed-over.json.new'));
  machine.ends(0, 'install/options.sh');
  assert.is(machine.read('etc/hostname'), 'raspberrypi\n');
  assert.is(handed(machine).tokens.technician, TOKEN);
});

options('a home whose folder of keys leads elsewhere gets none', () => {
  using machine = board(`SSH_KEY=${KEY}\n`);
  mkdirSync(join(machine.root, 'root'));
  symlinkSync(join(machine.root, 'root'), join(machine.root, 'home/pi/.ssh'));
  machine.ends(0, 'install/options.sh');
  assert.not.ok(has(machine, 'root/authorized_keys'));
  assert.match(problemsOf(machine)[0] ?? '', 'line 1: SSH_KEY');
  assert.not.ok(has(machine, 'etc/systemd/system/multi-user.target.wants/ssh.service'), 'and ssh stays off');
});

options('a board without NetworkManager, ssh or a first user says so, and takes the rest', () => {
  using machine = board(`WIFI_SSID=shop\nSSH_KEY=${KEY}\nHOSTNAME=lane-3\n`);
  rmSync(join(machine.root, 'etc/NetworkManager'), { recursive: true });
  rmSync(join(machine.root, 'usr/lib/systemd/system/ssh.service'));
  machine.ends(0, 'install/options.sh');
  assert.match(
    problemsOf(machine).join(),
    /line 1: WIFI_SSID needs NetworkManager.*line 2: SSH_KEY needs the ssh server/,
  );
  assert.is(machine.read('etc/hostname'), 'lane-3\n');
});

options('killed at any point, it is repeated without harm, and no setting is lost', async () => {
  for (let delay = 0; delay <= 260; delay += 40) {
    using machine = board(ALL);
    const env = { ...process.env, LANEWARE_ROOT: machine.root };
    const child = spawn(join(PROJECT, 'scripts/install/options.sh'), { env, stdio: 'ignore', detached: true });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const timer = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), delay);
    await ended;
    clearTimeout(timer);
    const again = machine.run('install/options.sh');
    assert.is(again.status, 0, again.stderr);
    everythingIsSet(machine);
  }
});

options('root follows no link that the first user has laid beside his keys', () => {
  using machine = board(ALL);
  mkdirSync(join(machine.root, 'home/pi/.ssh'), { recursive: true });
  machine.write('etc/shadow', 'secrets\n');
  symlinkSync('../../../etc/shadow', join(machine.root, 'home/pi/.ssh/authorized_keys.new'));
  machine.ends(0, 'install/options.sh');
  assert.is(machine.read('etc/shadow'), 'secrets\n');
  everythingIsSet(machine);
});

options('a second run with the same settings changes nothing', () => {
  using machine = board(ALL);
  machine.run('install/options.sh');
  const once = machine.files();
  machine.write(FILE, ALL);
  machine.ends(0, 'install/options.sh');
  const isStable = (line: string): boolean => !line.includes('nmconnection'); // which has a new uuid
  assert.equal(machine.files().filter(isStable), once.filter(isStable));
  assert.is(readFileSync(join(machine.root, 'home/pi/.ssh/authorized_keys'), 'utf8'), `${KEY}\n`);
});

options.run();
