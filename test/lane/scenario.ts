/**
 * A lane's life under a real systemd, in order: boots, is killed, hangs, is asked for what it may ask of its system, is
 * updated, is updated to a release that does not work, runs into a crash loop. `test/lane/test-lane.sh scenario`
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { UNDER_SYSTEMD } from '../docs/elsewhere.ts';
import { makePlainKey } from '../ota/rig.ts';
import { prepare } from '../prepare.ts';
import { ROOT as PROJECT } from '../root.ts';
import { LAB, Lane, sh } from './lane.ts';
import { type Arch, KEY, PUBLIC_KEY, release, sibling } from './releases.ts';
import { setUpBank } from './till.ts';

const arch: Arch = process.argv[2] === 'arm64' ? 'arm64' : 'x64';
const test = suite(`a lane under systemd (${arch})`);
const lane = new Lane(`scenario-${arch}`, arch === 'arm64' ? 12 : 11);
const OTA = '/usr/local/sbin/laneware-ota';
const SETTINGS = '/etc/laneware/config.json';
const UPDATES = '/etc/laneware/update.conf';
const ZONE = 'Asia/Vladivostok';

const logTime = (what: string, began: number): void =>
  void process.stdout.write(`  ${what}: ${((performance.now() - began) / 1000).toFixed(1)} s\n`);

const rescueEnds = () =>
  lane.until('the rescue to end', async () =>
    /^(inactive|failed)/.test(lane.try('systemctl', 'is-active', 'laneware-rescue.service').text),
  );

/** Puts a release file where a technician's stick would be. */
function stick(file: string): string {
  cpSync(file, join(lane.mount, 'mnt/new.release'));
  return '/mnt/new.release';
}

prepare(test, async () => {
  lane.install(arch, release(arch), PUBLIC_KEY, '--timezone', ZONE);
});
test.after(() => lane.remove());

test('boots, and both ports answer from the network', async () => {
  const ms = await lane.boot();
  process.stdout.write(`  from power to both ports: ${(ms / 1000).toFixed(1)} s\n`);
  assert.is(await lane.version(1234), '1.0.0');
  assert.is(lane.property('ActiveState'), 'active');
});

test('no unit has failed, and the status line says how the device is', async () => {
  await lane.until('the system to settle', async () =>
    /running|degraded/.test(lane.try('systemctl', 'is-system-running').text),
  );
  assert.is(lane.in('systemctl', '--failed', '--no-legend', '--plain'), '');
  assert.match(lane.property('StatusText'), '1.0.0 degraded; settings:');
  assert.is(lane.in('systemctl', 'show', '--property', 'RuntimeWatchdogUSec', '--value'), '15s');
});

test('runs without privileges: no capability, no new ones, a filter on its calls', () => {
  const status = lane.in('cat', `/proc/${lane.property('MainPID')}/status`);
  assert.match(status, /^CapEff:\s+0+$/m);
  assert.match(status, /^CapBnd:\s+0+$/m);
  assert.match(status, /^NoNewPrivs:\s+1$/m);
  assert.match(status, /^Seccomp:\s+2$/m);
  assert.not.match(status, /^Uid:\s+0/m);
});

test('lives in the time zone that it was installed with', () => {
  const report = lane.in('curl', '-s', 'http://127.0.0.1:1234/v1/reports/day');
  assert.match(report, `"timeZone":"${ZONE}"`);
  assert.match(lane.in('date', '+%z'), '+1000');
});

/** Changes the settings for as long as something is tried. */
async function withSettings(change: string, during: () => Promise<void>): Promise<void> {
  lane.in('cp', '--preserve=all', SETTINGS, `${SETTINGS}.kept`);
  lane.in('sed', '-i', change, SETTINGS);
  lane.in('chown', ':laneware', SETTINGS);
  lane.try('systemctl', 'restart', 'laneware.service'); // which may be what it shall not do
  await during();
  lane.in('mv', `${SETTINGS}.kept`, SETTINGS);
  lane.in('systemctl', 'restart', 'laneware.service');
  await lane.answers();
}

