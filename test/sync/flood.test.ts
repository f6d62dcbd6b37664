/** Strangers without a key before a master's server, on a network of their own. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { missingPrograms, suiteNeeding } from '../needing.ts';
import { ROOT } from '../root.ts';
import { until } from '../support.ts';
import type { ApiAnswer } from './lane-child.ts';
import { type Host, ip, Network, NO_NAMESPACES, SWITCH } from './network.ts';
import { NO_SERVER } from './real-rig.ts';

const test = suiteNeeding(
  NO_SERVER ?? NO_NAMESPACES ?? missingPrograms('nft'),
  'synchronisation: a flood of connections',
);
const run = promisify(execFile);

const BOTH = { upload: true, download: true };
const FLOOD = 2000;
/** Of 128 places of the server; one address may hold 26 of them, for 20 s. */
const MOST_HELD = 64;

/** How many of so many connections the server has greeted. */
async function greeted(from: Host, { address }: Host, port: number, count: number, source = ''): Promise<number> {
  const script = [join(ROOT, 'test/sync/flood-process.ts'), address, String(port), String(count), source];
  const { stdout } = await run('ip', ['netns', 'exec', from.name, process.execPath, ...script]);
  return Number(stdout);
}

/** A second subnet on the same cable, behind the router that the master asks for all it does not know. */
function addRouter(master: Host, stranger: Host): void {
  for (const address of ['10.77.0.254/24', '10.78.0.254/24']) ip('-n', SWITCH, 'addr', 'add', address, 'dev', 'sw0');
  for (const setting of ['ip_forward=1', 'conf.all.send_redirects=0', 'conf.sw0.send_redirects=0'])
    ip('netns', 'exec', SWITCH, 'sysctl', '-qw', `net.ipv4.${setting}`);
  ip('-n', stranger.name, 'addr', 'add', '10.78.0.9/24', 'dev', 'eth0');
  ip('-n', stranger.name, 'route', 'add', '10.77.0.0/25', 'via', '10.78.0.254', 'src', '10.78.0.9');
  ip('-n', master.name, 'route', 'add', 'default', 'via', '10.77.0.254');
}

test('a stranger takes few places, another subnet none, and the store goes on meanwhile', async () => {
  await using net = new Network();
  const master = await net.add('M', null, true);
  await master.must('set_sync_master', BOTH);
  while ((await master.ask<ApiAnswer>({ call: 'start_sync' })).code !== 0);
  const slave = await net.add('S1');
  const stranger = await net.add('X');
  const port = Number((await master.must('get_device_info')).mastersyncPort);
  const { pairingCode } = await master.must('get_sync_pairing_code');
  const flooding = greeted(stranger, master, port, FLOOD);
  await slave.must('set_sync_slave', { masterIP: master.address, mastersyncPort: port, ...BOTH, pairingCode });
  await slave.ask({ learn: { count: 1, bytes: 100 } });
  await until('it is there', async () => (await master.ask<string[]>({ held: true })).length === 1);
  const taken = await flooding;
  assert.ok(taken > 0 && taken <= MOST_HELD, `${taken} of ${FLOOD}`);
  // as a technician looks at them: sudo nft list table inet laneware_master
  const rules = await run('ip', ['netns', 'exec', master.name, 'nft', 'list', 'table', 'inet', 'laneware_master']);
  assert.match(rules.stdout, `tcp dport ${port}`);
  addRouter(master, stranger);
  const api = await stranger.ask<{ status: number }>({
    elsewhere: `http://${master.address}:${master.port}/api/start_sync`,
  });
  assert.is(api.status, 403, 'the other subnet reaches the device');
  assert.is(await greeted(stranger, master, port, 1, '10.78.0.9'), 0);
  assert.is(await greeted(slave, master, port, 1), 1);
});

test.run();
