/** What makes a machine a device, or a device a new one: only on an installed device, and never for a question. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, globSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NOT_NOW, REFUSED, USAGE } from '../ota/rig.ts';
import { ROOT as PROJECT } from '../root.ts';
import { each } from '../support.ts';
import { type Machine, onMachine } from './machine.ts';

const board = suite('firstboot.sh and factory-reset.sh');
const FOLDER = join(PROJECT, 'scripts');
const SCRIPTS = globSync(['install/*.sh', 'update/*.sh', 'release/*.sh', 'generate/*.sh', 'lanectl.sh'], {
  cwd: FOLDER,
});
const RELEASE = 'opt/laneware/releases/1.0.0';

const it = each(board, onMachine);

for (const script of SCRIPTS) {
  it(`${script} --help prints what it does and which options it has, and does nothing`, (machine) => {
    const before = machine.files();
    const run = machine.ends(0, script, '--help');
    assert.ok(run.stdout.length > 100 && !run.stdout.includes('#!'), run.stdout);
    assert.equal(machine.files(), before);
  });

  it(`${script} does nothing for an option that it does not know`, (machine) => {
    const before = machine.files();
    machine.ends(USAGE, script, '--frobnicate');
    assert.equal(machine.files(), before);
  });
}

for (const script of [
  'install/firstboot.sh',
  'install/options.sh',
  'install/factory-reset.sh',
  'update/os-update.sh',
]) {
  it(`${script} of a developer's folder does nothing, installed device or not`, (machine) => {
    machine.put('home/me/laneware/scripts');
    for (const around of [() => undefined, () => machine.put(`${RELEASE}/scripts`)]) {
      around();
      const before = machine.files();
      const run = machine.runInside(`/home/me/laneware/scripts/${script}`);
      assert.is(run.status, REFUSED, run.stderr);
      assert.match(run.stderr, 'nothing was done');
      assert.equal(machine.files(), before);
    }
  });
}

it('the first boot of an installed device names it, and gives it a key', (machine) => {
  machine.put(`${RELEASE}/scripts`);
  const run = machine.runInside(`/${RELEASE}/scripts/install/firstboot.sh`);
  assert.is(run.status, 0, run.stderr);
  assert.match(machine.read('etc/hostname'), /^laneware-[0-9a-f]{8}$/m);
  assert.match(machine.read('etc/hosts'), /^127\.0\.1\.1\tlaneware-/m);
  assert.match(machine.read('etc/laneware/identity'), /^name=laneware-.*\nformerly=raspberrypi$/m);
});

for (const [serial, name] of [
  ['10000000a/b1/2c3d', 'laneware-0ab12c3d'],
  ['SN 12/34 №56', 'laneware-SN123456'],
  ['SN 1/2', /^laneware-[0-9a-f]{8}$/],
  ['/', /^laneware-[0-9a-f]{8}$/],
  ['10000000abcd1234', 'laneware-abcd1234'],
] as const)
  it(`a board with the serial number ${serial} gets a name that may be one`, (machine) => {
    machine.write('proc/device-tree/serial-number', `${serial}\0`);
    machine.ends(0, 'install/firstboot.sh');
    assert.match(machine.read('etc/hostname').trim(), name);
    assert.match(machine.read('etc/hosts'), /^127\.0\.1\.1\tlaneware-[A-Za-z0-9]{8}$/m);
  });

it('a first boot that fails on its way is not over, and ends when it is repeated', (machine) => {
  const obstacle = join(machine.root, 'etc/hostname.new');
  mkdirSync(obstacle);
  assert.is.not(machine.run('install/firstboot.sh').status, 0);
  assert.not.ok(existsSync(join(machine.root, 'etc/laneware/identity')));
  rmSync(obstacle, { recursive: true });
  machine.ends(0, 'install/firstboot.sh');
  assert.ok(existsSync(join(machine.root, 'etc/laneware/identity')));
});

it('a factory reset of an installed device takes its data and the key of its secrets', (machine) => {
  machine.put(`${RELEASE}/scripts`);
  const run = machine.runInside(`/${RELEASE}/scripts/install/factory-reset.sh`);
  assert.is(run.status, 0, run.stderr);
  assert.not.ok(existsSync(join(machine.root, 'var/lib/laneware/money.db')));
  assert.is.not(machine.read('etc/credstore/laneware-key'), 'the key of the bank settings');
});

const keptIn = (machine: Machine): string[] => {
  const kept = join(machine.root, 'var/lib/laneware/kept');
  return readdirSync(kept).flatMap((day) => readdirSync(join(kept, day)).map((name) => name));
};

it('a factory reset puts ledger and audit trail aside, each time, and again once cut short', (machine) => {
  for (const name of ['money.db.damaged-1', 'money.journal', 'audit/events.jsonl', 'settings.json'])
    machine.write(`var/lib/laneware/${name}`, name);
  machine.ends(0, 'install/factory-reset.sh');
  assert.equal(keptIn(machine).sort(), ['audit', 'money.db', 'money.db.damaged-1', 'money.journal']);
  assert.equal(readdirSync(join(machine.root, 'var/lib/laneware')), ['kept']);
  machine.write('var/lib/laneware/money.db', 'of the next owner');
  machine.ends(0, 'install/factory-reset.sh');
  assert.is(keptIn(machine).filter((name) => name === 'money.db').length, 2);
  assert.is(machine.run('install/factory-reset.sh').status, 0, 'nothing more to put aside');
  assert.is(keptIn(machine).length, 5);
});

it('a link in the place of what is put aside leads nowhere', (machine) => {
  symlinkSync(join(machine.root, 'etc'), join(machine.root, 'var/lib/laneware/kept'));
  symlinkSync(join(machine.root, 'etc/hostname'), join(machine.root, 'var/lib/laneware/money.journal'));
  machine.ends(0, 'install/factory-reset.sh');
  assert.equal(keptIn(machine), ['money.db']);
  assert.is(machine.read('etc/hostname'), 'raspberrypi\n');
});

/** What a program that was taken over may have left in the folder of its user. */
function plantTraps(machine: Machine): void {
  const data = join(machine.root, 'var/lib/laneware');
  symlinkSync(join(machine.root, 'etc'), join(data, 'etc'));
  symlinkSync('../../../etc/hostname', join(data, 'money.db-wal'));
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

it('a factory reset follows no link out of the data, and leaves only what is put aside', (machine) => {
  plantTraps(machine);
  machine.ends(0, 'install/factory-reset.sh');
  assert.equal(readdirSync(join(machine.root, 'var/lib/laneware')), ['kept']);
  assert.equal(keptIn(machine), ['money.db'], 'no trap is put aside');
  assert.is(machine.read('etc/hostname'), 'raspberrypi\n');
  assert.is(machine.read('etc/hosts'), '127.0.0.1\tlocalhost\n127.0.1.1\traspberrypi\n');
});

for (const state of ['active', 'activating', 'deactivating', '']) {
  it(`a factory reset is refused while the device is ${state || 'in a state unknown to systemd'}`, (machine) => {
    machine.is(state);
    assert.match(machine.ends(NOT_NOW, 'install/factory-reset.sh').stderr, 'nothing was reset');
    assert.is(machine.read('var/lib/laneware/money.db'), 'payments');
    assert.is(machine.read('etc/credstore/laneware-key'), 'the key of the bank settings');
  });
}

board.run();
