/** The whole firmware as a master: killed, started again, closed, and never more than it needs. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suiteNeeding } from '../needing.ts';
import { freePort } from '../ports.ts';
import { startFirmware } from '../process.ts';
import { atEnd, call, each, opening, temporaryFolder, until } from '../support.ts';
import { NO_SERVER } from './real-rig.ts';
import { serverUnit } from './server-unit.ts';

const test = suiteNeeding(NO_SERVER, 'synchronisation: the process of a master');
const it = each(test, opening(temporaryFolder));

async function settingsOfMaster() {
  return {
    LANEWARE_SYNC_HOST: '127.0.0.1',
    LANEWARE_SYNC_PORT: String(await freePort()),
  };
}

const serverOf = (folder: string): number => Number(readFileSync(join(folder, 'sync', 'server.pid'), 'utf8'));

function isAlive(pid: number): boolean {
  // a dead process that its parent has not waited for yet has no command line any more
  return existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
}

const becomesMaster = (recognition: string) =>
  call(`${recognition}/api/set_sync_master`, { json: { upload: true, download: true } });

const synchronises = (recognition: string) =>
  until('synchronised', async () => (await call(`${recognition}/api/start_sync`, { method: 'POST' })).body.code === 0);

/** Ended as systemd ends it, so that it ends its server, too. */
async function started(...given: Parameters<typeof startFirmware>) {
  const { program, urls } = await startFirmware(...given);
  const end = async () => assert.is((await program.kill('SIGTERM')).code, 0);
  return { urls, [Symbol.asyncDispose]: end };
}

it('a master that is killed leaves a server that the next start ends, and its marks stay', async (folder) => {
  const settings = await settingsOfMaster();
  const first = await startFirmware(folder.path, { settings });
  let orphan = 0;
  {
    await using _killed = atEnd(() => first.program.kill('SIGKILL'));
    await becomesMaster(first.urls.recognition);
    await synchronises(first.urls.recognition);
    await call(`${first.urls.recognition}/api/set_deletion_all_flag`, { json: { id: '7' } });
    orphan = serverOf(folder.path);
  }
  assert.ok(isAlive(orphan));
  let server: number;
  {
    await using second = await started(folder.path, { settings });
    await synchronises(second.urls.recognition);
    assert.is(isAlive(orphan), false);
    const { body } = await call(`${second.urls.recognition}/api/get_deletion_all_progress`);
    assert.equal(body.data, { id: '7', SNs: ['TEST0001'], items: [{ id: '7', SNs: ['TEST0001'] }] });
    server = serverOf(folder.path);
  }
  assert.is(isAlive(server), false);
});

it('a program that has got the number of a server that was left behind goes on', async (folder) => {
  const other = spawn('sleep', ['600'], { stdio: 'ignore' });
  using _other = atEnd(() => other.kill('SIGKILL'));
  const { pid = 0 } = other;
  mkdirSync(join(folder.path, 'sync'), { recursive: true });
  writeFileSync(join(folder.path, 'sync', 'server.pid'), String(pid));
  await using device = await started(folder.path, { settings: await settingsOfMaster() });
  await becomesMaster(device.urls.recognition);
  await synchronises(device.urls.recognition);
  assert.is.not(serverOf(folder.path), pid);
  assert.ok(isAlive(pid));
});

it('a killed master takes its unit’s server with it, and an earlier release runs its own', async (folder) => {
  await using unit = await serverUnit();
  const settings = await settingsOfMaster();
  const isolated = await startFirmware(folder.path, { settings, env: { MASTER_SOCKET: unit.socket } });
  const server = await becomesMaster(isolated.urls.recognition)
    .then(() => synchronises(isolated.urls.recognition))
    .then(() => serverOf(folder.path))
    .finally(() => isolated.program.kill('SIGKILL'));
  await until('the end of its server', () => unit.pid === null);
  assert.is(isAlive(server), false);
  {
    await using earlier = await started(folder.path, { settings });
    await synchronises(earlier.urls.recognition);
    assert.is.not(serverOf(folder.path), server);
    assert.is(unit.pid, null);
  }
  {
    await using again = await started(folder.path, { settings, env: { MASTER_SOCKET: unit.socket } });
    await synchronises(again.urls.recognition);
    assert.is(unit.pid, serverOf(folder.path));
  }
  assert.is(isAlive(serverOf(folder.path)), false);
});

it('only the owner can read the secrets of a master, and its configuration holds no seed', async (folder) => {
  await using device = await started(folder.path, { settings: await settingsOfMaster() });
  await becomesMaster(device.urls.recognition);
  await synchronises(device.urls.recognition);
  for (const file of ['key.pem', 'server.conf', 'certificate.pem'])
    assert.is(statSync(join(folder.path, 'sync', file)).mode & 0o077, 0, file);
  assert.not.match(readFileSync(join(folder.path, 'sync', 'server.conf'), 'utf8'), /SU[A-Z2-7]{56}/);
});

it('a standalone device starts no server and keeps nothing for one', async (folder) => {
  await using device = await started(folder.path);
  assert.is((await call(`${device.urls.recognition}/api/start_sync`, { method: 'POST' })).body.code, -6312);
  assert.is(existsSync(join(folder.path, 'sync')), false);
});

test.run();
