/**
 * A first synchronisation against a bare loop: `node scripts/bench/sync.ts [--templates 5000] [--bytes 20000]`.
 *
 * Bare: one client puts entries of the same bytes into a key-value bucket of the same server program, another reads each,
 * both as many at once as ours. Ours: a slave that has the templates is paired and shares them; then another is paired and
 * takes all, each checked and durable in its database; over TLS, pairing included.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Kvm } from '@nats-io/kv';
import { connect } from '@nats-io/transport-node';
import { temporaryFolder, until } from '../../test/support.ts';
import { freePort, type Lane, startLane } from '../../test/sync/rig.ts';

const { values } = parseArgs({
  options: { templates: { type: 'string', default: '5000' }, bytes: { type: 'string', default: '20000' } },
});
const templates = Number(values.templates);
const bytes = Number(values.bytes);
const AT_ONCE = 64;
const VECTOR_FLOATS = 192;
const LIMIT_MS = 600_000;
const MIB = 1024 * 1024;

const seconds = (since: number): number => (performance.now() - since) / 1000;
/** Resident memory of a process in MiB. */
const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

interface Bare {
  readonly put: number;
  readonly get: number;
  readonly serverMb: number;
}

async function bare(): Promise<Bare> {
  using folder = temporaryFolder();
  const port = await freePort();
  const server = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', folder.path], {
    stdio: 'ignore',
  });
  const over = once(server, 'close');
  try {
    const join = () => connect({ servers: `127.0.0.1:${port}`, reconnect: false });
    const writer = await until('the server', () => join().catch(() => null));
    const reader = await join();
    const [from, to] = [await new Kvm(writer).create('bare'), await new Kvm(reader).open('bare')];
    const value = randomBytes(bytes + VECTOR_FLOATS * 4);
    const all = async (work: (key: string) => Promise<unknown>): Promise<number> => {
      const began = performance.now();
      for (let at = 0; at < templates; at += AT_ONCE) {
        const count = Math.min(AT_ONCE, templates - at);
        await Promise.all(Array.from({ length: count }, (_, index) => work(`k${at + index}`)));
      }
      return seconds(began);
    };
    const put = await all((key) => from.put(key, value));
    const get = await all((key) => to.get(key));
    const serverMb = memoryOf(server.pid ?? 0);
    await Promise.all([writer.close(), reader.close()]);
    return { put, get, serverMb };
  } finally {
    server.kill('SIGTERM');
    await over;
  }
}

async function learn(lane: Lane): Promise<void> {
  for (let number = 0; number < templates; number++) {
    const vector = new Float32Array(VECTOR_FLOATS).fill(1 / Math.sqrt(VECTOR_FLOATS));
    const crop = Buffer.concat([Buffer.from([0xff, 0xd8]), randomBytes(bytes)]);
    await lane.recognition.templates.add({
      ...{ item: String(Math.floor(number / 10)), model: 'fake@1#0123456789abcdef', vector, crop },
    });
  }
}

/** @returns seconds from the call that pairs it until `isDone` */
async function joining(lane: Lane, master: Lane, isDone: () => Promise<boolean>): Promise<number> {
  const { pairingCode } = await master.must('get_sync_pairing_code');
  const { mastersyncPort } = (await master.get('get_device_info')).body.data;
  const began = performance.now();
  await lane.must('set_sync_slave', {
    ...{ masterIP: '127.0.0.1', mastersyncPort, upload: true, download: true, pairingCode },
  });
  await until('all is synchronised', isDone, LIMIT_MS);
  return seconds(began);
}

async function ours(): Promise<Bare> {
  await using master = await startLane('M');
  await using giver = await startLane('S1');
  await using taker = await startLane('S2');
  await learn(giver);
  await master.must('set_sync_master', { upload: false, download: false });
  await until('the centre', async () => (await master.post('start_sync')).body.code === 0);
  const put = await joining(giver, master, async () => (await giver.get('get_sync_status')).body.data.lag !== null);
  const get = await joining(taker, master, async () => taker.recognition.templates.standing(null).total === templates);
  return { put, get, serverMb: memoryOf(master.sync.serverPid ?? 0) };
}

const rate = (took: number): string => `${(templates / took).toFixed(0)}/s (${took.toFixed(2)} s)`;
const loop = await bare();
const own = await ours();
process.stdout.write(`${templates} templates of ${((bytes * templates) / MIB).toFixed(0)} MiB in all\n`);
process.stdout.write(
  `bare loop   put ${rate(loop.put)}, get ${rate(loop.get)}, server ${loop.serverMb.toFixed(0)} MiB\n`,
);
process.stdout.write(
  `laneware    share ${rate(own.put)}, take ${rate(own.get)}, server ${own.serverMb.toFixed(0)} MiB\n`,
);
const total = (loop.put + loop.get) / (own.put + own.get);
process.stdout.write(
  `of the bare loop: share ${(loop.put / own.put).toFixed(2)}, take ${(loop.get / own.get).toFixed(2)}, both ${total.toFixed(2)}\n`,
);
process.stdout.write(`this process (three devices) ${memoryOf(process.pid).toFixed(0)} MiB\n`);
