/**
 * `node scripts/bench/doors.ts`: what a crowd costs the device. 10,000 pages that want a stream of events, then 15,000
 * requests whose head never comes whole, each with the limits of the configuration and with limits that nobody reaches;
 * how long a till waits meanwhile; and how many requests a second the terminal answers on loopback.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const STREAMS = 10_000;
const SLOW_HEADS = 15_000;
/** Connections that are opened at once, below any system's backlog. */
const AT_ONCE = 100;
const CALLS = 200;
const RATE_SECONDS = 5;
const RATE_CONNECTIONS = 8;
const SETTLE_MS = 2000;
const MANY = '65535';
const NO_LIMITS = {
  LANEWARE_API_CONNECTIONS: MANY,
  LANEWARE_API_CONNECTIONSPERADDRESS: MANY,
  LANEWARE_API_EVENTSTREAMS: '65534',
  LANEWARE_API_EVENTSTREAMSPERADDRESS: '65534',
};

interface Firmware {
  readonly terminal: string;
  readonly recognition: string;
  residentMb(): number;
  stop(): Promise<void>;
}

async function startFirmware(env: Record<string, string>): Promise<Firmware> {
  const dataDir = mkdtempSync(join(tmpdir(), 'laneware-bench-'));
  const child = spawn(process.execPath, ['firmware/main.ts'], {
    env: {
      ...process.env,
      LANEWARE_DATADIR: dataDir,
      LANEWARE_TERMINAL_PORT: '0',
      LANEWARE_RECOGNITION_PORT: '0',
      LANEWARE_SANDBOXBANK_PORT: '0',
      LANEWARE_CAMERA_DRIVER: 'none',
      LANEWARE_MODEL_MANIFEST: '/nonexistent/no-model.json',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(child, 'exit');
  let output = '';
  const ready = await new Promise<{ terminal: string; recognition: string }>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the firmware ended')));
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const line = output.split('\n').find((text) => text.includes('"msg":"ready"'));
      if (line !== undefined) resolve(JSON.parse(line));
    });
  });
  const residentMb = () =>
    Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024;
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { terminal: ready.terminal, recognition: ready.recognition, residentMb, stop };
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

async function costOf(env: Record<string, string>, size: number, bytes: string): Promise<Cost> {
  const firmware = await startFirmware(env);
  const before = firmware.residentMb();
  const sockets = await crowd(size, firmware.recognition, bytes);
  const slowestMs = await slowestCall(firmware.terminal);
  const mb = firmware.residentMb() - before;
  await pause(SETTLE_MS);
  const open = sockets.filter((socket) => !socket.destroyed && !socket.readableEnded).length;
  for (const socket of sockets) socket.destroy();
  await firmware.stop();
  return { mb, open, slowestMs };
}

async function requestsPerSecond(): Promise<number> {
  const firmware = await startFirmware({});
  const agent = new Agent({ keepAlive: true, maxSockets: RATE_CONNECTIONS });
  const run = async (seconds: number): Promise<number> => {
    const end = performance.now() + seconds * 1000;
    let answered = 0;
    const caller = async () => {
      while (performance.now() < end) {
        await version(firmware.terminal, agent);
        answered += 1;
      }
    };
    await Promise.all(Array.from({ length: RATE_CONNECTIONS }, caller));
    return answered / seconds;
  };
  await run(1); // warm up
  const rate = await run(RATE_SECONDS);
  agent.destroy();
  await firmware.stop();
  return rate;
}

const print = (text: string): boolean => process.stdout.write(`${text}\n`);
const told = ({ mb, open, slowestMs }: Cost): string =>
  `${mb.toFixed(0)} MB, ${open} open, a till's slowest call ${slowestMs.toFixed(0)} ms`;

for (const [what, size, bytes] of [
  ['streams of events', STREAMS, 'GET /console/events HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['requests without an end', SLOW_HEADS, 'GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: '],
] as const) {
  const limited = await costOf({}, size, bytes);
  const free = await costOf(NO_LIMITS, size, bytes);
  print(`${size} ${what}: ${told(limited)}`);
  print(`  without limits: ${told(free)}; ratio ${(limited.mb / free.mb).toFixed(3)}`);
}
print(`requests a second on loopback, ${RATE_CONNECTIONS} connections: ${(await requestsPerSecond()).toFixed(0)}`);
