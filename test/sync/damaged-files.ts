/**
 * A store whose message server comes back after a power cut with one of its files damaged: what its devices come to, or what
 * `/health` says of it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Centre } from '../../firmware/sync/centre/centre.ts';
import { CHECK_MS } from '../../firmware/sync/centre/store-guard.ts';
import { type Bucket, streamOf, subjectOf } from '../../firmware/sync/centre/subjects.ts';
import { freePort } from '../ports.ts';
import { replaced } from '../replaced.ts';
import { type TemporaryFolder, temporaryFolder, until } from '../support.ts';
import {
  address,
  addTemplate,
  agree,
  BOTH,
  invitation,
  type Lane,
  type LaneOptions,
  running,
  startLane,
} from './rig.ts';
import { forgottenBy, wipe } from './store.ts';

const PICTURE_BYTES = 3000;
const POLL_MS = 100;
const SECTOR_BYTES = 512;
const PAGE_BYTES = 4096;
/** Of a line of the processor's memory. */
const FEW_BYTES = 64;

const sizeOf = (path: string): number => statSync(path).size;

function zero(path: string, from: number, to: number): void {
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0, Math.max(0, from), Math.min(bytes.length, to)));
}

const zeroEnd = (path: string, bytes: number): void => zero(path, sizeOf(path) - bytes, sizeOf(path));
const cut = (path: string, bytes: number): void => truncateSync(path, Math.max(0, sizeOf(path) - bytes));

/** What a cut of the power may leave of a file. @param older the same file at an earlier time */
const DAMAGES: Readonly<Record<string, (path: string, older: string) => void>> = {
  'its last 64 bytes zeros': (path) => zeroEnd(path, FEW_BYTES),
  'its last sector zeros': (path) => zeroEnd(path, SECTOR_BYTES),
  'its last page zeros': (path) => zeroEnd(path, PAGE_BYTES),
  'half of it zeros': (path) => zeroEnd(path, Math.ceil(sizeOf(path) / 2)),
  'all of it zeros': (path) => zeroEnd(path, sizeOf(path)),
  'a page of zeros within': (path) => {
    const from = Math.floor(sizeOf(path) / 3);
    zero(path, from, from + Math.min(PAGE_BYTES, from));
  },
  'without its last 64 bytes': (path) => cut(path, FEW_BYTES),
  'without its half': (path) => cut(path, Math.ceil(sizeOf(path) / 2)),
  empty: (path) => truncateSync(path, 0),
  older: (path, older) => {
    rmSync(path);
    cpSync(older, path, { force: true, errorOnExist: false, recursive: true });
  },
  gone: (path) => rmSync(path),
};

const storeIn = (folder: string): string => join(folder, 'M', 'sync', 'store');

function filesIn(store: string): string[] {
  const all = readdirSync(store, { recursive: true, encoding: 'utf8' }).sort();
  return all.filter((name) => statSync(join(store, name)).isFile() && sizeOf(join(store, name)) > 0);
}

const picture = (seed: number): Uint8Array => Buffer.alloc(PICTURE_BYTES, seed);
const pricesOf = ({ recognition: { items } }: Lane, ids: Iterable<string>): string =>
  [...ids].map((id) => items.find(id)?.price ?? null).join();
const holds = (lane: Lane, prices: ReadonlyMap<string, number>): boolean =>
  pricesOf(lane, prices.keys()) === [...prices.values()].join();

const USUAL = [subjectOf('devices', ''), subjectOf('marks', '')];
/** The store that a device belongs to: several go on at once. */
const GOING_ON = new AsyncLocalStorage<GoingOn>();

/** Notes what devices put, until it is disposed. */
function notingPuts(): Disposable {
  const real = Centre.prototype.put;
  return replaced(Centre.prototype, 'put', function noted(this: Centre, subject: string, bytes: Uint8Array | string) {
    GOING_ON.getStore()?.note(subject);
    return real.call(this, subject, bytes);
  });
}

/** A store of three devices with a history. */
class DamagedFiles implements Disposable {
  readonly #folder: TemporaryFolder;
  readonly #program: string;
  readonly #held: readonly string[];
  /** Templates that were deleted, one by one and all at once. */
  readonly #deleted: readonly string[];
  readonly #prices: ReadonlyMap<string, number>;
  readonly files: readonly string[];
  readonly #noting = notingPuts();

  private constructor(
    folder: TemporaryFolder,
    program: string,
    held: readonly string[],
    deleted: readonly string[],
    prices: ReadonlyMap<string, number>,
  ) {
    this.#folder = folder;
    this.#program = program;
    this.#held = held;
    this.#deleted = deleted;
    this.#prices = prices;
    this.files = filesIn(storeIn(folder.path));
  }

