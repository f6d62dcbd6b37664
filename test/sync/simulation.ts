/**
 * One master and its slaves in virtual time over the real decision code. The transport is replaced: requests are lost,
 * arrive late or twice, devices crash between two steps, the centre loses what it had not yet synced, clocks jump.
 * Everything follows from the seed.
 */

import { inTurns, type TemplateName } from '../../firmware/recognition/model/template.ts';
import type { Tombstone } from '../../firmware/recognition/templates/exchange.ts';
import type { Mark } from '../../firmware/sync/centre/centre.ts';
import { isIdle, joinPlans, type Plan } from '../../firmware/sync/centre/decide.ts';
import {
  type MarksState,
  mark,
  marksOfBoot,
  noMarks,
  unmark,
  withReport,
} from '../../firmware/sync/centre/deletion-marks.ts';
import type { ViewedBucket } from '../../firmware/sync/centre/store-view.ts';
import { entrySubject, identityOf } from '../../firmware/sync/centre/subjects.ts';
import { ItemDecider } from '../../firmware/sync/item-decider.ts';
import { seeded } from '../tools/seeded.ts';
import { SimulatedBucket } from './simulated-bucket.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** How long devices are at work and faults happen. */
const TROUBLE_MS = 20 * MINUTE;
/** How long all is quiet afterwards: enough for entries to settle and for several rounds. */
const QUIET_MS = 20 * MINUTE;
const SYNC_EVERY_MS = 30 * SECOND;
/** How old a message is before the master syncs it to the disk. */
const KEPT_AFTER_MS = 5 * SECOND;
const ORPHANED_AFTER_MS = 40 * SECOND;
/** A server that is killed loses what it took last. */
const UNWRITTEN_MS = 10;
const REQUEST_LIMIT_MS = 5 * SECOND;
/** A round that began under a mark may still delete this much later what was learned since. */
const STALE_MARK_MS = 2 * SECOND;
const ITEMS = ['1', '2', '>', 'ü'];
/** One that many learn: it is full on every device, with others than the first ones. */
const CROWDED = 'crowded';
const MODELS = ['one', 'other'];
/** How long a device takes to embed a template anew that another model has embedded. */
const EMBED_AGAIN_MS = 10 * SECOND;

type Random = () => number;

type Refs = Map<string, TemplateName>;

/** Of a template: its picture, and the model whose vector it has. */
interface Content {
  readonly picture: string;
  readonly model: string;
}

interface Centre {
  readonly templates: SimulatedBucket<Content>;
  readonly tombstones: SimulatedBucket<Content>;
}

/** What the master's disk holds for sure, and up to which number the devices know of it. */
interface Disk {
  readonly centre: Centre;
  readonly last: number;
}

interface Held {
  readonly ref: TemplateName;
  readonly content: Content;
}

interface Device {
  readonly serial: string;
  readonly upload: boolean;
  download: boolean;
  readonly downloads: boolean;
  readonly max: number;
  readonly limit: number;
  readonly model: string;
  readonly templates: Map<string, Held>;
  readonly tombstones: Map<string, Tombstone>;
  /** What the process knows; lost in a crash. */
  decider: ItemDecider;
  /** The process of the server that it knows. */
  server: number;
  lastSid: number;
  clockOffset: number;
  online: boolean;
  /** Another one after each crash: what was under way ends. */
  life: number;
  busy: boolean;
}

interface Event {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** What the master takes from the centre: templates of marked items, and those that a tombstone names. */
function decideCentre(templates: readonly TemplateName[], tombstones: readonly TemplateName[], marks: readonly Mark[]) {
  const marked = new Set(marks.map(({ item }) => item));
  const deletedForGood = new Set(tombstones.map(identityOf));
  return templates.filter((ref) => marked.has(ref.item) || deletedForGood.has(identityOf(ref)));
}

export class Simulation {
  readonly #random: Random;
  readonly #devices: Device[] = [];
  readonly #events: Event[] = [];
  readonly #failures: string[] = [];
  #now = 0;
  #order = 0;
  #trouble = true;
  #boots = 1;
  #marks: MarksState = noMarks('boot 1');
  #markNumber = 0;
  #server = 1;
  #buckets = 0;
  #centre: Centre = this.#newCentre();
  #disk: Disk = { centre: copyOf(this.#centre), last: 0 };
  /** What the centre held at that moment is on the disk soon. */
  #coming: { readonly since: number; readonly last: number } | null = null;
  #reports = new Map<string, readonly string[]>();
  readonly #made: Refs = new Map();
  /** Places that somebody gave up in a full item. */
  evicted = 0;
  /** Templates that went for good when somebody made a place in a full item. */
  givenUp = 0;
  /** Templates that may be gone at the end, for somebody deleted them. */
  readonly #mayGo = new Set<string>();
  readonly #deletedForGood = new Set<string>();
  readonly #lastMarked = new Map<string, number>();

