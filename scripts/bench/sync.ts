/**
 * A first synchronisation against a bare loop: `node scripts/bench/sync.ts [--templates 5000] [--bytes 20000]`.
 *
 * Bare: one client puts entries of the same bytes into a key-value bucket of the same server program, another reads
 * each, both with as many requests at once as Laneware; once with the program's defaults, once over TLS with Laneware's
 * configuration. Laneware: a slave that has the templates is paired and shares them; then another is paired and takes
 * all, each checked and durable in its database; over TLS, from the answer of the pairing call (its time is listed
 * separately) until it has synchronised, so including connection and listing on both sides. Each device is its own
 * process. Memory is the most that was resident.
 */
import { parseArgs } from 'node:util';
import { LaneChild } from '../../test/sync/lane-child.ts';
import { memoryOf, watchMemory } from './firmware.ts';
import { amountOf } from './quick.ts';
import { type BareServer, bareLoop, ourServer, plainServer } from './sync-bare.ts';

const { values } = parseArgs({
  options: {
    templates: { type: 'string', default: String(amountOf({ full: 5000, quick: 100 })) },
    bytes: { type: 'string', default: '20000' },
    quick: { type: 'boolean' },
  },
});
const templates = Number(values.templates);
const bytes = Number(values.bytes);
const AT_ONCE = 64;
const VECTOR_BYTES = 192 * 4;
const MIB = 1024 * 1024;

interface Row {
  readonly what: string;
  /** Seconds for putting all. */
  readonly put: number;
  readonly get: number;
  /** MiB of each process. */
  readonly memory: Readonly<Record<string, number>>;
  /** Seconds of pairing of the two devices, not included. */
  readonly pairing?: readonly [number, number];
}

async function bare(what: string, open: () => Promise<BareServer>): Promise<Row> {
  await using server = await open();
  watchMemory(process.pid);
  const took = await bareLoop(server, { entries: templates, bytes: bytes + VECTOR_BYTES, atOnce: AT_ONCE });
  return { what, ...took, memory: { server: memoryOf(server.pid), 'both clients': memoryOf(process.pid) } };
}

interface Joined {
  /** Seconds of pairing. */
  readonly pairing: number;
  /** Seconds from then until the device has synchronised. */
  readonly took: number;
  readonly memory: number;
}

async function joining(lane: LaneChild, master: LaneChild): Promise<Joined> {
  const { pairingCode } = await master.must('get_sync_pairing_code');
  const { mastersyncPort } = await master.must('get_device_info');
  const pid = lane.child.pid ?? 0;
  watchMemory(pid);
  const called = performance.now();
  await lane.must('set_sync_slave', {
    masterIP: '127.0.0.1',
    mastersyncPort,
    upload: true,
    download: true,
    pairingCode,
  });
  const paired = performance.now();
  await lane.ask({ synchronised: true });
  const took = (performance.now() - paired) / 1000;
  const held: string[] = await lane.ask({ held: true });
  if (held.length !== templates) throw new Error(`${lane.serial} holds ${held.length} templates`);
  return { pairing: (paired - called) / 1000, took, memory: memoryOf(pid) };
}

async function ours(): Promise<Row> {
  await using master = new LaneChild('M');
  await using giver = new LaneChild('S1');
  await using taker = new LaneChild('S2');
  for (const lane of [master, giver, taker]) await lane.answer();
  await giver.ask({ learn: { count: templates, bytes } });
  await master.must('set_sync_master', { upload: false, download: false });
  await master.ask({ synchronised: true });
  const serverPid: number = await master.ask({ serverPid: true });
  watchMemory(master.child.pid ?? 0);
  const give = await joining(giver, master);
  const take = await joining(taker, master);
  return {
    what: 'laneware: share, take',
    put: give.took,
    get: take.took,
    pairing: [give.pairing, take.pairing],
    memory: {
      server: memoryOf(serverPid),
      master: memoryOf(master.child.pid ?? 0),
      giver: give.memory,
      taker: take.memory,
    },
  };
}

const rate = (took: number): string => `${(templates / took).toFixed(0)}/s (${took.toFixed(2)} s)`;

function line({ what, put, get, memory }: Row): string {
  const parts = Object.entries(memory).map(([name, mib]) => `${name} ${mib.toFixed(0)}`);
  return `${what.padEnd(36)} ${rate(put).padEnd(16)} ${rate(get).padEnd(16)} MiB: ${parts.join(', ')}\n`;
}

const share = (loop: Row, own: Row): string =>
  `of ${loop.what}: share ${(loop.put / own.put).toFixed(2)}, take ${(loop.get / own.get).toFixed(2)}, ` +
  `both ${((loop.put + loop.get) / (own.put + own.get)).toFixed(2)}\n`;

const plain = await bare('bare loop, no TLS: put, get', plainServer);
const secured = await bare('bare loop, TLS as ours: put, get', ourServer);
const own = await ours();
process.stdout.write(`${templates} templates, ${((bytes * templates) / MIB).toFixed(0)} MiB in all\n`);
for (const row of [plain, secured, own]) process.stdout.write(line(row));
process.stdout.write(`pairing before: ${own.pairing?.map((took) => `${took.toFixed(2)} s`).join(', ')}\n`);
for (const loop of [plain, secured]) process.stdout.write(share(loop, own));