test('started anew by hand, over and over, is no crash loop', async () => {
  for (let at = 1; at <= 8; at++) lane.in('systemctl', 'restart', 'laneware.service');
  await lane.answers();
  assert.is(lane.property('ActiveState'), 'active');
  assert.equal(lane.try('systemctl', 'is-failed', 'laneware-rescue.service').text.trim(), 'inactive');
  assert.match(lane.in(OTA, 'status'), /^good +1\.0\.0$/m);
});

test('answers on port 80, and on one of the terminal below 1024, without a privilege', async () => {
  const listens = (url: string) => lane.try('curl', '-sfg', `${url}/health`).text.includes('"version":"1.0.0"');
  await withSettings(
    's/"host": "0.0.0.0", "port": 8080/"host": "::", "port": 80/; s/"port": 1234/"port": 443/',
    async () => {
      for (const url of ['http://127.0.0.1', 'http://[::1]', 'http://127.0.0.1:443'])
        await lane.until(url, async () => listens(url));
      await lane.until('the network', async () => (await lane.version(80)) === '1.0.0');
      assert.match(lane.in('cat', `/proc/${lane.property('MainPID')}/status`), /^CapEff:\s+0+$/m);
    },
  );
  const low = ['runuser', '-u', 'nobody', '--', '/opt/laneware/current/bin/node', '-e'];
  const open = (port: number) =>
    lane.try(...low, `require('net').createServer().listen(${port}, () => process.exit(0))`);
  assert.equal([open(80).code, open(79).code], [0, 1], 'what is below stays the system’s');
});

test('a port below 80 ends in a sentence, and no release is to blame', async () => {
  await withSettings('s/"port": 8080/"port": 79/', async () => {
    await lane.until('its last words', async () =>
      lane
        .in('journalctl', '-u', 'laneware', '--no-pager', '-o', 'cat')
        .includes('on an installed device it may from 80 on'),
    );
    assert.is(lane.property('ExecMainStatus'), '78');
  });
});

test('a master runs the message server of its release, inside of the sandbox', async () => {
  if (arch !== 'x64') {
    process.stdout.write("  SKIPPED: the release for arm64 is made without Debian's message server here\n");
    return;
  }
  const call = (name: string, body: object): string =>
    lane.in(
      ...['curl', '-s', '-H', 'Content-Type: application/json', '-d', JSON.stringify(body)],
      `http://127.0.0.1:8080/api/${name}`,
    );
  assert.match(call('set_sync_master', { upload: true, download: true }), '"code":0');
  await lane.until('its message server', async () => call('start_sync', {}).includes('"code":0'));
  assert.match(call('get_sync_pairing_code', {}), '"pairingCode"');
  const pid = lane.in('pgrep', '-x', 'nats-server');
  assert.match(lane.in('readlink', `/proc/${pid}/exe`), '/opt/laneware/releases/');
  assert.match(call('set_sync_standalone', {}), '"code":0');
});

test('a stranger of the network gets no answer without the token', async () => {
  const { status } = await lane.get(1234, '/getDriverSettings', { headers: { authorization: '' } });
  assert.is(status, 401);
});

test('is killed and comes back', async () => {
  const began = performance.now();
  await lane.anotherProcess((pid) => lane.in('kill', '-KILL', pid));
  await lane.answers('1.0.0');
  logTime('killed, back', began);
  assert.is(lane.property('NRestarts'), '1');
});

test('hangs and is restarted by the watchdog', async () => {
  const began = performance.now();
  await lane.anotherProcess((pid) => lane.in('kill', '-STOP', pid));
  await lane.answers('1.0.0');
  logTime('hung, back', began);
  assert.match(lane.in('journalctl', '-u', 'laneware', '--no-pager', '-o', 'cat'), 'Watchdog timeout');
});

const INTERRUPTED = 130;
/** What a command of the documents has to print, beside ending well. */
const SAYS: Readonly<Record<string, RegExp>> = { status: /active \(running\)/, '-n': /laneware/, '-f': /laneware/ };

