/** How the process reports itself to systemd, in rounds that a test turns by hand. */
import { readFileSync, statSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { machineTime, type Timekeeper } from '../../firmware/core/host/clock.ts';
import { superviseBySystemd } from '../../firmware/core/host/supervision.ts';
import { ownAddress } from '../http/network.ts';
import { listening } from '../ports.ts';
import { startTestDevice, temporaryFolder, until } from '../support.ts';

const supervision = suite('supervision by systemd');

/** Of systemd; a port may be silent for a good part of it, which no healthy one here is. */
const PATIENT_MS = 3_600_000;
/** Where a port is silent for good: a round ends soon, and a healthy one that was slow has the next. */
const HASTY_MS = 300;

const report = (state = 'ok', parts: object[] = []) => ({
  state,
  sales: 'sells',
  version: '1.2.3',
  serial: 'S',
  instance: 'i',
  ports: { terminal: 1234, recognition: 8080 },
  uptimeSeconds: 1,
  parts,
});
const healthy: RequestListener = (_request, response) => void response.end(JSON.stringify({ code: 0, data: report() }));

/** A clock that stands; what is to be done later is done when a test says so. */
class Rounds implements Timekeeper {
  readonly bootId = 'boot';
  readonly wall = Date.now;
  readonly monotonic = (): number => 0;
  /** Milliseconds until the next round; null while one is on its way, and after the end. */
  due: number | null = null;
  #task: () => void = () => undefined;

  after(ms: number, task: () => void): () => void {
    this.due = ms;
    this.#task = task;
    return () => {
      this.due = null;
    };
  }

  /** Begins the next round as soon as the one before has ended, and awaits its end. */
  async next(): Promise<void> {
    await until('the end of a round', () => this.due !== null);
    this.due = null;
    this.#task();
    await until('the end of the next round', () => this.due !== null);
  }
}

interface Lane {
  readonly env: NodeJS.ProcessEnv;
  readonly folder: string;
  readonly rounds: Rounds;
  readonly sent: string[];
  /** How often it was said that nothing goes on. */
  readonly warned: object[];
  stopping(): Promise<void>;
}

const serve = (handler: RequestListener) => listening(createServer(handler));

interface Asked {
  readonly terminal?: RequestListener;
  readonly recognition?: RequestListener;
  readonly limitMs?: number;
  readonly env?: NodeJS.ProcessEnv;
}

/** A process whose two ports answer so, as systemd sees it from its first round on. */
async function onLane(
  { terminal = healthy, recognition = healthy, limitMs = PATIENT_MS, env: more = {} }: Asked,
  during: (lane: Lane) => Promise<void>,
): Promise<void> {
  using folder = temporaryFolder();
  await using first = await serve(terminal);
  await using second = await serve(recognition);
  const [sent, warned, rounds]: [string[], object[], Rounds] = [[], [], new Rounds()];
  const env: NodeJS.ProcessEnv = {
    ...{ NOTIFY_SOCKET: '/run/none', RUNTIME_DIRECTORY: folder.path, WATCHDOG_USEC: `${limitMs * 1000}` },
    ...more,
  };
  const watch = await superviseBySystemd(
    { env, pid: process.pid },
    { terminal: first.url, recognition: second.url },
    { info: () => undefined, warn: (about: object | string) => void warned.push(Object(about)) },
    rounds,
    env.PATH === undefined ? async (...words: string[]) => void sent.push(...words) : undefined,
  );
  try {
    await during({ env, folder: folder.path, rounds, sent, warned, stopping: () => watch.stopping() });
  } finally {
    await watch.stopping();
  }
}

supervision('ready is sent once both ports have answered, then a sign of life each round', () =>
  onLane({}, async ({ sent, rounds }) => {
    assert.equal(sent, ['READY=1', 'STATUS=1.2.3 works']);
    assert.is(rounds.due, PATIENT_MS / 3, 'two rounds may fail before systemd acts');
    await rounds.next();
    await rounds.next();
    assert.equal(sent.slice(2), ['WATCHDOG=1', 'WATCHDOG=1']);
  }),
);

supervision('a process that systemd does not watch, or not this one, has rounds of its own', async () => {
  for (const env of [{ WATCHDOG_USEC: undefined }, { WATCHDOG_USEC: '0' }, { WATCHDOG_PID: '1' }])
    await onLane({ env }, async ({ rounds }) => assert.is(rounds.due, 10_000));
});

supervision('a port that hangs keeps systemd from the word that all is well, for as long as it does', async () => {
  let hangs = true;
  const terminal: RequestListener = (request, response) => {
    if (!hangs) healthy(request, response);
  };
  await onLane({ terminal, limitMs: HASTY_MS }, async ({ sent, warned, rounds }) => {
    assert.equal([sent, warned.length], [[], 1]);
    hangs = false;
    while (sent.length === 0) await rounds.next();
    assert.is(sent[0], 'READY=1');
    hangs = true;
    const before = [...sent];
    await rounds.next();
    await rounds.next();
    assert.equal(sent, before);
    hangs = false;
    while (sent.length === before.length) await rounds.next();
    assert.is(sent[before.length], 'WATCHDOG=1');
  });
});

supervision('a port that answers with a failure of its own is no progress', () =>
  onLane(
    { recognition: (_request, response) => void response.writeHead(500).end('{}') },
    async ({ sent, warned, rounds }) => {
      await rounds.next();
      assert.equal([sent, warned.length], [[], 2]);
    },
  ),
);

supervision('hardware that is missing keeps the signs of life and is named in the status', () => {
  const parts = [
    {
      part: 'display',
      state: 'degraded',
      sales: 'does-not-sell',
      reason: 'the display is not connected\nREADY=0',
      reasons: [],
    },
  ];
  const terminal: RequestListener = (_request, response) =>
    void response.end(JSON.stringify({ status: 'success', health: report('degraded', parts) }));
  return onLane({ terminal }, async ({ sent, rounds }) => {
    await rounds.next();
    assert.is(sent[1], 'STATUS=1.2.3 degraded; display: the display is not connected READY=0');
    assert.equal(sent.slice(2), ['WATCHDOG=1'], 'the status that was sent stands');
  });
});

supervision('a refusal counts as progress: the router is what refused', () => {
  const refusing: RequestListener = (_request, response) => void response.writeHead(403).end('{"status":"error"}');
  return onLane({ terminal: refusing, recognition: refusing }, async ({ sent }) => assert.is(sent[0], 'READY=1'));
});

supervision('the end is sent, and the note of where the ports are is gone', () =>
  onLane({}, async ({ folder, sent, rounds, stopping }) => {
    assert.match(readFileSync(join(folder, 'endpoints'), 'utf8'), /^terminal=http:.*\nrecognition=http:.*\n$/);
    await stopping();
    assert.ok(sent.includes('STOPPING=1'));
    assert.is(rounds.due, null, 'no round follows');
    assert.throws(() => readFileSync(join(folder, 'endpoints')), /ENOENT/);
  }),
);

supervision('each user of the machine may read where the ports are, with any umask', async () => {
  const before = process.umask(0o077);
  try {
    await onLane({}, async ({ folder }) => assert.is(statSync(join(folder, 'endpoints')).mode & 0o777, 0o644));
  } finally {
    process.umask(before);
  }
});

supervision('a process that systemd did not start sends nothing', () =>
  onLane({ env: { NOTIFY_SOCKET: undefined } }, async ({ sent, rounds }) =>
    assert.equal([sent, rounds.due], [[], null]),
  ),
);

supervision('without systemd-notify the device goes on', () =>
  onLane({ env: { PATH: '/nowhere' } }, async ({ warned, rounds }) => {
    await rounds.next();
    assert.is(warned.length, 2);
  }),
);

for (const host of ['127.0.0.1', '0.0.0.0', ownAddress])
  supervision(`a device on ${host} is asked over loopback, in plain HTTP and without a token`, async () => {
    using folder = temporaryFolder();
    await using device = await startTestDevice({
      LANEWARE_TERMINAL_HOST: host,
      LANEWARE_RECOGNITION_HOST: host,
      LANEWARE_API_TOKENS_TECHNICIAN: 'made-up-token-of-the-technician',
      LANEWARE_API_ALLOW: '203.0.113.0/24',
    });
    const sent: string[] = [];
    const watch = await superviseBySystemd(
      {
        env: { NOTIFY_SOCKET: '/run/none', RUNTIME_DIRECTORY: folder.path, WATCHDOG_USEC: `${PATIENT_MS * 1000}` },
        pid: process.pid,
      },
      device.device.urls,
      { info: () => undefined, warn: () => undefined },
      machineTime(),
      async (...words) => void sent.push(...words),
    );
    assert.is(sent[0], 'READY=1');
    assert.match(sent.join(), /STATUS=\d+\.\d+\.\d+ degraded; settings/, 'the report itself, not a refusal');
    const endpoints = readFileSync(join(folder.path, 'endpoints'), 'utf8');
    assert.match(endpoints, /^terminal=http:\/\/127\.0\.0\.1:\d+\nrecognition=http:\/\/127\.0\.0\.1:\d+\n$/);
    await watch.stopping();
  });

supervision.run();
