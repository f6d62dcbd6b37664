/**
 * One master and its slaves in virtual time over the real decision code. The transport is replaced: requests are lost,
 * arrive late or twice, devices crash between two steps, the centre loses what it had not yet synced, clocks jump.
 * Everything follows from the seed.
 */

import type { Tombstone } from '../../firmware/recognition/templates/exchange.ts';
import { byAge, type TemplateName } from '../../firmware/recognition/templates/template-name.ts';
import { type CentreState, decide, decideCentre, type LocalState } from '../../firmware/sync/centre/decide.ts';
import {
  type MarksState,
  mark,
  marksOfBoot,
  noMarks,
  takeReport,
  unmark,
} from '../../firmware/sync/centre/decide-marks.ts';
import { identityOf } from '../../firmware/sync/centre/subjects.ts';
import { seeded } from '../../scripts/seeded.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** How long devices are at work and faults happen. */
const TROUBLE_MS = 20 * MINUTE;
/** How long all is quiet afterwards: enough for entries to settle and for several rounds. */
const QUIET_MS = 20 * MINUTE;
const SYNC_EVERY_MS = 30 * SECOND;
/** The server's own interval of syncing to disk. */
const DURABLE_AFTER_MS = 2 * MINUTE;
const SETTLED_AFTER_MS = 5 * MINUTE;
const REQUEST_LIMIT_MS = 5 * SECOND;
/** A round that began under a mark may still delete this much later what was learned since. */
const STALE_MARK_MS = 2 * SECOND;
const ITEMS = ['1', '2', '>', 'ü'];

type Random = () => number;

type Refs = Map<string, TemplateName>;

interface Centre {
  templates: Refs;
  tombstones: Map<string, Refs>;
}

