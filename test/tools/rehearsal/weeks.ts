/** The two weeks of the rehearsed store, day by day. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { WENT_BACK } from '../../ota/rig.ts';
import { ROOT } from '../../root.ts';
import { SmallDisk } from '../../small-disk.ts';
import { temporaryFolder, until } from '../../support.ts';
import { Network } from '../../sync/network.ts';
import { seeded } from '../seeded.ts';
import { disagreements, type LaneBook } from './books.ts';
import { asRelease, type Held, type LaneOptions, RehearsedLane } from './lane.ts';
import { outsideOf, readBook, registryOf } from './read-books.ts';
import { Shop } from './shop.ts';

const SPEED = 20;
const LANES = 4;
const DISK_MEGABYTES = 400;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const OPENS_AT = [9, 12, 15, 18] as const;
const CLOSES_AT = 22;
const CUT_MS = 4000;
const LOOK_AGAIN_MS = 1000;
const REPORT_LOOKS = 120;
const KILL_WITHIN_MS = 6000;
const PICTURES = ['01-apple-green', '02-milk-carton', '03-orange', '04-tea-box', '05-banana'] as const;
const TURN_DEGREES = 7;
/** Of memory, over the calm days: more is a leak. */
const MOST_GROWTH_KIB = 40 * 1024;
const MOST_MORE_FILES = 8;
const BOTH = { upload: true, download: true };
const [GOOD, BAD] = ['1.1.0', '1.2.0'];

export interface Plan {
  readonly days: number;
  /** Of each lane in each of the four parts of a day. */
  readonly sales: number;
  readonly seed: number;
}

/** What a lane held on the first calm day and at the end. */
export interface Growth {
  readonly serial: string;
  readonly before: Held;
  readonly after: Held;
  readonly storedKib: number;
}

export interface Story {
  readonly plan: Plan;
  readonly minutes: number;
  readonly events: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly books: readonly LaneBook[];
  readonly growth: readonly Growth[];
  /** What does not agree; none where all is well. */
  readonly faults: readonly string[];
}

/** Days of the story; where fewer are lived, they come earlier. */
function daysOf(days: number) {
  const at = (share: number): number => Math.max(1, Math.round(days * share));
  const disk = at(0.5);
  return { cut: at(0.2), update: at(0.35), disk, master: at(0.65), clock: at(0.7), calm: Math.max(at(0.8), disk + 1) };
}

class Weeks {
  readonly #plan: Plan;
  readonly #on: ReturnType<typeof daysOf>;
  readonly #random: () => number;
  readonly #shop: Shop;
  readonly #network: Network;
  readonly #lanes: RehearsedLane[];
  readonly #disk: SmallDisk;
  readonly #lost = new Set<string>();
  readonly #events: string[] = [];
  readonly #counts: Record<string, number> = { kills: 0, taught: 0 };
  readonly #faults: string[] = [];
  #master: RehearsedLane;
  #day = 0;
  #sold = 0;

  constructor(plan: Plan, shop: Shop, network: Network, lanes: RehearsedLane[], disk: SmallDisk) {
    const [first] = lanes;
    if (first === undefined) throw new Error('a store has a lane');
    this.#plan = plan;
    this.#on = daysOf(plan.days);
    this.#random = seeded(plan.seed);
    this.#shop = shop;
    this.#network = network;
    this.#lanes = lanes;
    this.#disk = disk;
    this.#master = first;
  }

