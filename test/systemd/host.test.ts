/** What the device asks of its system, over a real D-Bus with stand-ins for systemd's services at the far end. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DBusError, interface as dbusInterface, type MessageBus, sessionBus } from 'dbus-next';
import * as assert from 'uvu/assert';
import { HostError, NO_HOST } from '../../firmware/core/host/host.ts';
import { openHost, SystemdHost } from '../../firmware/core/host/systemd-host.ts';
import { missingPrograms, suiteNeeding } from '../needing.ts';
import { failed } from '../support.ts';

const host = suiteNeeding(missingPrograms('dbus-daemon'), 'the host behind systemd');
const folder = mkdtempSync(join(tmpdir(), 'laneware-host-'));
const busAddress = `unix:path=${join(folder, 'bus.sock')}`;
const stateFile = join(folder, 'state');

/** Every call in order, and how the next one fails. */
const calls: string[] = [];
let refusal: DBusError | null = null;
let followsNetwork = false;

function note(call: string): void {
  calls.push(call);
  if (refusal !== null) throw refusal;
}

const { Interface } = dbusInterface;

class TimeDate extends Interface {
  get NTP(): boolean {
    return followsNetwork;
  }
  SetTime(microseconds: bigint, relative: boolean): void {
    note(`SetTime ${microseconds} ${relative}`);
  }
  SetNTP(on: boolean): void {
    calls.push(`SetNTP ${on}`);
  }
  SetTimezone(zone: string, interactive: boolean): void {
    note(`SetTimezone ${zone} ${interactive}`);
  }
}
TimeDate.configureMembers({
  properties: { NTP: { signature: 'b', access: 'read' } },
  methods: { SetTime: { inSignature: 'xbb' }, SetNTP: { inSignature: 'bb' }, SetTimezone: { inSignature: 'sb' } },
});

class Login extends Interface {
  Reboot(interactive: boolean): void {
    note(`Reboot ${interactive}`);
  }
}
Login.configureMembers({ methods: { Reboot: { inSignature: 'b' } } });

class Manager extends Interface {
  StartUnit(unit: string, mode: string): string {
    note(`StartUnit ${unit} ${mode}`);
    return '/org/freedesktop/systemd1/job/1';
  }
}
Manager.configureMembers({ methods: { StartUnit: { inSignature: 'ss', outSignature: 'o' } } });

let daemon: ChildProcess;
let bus: MessageBus;

host.before(async () => {
  daemon = spawn(
    'dbus-daemon',
    ['--session', '--nofork', '--nopidfile', '--print-address=1', `--address=${busAddress}`],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  await new Promise((resolve) => daemon.stdout?.once('data', resolve));
  bus = sessionBus({ busAddress });
  bus.export('/org/freedesktop/timedate1', new TimeDate('org.freedesktop.timedate1'));
  bus.export('/org/freedesktop/login1', new Login('org.freedesktop.login1.Manager'));
  bus.export('/org/freedesktop/systemd1', new Manager('org.freedesktop.systemd1.Manager'));
  for (const name of ['timedate1', 'login1', 'systemd1']) await bus.requestName(`org.freedesktop.${name}`, 0);
});
host.before.each(() => {
  calls.length = 0;
  refusal = null;
  followsNetwork = false;
  rmSync(stateFile, { force: true });
});
host.after(() => {
  bus.disconnect();
  daemon.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

const device = (env: NodeJS.ProcessEnv = {}): SystemdHost =>
  new SystemdHost({ ...process.env, DBUS_SYSTEM_BUS_ADDRESS: busAddress, ...env }, stateFile);

const failure = (work: Promise<void>) => failed(HostError, work);

host('the clock is set to the microsecond', async () => {
  await device().setTime(1_742_894_010, 615_948);
  assert.equal(calls, ['SetTime 1742894010615948 false']);
});

host('a clock that follows the network is let go for the call and then follows again', async () => {
  followsNetwork = true;
  await device().setTime(1_742_894_010, 0);
  assert.equal(calls, ['SetNTP false', 'SetTime 1742894010000000 false', 'SetNTP true']);
});

host('it follows again even when the time was refused', async () => {
  followsNetwork = true;
  refusal = new DBusError('org.freedesktop.DBus.Error.InvalidArgs', 'Invalid absolute time');
  const error = await failure(device().setTime(-1, 0));
  assert.is(error.code, 'FAILED');
  assert.match(error.message, 'Invalid absolute time');
  assert.is(calls.at(-1), 'SetNTP true');
});

host('the zone is set, for this process too, unless the system refuses', async () => {
  const { TZ: before } = process.env;
  const offset = () => new Date(Date.UTC(2026, 0, 1)).getTimezoneOffset();
  try {
    await device().setZone('Asia/Tokyo');
    assert.equal([calls, offset()], [['SetTimezone Asia/Tokyo false'], -540]);
    refusal = new DBusError('org.freedesktop.DBus.Error.InvalidArgs', 'Invalid time zone');
    await failure(device().setZone('Europe/Moscow'));
    assert.is(offset(), -540);
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
});

host('reboot asks for no password', async () => {
  await device().reboot();
  assert.equal(calls, ['Reboot false']);
});

host('looking for a release and going back start their own units, and none during an update', async () => {
  await device().update();
  await device().rollBack();
  assert.equal(calls, ['StartUnit laneware-update-now.service replace', 'StartUnit laneware-rollback.service replace']);
  writeFileSync(stateFile, 'state=gate\n');
  for (const call of [device().update(), device().rollBack()])
    assert.is((await failure(call)).code, 'UPDATE_IN_PROGRESS');
  assert.is(calls.length, 2);
});

host('what polkit refuses says so', async () => {
  refusal = new DBusError(
    'org.freedesktop.DBus.Error.InteractiveAuthorizationRequired',
    'Interactive authentication required.',
  );
  assert.is((await failure(device().reboot())).code, 'NOT_PERMITTED');
});

host('factory reset starts its unit', async () => {
  await device().factoryReset();
  assert.equal(calls, ['StartUnit laneware-factory-reset.service replace']);
});

for (const state of ['check', 'download', 'unpack', 'gate', 'undo']) {
  host(`factory reset is refused while the update is at "${state}"`, async () => {
    writeFileSync(stateFile, `state=${state}\nversion=1.1.0\n`);
    assert.is(device().updateInProgress(), true);
    assert.is((await failure(device().factoryReset())).code, 'UPDATE_IN_PROGRESS');
    assert.equal(calls, []);
  });
}

host('a machine without a system bus is reported as such', async () => {
  const env = { DBUS_SYSTEM_BUS_ADDRESS: `unix:path=${join(folder, 'none.sock')}` };
  assert.is((await failure(device(env).reboot())).code, 'UNAVAILABLE');
});

host('a machine without systemd is reported as such', async () => {
  assert.is((await failure(device({ PATH: '/nowhere' }).reboot())).code, 'UNAVAILABLE');
});

host('a process that systemd did not start commands nothing', async () => {
  assert.is(openHost({}), NO_HOST);
  assert.is((await failure(NO_HOST.reboot())).code, 'UNAVAILABLE');
  assert.instance(openHost({ NOTIFY_SOCKET: '/run/systemd/notify' }), SystemdHost);
});

host.run();