  constructor(seed: number) {
    this.#random = seeded(seed);
    const count = 1 + this.#below(8);
    const max = 2 + this.#below(4);
    for (let number = 0; number <= count; number++) this.#devices.push(this.#newDevice(number, max));
  }

  /** What went wrong; empty when every invariant holds. */
  run(): readonly string[] {
    for (const device of this.#devices) this.#every(SYNC_EVERY_MS, () => this.#round(device));
    this.#every(SYNC_EVERY_MS, () => this.#sweep());
    this.#every(SECOND, () => this.#keep());
    this.#every(4 * SECOND, () => this.#somethingHappens());
    this.#later(TROUBLE_MS, () => this.#calmDown());
    while (this.#now < TROUBLE_MS + QUIET_MS) {
      const next = this.#events.pop();
      if (next === undefined) break;
      this.#now = next.at;
      next.run();
    }
    this.#judge();
    return this.#failures;
  }

  /** What everybody holds, in one line. */
  summary(): string {
    const held = this.#devices.map(({ serial, templates }) => `${serial}: ${[...templates.keys()].sort().join()}`);
    return [...held, `centre: ${[...this.#refsAtCentre().keys()].sort().join()}`].join(' | ');
  }

  #newCentre(): Centre {
    const created = `made ${++this.#buckets}`;
    return { templates: new SimulatedBucket(created), tombstones: new SimulatedBucket(created) };
  }

  #newDevice(number: number, max: number): Device {
    const serial = number === 0 ? 'M' : `S${number}`;
    const downloads = this.#chance(0.85);
    const device: Omit<Device, 'decider'> = {
      ...{ serial, max, downloads, download: downloads },
      upload: this.#chance(0.85),
      limit: this.#chance(0.2) ? 20 : 0,
      model: MODELS[this.#below(MODELS.length)] ?? '',
      templates: new Map(),
      tombstones: new Map(),
      server: 0,
      lastSid: 0,
      clockOffset: this.#chance(0.3) ? this.#below(100_000_000) - 50_000_000 : 0,
      online: true,
      life: 0,
      busy: false,
    };
    return Object.assign(device, { decider: this.#newDecider(device) });
  }

  #newDecider({ serial, max, templates, tombstones }: Omit<Device, 'decider'>): ItemDecider {
    const own = {
      namesOf: (item: string) => [...templates.values()].map(({ ref }) => ref).filter((ref) => ref.item === item),
      tombstonesOf: (item: string) => [...tombstones.values()].filter(({ ref }) => ref.item === item),
      tombstoneCount: () => tombstones.size,
    };
    return new ItemDecider(serial, max, own, ORPHANED_AFTER_MS);
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #chance(probability: number): boolean {
    return this.#random() < probability;
  }

  #later(ms: number, run: () => void): void {
    const event = { at: this.#now + ms, order: this.#order++, run };
    let place = this.#events.length;
    const isSooner = (other: Event | undefined): boolean =>
      other !== undefined && (other.at < event.at || (other.at === event.at && other.order < event.order));
    while (place > 0 && isSooner(this.#events[place - 1])) place--;
    this.#events.splice(place, 0, event);
  }

  #every(ms: number, run: () => void, first = this.#below(ms)): void {
    this.#later(first, () => {
      run();
      this.#every(ms, run, ms);
    });
  }

  // What people and the world do

