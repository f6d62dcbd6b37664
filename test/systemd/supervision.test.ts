/** How the process tells systemd of itself: through a `systemd-notify` on PATH that writes down what it is told. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { superviseBySystemd } from '../../firmware/host/systemd/supervision.ts';
import { ownAddress } from '../http/network.ts';
import { startTestDevice } from '../support.ts';

const supervision = suite('supervision by systemd');

const folders: string[] = [];
supervision.after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const WATCHDOG_MS = 300;
/** Long enough for several rounds on a slow machine; what is waited for usually comes much sooner. */
const PATIENCE_MS = 20_000;

const report = (state = 'ok', parts: object[] = []) => ({
  state,
  version: '1.2.3',
  serial: 'S',
  instance: 'i',
  ports: { terminal: 1234, recognition: 8080 },
  uptimeSeconds: 1,
  parts,
});
const healthy: RequestListener = (_request, response) => void response.end(JSON.stringify({ code: 0, data: report() }));

const quiet = { info: () => undefined, warn: () => undefined };

interface Lane {
  readonly env: NodeJS.ProcessEnv;
  readonly folder: string;
  told(): string[];
  toldBy(word: string, count?: number): Promise<void>;
}

function lane(extra: NodeJS.ProcessEnv = { WATCHDOG_USEC: `${WATCHDOG_MS * 1000}` }): Lane {
  const folder = mkdtempSync(join(tmpdir(), 'laneware-notify-'));
  folders.push(folder);
  const file = join(folder, 'told');
  writeFileSync(file, '');
  writeFileSync(join(folder, 'systemd-notify'), `#!/bin/sh\nfor word; do echo "$word"; done >> ${file}\n`, {
    mode: 0o755,
  });
  const told = () => readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const toldBy = async (word: string, count = 1) => {
    const until = performance.now() + PATIENCE_MS;
    while (told().filter((line) => line.startsWith(word)).length < count) {
      if (performance.now() > until) throw new Error(`systemd was never told ${word}: ${told().join(', ')}`);
      await pause(20);
    }
  };
  const env = {
    NOTIFY_SOCKET: '/run/none',
    PATH: `${folder}:${process.env.PATH}`,
    RUNTIME_DIRECTORY: folder,
    ...extra,
  };
  return { env, folder, told, toldBy };
}