test('every command that the documents give for a board under systemd works there', async () => {
  await lane.powerOff();
  await lane.boot(); // the log of the start before needs one
  // the ports answer before systemd has taken note of it
  await lane.until('the service', async () => lane.property('ActiveState') === 'active');
  for (const command of UNDER_SYSTEMD) {
    const typed = command.replace(/^sudo /, '');
    // who follows the log never ends by itself, and says by its exit code that it was interrupted
    const follows = typed.split(' ').includes('-f');
    const { code, text } = lane.try('sh', '-c', follows ? `timeout --preserve-status --signal=INT 3 ${typed}` : typed);
    assert.is(code, follows ? INTERRUPTED : 0, `${command}: ${text}`);
    for (const [option, words] of Object.entries(SAYS))
      if (typed.split(' ').includes(option)) assert.match(text, words, command);
    await lane.answers('1.0.0');
  }
  await lane.until(
    'the inspector',
    async () => lane.try('curl', '-sf', 'http://127.0.0.1:9229/json/version').code === 0,
  );
  lane.in('systemctl', 'restart', 'laneware');
  await lane.answers('1.0.0');
});

/** Whether the device's own process may do it, in the words of polkit. */
function may(action: string, details: Record<string, string> = {}): boolean {
  const given = Object.entries(details).flatMap(([key, value]) => ['--detail', key, value]);
  return lane.try('pkcheck', '--action-id', action, '--process', lane.property('MainPID'), ...given).code === 0;
}

test('may set the clock, reboot, reset itself, update and go back, and nothing else', () => {
  const units = 'org.freedesktop.systemd1.manage-units';
  for (const action of ['timedate1.set-time', 'timedate1.set-ntp', 'timedate1.set-timezone', 'login1.reboot'])
    assert.ok(may(`org.freedesktop.${action}`), action);
  assert.ok(may(units, { unit: 'laneware-factory-reset.service', verb: 'start' }));
  for (const unit of ['laneware-update-now.service', 'laneware-rollback.service'])
    assert.ok(may(units, { unit, verb: 'start' }), unit);
  for (const action of ['login1.power-off', 'hostname1.set-hostname', 'systemd1.reload-daemon'])
    assert.not.ok(may(`org.freedesktop.${action}`), action);
  assert.not.ok(may(units, { unit: 'laneware-factory-reset.service', verb: 'stop' }));
  assert.not.ok(may(units, { unit: 'laneware-update.service', verb: 'start' }));
  assert.not.ok(may(units));
});

const WAY = '/etc/laneware/remote';
const WAY_UNIT = 'laneware-remote@20.service';
/** What the chain would install: it says how it is called, and holds the way open. */
const WAY_PROGRAM = '#!/bin/sh\necho "the way is asked to go $1"\n[ "$1" = down ] || exec sleep infinity\n';

interface Trail {
  readonly lines: readonly { readonly deed: string; readonly what: object; readonly outcome: string }[];
}

/** What the audit trail says of the way in, newest first. */
function waysIn(): unknown[] {
  const { lines }: Trail = JSON.parse(lane.in('curl', '-sf', 'http://127.0.0.1:8080/console/api/audit?limit=1000'));
  return lines.filter(({ deed }) => deed.startsWith('remote')).map(({ deed, what, outcome }) => [deed, what, outcome]);
}

const openWay = (by: string) => lane.try('lanectl', 'remote', 'on', '--by', by, '--minutes', '20');
const asked = (by: string) => ['remote-asked-for', { by, minutes: 20 }, 'done'];
const ended = (by: string, how: string) => ['remote-ended', { how, by }, 'done'];

test('opens no way in for technicians where the chain has installed none', () => {
  assert.is.not(openWay('Sidorov').code, 0);
  assert.equal(waysIn(), [asked('Sidorov')]);
});

