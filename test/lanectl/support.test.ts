/** `lanectl support`: the bundle of a device that runs, and of one that does not start, from its files and its journal. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ALL_IN_ONE, foundIn, opened, PLANTED } from '../features/support/planted.ts';
import { freePort } from '../ports.ts';
import { CFT, each, opening, SCREEN, startTestDevice, temporaryFolder } from '../support.ts';
import { ends, lanectlApart as lanectl, leadingTo } from './lanectl.ts';

const support = suite('lanectl support');
const it = each(support, opening(temporaryFolder));
const closed = `http://127.0.0.1:${await freePort()}`;
const NOBODY = { LANEWARE_URL: closed, LANEWARE_RECOGNITION_URL: closed };
const AT = String(Date.parse('2026-11-21T08:00:00.000Z') * 1000);
const OURS = { __REALTIME_TIMESTAMP: AT, _PID: '77', _SYSTEMD_UNIT: 'laneware.service' };

/** What `journalctl -o json` prints, in its place. */
function journalOf(folder: string, entries: readonly object[]): { readonly PATH: string } {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(folder, 'journal'), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  writeFileSync(join(bin, 'journalctl'), `#!/bin/sh\necho "$@" >${folder}/asked\nexec cat ${folder}/journal\n`);
  chmodSync(join(bin, 'journalctl'), 0o755);
  return { PATH: `${bin}:${process.env.PATH}` };
}

const CRASH = `Error: ${ALL_IN_ONE}`;
const FRAME = '    at main (file:///opt/laneware/releases/0.9.0/firmware/device/run.ts:150:3)';

it('a device that does not start: its files and why it ended last, and no secret', async (folder) => {
  const data = join(folder.path, 'data');
  mkdirSync(data);
  const secrets = Object.entries(PLANTED);
  const profile = { ...CFT, password: PLANTED.bankPassword, [PLANTED.bankToken ?? '']: PLANTED.bankToken };
  const settings = { bankProfile: 'p', bankProfiles: { [ALL_IN_ONE.slice(0, 60)]: profile }, deviceConnection: SCREEN };
  writeFileSync(
    join(data, 'settings.json'),
    `laneware-kept-1 3 ${PLANTED.sealKey}\n${JSON.stringify({ settings, more: ALL_IN_ONE })}`,
  );
  writeFileSync(join(data, 'money.db'), ALL_IN_ONE);
  for (const [name, secret] of secrets) writeFileSync(join(data, `${name}-${secret.replaceAll('/', '')}`), secret);
  const config = join(folder.path, 'config.json');
  const api = { token: PLANTED.apiToken, tills: [{ name: PLANTED.purchaser, token: PLANTED.tillToken }] };
  writeFileSync(config, `\uFEFF// ${ALL_IN_ONE}\n${JSON.stringify({ api, terminal: { port: 1234 }, ...PLANTED })}`);
  const ended = { UNIT: 'laneware.service', UNIT_RESULT: 'exit-code', N_RESTARTS: '5', MESSAGE: ALL_IN_ONE };
  const exited = { UNIT: 'laneware.service', EXIT_CODE: 'exited', EXIT_STATUS: '78', MESSAGE: ALL_IN_ONE };
  const path = journalOf(folder.path, [
    { __REALTIME_TIMESTAMP: AT, _PID: '1', ...ended },
    { __REALTIME_TIMESTAMP: AT, _PID: '1', ...exited },
    { ...OURS, MESSAGE: FRAME },
    { ...OURS, MESSAGE: CRASH },
    { ...OURS, MESSAGE: [1, 2, 3] },
    {
      ...OURS,
      MESSAGE: JSON.stringify({
        level: 'warn',
        msg: 'no progress: systemd gets no sign of life',
        headers: PLANTED,
        code: ALL_IN_ONE,
      }),
    },
    ...secrets.map(([name, secret]) => ({
      ...OURS,
      UNIT_RESULT: secret,
      MESSAGE: `${name}: ${secret}`,
      [secret]: secret,
    })),
  ]);
  const file = join(folder.path, 'lane.zip');
  const env = { ...NOBODY, ...path, LANEWARE_DATADIR: data, LANEWARE_CONFIG: config };
  const { code, stderr } = await lanectl(['support', file], { env });
  assert.is(code, 0, stderr);
  assert.match(readFileSync(join(folder.path, 'asked'), 'utf8'), '-u laneware*');
  const parts = await opened(readFileSync(file));
  assert.equal(foundIn(parts), []);
  const document = (name: string) => JSON.parse(parts.get(name) ?? '');
  const { parts: states, freeDisk } = document('about.json');
  const silent = { 'health.json': 'missing: ECONNREFUSED', 'metrics.txt': 'missing: ECONNREFUSED' };
  assert.equal(Object.fromEntries(Object.entries(states).filter(([, state]) => state !== 'whole')), silent);
  assert.ok(freeDisk > 0);
  assert.equal(document('settings.json').deviceConnection, { connectionType: 'Screen' });
  assert.equal(document('config.json'), { terminal: { port: 1234 }, api: { token: true, tills: true } });
  const at = '2026-11-21T08:00:00.000Z';
  const unit = 'laneware.service';
  const [first, second, third, fourth, fifth, sixth] = (parts.get('log.jsonl') ?? '')
    .split('\n')
    .slice(0, 6)
    .map((line) => JSON.parse(line));
  assert.equal([first.result, first.restarts, second.code, second.exit], ['exit-code', '5', 'exited', '78']);
  assert.equal(third, { at, unit, line: { msg: '<withheld>', err: { stack: ['firmware/device/run.ts:150:3'] } } });
  assert.equal(fourth, { at, unit, line: { msg: '<withheld>', err: { stack: [] } } });
  assert.equal(fifth, { at, unit, line: { msg: '<withheld>', err: { stack: '<withheld>' } } });
  assert.equal(sixth.line, { level: 'warn', msg: 'no progress: systemd gets no sign of life', code: '<withheld>' });
});

