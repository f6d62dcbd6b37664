/** What makes a machine a device, or a device a new one: only on an installed device, and never for a question. */
import { spawnSync } from 'node:child_process';
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
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROOT as PROJECT } from '../runner.ts';

const board = suite('firstboot.sh and factory-reset.sh');
const USAGE = 2;
const NOT_NOW = 4;
const REFUSED = 5;
const SCRIPTS = readdirSync(join(PROJECT, 'scripts')).filter((name) => name.endsWith('.sh'));
const RELEASE = 'opt/laneware/releases/1.0.0';

/** A systemd that knows one thing: whether the device runs. */
const systemctl = (state: string) => `#!/bin/sh\necho ${state}\n`;

/** The files of a machine that runs nothing. */
class Machine {
  readonly root = mkdtempSync(join(tmpdir(), 'laneware-board-'));

  constructor() {
    this.write('etc/hostname', 'raspberrypi\n');
    this.write('etc/hosts', '127.0.0.1\tlocalhost\n127.0.1.1\traspberrypi\n');
    this.write('etc/credstore/laneware-key', 'the key of the bank settings');
    this.write('var/lib/laneware/ledger.db', 'payments');
    this.write('var/lib/laneware-nats/jetstream', 'templates of the stores');
    this.is('inactive');
  }