test('opens the way in of the chain, and closes it by itself when its time is over', async () => {
  writeFileSync(join(lane.mount, WAY), WAY_PROGRAM, { mode: 0o755 });
  const { code, text } = openWay('Ivanova');
  assert.is(code, 0, text);
  assert.is(lane.property('ActiveState', WAY_UNIT), 'active');
  const group = lane.property('ControlGroup', WAY_UNIT);
  assert.match(lane.in('ps', '-o', 'cgroup=', '-C', 'sleep'), group);
  assert.equal(waysIn()[0], asked('Ivanova'));
  assert.is(lane.in('lanectl', 'remote', 'off'), 'closed');
  assert.equal(waysIn()[0], ended('Ivanova', 'closed'));

  // the same, with seconds in place of the minutes
  const began = lane.in('systemctl', 'cat', WAY_UNIT).match(/^ExecStart=.* %im .*$/m)?.[0] ?? '';
  const inSeconds = `[Service]\nExecStart=\n${began.replace('%im', '%is')}\n`;
  const folder = '/run/systemd/system/laneware-remote@.service.d';
  lane.in('sh', '-c', `mkdir -p ${folder}; printf '${inSeconds.replaceAll('%', '%%')}' >${folder}/seconds.conf`);
  lane.in('systemctl', 'daemon-reload');
  assert.is(openWay('Petrova').code, 0);
  await lane.until('the end of the way', async () => lane.property('ActiveState', WAY_UNIT) === 'inactive');
  assert.is(lane.property('Result', WAY_UNIT), 'success');
  assert.equal(waysIn(), [
    ended('Petrova', 'time'),
    asked('Petrova'),
    ended('Ivanova', 'closed'),
    asked('Ivanova'),
    asked('Sidorov'),
  ]);
  lane.in('journalctl', '--sync');
  const said = lane.in('journalctl', '-b', '-u', WAY_UNIT, '--no-pager', '-o', 'cat').match(/asked to go \w+/g) ?? [];
  assert.equal(
    said,
    ['up', 'down', 'up', 'down'].map((way) => `asked to go ${way}`),
  );
});

/** Mounts a medium of the kind that knows no owners, as a technician's line of /etc/fstab does. */
const MOUNT = ['mount', '-t', 'tmpfs', '-o', 'uid=laneware,gid=laneware,mode=0700', 'tmpfs', '/media/laneware'];

test('keeps a second copy of the ledger on a medium, and exports to it, whenever that is mounted', async () => {
  const copies = () => lane.try('sh', '-c', 'ls -d /media/laneware/*/money.journal').code === 0;
  const complains = async () =>
    (await lane.get(1234, '/health')).text.includes('The copy of the ledger in /media/laneware/');
  const exportTo = (path: string) => lane.post(1234, '/exportToCSV', { path }); // which looks at the copies, too
  lane.in('sed', '-i', 's|"terminal": {|& "ledgerCopyDir": "/media/laneware",|', '/etc/laneware/config.json');
  lane.in('systemctl', 'restart', 'laneware.service');
  await lane.answers('1.0.0');
  await setUpBank(lane, 'Static');
  assert.is((await exportTo('payments.csv')).status, 200);
  assert.ok(await complains());
  assert.not.ok(copies()); // nor is it written to the card instead
  lane.in(...MOUNT);
  const { status, text } = await exportTo('/media/laneware/payments.csv');
  assert.is(status, 200, text);
  assert.ok(copies());
  assert.not.ok(await complains());
  lane.in('systemctl', 'restart', 'laneware.service'); // from now on it is there before the device
  await lane.answers('1.0.0');
  assert.is((await exportTo('/media/laneware/payments.csv')).status, 200);
  lane.in('umount', '/media/laneware');
  assert.not.ok(copies());
});

test('exports to no folder that only the device itself can see', async () => {
  const { status, text } = await lane.post(1234, '/exportToCSV', { path: '/tmp/payments.csv' });
  assert.is(status, 400, text);
  assert.match(text, '(/var/lib/laneware/exports, /media/laneware)');
});

test('is updated from a stick, and the new release runs', async () => {
  const began = performance.now();
  const file = stick(sibling(arch, '1.1.0'));
  const run = lane.try(OTA, 'update', '--from', file);
  logTime('update', began);
  assert.is(run.code, 0, run.text);
  await lane.answers('1.1.0');
});