  /** @param program the message server */
  static async make(program: string): Promise<DamagedFiles> {
    const folder = temporaryFolder();
    const { path } = folder;
    const port = await freePort();
    const start = (serial: string): Promise<Lane> => startIn(path, serial, program, { port });
    const first = await start('M');
    await first.must('set_sync_master', BOTH);
    await running(first);
    const [one, two] = [await start('S1'), await start('S2')];
    for (const lane of [one, two]) {
      await lane.must('set_sync_slave', await invitation(first));
      await running(lane);
    }
    for (const item of ['early1', 'early2', 'early3']) await addTemplate(one, item, picture(1));
    const wiped = await agree([first, one, two], 3);
    await one.recognition.items.put('early1', { name: 'Early', price: 100 });
    await until('a price', () => [first, two].every((lane) => holds(lane, new Map([['early1', 100]]))));
    await first.close();
    cpSync(storeIn(path), join(path, 'older'), { recursive: true });
    const master = await start('M');
    const lanes = [master, one, two];
    for (const lane of lanes) await running(lane);
    await wipe(master);
    await forgottenBy(master, ['M', 'S1', 'S2']);
    await agree(lanes, 0);
    for (const [at, lane] of [one, two, one, two, master].entries()) await addTemplate(lane, `item${at}`, picture(at));
    const [deleted = ''] = (await agree(lanes, 5)).filter((name) => name.startsWith('item0/'));
    await two.must('delete_item_template', { id: 'item0', sid: deleted.split('/')[2] });
    const prices = new Map([
      ...[1, 2, 3, 4].map((at) => [`item${at}`, at * 100] as const),
      ...([['early1', 200]] as const),
    ]);
    for (const [id, price] of prices) await (id === 'item1' ? two : one).recognition.items.put(id, { name: id, price });
    await until('all is told', () => lanes.every((lane) => holds(lane, prices)));
    const held = await agree(lanes, 4);
    for (const lane of lanes) await running(lane);
    // as the files lie when the power is cut: the server has not ended in order
    cpSync(storeIn(path), join(path, 'cut'), { recursive: true });
    for (const lane of lanes.reverse()) await lane.close();
    rmSync(storeIn(path), { recursive: true });
    cpSync(join(path, 'cut'), storeIn(path), { recursive: true });
    return new DamagedFiles(folder, program, held, [...wiped, deleted], prices);
  }