  write(path: string, text: string, mode = 0o644): void {
    mkdirSync(join(this.root, path, '..'), { recursive: true });
    writeFileSync(join(this.root, path), text, { mode });
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), 'utf8');
  }

  is(state: string): void {
    this.write('stand-ins/systemctl', systemctl(state), 0o755);
  }

  /** Every file of the machine with what is in it. */
  files(): string[] {
    const names = readdirSync(this.root, { recursive: true, withFileTypes: true });
    return names
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => `${path} ${readFileSync(path, 'utf8')}`);
  }

  run(script: string, ...args: string[]) {
    const env = {
      ...process.env,
      PATH: `${join(this.root, 'stand-ins')}:${process.env.PATH}`,
      LANEWARE_ROOT: this.root,
    };
    return spawnSync(join(PROJECT, 'scripts', script), args, { env, encoding: 'utf8' });
  }

  /** Runs a script of the machine with the machine as all that there is: no LANEWARE_ROOT keeps it from its files. */
  runInside(script: string) {
    for (const name of ['usr', 'dev', 'proc']) mkdirSync(join(this.root, name), { recursive: true });
    return spawnSync('unshare', ['--mount', '--uts', 'sh', '-c', INSIDE, 'sh', this.root, script], {
      env: { PATH: `/stand-ins:${process.env.PATH}` },
      encoding: 'utf8',
    });
  }

  put(scripts: string): void {
    cpSync(join(PROJECT, 'scripts'), join(this.root, scripts), { recursive: true });
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** The programs of this machine, read-only, and nothing else of it. */
const INSIDE = `set -eu
mount --bind -o ro /usr "$1/usr"
mount --bind /dev "$1/dev"
for name in bin sbin lib lib64; do [ -e "$1/$name" ] || ln -s "usr/$name" "$1/$name"; done
exec chroot "$1" "$2"`;

const canChangeRoot = spawnSync('unshare', ['--mount', '--uts', 'sh', '-c', 'mount -t tmpfs none /mnt']).status === 0;
const inside = canChangeRoot ? board : board.skip;
if (!canChangeRoot) process.stdout.write('SKIPPED the refusals outside of a device: they need root and unshare\n');

function onMachine(body: (machine: Machine) => void): () => void {
  return () => {
    const machine = new Machine();
    try {
      body(machine);
    } finally {
      machine.remove();
    }
  };
}

for (const script of SCRIPTS) {
  board(
    `${script} --help prints what it does and which options it has, and does nothing`,
    onMachine((machine) => {
      const before = machine.files();
      const run = machine.run(script, '--help');
      assert.is(run.status, 0, run.stderr);
      assert.ok(run.stdout.length > 100 && !run.stdout.includes('#!'), run.stdout);
      assert.equal(machine.files(), before);
    }),
  );

  board(
    `${script} does nothing for an option that it does not know`,
    onMachine((machine) => {
      const before = machine.files();
      const run = machine.run(script, '--frobnicate');
      assert.is(run.status, USAGE, run.stderr);
      assert.equal(machine.files(), before);
    }),
  );
}

for (const script of ['firstboot.sh', 'factory-reset.sh']) {
  inside(
    `${script} of a developer's folder does nothing, installed device or not`,
    onMachine((machine) => {
      machine.put('home/me/laneware/scripts');
      for (const around of [() => undefined, () => machine.put(`${RELEASE}/scripts`)]) {
        around();
        const before = machine.files();
        const run = machine.runInside(`/home/me/laneware/scripts/${script}`);
        assert.is(run.status, REFUSED, run.stderr);
        assert.match(run.stderr, 'nothing was done');
        assert.equal(machine.files(), before);
      }
    }),
  );
}

inside(
  'the first boot of an installed device names it, and gives it a key',
  onMachine((machine) => {
    machine.put(`${RELEASE}/scripts`);
    const run = machine.runInside(`/${RELEASE}/scripts/firstboot.sh`);
    assert.is(run.status, 0, run.stderr);
    assert.match(machine.read('etc/hostname'), /^laneware-[0-9a-f]{8}$/m);
    assert.match(machine.read('etc/hosts'), /^127\.0\.1\.1\tlaneware-/m);
    assert.match(machine.read('etc/laneware/identity'), /^name=laneware-.*\nformerly=raspberrypi$/m);
  }),
);

board(
  'a first boot that fails on its way has made the token already, is not over, and keeps the token when it is repeated',
  onMachine((machine) => {
    machine.write('etc/laneware/config.json', '{ "api": { "token": "made-at-first-boot", "allow": [] } }\n');
    const obstacle = join(machine.root, 'etc/hostname.new');
    mkdirSync(obstacle);
    assert.is.not(machine.run('firstboot.sh').status, 0);
    const settings = machine.read('etc/laneware/config.json');
    assert.match(settings, /"token": "[0-9a-f]{32}"/);
    assert.not.ok(existsSync(join(machine.root, 'etc/laneware/identity')));
    rmSync(obstacle, { recursive: true });
    assert.is(machine.run('firstboot.sh').status, 0);
    assert.is(machine.read('etc/laneware/config.json'), settings);
    assert.ok(existsSync(join(machine.root, 'etc/laneware/identity')));
  }),
);

inside(
  'a factory reset of an installed device takes its data and the key of its secrets',
  onMachine((machine) => {
    machine.put(`${RELEASE}/scripts`);
    const run = machine.runInside(`/${RELEASE}/scripts/factory-reset.sh`);
    assert.is(run.status, 0, run.stderr);
    assert.not.ok(existsSync(join(machine.root, 'var/lib/laneware/ledger.db')));
    assert.is.not(machine.read('etc/credstore/laneware-key'), 'the key of the bank settings');
  }),
);

/** What a program that was taken over may have left in the folder of its user. */
function plantTraps(machine: Machine): void {
  const data = join(machine.root, 'var/lib/laneware');
  symlinkSync(join(machine.root, 'etc'), join(data, 'etc'));
  symlinkSync('../../../etc/hostname', join(data, 'ledger.db-wal'));
  mkdirSync(join(data, '-rf', 'a\nb', ' '), { recursive: true });
  symlinkSync('/', join(data, '-rf', 'a\nb', 'root'));
  writeFileSync(join(data, '--files0-from=x'), '');
  mkdirSync(join(data, ...Array.from({ length: 100 }, () => 'deep')), { recursive: true });
  const sealed = join(data, 'closed');
  mkdirSync(sealed);
  writeFileSync(join(sealed, 'file'), '', { mode: 0o000 });
  chmodSync(sealed, 0o000);
  spawnSync('mkfifo', [join(data, 'pipe')]);
}

board(
  'a factory reset follows nothing out of the data, and leaves nothing in them',
  onMachine((machine) => {
    plantTraps(machine);
    const run = machine.run('factory-reset.sh');
    assert.is(run.status, 0, run.stderr);
    for (const folder of ['laneware', 'laneware-nats'])
      assert.equal(readdirSync(join(machine.root, 'var/lib', folder)), []);
    assert.is(machine.read('etc/hostname'), 'raspberrypi\n');
    assert.is(machine.read('etc/hosts'), '127.0.0.1\tlocalhost\n127.0.1.1\traspberrypi\n');
  }),
);

for (const state of ['active', 'activating', 'deactivating', '']) {
  board(
    `a factory reset takes nothing while the device is ${state || 'in a state that systemd does not tell'}`,
    onMachine((machine) => {
      machine.is(state);
      const run = machine.run('factory-reset.sh');
      assert.is(run.status, NOT_NOW, run.stderr);
      assert.match(run.stderr, 'nothing was reset');
      assert.is(machine.read('var/lib/laneware/ledger.db'), 'payments');
      assert.is(machine.read('etc/credstore/laneware-key'), 'the key of the bank settings');
    }),
  );
}

board.run();
