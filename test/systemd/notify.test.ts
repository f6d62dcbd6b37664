/** Notifications to systemd go through the program that systemd has for it: a stand-in on PATH writes it down. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pause } from '../../drivers/lib/async.ts';
import { superviseBySystemd } from '../../firmware/core/host/supervision.ts';
import { startTestDevice, temporaryFolder } from '../support.ts';

const notify = suite('systemd-notify');

/** More than a program that hangs is given. */
const PATIENCE_MS = 30_000;

notify('each word is an argument of its own, sent with the socket before anything follows', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'words');
  const program = `#!/bin/sh\nfor word; do echo "$NOTIFY_SOCKET $word"; done >>${file}\n`;
  writeFileSync(join(folder.path, 'systemd-notify'), program, { mode: 0o755 });
  await using device = await startTestDevice();
  const watch = await superviseBySystemd(
    { env: { NOTIFY_SOCKET: '/run/none', PATH: `${folder.path}:${process.env.PATH}` }, pid: process.pid },
    device.device.urls,
    { info: () => undefined, warn: () => undefined },
  );
  const words = () => readFileSync(file, 'utf8').trim().split('\n');
  assert.is(words()[0], '/run/none READY=1');
  assert.match(words()[1] ?? '', /^\/run\/none STATUS=\d+\.\d+\.\d+ /);
  await watch.stopping();
  assert.equal(words().slice(2), ['/run/none STOPPING=1', '/run/none STATUS=closing']);
});

notify('a systemd-notify that never ends is ended, whatever it takes, and the device goes on', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'pid');
  const program = `#!/bin/sh\ntrap '' TERM\necho $$ >${file}\nexec sleep 600\n`;
  writeFileSync(join(folder.path, 'systemd-notify'), program, { mode: 0o755 });
  await using device = await startTestDevice();
  const warned: string[] = [];
  const started = superviseBySystemd(
    { env: { NOTIFY_SOCKET: '/run/none', PATH: `${folder.path}:${process.env.PATH}` }, pid: process.pid },
    device.device.urls,
    { info: () => undefined, warn: (_about: object | string, text = '') => void warned.push(text) },
  );
  const over = new AbortController();
  const watch = await Promise.race([started, pause(PATIENCE_MS, over.signal)]);
  over.abort();
  const pid = Number(readFileSync(file, 'utf8'));
  const isRunning = existsSync(`/proc/${pid}`);
  if (isRunning) process.kill(pid, 'SIGKILL');
  writeFileSync(join(folder.path, 'systemd-notify'), '#!/bin/sh\n', { mode: 0o755 });
  await (watch ?? (await started)).stopping();
  assert.not(isRunning);
  assert.match(warned[0] ?? '', 'systemd could not be reached');
});

notify.run();