  /**
   * The devices go on with a damaged file: they learn, delete, set prices, and another device joins.
   * @param limitMs how long they may take
   * @returns null where all is equal everywhere, or `/health` says what is wrong; else what is not
   */
  async outcome(file: string, damage: string, limitMs: number): Promise<string | null> {
    using folder = temporaryFolder();
    for (const serial of ['M', 'S1', 'S2'])
      cpSync(join(this.#folder.path, serial), join(folder.path, serial), { recursive: true });
    try {
      DAMAGES[damage]?.(join(storeIn(folder.path), file), join(this.#folder.path, 'older', file));
    } catch (error) {
      if (damage !== 'older') throw error; // it was not there yet: it is gone
    }
    const store = new GoingOn(folder.path, this.#program);
    return await GOING_ON.run(store, async () => {
      try {
        return await store.run(this.#held, this.#deleted, this.#prices, limitMs);
      } finally {
        await store.close();
      }
    });
  }

  [Symbol.dispose](): void {
    this.#noting[Symbol.dispose]();
    this.#folder[Symbol.dispose]();
  }
}

/** @param options `port`: of a master */
async function startIn(folder: string, serial: string, program: string, options: LaneOptions): Promise<Lane> {
  mkdirSync(join(folder, serial), { recursive: true });
  const { port = 0, ...more } = options;
  const own = { folder: join(folder, serial), program, orphanMs: 1000, ...(serial === 'M' && { port }) };
  return await startLane(serial, { ...own, ...more });
}

/** The devices of a store after the cut. */
class GoingOn {
  readonly #folder: string;
  readonly #program: string;
  readonly #lanes: Lane[] = [];
  #moved = 0;
  /** Subjects that its devices have put, but for how each stands and how far the disk has all. */
  #put: string[] = [];

  constructor(folder: string, program: string) {
    this.#folder = folder;
    this.#program = program;
  }

  note(subject: string): void {
    if (!USUAL.some((prefix) => subject.startsWith(prefix))) this.#put.push(subject);
  }

  async run(
    before: readonly string[],
    deleted: readonly string[],
    prices: ReadonlyMap<string, number>,
    limitMs: number,
  ): Promise<string | null> {
    const port = await freePort();
    const master = await this.#start('M', port);
    const one = await this.#start('S1');
    const two = await this.#start('S2');
    await addTemplate(one, 'new1', picture(50));
    await addTemplate(two, 'new2', picture(51));
    const [third = ''] = before.filter((name) => name.startsWith('item3/'));
    await two.must('delete_item_template', { id: 'item3', sid: third.split('/')[2] });
    const wanted = new Map([...prices, ['item1', 1], ['item2', 2], ['new1', 3]] as const);
    await one.recognition.items.put('item1', { name: 'item1', price: 1 });
    await two.recognition.items.put('item2', { name: 'item2', price: 2 });
    await master.recognition.items.put('new1', { name: 'new1', price: 3 });
    const gone = [...deleted, third];
    const end = performance.now() + limitMs;
    const lack = (): string | null => this.#lack(before.length + 1, gone, wanted);
    const isOver = (): boolean => performance.now() > end;
    // the others, too: this master has another port
    const joining = [one, two, await this.#start('S3')].map((lane) => this.#join(lane, master, isOver));
    while (!isOver() && lack() !== null) {
      await pause(POLL_MS);
      this.#moved += POLL_MS * 20; // so that what happens each minute happens soon
    }
    const haveJoined = (await Promise.all(joining)).every(Boolean);
    const lacking = haveJoined ? lack() : 'not all devices could join';
    if (lacking === null) return await this.#noise();
    return this.#lanes.some(({ health }) =>
      health.report().parts.some(({ part, state }) => part === 'sync' && state !== 'ok'),
    ) && !lacking.startsWith('back')
      ? null
      : lacking;
  }

  async close(): Promise<void> {
    for (const lane of this.#lanes.reverse()) await lane.close();
  }

  async #start(serial: string, port = 0): Promise<Lane> {
    const monotonic = (): number => Math.round(performance.now()) + this.#moved;
    const lane = await startIn(this.#folder, serial, this.#program, { port, monotonic });
    this.#lanes.push(lane);
    return lane;
  }

  /** A device joins as soon as the master lets it. */
  async #join(lane: Lane, master: Lane, isOver: () => boolean): Promise<boolean> {
    for (; !isOver(); await pause(POLL_MS)) {
      const { code, data } = (await master.post('get_sync_pairing_code')).body;
      const request = { ...(await address(master)), ...BOTH, pairingCode: String(data?.pairingCode) };
      if (code === 0 && (await lane.post('set_sync_slave', request)).body.code === 0) return true;
    }
    return false;
  }

  #lack(count: number, gone: readonly string[], prices: ReadonlyMap<string, number>): string | null {
    const held = this.#lanes.map((lane) => lane.held());
    const back = held.flat().filter((name) => gone.includes(name));
    if (back.length > 0) return `back: ${back.join()}`;
    const isEqual = held.every((list) => list.length === count && list.join() === held[0]?.join());
    if (!isEqual) return `templates: ${held.map(({ length }) => length).join()} of ${count}`;
    const wrong = this.#lanes.filter((lane) => !holds(lane, prices));
    return wrong.length === 0
      ? null
      : `prices: ${wrong.map((lane) => `${lane.serial} ${pricesOf(lane, prices.keys())}`).join('; ')}`;
  }

  /** What is put in idle minutes. */
  async #noise(): Promise<string | null> {
    for (const lane of this.#lanes) await lane.post('start_sync');
    this.#put = [];
    for (let minute = 0; minute < 3; minute++) {
      this.#moved += CHECK_MS;
      for (const lane of this.#lanes) await lane.post('start_sync');
    }
    return this.#put.length === 0 ? null : `put without end: ${this.#put.join()}`;
  }
}

/** Where what was acknowledged lies. */
const BLOCK = /\.blk$/;
/** Those that differ most: by themselves, so that the suite takes minutes. LANEWARE_DAMAGES=all tries every one. */
const OF_A_BLOCK = [
  'its last 64 bytes zeros',
  'half of it zeros',
  'a page of zeros within',
  'without its half',
  'older',
];
const OF_ANOTHER = ['all of it zeros', 'gone'];

const damagesOf = (file: string): readonly string[] => {
  if (process.env.LANEWARE_DAMAGES === 'all') return Object.keys(DAMAGES);
  return BLOCK.test(file) ? [...OF_A_BLOCK, ...OF_ANOTHER] : OF_ANOTHER;
};

/** Stores that go on at once. */
const AT_ONCE = 3;
const LIMIT_MS = 60_000;

/** Damages every file of these buckets in its ways. @returns what was silent about it */
export async function silentAbout(buckets: readonly Bucket[]): Promise<string[]> {
  using damaged = await DamagedFiles.make('nats-server');
  const files = damaged.files.filter((file) => buckets.some((bucket) => file.includes(`/${streamOf(bucket)}/`)));
  const left = files.flatMap((file) => damagesOf(file).map((damage) => ({ file, damage }))).values();
  const silent: string[] = files.length === 0 ? ['the server has no files'] : [];
  const work = async (): Promise<void> => {
    for (const { file, damage } of left) {
      const lack = await damaged.outcome(file, damage, LIMIT_MS);
      if (lack !== null) silent.push(`${file}, ${damage}: ${lack}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return silent;
}