async function serve(handler: RequestListener): Promise<{ server: Server; url: string }> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function withDevice(
  handlers: { terminal: RequestListener; recognition: RequestListener },
  env: NodeJS.ProcessEnv,
  during: (stopping: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const terminal = await serve(handlers.terminal);
  const recognition = await serve(handlers.recognition);
  const { stopping } = await superviseBySystemd({
    env,
    pid: process.pid,
    urls: { terminal: terminal.url, recognition: recognition.url },
    log: quiet,
  }).then((watch) => ({ stopping: () => watch.stopping() }));
  try {
    await during(stopping);
  } finally {
    await stopping();
    for (const { server } of [terminal, recognition]) {
      server.closeAllConnections();
      server.close();
    }
  }
}

supervision('ready is told once both ports have answered, then a sign of life each round', async () => {
  const { env, told, toldBy } = lane();
  await withDevice({ terminal: healthy, recognition: healthy }, env, async () => {
    await toldBy('WATCHDOG=1', 2);
    assert.is(told()[0], 'READY=1');
    assert.is(told().filter((line) => line === 'READY=1').length, 1);
  });
});

supervision('a port that hangs after the start ends the signs of life', async () => {
  const { env, told, toldBy } = lane();
  let hangs = false;
  const terminal: RequestListener = (request, response) => {
    if (!hangs) healthy(request, response);
  };
  await withDevice({ terminal, recognition: healthy }, env, async () => {
    await toldBy('WATCHDOG=1');
    hangs = true;
    await pause(WATCHDOG_MS); // a round that was under way may still end
    const before = told().length;
    await pause(WATCHDOG_MS * 3);
    assert.is(told().length, before);
    hangs = false;
    await toldBy('WATCHDOG=1', told().filter((line) => line === 'WATCHDOG=1').length + 1);
  });
});

supervision('a port that answers with a failure of its own is no progress', async () => {
  const { env, told } = lane();
  const broken: RequestListener = (_request, response) => void response.writeHead(500).end('{}');
  await withDevice({ terminal: healthy, recognition: broken }, env, async () => {
    await pause(WATCHDOG_MS * 2);
    assert.equal(told(), []);
  });
});

supervision('hardware that is missing keeps the signs of life and is named in the status', async () => {
  const { env, told, toldBy } = lane();
  const parts = [{ part: 'display', state: 'degraded', reason: 'the display is not connected\nREADY=0', reasons: [] }];
  const degraded: RequestListener = (_request, response) =>
    void response.end(JSON.stringify({ status: 'success', health: report('degraded', parts) }));
  await withDevice({ terminal: degraded, recognition: healthy }, env, async () => {
    await toldBy('WATCHDOG=1', 2);
    const [status] = told().filter((line) => line.startsWith('STATUS='));
    assert.match(status ?? '', 'display: the display is not connected READY=0');
  });
});

supervision('a refusal counts as progress: the router is what refused', async () => {
  const { env, toldBy } = lane();
  const refusing: RequestListener = (_request, response) => void response.writeHead(403).end('{"status":"error"}');
  await withDevice({ terminal: refusing, recognition: refusing }, env, () => toldBy('WATCHDOG=1'));
});

supervision('the end is told, and the note of where the ports are is gone', async () => {
  const { env, folder, told } = lane();
  await withDevice({ terminal: healthy, recognition: healthy }, env, async (stopping) => {
    assert.match(readFileSync(join(folder, 'endpoints'), 'utf8'), /^terminal=http:.*\nrecognition=http:.*\n$/);
    await stopping();
    assert.ok(told().includes('STOPPING=1'));
    assert.throws(() => readFileSync(join(folder, 'endpoints')), /ENOENT/);
  });
});

supervision('a process that systemd did not start tells nothing', async () => {
  const { env, told } = lane();
  await withDevice(
    { terminal: healthy, recognition: healthy },
    { ...env, NOTIFY_SOCKET: undefined },
    async () => undefined,
  );
  assert.equal(told(), []);
});

supervision('without systemd-notify the device goes on', async () => {
  const { env } = lane();
  await withDevice({ terminal: healthy, recognition: healthy }, { ...env, PATH: '/nowhere' }, async () => undefined);
});

for (const host of ['127.0.0.1', '0.0.0.0', ...(ownAddress === undefined ? [] : [ownAddress])])
  supervision(
    `a device that listens on ${host} is asked over loopback, in plain HTTP and without a token`,
    async () => {
      const { env, folder, told } = lane({}); // no watchdog: a busy machine may take its time
      await using device = await startTestDevice({
        LANEWARE_TERMINAL_HOST: host,
        LANEWARE_RECOGNITION_HOST: host,
        LANEWARE_API_TOKENS_TECHNICIAN: 'made-up-token-of-the-technician',
        LANEWARE_API_ALLOW: '203.0.113.0/24',
      });
      const watch = await superviseBySystemd({ env, pid: process.pid, urls: device.device.urls, log: quiet });
      assert.is(told()[0], 'READY=1');
      assert.match(told().join(), /STATUS=\d+\.\d+\.\d+ degraded; settings/, 'the report itself, not a refusal');
      const endpoints = readFileSync(join(folder, 'endpoints'), 'utf8');
      assert.match(endpoints, /^terminal=http:\/\/127\.0\.0\.1:\d+\nrecognition=http:\/\/127\.0\.0\.1:\d+\n$/);
      await watch.stopping();
    },
  );

supervision.run();