  #somethingHappens(): void {
    if (!this.#trouble) return;
    const device = this.#devices[this.#below(this.#devices.length)];
    if (device === undefined) return;
    const item = this.#chance(0.3) ? CROWDED : (ITEMS[this.#below(ITEMS.length)] ?? '1');
    const dice = this.#below(100);
    if (dice < 45) this.#learn(device, item);
    else if (dice < 52) this.#deleteForGood(device);
    else if (dice < 58)
      this.#deleteLocally(
        device,
        [...device.templates.values()].filter(({ ref }) => ref.item === item),
      );
    else if (dice < 60) this.#deleteLocally(device, [...device.templates.values()]);
    else if (dice < 65) this.#setMark(item);
    else if (dice < 71) this.#clearMark(item);
    else if (dice < 79) this.#crash(device);
    else if (dice < 87) device.online = !device.online;
    else if (dice < 92) device.clockOffset = this.#below(100_000_000) - 50_000_000;
    else if (dice < 94) device.download = !device.download;
    else if (dice < 96) this.#powerCut();
    else if (dice < 97) this.#killServer();
    else if (dice < 98 && this.#chance(0.3)) this.#loseBuckets();
    else this.#round(device);
  }

  #learn(device: Device, item: string): void {
    if (!this.#hasRoom(device, item)) return;
    // a clock of seconds that jumps; on one device identifiers only grow
    device.lastSid = Math.max(device.lastSid + 1, 1_000_000_000 + Math.floor(this.#now / SECOND) + device.clockOffset);
    const ref = { item, origin: device.serial, sid: String(device.lastSid).padStart(12, '0') };
    this.#hold(device, { ref, content: { picture: identityOf(ref), model: device.model } });
    this.#made.set(identityOf(ref), ref);
    if (this.#isMarked(item)) this.#mayGo.add(identityOf(ref));
  }

  #hold(device: Device, held: Held): void {
    device.templates.set(identityOf(held.ref), held);
    device.decider.markChanged(held.ref.item);
    if (held.content.model !== device.model) this.#later(EMBED_AGAIN_MS, () => this.#embedAgain(device, held.ref));
  }

  /** From its picture, which travels with it. */
  #embedAgain(device: Device, ref: TemplateName): void {
    const held = device.templates.get(identityOf(ref));
    if (held === undefined) return;
    const { picture } = held.content;
    device.templates.set(identityOf(ref), { ref, content: { picture, model: device.model } });
    device.decider.markChanged(ref.item);
  }

  #drop(device: Device, ref: TemplateName): void {
    if (device.templates.delete(identityOf(ref))) device.decider.markChanged(ref.item);
  }

  #deleteForGood(device: Device): void {
    const held = [...device.templates.values()];
    const ref = held[this.#below(held.length)]?.ref;
    if (ref === undefined) return;
    const identity = identityOf(ref);
    device.tombstones.set(identity, { ref, own: true });
    this.#drop(device, ref);
    this.#mayGo.add(identity);
    this.#deletedForGood.add(identity);
  }

  /** What goes because somebody has made room in a full item. */
  #giveUp(identity: string): void {
    this.givenUp += 1;
    this.#mayGo.add(identity);
    this.#deletedForGood.add(identity);
  }

  /** Own templates that the centre holds durably must come back; what no other device has is the user's own loss. */
  #deleteLocally(device: Device, held: readonly Held[]): void {
    const [now, safe] = [this.#refsAtCentre(), refsIn(this.#disk.centre)];
    for (const { ref } of held) {
      const identity = identityOf(ref);
      this.#drop(device, ref);
      const isSafe = safe.has(identity) && now.has(identity);
      if (!isSafe && (ref.origin === device.serial || !this.#isShared(identity))) this.#mayGo.add(identity);
    }
  }

  /** Whether somebody holds it who shares. */
  #isShared(identity: string): boolean {
    return this.#devices.some(({ upload, templates }) => upload && templates.has(identity));
  }

  #setMark(item: string): void {
    this.#marks = mark(this.#marks, item, `mark ${++this.#markNumber}`);
    for (const ref of this.#made.values()) if (ref.item === item) this.#mayGo.add(identityOf(ref));
  }

  #clearMark(item: string): void {
    if (this.#marks.marks.some((each) => each.item === item)) this.#lastMarked.set(item, this.#now);
    this.#marks = unmark(this.#marks, item);
  }

  #isMarked(item: string): boolean {
    const since = this.#now - (this.#lastMarked.get(item) ?? Number.NEGATIVE_INFINITY);
    return since < STALE_MARK_MS || this.#marks.marks.some((each) => each.item === item);
  }