interface Device {
  readonly serial: string;
  readonly upload: boolean;
  readonly download: boolean;
  readonly max: number;
  readonly templates: Refs;
  readonly tombstones: Map<string, Tombstone>;
  /** When each entry was first seen at the centre, without a gap; lost in a crash. */
  seen: Map<string, number>;
  /** Since when the centre lacks what is here; lost in a crash too. */
  lacking: Map<string, number>;
  /** The master's boot that both belong to: what it lost in a power cut may have come again since. */
  seenBoot: string;
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
  #centre: Centre = { templates: new Map(), tombstones: new Map() };
  #durable: { at: number; centre: Centre }[] = [];
  #reports = new Map<string, readonly string[]>();
  readonly #made: Refs = new Map();
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
    this.#every(MINUTE, () => this.#keepDurable());
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
    return [...held, `centre: ${[...this.#centre.templates.keys()].sort().join()}`].join(' | ');
  }

  #newDevice(number: number, max: number): Device {
    return {
      serial: number === 0 ? 'M' : `S${number}`,
      upload: this.#chance(0.85),
      download: this.#chance(0.85),
      max,
      templates: new Map(),
      tombstones: new Map(),
      seen: new Map(),
      lacking: new Map(),
      seenBoot: '',
      lastSid: 0,
      clockOffset: this.#chance(0.3) ? this.#below(100_000_000) - 50_000_000 : 0,
      online: true,
      life: 0,
      busy: false,
    };
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
    const item = ITEMS[this.#below(ITEMS.length)] ?? '1';
    const dice = this.#below(100);
    if (dice < 45) this.#learn(device, item);
    else if (dice < 52) this.#deleteForGood(device);
    else if (dice < 58)
      this.#deleteLocally(
        device,
        [...device.templates.values()].filter((ref) => ref.item === item),
      );
    else if (dice < 60) this.#deleteLocally(device, [...device.templates.values()]);
    else if (dice < 66) this.#setMark(item);
    else if (dice < 72) this.#clearMark(item);
    else if (dice < 80) this.#crash(device);
    else if (dice < 88) device.online = !device.online;
    else if (dice < 94) device.clockOffset = this.#below(100_000_000) - 50_000_000;
    else if (dice < 96) this.#powerCut();
    else this.#round(device);
  }

  #learn(device: Device, item: string): void {
    if ([...device.templates.values()].filter((ref) => ref.item === item).length >= device.max) return;
    // a clock of seconds that jumps; on one device identifiers only grow
    device.lastSid = Math.max(device.lastSid + 1, 1_000_000_000 + Math.floor(this.#now / SECOND) + device.clockOffset);
    const ref = { item, origin: device.serial, sid: String(device.lastSid).padStart(12, '0') };
    device.templates.set(identityOf(ref), ref);
    this.#made.set(identityOf(ref), ref);
    if (this.#isMarked(item)) this.#mayGo.add(identityOf(ref));
  }

  #deleteForGood(device: Device): void {
    const refs = [...device.templates.values()];
    const ref = refs[this.#below(refs.length)];
    if (ref === undefined) return;
    const identity = identityOf(ref);
    device.templates.delete(identity);
    device.tombstones.set(identity, { ref, own: true });
    this.#mayGo.add(identity);
    this.#deletedForGood.add(identity);
  }

  /** Own templates that the centre holds durably must come back; what nobody else has is the user's own loss. */
  #deleteLocally(device: Device, refs: readonly TemplateName[]): void {
    const safe = this.#durable[0]?.centre.templates;
    for (const ref of refs) {
      const identity = identityOf(ref);
      device.templates.delete(identity);
      if (ref.origin === device.serial && !(safe?.has(identity) && this.#centre.templates.has(identity)))
        this.#mayGo.add(identity);
    }
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
    device.seen = new Map();
    device.lacking = new Map();
    if (device.serial === 'M') this.#marks = marksOfBoot(structuredClone(this.#marks), this.#marks.boot);
  }

  /** The master's power: its centre goes back to what was on the disk, its boot is another one. */
  #powerCut(): void {
    const kept = this.#durable[0]?.centre ?? { templates: new Map(), tombstones: new Map() };
    this.#centre = copyOf(kept);
    this.#durable = [{ at: this.#now - DURABLE_AFTER_MS, centre: copyOf(kept) }];
    this.#reports = new Map();
    for (const { item } of this.#marks.marks) this.#lastMarked.set(item, this.#now);
    this.#marks = marksOfBoot(this.#marks, `boot ${++this.#boots}`);
    const [master] = this.#devices;
    if (master !== undefined) this.#crash(master);
  }

  #keepDurable(): void {
    this.#durable.push({ at: this.#now, centre: copyOf(this.#centre) });
    while (this.#durable.length > 1 && (this.#durable[1]?.at ?? 0) <= this.#now - DURABLE_AFTER_MS)
      this.#durable.shift();
  }

  #calmDown(): void {
    this.#trouble = false;
    for (const device of this.#devices) device.online = true;
  }

  // The master's half of the centre

  #sweep(): void {
    for (const [serial, ids] of this.#reports) this.#marks = takeReport(this.#marks, serial, ids);
    const tombstones = [...this.#centre.tombstones.values()].flatMap((refs) => [...refs.values()]);
    for (const ref of decideCentre([...this.#centre.templates.values()], tombstones, this.#marks.marks))
      this.#centre.templates.delete(identityOf(ref));
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
    const { boot, marks } = yield* asking(() => this.#marks);
    const reported = yield* asking(() => this.#reports.get(device.serial) ?? []);
    const tombstones = yield* asking(() => copyOf(this.#centre).tombstones);
    const templates = yield* asking(() => [...this.#centre.templates.values()]);
    this.#notice(device, boot, templates);
    const centre: CentreState = {
      templates,
      tombstones: [...tombstones.values()].flatMap((refs) => [...refs.values()]),
      published: new Set(tombstones.get(device.serial)?.keys()),
      marks,
      reported,
    };
    const before = new Set(device.templates.keys());
    const plan = decide(this.#localState(device), centre);
    for (const ref of plan.keepTombstones) device.tombstones.set(identityOf(ref), { ref, own: false });
    for (const ref of plan.drop) device.templates.delete(identityOf(ref));
    const { report } = plan;
    if (report !== null) yield* asking(() => this.#reports.set(device.serial, report));
    for (const ref of plan.publishTombstones)
      yield* asking(() => this.#tombstonesOf(device.serial).set(identityOf(ref), ref));
    for (const ref of plan.put) yield* asking(() => this.#centre.templates.set(identityOf(ref), ref));
    for (const ref of plan.evict) device.templates.delete(identityOf(ref));
    for (const ref of plan.fetch) {
      const found = yield* asking(() => this.#centre.templates.get(identityOf(ref)));
      if (found !== undefined && !device.tombstones.has(identityOf(ref)) && this.#hasRoom(device, ref))
        device.templates.set(identityOf(ref), ref);
    }
    this.#checkMarks(device, marks, before);
  }

  #tombstonesOf(serial: string): Refs {
    const refs = this.#centre.tombstones.get(serial) ?? new Map();
    this.#centre.tombstones.set(serial, refs);
    return refs;
  }

  #hasRoom(device: Device, { item }: TemplateName): boolean {
    return [...device.templates.values()].filter((ref) => ref.item === item).length < device.max;
  }

  #notice(device: Device, boot: string, templates: readonly TemplateName[]): void {
    const isSame = device.seenBoot === boot;
    const since = (known: Map<string, number>, identities: Iterable<string>): Map<string, number> =>
      new Map([...identities].map((identity) => [identity, (isSame && known.get(identity)) || this.#now]));
    const present = new Set(templates.map(identityOf));
    device.seen = since(device.seen, present);
    device.lacking = since(
      device.lacking,
      [...device.templates.keys()].filter((identity) => !present.has(identity)),
    );
    device.seenBoot = boot;
  }

  #localState({ serial, upload, download, max, templates, tombstones, seen, lacking }: Device): LocalState {
    const longSince = (known: Map<string, number>): Set<string> =>
      new Set([...known].filter(([, since]) => this.#now - since >= SETTLED_AFTER_MS).map(([identity]) => identity));
    return {
      serial,
      upload,
      download,
      max,
      limit: 0,
      templates: [...templates.values()],
      tombstones: [...tombstones.values()],
      settled: longSince(seen),
      orphaned: longSince(lacking),
    };
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
    for (const [identity, ref] of device.templates) {
      if (marked.has(ref.item) && before.has(identity))
        this.#failures.push(`${device.serial} synchronised and kept ${identity} of a marked item`);
    }
  }

  #judge(): void {
    this.#judgeLosses();
    for (const device of this.#devices) {
      this.#judgeMarks(device);
      this.#judgeDeleted(device);
      if (device.upload && device.download) this.#judgeAgreement(device);
    }
  }

  /** What is not marked is never lost. */
  #judgeLosses(): void {
    for (const [identity, ref] of this.#made) {
      if (this.#mayGo.has(identity)) continue;
      const maker = this.#devices.find(({ serial }) => serial === ref.origin);
      const place = maker?.upload === true ? this.#centre.templates : maker?.templates;
      if (!place?.has(identity)) this.#failures.push(`${identity} is lost`);
    }
  }

  #judgeMarks(device: Device): void {
    for (const { item, done } of this.#marks.marks) {
      const left = [...device.templates.values()].filter((ref) => ref.item === item);
      if (left.length > 0) this.#failures.push(`${device.serial} still has ${left.length} of the marked ${item}`);
      if (!done.includes(device.serial)) this.#failures.push(`${device.serial} has not reported ${item}`);
    }
  }

  #judgeDeleted(device: Device): void {
    for (const identity of this.#deletedForGood) {
      if (device.templates.has(identity)) this.#failures.push(`${device.serial} still has the deleted ${identity}`);
      if (this.#centre.templates.has(identity)) this.#failures.push(`the centre still has the deleted ${identity}`);
    }
  }

  /** All that share and receive hold the same: of each item the first in the common order. */
  #judgeAgreement(device: Device): void {
    for (const item of ITEMS) {
      const ofItem = (refs: Refs): string[] =>
        [...refs.values()]
          .filter((ref) => ref.item === item)
          .sort(byAge)
          .map(identityOf);
      const wanted = ofItem(this.#centre.templates).slice(0, device.max);
      const held = ofItem(device.templates);
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

const copyOf = ({ templates, tombstones }: Centre): Centre => ({
  templates: new Map(templates),
  tombstones: new Map([...tombstones].map(([serial, refs]) => [serial, new Map(refs)])),
});