it('a device that runs: its health and its figures', async (folder) => {
  const path = journalOf(folder.path, []);
  await using device = await startTestDevice();
  const file = join(folder.path, 'lane.zip');
  const env = { ...leadingTo(device), ...path, LANEWARE_DATADIR: device.dataDir };
  const { stdout } = await ends('ok', lanectl(['support', file, '--json'], { env }));
  assert.is(JSON.parse(stdout).file, file);
  const parts = await opened(readFileSync(file));
  assert.match(parts.get('health.json') ?? '', '"serial": "TEST0001"');
  assert.match(parts.get('metrics.txt') ?? '', 'process_resident_memory_bytes');
  assert.is(JSON.parse(parts.get('about.json') ?? '').parts['config.json'], 'missing: ENOENT');
});

it('a file that is there stays, and a full disk leaves none', async (folder) => {
  const file = join(folder.path, 'lane.zip');
  writeFileSync(file, 'of somebody');
  const env = { ...NOBODY, ...journalOf(folder.path, []), LANEWARE_DATADIR: folder.path };
  const there = await lanectl(['support', file], { env });
  assert.is(there.code, 1);
  assert.match(there.stderr, 'EEXIST');
  assert.is(readFileSync(file, 'utf8'), 'of somebody');
  const full = await lanectl(['support', '/dev/full'], { env });
  assert.is(full.code, 1);
  assert.ok(existsSync('/dev/full'));
});

it('the standard output takes it, where no disk has room', async (folder) => {
  const env = { ...process.env, ...NOBODY, ...journalOf(folder.path, []), LANEWARE_DATADIR: folder.path };
  const zip = execFileSync(process.execPath, ['firmware/lanectl/main.ts', 'support', '-'], { env });
  assert.is(zip.subarray(0, 2).toString(), 'PK');
});

support.run();
