/** A process of backups that hangs in SQLite: the device sells and ends beside it, and it ends with who has started it. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFile } from '../../../firmware/core/files/database.ts';
import { startFirmware } from '../../process.ts';
import { childrenOf } from '../../runner/command.ts';
import { setUp, startTestDevice, temporaryFolder, until } from '../../support.ts';
import { showQR } from '../../terminal/device-calls.ts';
import { formOf, made, sell } from './rig.ts';

const test = suite('a process of backups that hangs');

const PROCESS_FILE = 'firmware/features/backup/process.ts';

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // it has ended
  }
};

/** Files that a process has open. */
const filesOf = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      return ''; // it was closed
    }
  });

test('it ends as soon as who has started it is gone', async () => {
  using folder = temporaryFolder();
  const [from, into] = ['from', 'into'].map((name) => join(folder.path, name)) as [string, string];
  for (const path of [from, into]) mkdirSync(path);
  using holder = openFile(join(from, 'money.db'));
  holder.exec('CREATE TABLE t (n); PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  const child = fork(PROCESS_FILE, { serialization: 'advanced', execArgv: [] });
  const ended = once(child, 'exit');
  child.send({ kind: 'copy', folder: from, into });
  await until('SQLite is at work', () => filesOf(child.pid ?? 0).includes(join(from, 'money.db')));
  child.disconnect();
  const [, signal] = await ended;
  assert.is(signal, 'SIGKILL');
});

test('the device sells beside it, and SIGTERM ends the device', async () => {
  using folder = temporaryFolder();
  let file: Buffer;
  {
    await using device = await startTestDevice({}, folder.path);
    await setUp(device);
    await sell(device, 100);
    file = await made(device);
  }
  const { program, urls } = await startFirmware(folder.path);
  await using _program = program;
  const body = formOf(file);
  const sent = fetch(`${urls.recognition}/console/api/backups/restore`, { method: 'POST', body }).catch(() => null);
  const judging = await until('the backup is judged', () =>
    childrenOf(program.child.pid ?? 0).find((pid) => commandOf(pid).includes(PROCESS_FILE)),
  );
  process.kill(judging, 'SIGSTOP');
  assert.is((await showQR(urls, 200)).status, 200);
  const ended = once(program.child, 'exit');
  program.child.kill('SIGTERM');
  assert.equal(await ended, [0, null]);
  await sent;
  if (commandOf(judging) !== '') process.kill(judging, 'SIGCONT');
  await until('it is gone', () => commandOf(judging) === '');
});

test.run();
