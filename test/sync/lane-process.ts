/**
 * A device of a store as a process of its own: takes one JSON command a line on standard input and answers one line each. `learn` makes templates without a camera: what travels is their bytes.
 */
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { call, until } from '../support.ts';
import { type Lane, startLane } from './rig.ts';

/** Calls that are asked with GET. */
const READS = new Set(['get_sync_status', 'get_device_info', 'get_deletion_all_progress']);
const SYNCHRONISE_LIMIT_MS = 600_000;
const VECTOR_FLOATS = 192;
const JPEG_START = Buffer.from([0xff, 0xd8]);

const { values } = parseArgs({
  options: { serial: { type: 'string', default: 'S' }, folder: { type: 'string' }, host: { type: 'string' } },
});

async function learn(lane: Lane, count: number, bytes: number): Promise<number> {
  for (let number = 0; number < count; number++) {
    const vector = new Float32Array(VECTOR_FLOATS).fill(1 / Math.sqrt(VECTOR_FLOATS));
    const crop = Buffer.concat([JPEG_START, randomBytes(bytes)]);
    const item = `${lane.serial} ${Math.floor(number / 10)}`;
    await lane.recognition.templates.add({ item, model: 'fake@1#0123456789abcdef', vector, crop });
  }
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
  /** Address of a call on another device. */
  readonly elsewhere?: string;
}

async function carryOut(lane: Lane, command: Command): Promise<unknown> {
  if (command.learn !== undefined) return await learn(lane, command.learn.count, command.learn.bytes);
  if (command.held) return lane.held();
  if (command.serverPid) return lane.sync.serverPid;
  if (command.synchronised)
    return await until('synchronised', () => typeof lane.sync.status().state?.lag === 'number', SYNCHRONISE_LIMIT_MS);
  if (command.elsewhere !== undefined) {
    const { status, body } = await call(command.elsewhere, { method: 'POST' });
    return { status, code: body.code };
  }
  const path = command.call ?? '';
  const { body } = READS.has(path) ? await lane.get(path) : await lane.post(path, command.json);
  return body;
}

const lane = await startLane(values.serial, {
  ...(values.folder === undefined ? {} : { folder: values.folder }),
  ...(values.host === undefined ? {} : { host: values.host, listen: values.host }),
});
process.stdout.write(`${JSON.stringify({ url: lane.url })}\n`);
for await (const line of createInterface({ input: process.stdin })) {
  const answer = await carryOut(lane, JSON.parse(line)).catch((error: unknown) => ({ error: String(error) }));
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await lane.close();