  async live(): Promise<Story> {
    const began = performance.now();
    await Promise.all(this.#lanes.map((lane) => lane.open()));
    await this.#pair();
    const midnight = Math.floor((await this.#master.now()) / DAY_MS) * DAY_MS;
    let before = new Map<RehearsedLane, Held>();
    for (this.#day = 1; this.#day <= this.#plan.days; this.#day += 1) {
      const day = midnight + this.#day * DAY_MS;
      for (const hour of OPENS_AT) {
        await this.#comeTo(day + hour * HOUR_MS);
        await this.#tradeAt(hour);
      }
      await this.#comeTo(day + CLOSES_AT * HOUR_MS);
      await this.#closeShifts();
      await this.#night();
      if (this.#day === this.#on.calm) before = new Map(this.#lanes.map((lane) => [lane, lane.held()]));
    }
    await this.#settle();
    const books = await Promise.all(this.#lanes.map(readBook));
    this.#faults.push(...disagreements(outsideOf(this.#shop), books, this.#lost));
    await this.#compareWithMaster();
    const growth = this.#lanes.map((lane) => growthOf(lane, before.get(lane)));
    this.#faults.push(...growth.flatMap(leaks));
    return {
      plan: this.#plan,
      minutes: (performance.now() - began) / 60_000,
      ...{ events: this.#events, counts: this.#counts, books, growth, faults: this.#faults },
    };
  }

  /** Nothing happens until then: by the clocks of the lanes, and of the bank. */
  async #comeTo(moment: number): Promise<void> {
    const { clock } = this.#shop;
    clock.advance(Math.max(0, moment - clock.wall()));
    await this.#all((lane) => lane.comeTo(moment));
  }

  #say(event: string): void {
    this.#events.push(`day ${this.#day}: ${event}`);
    process.stdout.write(`day ${this.#day}: ${event}\n`);
  }

  #count(name: string, by = 1): void {
    this.#counts[name] = (this.#counts[name] ?? 0) + by;
  }

  #all(work: (lane: RehearsedLane) => Promise<void>): Promise<unknown> {
    return Promise.all(this.#lanes.map(work));
  }

  #lane(number: number): RehearsedLane {
    const lane = this.#lanes[number - 1];
    if (lane === undefined) throw new Error(`there is no lane ${number}`);
    return lane;
  }

  /** All others become slaves of the master. */
  async #pair(): Promise<void> {
    await this.#master.must('recognition', '/api/set_sync_master', { json: BOTH });
    await this.#master.must('recognition', '/api/start_sync', { json: {} });
    for (const slave of this.#lanes.filter((lane) => lane !== this.#master)) await this.#pairOne(slave);
  }

  async #pairOne(slave: RehearsedLane): Promise<void> {
    const { mastersyncPort } = (await this.#master.must('recognition', '/api/get_device_info')).data;
    const pairingCode = await until('a pairing code', () => this.#master.pairingCode());
    const json = { masterIP: this.#master.options.place.address, mastersyncPort, ...BOTH, pairingCode };
    await slave.must('recognition', '/api/set_sync_slave', { json });
  }

  /** A part of a day: all tills sell, something is taught, and what the day has in store happens meanwhile. */
  async #tradeAt(hour: number): Promise<void> {
    const isFirst = hour === OPENS_AT[0];
    const isCalm = this.#day >= this.#on.calm;
    const trouble = isCalm || !isFirst ? Promise.resolve() : this.#trouble();
    const killed = isCalm || isFirst || this.#random() < 0.3 ? Promise.resolve() : this.#killOne();
    await Promise.all([
      ...this.#lanes.map((lane) => this.#sellAt(lane)),
      this.#teach(this.#lane(1 + Math.floor(this.#random() * LANES))),
      ...[trouble, killed],
    ]);
    this.#shop.payLate();
  }

  async #sellAt(lane: RehearsedLane): Promise<void> {
    for (let n = 0; n < this.#plan.sales; n += 1) {
      this.#sold += 1;
      await this.#shop.sell(lane, this.#day, this.#sold);
    }
  }

  async #killOne(): Promise<void> {
    const lane = this.#lane(1 + Math.floor(this.#random() * LANES));
    await pause(this.#random() * KILL_WITHIN_MS);
    await lane.kill();
    await lane.startService();
    this.#count('kills');
  }

  async #trouble(): Promise<void> {
    if (this.#day === this.#on.cut) {
      this.#say('the line to the bank is cut while all sell, and so is the cable of lane 3');
      const cable = this.#lane(3).options.place;
      this.#shop.isCut = true;
      this.#network.setLink(cable, 'down');
      await pause(CUT_MS);
      this.#network.setLink(cable, 'up');
      this.#shop.isCut = false;
    }
    if (this.#day === this.#on.disk) {
      this.#say('the disk of lane 3 is full');
      this.#disk.fill();
      await pause(CUT_MS);
      this.#disk.empty();
    }
  }

  /** Learns a new view of an item; a cable may be out meanwhile. */
  async #teach(lane: RehearsedLane): Promise<void> {
    const number = Math.floor(this.#random() * PICTURES.length);
    const file = join(ROOT, 'drivers/camera/pictures', `${PICTURES[number]}.jpg`);
    const turned = await sharp(readFileSync(file))
      .rotate(this.#day * TURN_DEGREES + this.#sold)
      .jpeg()
      .toBuffer();
    const body = new Uint8Array(turned);
    await until(`${lane.serial} to learn`, async () => {
      // a picture goes with the process that was killed
      await lane.ask('recognition', '/camera/frame', { method: 'PUT', body }).catch(() => null);
      const asked = { json: { id: String(4011 + number) } };
      const learned = await lane.ask('recognition', '/api/add_item_template', asked).catch(() => null);
      return learned?.body?.code === 0 ? true : null;
    });
    this.#count('taught');
  }

  async #closeShifts(): Promise<void> {
    await this.#all(async (lane) => {
      const key = `close/${this.#day}`;
      await lane.must('terminal', '/v1/shifts/close', { json: { cashier: 'Anna' }, key });
      await lane.must('terminal', '/v1/shifts/close', { json: { cashier: 'Anna' }, key }); // the till had no answer
    });
  }

  async #night(): Promise<void> {
    if (this.#day === this.#on.update) await this.#update();
    if (this.#day === this.#on.master) await this.#replaceMaster();
    if (this.#day === this.#on.clock) await this.#loseClock();
  }

  async #update(): Promise<void> {
    for (const lane of this.#lanes)
      await lane.takes(GOOD, ['--from', lane.release({ version: GOOD, extra: asRelease(GOOD, false) })]);
    const second = this.#lane(2);
    const bad = second.release({ version: BAD, extra: asRelease(BAD, true) });
    const { code, output } = await second.ota(['update', '--from', bad]);
    if (code !== WENT_BACK) this.#faults.push(`a bad release was not undone: ${output}`);
    const runs = await second.answers();
    if (runs !== GOOD) this.#faults.push(`after a bad release lane 2 runs ${runs}`);
    this.#say(`all run ${GOOD}; lane 2 was offered ${BAD}, which does not start, and went back to ${runs}`);
  }

  async #replaceMaster(): Promise<void> {
    const dead = this.#lane(1);
    await this.#agreeOnTemplates();
    for (const { id } of (await readBook(dead)).entries) this.#lost.add(id);
    this.#count('payments on the dead card', this.#lost.size);
    await dead.replaceBy('L9');
    this.#master = this.#lane(2);
    await dead.comeTo(await this.#master.now());
    await this.#pair();
    this.#say('the card of the master is dead; lane 2 is the master now, and a new device stands in lane 1');
  }

  async #loseClock(): Promise<void> {
    const lane = this.#lane(4);
    const right = await lane.now();
    await lane.kill();
    writeFileSync(join(lane.data, 'simulated-time'), '0\n');
    await lane.startService();
    const wrong = await lane.now();
    this.#sold += 1;
    await this.#shop.sell(lane, this.#day, this.#sold);
    this.#say(`lane 4 woke ${Math.round((right - wrong) / HOUR_MS)} hours too early by its clock, and sold`);
    await lane.comeTo(right);
  }

  async #agreeOnTemplates(): Promise<number> {
    let lists: string[] = [];
    await until('the same templates on all lanes', async () => {
      await pause(500);
      lists = await Promise.all(this.#lanes.map((lane) => lane.templates()));
      return new Set(lists).size === 1 ? true : null;
    });
    const [counts = ''] = lists;
    return [...counts.matchAll(/:(\d+)$/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  /** The last codes are over, and what was paid late is known. */
  async #settle(): Promise<void> {
    this.#counts.templates = await this.#agreeOnTemplates();
    await this.#comeTo((await this.#master.now()) + 2 * HOUR_MS);
    await until('no payment to be open', async () => {
      const open = await Promise.all(
        this.#lanes.map((lane) => lane.must('terminal', '/v1/payments?state=PENDING&limit=1')),
      );
      return open.every(({ payments }) => payments.length === 0) ? true : null;
    });
    this.#counts.sales = this.#shop.sales.length;
    this.#counts.refused = this.#shop.sales.filter(({ id }) => id === null).length;
  }

  /** The registry of the bank beside the book of the master, which has what its slaves reported. */
  async #compareWithMaster(): Promise<void> {
    const file = Buffer.from(registryOf(this.#shop, this.#lost)).toString('base64');
    const now = await this.#master.now();
    const [from, to] = [now - 29 * DAY_MS, now + DAY_MS].map((moment) => new Date(moment).toISOString().slice(0, 10));
    const json = { from, to, file, columns: { order: 'order', amount: 'amount' } };
    let wrong: unknown[] = [];
    // the lanes report in their own time
    for (let look = 0; look < REPORT_LOOKS; look += 1) {
      const { differences, tests } = await this.#master.must('terminal', '/v1/reconciliations', { json });
      wrong = differences.filter(({ kind }: { kind: string }) => kind !== 'refund-not-in-registry');
      if (tests.count > 0) wrong.push({ kind: 'tests', ...tests }); // its bank is one for tests
      if (wrong.length === 0) return;
      await pause(LOOK_AGAIN_MS);
    }
    this.#faults.push(`the master and the registry differ: ${JSON.stringify(wrong.slice(0, 5))}`);
  }
}

function growthOf(lane: RehearsedLane, before: Held | undefined): Growth {
  const after = lane.held();
  return { serial: lane.serial, before: before ?? after, after, storedKib: lane.stored() };
}

function leaks({ serial, before, after }: Growth): string[] {
  const found: string[] = [];
  if (after.memoryKib - before.memoryKib > MOST_GROWTH_KIB)
    found.push(`${serial} grew from ${before.memoryKib} to ${after.memoryKib} KiB of memory`);
  if (after.files - before.files > MOST_MORE_FILES)
    found.push(`${serial} had ${before.files} files open, then ${after.files}`);
  return found;
}

export async function rehearse(plan: Plan): Promise<Story> {
  using folder = temporaryFolder();
  using disk = new SmallDisk(DISK_MEGABYTES);
  await using network = new Network();
  const address = network.attach();
  await using shop = await Shop.open(folder.path, address, SPEED);
  await using stack = new AsyncDisposableStack();
  const lanes: RehearsedLane[] = [];
  for (let number = 1; number <= LANES; number += 1) {
    const options: LaneOptions = {
      ...{ place: await network.place(), serial: `L${number}`, speed: SPEED, line: [address, shop.port] },
      ...(number === 3 ? { root: join(disk.path, 'root') } : {}),
    };
    lanes.push(stack.use(new RehearsedLane(options)));
  }
  return await new Weeks(plan, shop, network, lanes, disk).live();
}