/** What a person mistypes at night, and the way back. */
async function withTypo(during: () => Promise<void>): Promise<void> {
  lane.in('sed', '-i.before', 's/"port": 1234/"port": "till"/', SETTINGS);
  await during();
  lane.in('mv', `${SETTINGS}.before`, SETTINGS);
  lane.in('chown', ':laneware', SETTINGS);
  lane.in('systemctl', 'restart', 'laneware.service');
  await lane.answers('1.1.0');
}

const onLastGood = async () =>
  (await lane.get(1234, '/health')).text.includes('the last good configuration is in force');

test('runs with the last good configuration while the present one is wrong', async () => {
  await withTypo(async () => {
    lane.in('systemctl', 'restart', 'laneware.service');
    await lane.answers('1.1.0');
    assert.ok(await onLastGood());
  });
  assert.not.ok(await onLastGood());
});

test('a wrong configuration, and none before it, ends the device; no release is blamed', async () => {
  lane.in('systemctl', 'stop', 'laneware.service');
  lane.in('rm', '/var/lib/laneware/config.last-good.json');
  await withTypo(async () => {
    assert.is.not(lane.try('systemctl', 'restart', 'laneware.service').code, 0);
    assert.is(lane.property('ExecMainStatus'), '78');
    await rescueEnds();
    assert.is(lane.property('ActiveState'), 'failed');
  });
  assert.not.match(lane.in(OTA, 'status'), /^failed +1\.1\.0/m);
});

test('a release that ends again and again, an hour apart, gives way to the one before', async () => {
  // the one before was killed and hung above, and so may this one be as often, and three times more
  const noted = (version: string, key: string): number => {
    const notes = lane.try('cat', `/var/lib/laneware-update/ends/${version}`).text;
    return Number(new RegExp(`^${key}=(\\d+)$`, 'm').exec(notes)?.[1] ?? 0);
  };
  const enough = Math.max(noted('1.0.0', 'ends'), noted('1.0.0', 'day')) + 4;
  for (let ends = noted('1.1.0', 'ends'); ends < enough; ends++) {
    await lane.answers('1.1.0');
    // the end before was an hour ago, as far as is noted
    const before = `uptime=$(($(cut -d . -f 1 /proc/uptime) - 3600))`;
    lane.in('sh', '-c', `sed -i "s/^uptime=.*/${before}/" /var/lib/laneware-update/ends/1.1.0`);
    lane.in('systemctl', 'reset-failed', 'laneware.service'); // an hour ends the count of starts, too
    await lane.anotherProcess((pid) => lane.in('kill', '-KILL', pid)); // any other signal it closes at in order
    await lane.answers();
  }
  await lane.answers('1.0.0');
  assert.match(
    lane.in(OTA, 'status'),
    new RegExp(`^failed +1\\.1\\.0: it ended ${enough} times in its first day`, 'm'),
  );
  assert.is(lane.try(OTA, 'update', '--from', stick(sibling(arch, '1.1.0')), '--retry').code, 0);
  await lane.answers('1.1.0');
});

test('the timer updates nothing while the shop may be open', async () => {
  const file = stick(sibling(arch, '1.2.0', true));
  const [hour = 0] = lane.in('date', '+%H').split(':').map(Number);
  const at = (later: number) => `${String((hour + later) % 24).padStart(2, '0')}:00`;
  lane.in('sed', '-i', `s|^source=.*|source=${file}|; s|^closed=.*|closed=${at(2)}-${at(8)}|`, UPDATES);
  assert.is(lane.try('systemctl', 'start', 'laneware-update.service').code, 0);
  assert.is(lane.property('ExecMainStatus', 'laneware-update.service'), '4');
  const words = lane.in('journalctl', '-u', 'laneware-update', '--no-pager', '-o', 'cat');
  assert.match(words, /the shop may be open: updates are installed from|nothing vouches for the clock/);
  assert.match(lane.in(OTA, 'status'), /^last +1\.1\.0 was installed$/m);
  lane.in('sed', '-i', 's|^closed=.*|closed=any|', UPDATES);
});

