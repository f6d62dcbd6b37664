/** Security updates of the system: asked for in so many words, in the closed hours, from Debian's security alone, and no payment is cut off. */
import { execFileSync, type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { missingPrograms, needing } from '../needing.ts';
import { ended, NO_RELEASES, NOT_NOW, NOTHING_NEW, onDevice, type Rig } from '../ota/rig.ts';
import { ROOT as PROJECT } from '../root.ts';
import { each, temporaryFolder } from '../support.ts';
import { NO_INSTALLATION, onCard } from './card.ts';

const all = suite('security updates of the system');
const night = needing(NO_RELEASES, 'the nights of a device', all);
const card = needing(NO_INSTALLATION, 'the installation', all);
/** Midnight of 2026-01-15 in UTC. */
const MIDNIGHT = 1_768_435_200;
const HOUR = 3600;
const RULES = 'etc/apt/apt.conf.d/99laneware-security-updates';
const WANTED = 'etc/systemd/system/timers.target.wants/laneware-os-update.timer';

/** A device whose shop is closed from 23:00 to 05:00, with stand-ins for apt's programs that write down what they are asked. */
function onLane(body: (lane: Lane) => void): () => Promise<void> {
  return () =>
    onDevice(async (rig) => {
      rig.configure({ gate_seconds: '0', payment_wait_seconds: '0', closed: '23:00-05:00' });
      writeFileSync(join(rig.root, 'time-server'), '');
      body(new Lane(rig));
    });
}
const it = each(night, onLane);

class Lane {
  readonly rig: Rig;

  constructor(rig: Rig) {
    this.rig = rig;
    mkdirSync(join(rig.root, 'run/laneware-update'), { recursive: true });
    this.program('apt-get');
    this.program('unattended-upgrade');
  }

  program(name: string, script = ''): void {
    const text = `#!/bin/sh\necho "${name} $*" >>"$LANEWARE_ROOT/asked"\n${script}\n`;
    writeFileSync(join(this.rig.folder, 'stand-ins', name), text, { mode: 0o755 });
  }

  remove(name: string): void {
    rmSync(join(this.rig.folder, 'stand-ins', name));
  }

  run(hour: number, ...args: string[]): SpawnSyncReturns<string> {
    const env = { ...this.rig.env, TZ: 'UTC', LANEWARE_TEST_NOW: `${MIDNIGHT + hour * HOUR}` };
    return spawnSync(join(PROJECT, 'scripts/update/os-update.sh'), args, { encoding: 'utf8', env });
  }

  byTimer(hour: number): SpawnSyncReturns<string> {
    return this.run(hour, '--when-closed');
  }

  asked(): string[] {
    const file = join(this.rig.root, 'asked');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  }

  reboots(): number {
    return readFileSync(join(this.rig.root, 'systemctl.log'), 'utf8')
      .split('\n')
      .filter((line) => line === 'reboot').length;
  }

  needsReboot(): void {
    writeFileSync(join(this.rig.root, 'run/reboot-required'), '');
  }

  noted(): string | null {
    const file = join(this.rig.root, 'var/lib/laneware-update/system');
    return existsSync(file) ? readFileSync(file, 'utf8') : null;
  }
}

/** As unattended-upgrade: asked to end, it waits for the package tool, which may not be cut off. */
const PACKING = `
sh -c 'trap "echo package cut off >>$LANEWARE_ROOT/asked; exit" TERM
  for each in $(seq 40); do /bin/sleep 0.1; done; echo package done >>$LANEWARE_ROOT/asked' &
trap 'echo asked to end >>$LANEWARE_ROOT/asked' TERM
while kill -0 $! 2>/dev/null; do wait $!; done
exit 1`;

const BOTH = ['apt-get --quiet --quiet update', 'unattended-upgrade'];

it('come at night, once, and the time is noted; an update that needs no restart causes none', (lane) => {
  ended(0, lane.byTimer(4));
  assert.equal(lane.asked(), BOTH);
  assert.is(lane.noted(), `at=${MIDNIGHT + 4 * HOUR}\n`);
  assert.is(lane.reboots(), 0);
  assert.is(lane.byTimer(4.3).status, NOTHING_NEW);
  assert.equal(lane.asked(), BOTH);
});

it('do not come by day, nor with an untrusted clock; a person is not held up', (lane) => {
  assert.match(ended(NOT_NOW, lane.byTimer(12)).stderr, 'the shop may be open');
  rmSync(join(lane.rig.root, 'time-server'));
  assert.is(lane.byTimer(4).status, NOT_NOW);
  assert.equal(lane.asked(), []);
  assert.is(lane.run(12).status, 0);
  assert.equal(lane.asked(), BOTH);
});

it('a device that looked for releases tonight looks for these anyway, and the other way round', (lane) => {
  const looked = join(lane.rig.root, 'run/laneware-update/looked');
  writeFileSync(looked, `${MIDNIGHT + 4 * HOUR - 60}\n`);
  assert.is(lane.byTimer(4).status, 0);
  assert.is(readFileSync(looked, 'utf8'), `${MIDNIGHT + 4 * HOUR - 60}\n`);
});

it('what is noted of releases that are put off is theirs: nothing here adds to it or ends it', (lane) => {
  const putOff = join(lane.rig.root, 'var/lib/laneware-update/put-off');
  assert.is(lane.byTimer(12).status, NOT_NOW);
  assert.not.ok(existsSync(putOff));
  writeFileSync(putOff, 'since=1768000000\nwhy=made up\n');
  assert.is(lane.byTimer(12).status, NOT_NOW);
  assert.is(lane.byTimer(4).status, 0);
  assert.is(readFileSync(putOff, 'utf8'), 'since=1768000000\nwhy=made up\n');
});

it('never before a payment that is open; the next look tries again', (lane) => {
  lane.needsReboot();
  lane.rig.openPayments(1);
  assert.match(ended(NOT_NOW, lane.byTimer(4)).stderr, 'a payment is open');
  assert.is(lane.reboots(), 0);
  lane.rig.openPayments(0);
  assert.is(lane.byTimer(4.4).status, 0);
  assert.is(lane.reboots(), 1);
});

it('never by day, however long they took', (lane) => {
  // the clock is asked anew: by then it is morning
  const clock = 'LANEWARE_TEST_NOW=$(cat "$LANEWARE_ROOT/now")';
  const date = join(lane.rig.folder, 'stand-ins/date');
  const real = join(PROJECT, 'test/ota/fixtures/date');
  rmSync(date);
  writeFileSync(date, `#!/bin/sh\n${clock} exec ${real} "$@"\n`, { mode: 0o755 });
  writeFileSync(join(lane.rig.root, 'now'), `${MIDNIGHT + 4 * HOUR}`);
  lane.program('unattended-upgrade', `echo ${MIDNIGHT + 6 * HOUR} >"$LANEWARE_ROOT/now"`);
  lane.needsReboot();
  ended(NOT_NOW, lane.byTimer(4));
  assert.is(lane.reboots(), 0);
});

it('a person restarts the machine', (lane) => {
  lane.needsReboot();
  assert.match(ended(0, lane.run(12)).stderr, 'from the next start of the machine on');
  assert.is(lane.reboots(), 0);
});

it('not while a release is being installed', (lane) => {
  lane.rig.writeState('state=gate\nversion=1.1.0\nfrom=1.0.0\noutcome=\n');
  assert.is(lane.byTimer(4).status, NOT_NOW);
  assert.equal(lane.asked(), []);
});

it('missing packages are fetched; without a network it says so and tries again that night', (lane) => {
  if (missingPrograms('unattended-upgrade') === null) lane.remove('unattended-upgrade');
  lane.remove('unattended-upgrade');
  lane.program('apt-get', 'case "$*" in *install*) exit 100 ;; esac');
  const run = ended(1, lane.byTimer(4));
  assert.match(run.stderr, 'unattended-upgrades is not installed and cannot be fetched: connect the network');
  assert.match(lane.asked().at(-1) ?? '', /^apt-get .*--no-install-recommends install unattended-upgrades$/);
  assert.is(lane.noted(), null);
  lane.program('apt-get', 'exit 100');
  assert.match(lane.byTimer(4.4).stderr, 'the lists of packages cannot be fetched: is the network connected?');
  lane.program('apt-get');
  lane.program('unattended-upgrade');
  assert.is(lane.byTimer(4.5).status, 0);
});

it('one that takes longer than the night is asked to end, alone', (lane) => {
  lane.program('unattended-upgrade', PACKING);
  // three minutes are kept for starting; two seconds are left
  ended(1, lane.byTimer(5 - (180 + 2) / HOUR));
  assert.equal(lane.asked().slice(-2), ['asked to end', 'package done']);
});

card(
  'are off by default; asked for, timer and rules link into the release, and go with it',
  onCard((card) => {
    mkdirSync(join(card.root, 'etc/apt/apt.conf.d'), { recursive: true });
    assert.is(card.install().status, 0);
    assert.not.ok(card.isLink(RULES) || card.isLink(WANTED));
    assert.is(card.install('--security-updates').status, 0);
    assert.is(card.link(RULES), '/opt/laneware/good/systemd/apt/99laneware-security-updates');
    assert.is(card.link(WANTED), '/etc/systemd/system/laneware-os-update.timer');
    for (const unit of ['service', 'timer'])
      assert.is(
        card.link(`etc/systemd/system/laneware-os-update.${unit}`),
        `/opt/laneware/good/systemd/laneware-os-update.${unit}`,
      );
    assert.ok(card.has('opt/laneware/releases/1.1.0/systemd/apt/99laneware-security-updates'));
    card.run('--uninstall');
    assert.not.ok(
      card.isLink(RULES) || card.isLink(WANTED) || card.isLink('etc/systemd/system/laneware-os-update.timer'),
    );
  }),
);

card(
  'a system without apt says that it has none, and is installed',
  onCard((card) => {
    assert.match(ended(0, card.install('--security-updates')).stderr, 'this system has no apt');
    assert.not.ok(card.isLink(WANTED));
  }),
);

/** What apt makes of our rules beside those that Debian's package brings, which allow more. */
needing(
  missingPrograms('apt-config'),
  'what apt makes of the rules',
  all,
)('apt takes Debian’s security alone, and leaves the hours to us', () => {
  using folder = temporaryFolder();
  const parts = folder.path;
  writeFileSync(
    join(parts, '50unattended-upgrades'),
    'Unattended-Upgrade::Origins-Pattern { "origin=Debian,label=Debian"; };\nUnattended-Upgrade::Allowed-Origins { "Raspbian:stable"; };\nUnattended-Upgrade::Automatic-Reboot "true";\n',
  );
  writeFileSync(
    join(parts, '20auto-upgrades'),
    'APT::Periodic::Unattended-Upgrade "1";\nAPT::Periodic::Update-Package-Lists "1";\n',
  );
  const rules = '99laneware-security-updates';
  writeFileSync(join(parts, rules), readFileSync(join(PROJECT, 'systemd/apt', rules)));
  writeFileSync(join(parts, 'main'), `Dir::Etc::Parts "${parts}";\n`);
  const dump = execFileSync('apt-config', ['dump'], {
    encoding: 'utf8',
    env: { ...process.env, APT_CONFIG: join(parts, 'main') },
  });
  const of = (key: string) => dump.split('\n').filter((line) => line.startsWith(key) && !line.endsWith(' "";'));
  assert.equal(of('Unattended-Upgrade::Origins-Pattern'), [
    `Unattended-Upgrade::Origins-Pattern:: "origin=Debian,codename=\${distro_codename}-security,label=Debian-Security";`,
  ]);
  assert.equal(of('Unattended-Upgrade::Allowed-Origins'), []);
  assert.equal(of('Unattended-Upgrade::Automatic-Reboot '), ['Unattended-Upgrade::Automatic-Reboot "false";']);
  for (const key of ['Unattended-Upgrade', 'Update-Package-Lists'])
    assert.equal(of(`APT::Periodic::${key} `), [`APT::Periodic::${key} "0";`]);
});

all.run();