  #crash(device: Device): void {
    device.life++;
    device.busy = false;
    device.server = 0;
    device.decider = this.#newDecider(device);
    if (device.serial === 'M') this.#marks = marksOfBoot(structuredClone(this.#marks), this.#marks.boot);
  }

  /** The master's power: its centre goes back to what was on the disk, its boot is another one. */
  #powerCut(): void {
    this.#centre = copyOf(this.#disk.centre);
    this.#startServer();
    this.#reports = new Map();
    for (const { item } of this.#marks.marks) this.#lastMarked.set(item, this.#now);
    this.#marks = marksOfBoot(this.#marks, `boot ${++this.#boots}`);
    const [master] = this.#devices;
    if (master !== undefined) this.#crash(master);
  }

  /** What the server took in its last moments is not there, and numbers are given again. */
  #killServer(): void {
    for (const bucket of [this.#centre.templates, this.#centre.tombstones]) bucket.lose(this.#now - UNWRITTEN_MS);
    this.#startServer();
  }

  #startServer(): void {
    this.#server++;
    this.#coming = null;
    this.#disk = { centre: copyOf(this.#disk.centre), last: 0 };
  }

  /** Somebody has deleted the buckets; what no sharing device holds is lost with them. */
  #loseBuckets(): void {
    for (const identity of this.#made.keys()) if (!this.#isShared(identity)) this.#mayGo.add(identity);
    this.#centre = this.#newCentre();
    this.#reports = new Map();
    this.#disk = { centre: copyOf(this.#centre), last: 0 };
    this.#coming = null;
  }

  /** The master syncs its server's files when the latest message in them is old enough. */
  #keep(): void {
    const { last } = this.#centre.templates;
    if (this.#coming !== null && this.#now - this.#coming.since >= KEPT_AFTER_MS) {
      this.#disk = { centre: copyOf(this.#centre), last: this.#coming.last };
      this.#coming = null;
    }
    if (this.#disk.last < last) this.#coming ??= { since: this.#now, last };
  }

  #refsAtCentre(): Refs {
    return refsIn(this.#centre);
  }

  #calmDown(): void {
    this.#trouble = false;
    for (const device of this.#devices) {
      device.online = true;
      device.download = device.downloads;
    }
  }

  // The master's half of the centre

  #sweep(): void {
    for (const [serial, ids] of this.#reports) this.#marks = withReport(this.#marks, serial, ids);
    const { templates, tombstones } = this.#centre;
    const gone = new Set(
      decideCentre([...this.#refsAtCentre().values()], refsOf(tombstones), this.#marks.marks).map(identityOf),
    );
    for (const { subject, ref } of templates.entries('templates'))
      if (gone.has(identityOf(ref))) templates.purge(subject);
  }

  // A device's round

  #round(device: Device): void {
    if (device.busy || !device.online) return;
    device.busy = true;
    this.#advance(device, device.life, this.#synchronise(device), null);
  }

  /** Goes on to the round's next request; a lost one ends the round, and the next round decides anew. */
  #advance(device: Device, life: number, round: Round, lost: Lost | null): void {
    if (device.life !== life) return;
    try {
      const { done, value } = lost === null ? round.next() : round.throw(lost);
      if (done) device.busy = false;
      else this.#send(device, value, (failure) => this.#advance(device, life, round, failure));
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      device.busy = false;
    }
  }

  *#synchronise(device: Device): Round {
    const { decider, serial } = device;
    const { boot, marks, kept, server } = yield* asking(() => this.#marksReport());
    if (device.server !== server) decider.forgetView();
    device.server = server;
    const reported = yield* asking(() => this.#reports.get(serial) ?? []);
    const { upload, download } = device;
    decider.begin({ now: this.#now, upload, download, document: { boot, marks, kept } });
    yield* this.#follow(device, 'tombstones');
    yield* this.#follow(device, 'templates');
    const before = new Set(device.templates.keys());
    const items = decider.drainChanged();
    this.#checkTaken(device, items);
    const plans = [...(items ?? this.#itemsOf(device))].map((item) => decider.decide(item));
    for (const { keepTombstones, publishTombstones, drop } of plans) {
      const published = new Set(publishTombstones.map(identityOf));
      for (const ref of keepTombstones) if (published.has(identityOf(ref))) this.#giveUp(identityOf(ref));
      for (const ref of keepTombstones) device.tombstones.set(identityOf(ref), { ref, own: false });
      for (const ref of drop) this.#drop(device, ref);
    }
    yield* this.#carryOut(device, joinPlans(plans, device.limit, { marks, reported }));
    this.#checkMarks(device, marks, before);
  }

  #marksReport() {
    const kept = { created: this.#centre.templates.created, last: this.#disk.last };
    return { ...this.#marks, kept, server: this.#server };
  }

  /** As `follow.ts` does it. */
  *#follow({ decider }: Device, bucket: ViewedBucket): Generator<() => void, void, void> {
    const view = decider.view[bucket];
    for (let steps = 0; steps < 4; steps++) {
      const place = yield* asking(() => this.#centre[bucket].place);
      const step = view.step(place);
      if (step.kind === 'done') return;
      if (step.kind === 'damaged') throw new Error('a sound centre passes for a damaged one');
      if (step.kind === 'list') {
        const found = yield* asking(() => this.#centre[bucket].place);
        const subjects = yield* asking(() => this.#centre[bucket].subjects);
        view.beginListing(found);
        for (const subject of subjects) view.apply(subject, null);
      } else {
        const found = yield* asking(() => step.numbers.map((number) => this.#centre[bucket].at(number)));
        for (const [index, subject] of found.entries())
          if (subject !== null) view.apply(subject, step.numbers[index] ?? null);
        for (const [number, subject] of view.ownUpTo(step.last)) view.apply(subject, number);
        view.reach(step.last);
      }
    }
  }

  *#carryOut(device: Device, plan: Plan): Generator<() => void, void, void> {
    const { decider, serial } = device;
    const { report } = plan;
    if (report !== null) yield* asking(() => this.#reports.set(serial, report));
    for (const ref of plan.publishTombstones) yield* this.#put(device, 'tombstones', ref, NO_CONTENT);
    for (const ref of plan.put) {
      const held = device.templates.get(identityOf(ref));
      if (held !== undefined) yield* this.#put(device, 'templates', ref, held.content);
    }
    this.evicted += plan.evict.length;
    for (const ref of plan.evict) this.#drop(device, ref);
    for (const ref of plan.fetch) {
      const entry = decider.offersOf(ref.item).get(identityOf(ref));
      const content = yield* asking(() => this.#centre.templates.contentOf(entry?.subject ?? ''));
      if (content !== null && !device.tombstones.has(identityOf(ref)) && this.#hasRoom(device, ref.item))
        this.#hold(device, { ref, content });
    }
  }

  *#put(device: Device, bucket: ViewedBucket, ref: TemplateName, content: Content): Generator<() => void, void, void> {
    const subject = entrySubject(bucket, device.serial, ref);
    const number = yield* asking(() => this.#centre[bucket].put(subject, content, this.#now));
    device.decider.view[bucket].recordOwn(subject, number);
  }

  #itemsOf({ templates, tombstones, decider: { view } }: Device): Set<string> {
    const here = [...templates.values(), ...tombstones.values()].map(({ ref }) => ref.item);
    return new Set([...here, ...view.templates.items, ...view.tombstones.items]);
  }

  /** What comes of the items that are looked at is what comes of all. */
  #checkTaken(device: Device, items: ReadonlySet<string> | null): void {
    if (items === null) return;
    for (const item of this.#itemsOf(device))
      if (!items.has(item) && !isIdle(device.decider.planOf(item)))
        this.#failures.push(`${device.serial} does not look at ${item}, of which something comes`);
  }

  #hasRoom(device: Device, item: string): boolean {
    return [...device.templates.values()].filter(({ ref }) => ref.item === item).length < device.max;
  }

  /** One request to the centre: it may be lost on the way there or back, come late, or be carried out twice. */
  #send(device: Device, carryOut: () => void, settle: (failure: Lost | null) => void): void {
    const delay = 1 + this.#below(50);
    const isLost = this.#trouble && this.#chance(0.05);
    const isLate = this.#trouble && this.#chance(0.03);
    const isRepeated = this.#trouble && this.#chance(0.03);
    if (isLate || isRepeated) this.#later(delay + this.#below(2 * MINUTE), carryOut);
    const fails = isLost || isLate;
    this.#later(fails ? REQUEST_LIMIT_MS : delay, () => {
      if (fails || !device.online) {
        settle(new Lost());
        return;
      }
      carryOut();
      settle(null);
    });
  }

  // Invariants

  /** What is marked is deleted on every device that synchronises before the reset. */
  #checkMarks(device: Device, marks: MarksState['marks'], before: ReadonlySet<string>): void {
    const marked = new Set(marks.map(({ item }) => item));
    for (const [identity, { ref }] of device.templates) {
      if (marked.has(ref.item) && before.has(identity))
        this.#failures.push(`${device.serial} synchronised and kept ${identity} of a marked item`);
    }
  }

  #judge(): void {
    this.#judgeLosses();
    for (const device of this.#devices) {
      this.#judgeMarks(device);
      this.#judgeDeleted(device);
      this.#judgeModels(device);
      if (device.upload && device.download) this.#judgeAgreement(device);
    }
  }

  /** What is not marked is never lost. */
  #judgeLosses(): void {
    const atCentre = this.#refsAtCentre();
    for (const [identity, ref] of this.#made) {
      if (this.#mayGo.has(identity)) continue;
      const maker = this.#devices.find(({ serial }) => serial === ref.origin);
      const place = maker?.upload === true ? atCentre : maker?.templates;
      if (!place?.has(identity)) this.#failures.push(`${identity} is lost`);
    }
  }

  #judgeMarks(device: Device): void {
    for (const { item, done } of this.#marks.marks) {
      const left = [...device.templates.values()].filter(({ ref }) => ref.item === item);
      if (left.length > 0) this.#failures.push(`${device.serial} still has ${left.length} of the marked ${item}`);
      if (!done.includes(device.serial)) this.#failures.push(`${device.serial} has not reported ${item}`);
    }
  }

  #judgeDeleted(device: Device): void {
    const atCentre = this.#refsAtCentre();
    for (const identity of this.#deletedForGood) {
      if (device.templates.has(identity)) this.#failures.push(`${device.serial} still has the deleted ${identity}`);
      if (atCentre.has(identity)) this.#failures.push(`the centre still has the deleted ${identity}`);
    }
  }

  /** For any maker and model of a template: every device has its picture, and a vector of the device's own model. */
  #judgeModels(device: Device): void {
    for (const [identity, { content }] of device.templates) {
      if (content.picture !== identity) this.#failures.push(`${device.serial} has another picture of ${identity}`);
      if (content.model !== device.model)
        this.#failures.push(`${device.serial} has ${identity} of model ${content.model}`);
    }
  }

  /** All that share and receive hold the same: of each item the first in turn. */
  #judgeAgreement(device: Device): void {
    for (const item of [...ITEMS, CROWDED]) {
      const ofItem = (refs: Iterable<TemplateName>): TemplateName[] => [...refs].filter((ref) => ref.item === item);
      const wanted = inTurns(ofItem(this.#refsAtCentre().values()), device.max).map(identityOf).sort();
      const held = ofItem([...device.templates.values()].map(({ ref }) => ref))
        .map(identityOf)
        .sort();
      if (wanted.join() !== held.join())
        this.#failures.push(
          `${device.serial} holds ${held.join()} of ${item} instead of ${wanted.join()}`.replaceAll('\n', '/'),
        );
    }
  }
}

class Lost extends Error {}

type Round = Generator<() => void, void, void>;

function* asking<T>(carryOut: () => T): Generator<() => void, T, void> {
  const answers: T[] = [];
  yield () => {
    answers.push(carryOut());
  };
  const [answer] = answers;
  return answer as T; // the request was carried out, or this generator was thrown into
}

const NO_CONTENT: Content = { picture: '', model: '' };

const copyOf = ({ templates, tombstones }: Centre): Centre => ({
  templates: templates.copy(),
  tombstones: tombstones.copy(),
});

const refsOf = (bucket: SimulatedBucket<Content>): TemplateName[] => bucket.entries('tombstones').map(({ ref }) => ref);

const refsIn = ({ templates }: Centre): Refs =>
  new Map(templates.entries('templates').map(({ ref }) => [identityOf(ref), ref]));
