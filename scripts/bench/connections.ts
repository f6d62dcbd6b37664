/**
 * `node scripts/bench/connections.ts`: what a crowd costs the device. 10,000 pages that want a stream of events, then 15,000
 * requests whose head never comes whole, each with the limits of the configuration and with limits that are never reached;
 * how long a till waits meanwhile; and how many requests a second the terminal answers on loopback.
 */
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { temporaryFolder } from '../../test/support.ts';
import { ALONE, type Firmware, startFirmware } from './firmware.ts';
import { amountOf } from './quick.ts';

const STREAMS = amountOf({ full: 10_000, quick: 200 });
const SLOW_HEADS = amountOf({ full: 15_000, quick: 200 });
/** Connections that are opened at once, below any system's backlog. */
const AT_ONCE = 100;
const CALLS = amountOf({ full: 200, quick: 10 });
const RATE_SECONDS = amountOf({ full: 5, quick: 1 });
const RATE_CONNECTIONS = 8;
const SETTLE_MS = 2000;
const MANY = '65535';
const NO_LIMITS = {
  LANEWARE_API_CONNECTIONS: MANY,
  LANEWARE_API_CONNECTIONSPERADDRESS: MANY,
  LANEWARE_API_EVENTSTREAMS: '65534',
  LANEWARE_API_EVENTSTREAMSPERADDRESS: '65534',
};

/** Runs `work` beside a device with an empty data folder. */
async function withFirmware<T>(env: Record<string, string>, work: (firmware: Firmware) => Promise<T>): Promise<T> {
  using folder = temporaryFolder();
  const firmware = await startFirmware(folder.path, { ...ALONE, ...env });
  try {
    return await work(firmware);
  } finally {
    await firmware.stop();
  }
}

/** Opens many connections that each send `bytes` and read what comes. */
async function crowd(size: number, base: string, bytes: string): Promise<Socket[]> {
  const { hostname, port } = new URL(base);
  const sockets: Socket[] = [];
  while (sockets.length < size) {
    const wave = Array.from({ length: AT_ONCE }, () => connect(Number(port), hostname));
    for (const socket of wave) socket.on('error', () => undefined).resume(); // the device may close it at any moment
    await Promise.all(wave.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])));
    for (const socket of wave) socket.write(bytes);
    sockets.push(...wave);
  }
  return sockets;
}

const version = (base: string, agent: Agent): Promise<void> =>
  new Promise((resolve, reject) => {
    get(`${base}/version`, { agent }, (response) => response.on('end', resolve).resume()).on('error', reject);
  });

/** The slowest of a till's calls, each over a connection of its own, in milliseconds. */
async function slowestCall(base: string): Promise<number> {
  let slowest = 0;
  for (let n = 0; n < CALLS; n += 1) {
    const began = performance.now();
    await version(base, new Agent({ keepAlive: false }));
    slowest = Math.max(slowest, performance.now() - began);
  }
  return slowest;
}

interface Cost {
  readonly mb: number;
  readonly open: number;
  readonly slowestMs: number;
}

const costOf = (env: Record<string, string>, size: number, bytes: string): Promise<Cost> =>
  withFirmware(env, async ({ url, recognition, rssMb }) => {
    const before = rssMb();
    const sockets = await crowd(size, recognition, bytes);
    const slowestMs = await slowestCall(url);
    const mb = rssMb() - before;
    await pause(SETTLE_MS);
    const open = sockets.filter((socket) => !socket.destroyed && !socket.readableEnded).length;
    for (const socket of sockets) socket.destroy();
    return { mb, open, slowestMs };
  });

const requestsPerSecond = (): Promise<number> =>
  withFirmware({}, async ({ url }) => {
    const agent = new Agent({ keepAlive: true, maxSockets: RATE_CONNECTIONS });
    const run = async (seconds: number): Promise<number> => {
      const end = performance.now() + seconds * 1000;
      let answered = 0;
      const caller = async () => {
        while (performance.now() < end) {
          await version(url, agent);
          answered += 1;
        }
      };
      await Promise.all(Array.from({ length: RATE_CONNECTIONS }, caller));
      return answered / seconds;
    };
    await run(1); // warm up
    const rate = await run(RATE_SECONDS);
    agent.destroy();
    return rate;
  });

const print = (text: string): boolean => process.stdout.write(`${text}\n`);
const worded = ({ mb, open, slowestMs }: Cost): string =>
  `${mb.toFixed(0)} MB, ${open} open, a till's slowest call ${slowestMs.toFixed(0)} ms`;

for (const [what, size, bytes] of [
  ['streams of events', STREAMS, 'GET /console/api/overview/events HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['requests without an end', SLOW_HEADS, 'GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: '],
] as const) {
  const limited = await costOf({}, size, bytes);
  const free = await costOf(NO_LIMITS, size, bytes);
  print(`${size} ${what}: ${worded(limited)}`);
  print(`  without limits: ${worded(free)}; ratio ${(limited.mb / free.mb).toFixed(3)}`);
}
print(`requests a second on loopback, ${RATE_CONNECTIONS} connections: ${(await requestsPerSecond()).toFixed(0)}`);
