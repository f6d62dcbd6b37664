/** `lanectl remote`: who and how long before anything opens, and a unit that ends by itself. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freePort } from '../ports.ts';
import { ROOT } from '../root.ts';
import { call, each, opening, startTestDevice, temporaryFolder } from '../support.ts';
import { ends, lanectlApart as lanectl, leadingTo } from './lanectl.ts';

const remote = suite('lanectl remote');
const it = each(remote, opening(temporaryFolder));
const UNIT = readFileSync(join(ROOT, 'systemd/laneware-remote@.service'), 'utf8');

/** What `systemctl` is asked for, in its place; it fails at one of its commands. */
function systemctlIn(folder: string, failing = 'none') {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const script = `#!/bin/sh\necho "$@" >>${folder}/asked\n[ "$1" != ${failing} ] || { echo why >&2; exit 3; }\n`;
  writeFileSync(join(bin, 'systemctl'), script);
  chmodSync(join(bin, 'systemctl'), 0o755);
  return { PATH: `${bin}:${process.env.PATH}` };
}

const ON = ['remote', 'on', '--by', 'Иванова', '--minutes', '60'];
const START = [
  `link --runtime --force ${ROOT}/systemd/laneware-remote@.service`,
  'stop laneware-remote@*.service',
  'start laneware-remote@60.service',
  'is-active laneware-remote@60.service',
];
const askedIn = (folder: string): string[] => readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n');

it('the audit trail says who and how long, and then the unit of so many minutes is started', async (folder) => {
  await using device = await startTestDevice();
  const env = { ...leadingTo(device), ...systemctlIn(folder.path) };
  await ends('ok', lanectl(ON, { env }));
  assert.equal(askedIn(folder.path), START);
  const { body } = await call(`${device.recognition}/console/api/audit`);
  const [{ deed, what, outcome }] = body.lines.filter((line: { deed: string }) => line.deed.startsWith('remote'));
  const line = { deed, what, outcome };
  assert.equal(line, { deed: 'remote-asked-for', what: { by: 'Иванова', minutes: 60 }, outcome: 'done' });
  await ends('ok', lanectl(['remote', 'off'], { env }));
  assert.is(askedIn(folder.path).at(-1), 'stop laneware-remote@*.service');
});

it('a device that refuses keeps it closed; one that does not run does not, and that is said', async (folder) => {
  await using device = await startTestDevice();
  const path = systemctlIn(folder.path);
  const nameless = await lanectl(['remote', 'on', '--by', '', '--minutes', '60'], {
    env: { ...leadingTo(device), ...path },
  });
  assert.is(nameless.code, 2, nameless.stderr);
  assert.throws(() => askedIn(folder.path), /ENOENT/);
  const closed = { ...path, LANEWARE_RECOGNITION_URL: `http://127.0.0.1:${await freePort()}` };
  await ends('ok', lanectl(ON, { env: closed }), 'its audit trail does not say who');
  assert.equal(askedIn(folder.path), START);
});

it('the unit has the trail say how it ended, and whose it was', async (folder) => {
  await using device = await startTestDevice();
  const env = { ...leadingTo(device), ...systemctlIn(folder.path) };
  for (const by of ['Петров', 'Иванова'])
    await ends('ok', lanectl(['remote', 'on', '--by', by, '--minutes', '60'], { env }));
  const [, command = ''] = /^ExecStopPost=-\+\/opt\/laneware\/current\/scripts\/lanectl\.sh (.*)$/m.exec(UNIT) ?? [];
  const said = [
    [{ SERVICE_RESULT: 'success', EXIT_CODE: 'exited', EXIT_STATUS: '124' }, 'time'],
    [{ SERVICE_RESULT: 'timeout', EXIT_CODE: 'killed', EXIT_STATUS: 'TERM' }, 'time'],
    [{ SERVICE_RESULT: 'success', EXIT_CODE: 'killed', EXIT_STATUS: 'TERM' }, 'closed'],
    [{ SERVICE_RESULT: 'exit-code', EXIT_CODE: 'exited', EXIT_STATUS: '143' }, 'closed'],
    [{ SERVICE_RESULT: 'exit-code', EXIT_CODE: 'exited', EXIT_STATUS: '255' }, 'failed'],
    [{ SERVICE_RESULT: 'success', EXIT_CODE: 'exited', EXIT_STATUS: '0' }, 'failed'],
  ] as const;
  for (const [result, how] of said) {
    await ends('ok', lanectl(command.split(' '), { env: { ...env, ...result } }));
    const { body } = await call(`${device.recognition}/console/api/audit`);
    const [{ deed, what }] = body.lines;
    assert.equal({ deed, what }, { deed: 'remote-ended', what: { how, by: 'Иванова' } }, JSON.stringify(result));
  }
});

it('a unit that was skipped is not called open, nor is one longer than a shift', async (folder) => {
  await using device = await startTestDevice();
  const env = { ...leadingTo(device), ...systemctlIn(folder.path, 'is-active') };
  const { code, stdout } = await lanectl(ON, { env });
  assert.equal([code, stdout], [1, '']);
  for (const minutes of ['0', '481', 'x'])
    assert.is((await lanectl(['remote', 'on', '--by', 'a', '--minutes', minutes], { env })).code, 2);
});

/** What a unit runs, by a setting, for so many minutes, of a program in a folder. */
const commandOf = (setting: string, minutes: string, folder: string): string[] =>
  (new RegExp(`^${setting}=-?(.*)$`, 'm').exec(UNIT)?.[1] ?? '')
    .replace('%i', minutes)
    .replace('/etc/laneware', folder)
    .split(' ');

it('the unit ends what it has opened when the time is over', async (folder) => {
  const program = join(folder.path, 'remote');
  writeFileSync(program, `#!/bin/sh\necho "$1" >>${folder.path}/said\n[ "$1" = up ] || exit 0\nexec sleep 1000\n`, {
    mode: 0o755,
  });
  const [timeout = '', ...rest] = commandOf('ExecStart', '0.01', folder.path);
  const { status } = spawnSync(timeout, rest);
  assert.match(UNIT, `\nSuccessExitStatus=${status}\n`);
  assert.is(status, 124);
  assert.match(UNIT, ' %im /etc/laneware/remote up\n');
  const [down = '', ...args] = commandOf('ExecStopPost', '1', folder.path);
  execFileSync(down, args);
  assert.is(readFileSync(join(folder.path, 'said'), 'utf8'), 'up\ndown\n');
  assert.not.match(UNIT, '\n[Install]');
});

remote.run();
