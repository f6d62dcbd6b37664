/** The message server of a master that the system has no file or no process for: it is tried again until it runs. */
import { execFile } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NatsServer } from '../../firmware/sync/centre/server.ts';
import { temporaryFolder, until } from '../support.ts';

const test = suite('a message server that cannot be started');

const FEW_FILES = join(import.meta.dirname, 'without-files.ts');

test('while no file is free, and afterwards', async () => {
  using folder = temporaryFolder();
  const program = join(folder.path, 'server.sh');
  writeFileSync(program, '#!/bin/sh\nexec sleep 600\n');
  chmodSync(program, 0o755);
  const few = 'ulimit -n 80; exec "$0" "$@"';
  const { stdout } = await promisify(execFile)('bash', ['-c', few, process.execPath, FEW_FILES, program, folder.path]);
  assert.match(JSON.parse(stdout).problem, /^nats-server ended: .*EMFILE/);
});

test('where the system does not even take the call', async () => {
  using folder = temporaryFolder();
  const warned: unknown[] = [];
  const log = { info: () => undefined, warn: (about: unknown) => void warned.push(about) };
  const server = new NatsServer('no\0program', folder.path, false, log);
  server.start(1);
  await until('a word on it', () => warned.length > 0);
  assert.match(server.problem ?? '', /^nats-server ended: .*null bytes/);
  await server.stop();
});

test('whose last line has no end', async () => {
  using folder = temporaryFolder();
  const program = join(folder.path, 'server.sh');
  const line = "printf '[1] now [ERR] ' >&2; head -c 3000000 /dev/zero | tr '\\0' x >&2; echo >&2";
  writeFileSync(program, `#!/bin/sh\n${line}; exec sleep 600\n`);
  chmodSync(program, 0o755);
  const warned: string[] = [];
  const log = { info: () => undefined, warn: (about: object) => void warned.push(JSON.stringify(about)) };
  const server = new NatsServer(program, folder.path, false, log);
  server.start(1);
  await until('its line', () => warned.length > 0);
  assert.match(warned[0] ?? '', /xxx/);
  assert.ok((warned[0]?.length ?? 0) < 3000, `${warned[0]?.length} characters`);
  await server.stop();
});

test.run();