test('systemd updates it by a source to a release that does not start, and it goes back itself', async () => {
  const file = stick(sibling(arch, '1.2.0', true));
  lane.in('sed', '-i', `s|^source=.*|source=${file}|; s|^gate_seconds=.*|gate_seconds=10|`, UPDATES);
  const began = performance.now();
  const run = lane.try('systemctl', 'start', 'laneware-update.service');
  logTime('broken update, back', began);
  assert.is.not(run.code, 0);
  await lane.answers('1.1.0');
  assert.match(lane.in(OTA, 'status'), '1.2.0 was undone: it did not start');
});

test('takes another key at night, in the sandbox of its unit', () => {
  const [work, bundle] = [mkdtempSync(join(LAB, 'keys-')), join(PROJECT, 'scripts/release/bundle.sh')];
  try {
    const next = join(work, 'next.pem');
    makePlainKey(next);
    const trusted = ['--trust', PUBLIC_KEY, '--trust', join(work, 'next.pub.pem')];
    sh(bundle, '--key', KEY, ...trusted, '--out', join(lane.mount, 'mnt'));
    lane.try('systemctl', 'start', 'laneware-update.service'); // the release there is refused: it was undone before
    assert.match(lane.in(OTA, 'status'), /^keys +[0-9a-f]{16} [0-9a-f]{16} \(statement 1\)$/m);
  } finally {
    rmSync(work, { recursive: true });
  }
});

test('a crash loop after an update ends in the release before', async () => {
  const began = performance.now();
  // what a fault that only shows later does: the process ends again and again
  lane.in('mkdir', '-p', '/run/systemd/system/laneware.service.d');
  lane.in(
    'sh',
    '-c',
    'cp /opt/laneware/current/bundle/main.js /root/main.js; echo "process.exit(3)" > /opt/laneware/releases/1.1.0/bundle/main.js',
  );
  lane.in('systemctl', 'kill', '--signal', 'KILL', 'laneware.service');
  await lane.answers('1.0.0');
  logTime('crash loop, back', began);
  assert.match(lane.in(OTA, 'status'), /^good +1\.0\.0$/m);
  // its rescue holds the lock of updates a little longer, and a factory reset would rightly be refused
  await rescueEnds();
});

test('a factory reset empties the data and starts the device as new', async () => {
  lane.in('sh', '-c', 'echo kept > /var/lib/laneware/learnt');
  await lane.anotherProcess(() => lane.in('systemctl', 'start', '--no-block', 'laneware-factory-reset.service'));
  await lane.answers('1.0.0');
  assert.is(lane.try('cat', '/var/lib/laneware/learnt').code, 1);
});

test('a factory reset is refused while an update is on its way', async () => {
  lane.in(
    'sh',
    '-c',
    'printf "state=download\\n" > /var/lib/laneware-update/state; echo kept > /var/lib/laneware/learnt',
  );
  lane.try('systemctl', 'start', 'laneware-factory-reset.service');
  await lane.answers('1.0.0');
  assert.is(lane.in('cat', '/var/lib/laneware/learnt'), 'kept');
  lane.in(OTA, 'recover');
});

test('an image’s board starts only after a good first boot, and then at every boot', async () => {
  const needed = '/etc/systemd/system/laneware.service.requires';
  lane.in('mkdir', '-p', needed, '/etc/hostname.new'); // the second is what the first boot fails at
  lane.in('ln', '-s', '/etc/systemd/system/laneware-firstboot.service', needed);
  lane.in('systemctl', 'daemon-reload');
  assert.match(lane.try('systemctl', 'restart', 'laneware.service').text, 'dependency');
  assert.is(lane.property('MainPID'), '0');
  lane.try('systemctl', 'stop', 'laneware-rescue.service'); // it would start the device by itself after a pause
  lane.in('rmdir', '/etc/hostname.new');
  lane.in('systemctl', 'start', 'laneware.service');
  await lane.answers('1.0.0');
  const identity = lane.in('cat', '/etc/laneware/identity');
  await lane.powerOff();
  await lane.boot();
  assert.is(lane.in('cat', '/etc/laneware/identity'), identity);
});

test('goes off in good order', async () => {
  const began = performance.now();
  await lane.powerOff();
  logTime('power off', began);
});

test.run();
