/**
 * A device of a store as a process of its own: takes one JSON command a line on standard input and answers one line each. `learn` makes templates without a camera: what travels is their bytes.
 */

import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { call, until } from '../support.ts';
import { startLane } from './real-rig.ts';
import { addTemplate, type Lane } from './rig.ts';
import { seedTemplates } from './seeded-store.ts';

/** Calls that are asked with GET. */
const READS = new Set(['get_sync_status', 'get_device_info', 'get_deletion_all_progress']);
const TAUGHT_BYTES = 20_000;

const { values } = parseArgs({
  options: {
    serial: { type: 'string', default: 'S' },
    folder: { type: 'string' },
    host: { type: 'string' },
    /** Of a master's server. */
    port: { type: 'string' },
    /** What lies in the folder before the device starts: see `seeded-store.ts`. */
    seeded: { type: 'string' },
  },
});

async function learn(lane: Lane, count: number, bytes: number): Promise<number> {
  for (let number = 0; number < count; number++)
    await addTemplate(lane, `${lane.serial} ${Math.floor(number / 10)}`, randomBytes(bytes));
  return lane.held().length;
}

interface Command {
  readonly learn?: { count: number; bytes: number };
  readonly call?: string;
  readonly json?: unknown;
  readonly held?: true;
  /** Returns when it has synchronised. */
  readonly synchronised?: true;
  readonly serverPid?: true;
  /** Learns one template of an item; returns when that began, ms since 1970. */
  readonly teach?: string;
  /** Returns when recognition came to know an item, ms since 1970. */
  readonly known?: string;
  /**
   * The cost since the last call: CPU in seconds, the longest stall of the event loop in ms; from now on stalls are
   * watched, which takes CPU itself, or are not.
   */
  readonly cost?: 'watch' | 'leave';
  /** Address of a call on another device. */
  readonly elsewhere?: string;
}

const POLL_MS = 1;
const US_PER_MS = 1000;
const US_PER_SECOND = 1e6;
const knownAt = new Map<string, number>();
let usage = process.cpuUsage();
let stallUs = 0;
let watching: NodeJS.Timeout | undefined;

/** Wall clock with fractions, so that processes of one machine can be compared. */
const moment = (): number => performance.timeOrigin + performance.now();

/**
 * A stall is what this thread computes between two looks, in CPU time of the thread: on the clock, other work of the
 * machine would count as a stall, too.
 */
function watchStalls(): void {
  const spent = (): number => {
    const { user, system } = process.threadCpuUsage();
    return user + system;
  };
  let before = spent();
  watching = setInterval(() => {
    const now = spent();
    stallUs = Math.max(stallUs, now - before);
    before = now;
  }, POLL_MS).unref();
}

function costSinceLast(next: 'watch' | 'leave'): { cpu: number; stall: number } {
  const { user, system } = process.cpuUsage(usage);
  const cost = { cpu: (user + system) / US_PER_SECOND, stall: stallUs / US_PER_MS };
  clearInterval(watching);
  usage = process.cpuUsage();
  stallUs = 0;
  if (next === 'watch') watchStalls();
  return cost;
}

async function teach(lane: Lane, item: string): Promise<number> {
  const picture = randomBytes(TAUGHT_BYTES);
  const began = moment();
  await addTemplate(lane, item, picture);
  return began;
}

async function carryOut(lane: Lane, command: Command): Promise<unknown> {
  if (command.learn !== undefined) return await learn(lane, command.learn.count, command.learn.bytes);
  if (command.held) return lane.held();
  if (command.serverPid) return lane.sync.serverPid;
  if (command.teach !== undefined) return await teach(lane, command.teach);
  if (command.known !== undefined) return await until(command.known, () => knownAt.get(command.known ?? ''));
  if (command.cost !== undefined) return costSinceLast(command.cost);
  if (command.synchronised) return await until('synchronised', () => typeof lane.sync.status().state?.lag === 'number');
  if (command.elsewhere !== undefined) {
    const { status, body } = await call(command.elsewhere, { method: 'POST' });
    return { status, code: body.code };
  }
  const path = command.call ?? '';
  const { body } = READS.has(path) ? await lane.get(path) : await lane.post(path, command.json);
  return body;
}

if (values.seeded !== undefined && values.folder !== undefined) seedTemplates(values.folder, JSON.parse(values.seeded));
const lane = await startLane(values.serial, {
  ...(values.folder === undefined ? {} : { folder: values.folder }),
  ...(values.port === undefined ? {} : { port: Number(values.port) }),
  ...(values.host === undefined ? {} : { host: values.host, listen: values.host }),
});
lane.recognition.templates.onChange((change) => {
  if (change.kind === 'added') for (const { item } of change.templates) knownAt.set(item, moment());
});
watchStalls();
process.stdout.write(`${JSON.stringify({ url: lane.url })}\n`);
for await (const line of createInterface({ input: process.stdin })) {
  const answer = await carryOut(lane, JSON.parse(line)).catch((error: unknown) => ({ error: String(error) }));
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await lane.close();
