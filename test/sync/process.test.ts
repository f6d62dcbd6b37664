/** The whole firmware as a master: killed, started again, closed, and never more than it needs. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { needing } from '../needing.ts';
import { freePort } from '../ports.ts';
import { startFirmware } from '../process.ts';
import { call, temporaryFolder, until } from '../support.ts';
import { NO_SERVER } from './real-rig.ts';
import { serverUnit } from './server-unit.ts';

const processes = suite('synchronisation: the process of a master');
const test = needing(NO_SERVER, 'synchronisation: the process of a master', processes);

async function settingsOfMaster() {
  return {
    LANEWARE_SYNC_ROLE: 'master',
    LANEWARE_SYNC_HOST: '127.0.0.1',
    LANEWARE_SYNC_PORT: String(await freePort()),
  };
}

const serverOf = (folder: string): number => Number(readFileSync(join(folder, 'sync', 'server.pid'), 'utf8'));

function isAlive(pid: number): boolean {
  // a dead process that its parent has not waited for yet has no command line any more
  return existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
}

const synchronises = (recognition: string) =>
  until('synchronised', async () => (await call(`${recognition}/api/start_sync`, { method: 'POST' })).body.code === 0);

test('a master that is killed leaves a server that the next start ends, and its marks stay', async () => {
  using folder = temporaryFolder();
  const settings = await settingsOfMaster();
  const first = await startFirmware(folder.path, { settings });
  let orphan = 0;
  try {
    await synchronises(first.urls.recognition);
    await call(`${first.urls.recognition}/api/set_deletion_all_flag`, { json: { id: '7' } });
    orphan = serverOf(folder.path);
  } finally {
    await first.program.kill('SIGKILL');
  }
  assert.ok(isAlive(orphan));
  const second = await startFirmware(folder.path, { settings });
  try {
    await synchronises(second.urls.recognition);
    assert.is(isAlive(orphan), false);
    const { body } = await call(`${second.urls.recognition}/api/get_deletion_all_progress`);
    assert.equal(body.data, { id: '7', SNs: ['TEST0001'], items: [{ id: '7', SNs: ['TEST0001'] }] });
  } finally {
    const server = serverOf(folder.path);
    assert.is((await second.program.kill('SIGTERM')).code, 0);
    assert.is(isAlive(server), false);
  }
});

test('a program that has got the number of a server that was left behind goes on', async () => {
  using folder = temporaryFolder();
  const other = spawn('sleep', ['600'], { stdio: 'ignore' });
  try {
    const { pid = 0 } = other;
    mkdirSync(join(folder.path, 'sync'), { recursive: true });
    writeFileSync(join(folder.path, 'sync', 'server.pid'), String(pid));
    const { program, urls } = await startFirmware(folder.path, { settings: await settingsOfMaster() });
    try {
      await synchronises(urls.recognition);
      assert.is.not(serverOf(folder.path), pid);
      assert.ok(isAlive(pid));
    } finally {
      await program.kill('SIGTERM');
    }
  } finally {
    other.kill('SIGKILL');
  }
});

test('a master that is killed takes the server of its unit with it, and an earlier release runs one of its own in its place', async () => {
  using folder = temporaryFolder();
  await using unit = await serverUnit();
  const settings = await settingsOfMaster();
  const isolated = await startFirmware(folder.path, { settings, env: { MASTER_SOCKET: unit.socket } });
  const server = await synchronises(isolated.urls.recognition)
    .then(() => serverOf(folder.path))
    .finally(() => isolated.program.kill('SIGKILL'));
  await until('the end of its server', () => unit.pid === null);
  assert.is(isAlive(server), false);
  const earlier = await startFirmware(folder.path, { settings });
  try {
    await synchronises(earlier.urls.recognition);
    assert.is.not(serverOf(folder.path), server);
    assert.is(unit.pid, null);
  } finally {
    await earlier.program.kill('SIGTERM');
  }
  const again = await startFirmware(folder.path, { settings, env: { MASTER_SOCKET: unit.socket } });
  try {
    await synchronises(again.urls.recognition);
    assert.is(unit.pid, serverOf(folder.path));
  } finally {
    assert.is((await again.program.kill('SIGTERM')).code, 0);
  }
  assert.is(isAlive(serverOf(folder.path)), false);
});

test('only the owner can read the secrets of a master, and its configuration holds no seed', async () => {
  using folder = temporaryFolder();
  const { program, urls } = await startFirmware(folder.path, { settings: await settingsOfMaster() });
  try {
    await synchronises(urls.recognition);
    for (const file of ['key.pem', 'server.conf', 'certificate.pem'])
      assert.is(statSync(join(folder.path, 'sync', file)).mode & 0o077, 0, file);
    assert.not.match(readFileSync(join(folder.path, 'sync', 'server.conf'), 'utf8'), /SU[A-Z2-7]{56}/);
  } finally {
    await program.kill('SIGTERM');
  }
});

test('a standalone device starts no server and keeps nothing for one', async () => {
  using folder = temporaryFolder();
  const { program, urls } = await startFirmware(folder.path);
  try {
    assert.is((await call(`${urls.recognition}/api/start_sync`, { method: 'POST' })).body.code, -6312);
    assert.is(existsSync(join(folder.path, 'sync')), false);
  } finally {
    await program.kill('SIGTERM');
  }
});

processes.run();
