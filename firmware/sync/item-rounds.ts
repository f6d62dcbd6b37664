/**
 * Synchronises names and prices of items in a store. A record (`ItemRecord`) is one device's version of one item, with a revision
 * number. Each device publishes its records under subjects that no other device may write, but not those of which another device
 * has published a later version. The latest version counts, as a record of the device that published it.
 *
 * A revision far beyond a device's own one of the item is refused: no later change could exceed the highest number. A member may
 * raise a number step by step, and the others follow; but a device that joins later has no revision of its own, and sees only the
 * high number. So each device publishes a number so high, and it is believed from two devices.
 */

import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import Type from 'typebox';
import { decodePart } from '../../drivers/lib/text.ts';
import { nextTurn } from '../../drivers/lib/turns.ts';
import type { Log } from '../core/host/index.ts';
import { compiled } from '../core/schema/index.ts';
import { ItemRecord, type Items, type ItemVersion, isLater, MOST_AHEAD, versionOf } from '../recognition/index.ts';
import { BucketView } from './centre/bucket-view.ts';
import { type Centre, type Numbered, parse } from './centre/centre.ts';
import { follow, requireGone, requireStored } from './centre/follow.ts';
import { ITEM_PARTS, itemPart, subjectOf } from './centre/subjects.ts';
import { SyncError } from './errors.ts';

const BUCKET = 'items';
/** Versions that are compared before the event loop gets a turn: some milliseconds of work. */
const RECORDS_AT_ONCE = 2000;
const RECORDS_REFUSED = 'words of a device about items were refused';

const Part = Type.Object({ words: Type.Array(Type.Unknown()) });
/** Compiled, because a round checks thousands of records. */
const recordCheck = compiled(ItemRecord);

const versionsIn = (records: readonly ItemRecord[]): ReadonlyMap<string, ItemVersion> =>
  new Map(records.map((record) => [record.id, versionOf(record)]));

/** Serial number of the device that published the subject: the server lets no other device write there. */
const publisherOf = (subject: string): string =>
  decodePart(subject.slice(subjectOf(BUCKET, '').length).split('.', 1)[0] ?? '') ?? '';

/** Revisions that are believed only from two devices, by item. */
const highIn = (records: readonly ItemRecord[]): ReadonlyMap<string, number> =>
  new Map(records.filter(({ revision }) => revision > MOST_AHEAD).map(({ id, revision }) => [id, revision]));

const partOf = (id: string): number => Number.parseInt(hash('sha256', id).slice(0, 8), 16) % ITEM_PARTS;

export class ItemRounds {
  readonly #serial: string;
  readonly #items: Pick<Items, 'records' | 'applyLater' | 'believable' | 'problem'>;
  readonly #log: Pick<Log, 'warn'>;
  /** Versions of the records at the centre, by subject and then by item. */
  readonly #atCentre = new Map<string, ReadonlyMap<string, ItemVersion>>();
  /** Revisions at the centre that are believed only from two devices, by subject and then by item. */
  readonly #high = new Map<string, ReadonlyMap<string, number>>();
  /** Subjects of which records were refused. */
  readonly #refused = new Set<string>();
  readonly #view: BucketView;
  /** Contents of subjects that have changed since the last read; null: still to be requested. */
  #arrived = new Map<string, Uint8Array | null>();
  #server: string | null = null;
  /** Whether this device may have something to publish. */
  #isNews = true;
  /** Whether records of other devices are being applied. */
  #isReceiving = false;

  constructor(
    serial: string,
    items: Pick<Items, 'records' | 'applyLater' | 'believable' | 'problem'>,
    log: Pick<Log, 'warn'>,
  ) {
    this.#serial = serial;
    this.#items = items;
    this.#log = log;
    this.#view = new BucketView(BUCKET, {
      onListing: () => {
        this.#atCentre.clear();
        this.#high.clear();
        this.#refused.clear();
        this.#arrived.clear();
        this.#isNews = true;
      },
      onEntry: (subject) => this.#arrived.set(subject, null),
    });
  }

  /** Records that items of this device have changed. @returns whether the change was made here, not by another device's records */
  recordChange(): boolean {
    this.#isNews = true;
    return !this.#isReceiving;
  }

  /** Serial numbers of devices of which records were refused. */
  get refused(): string[] {
    return [...new Set([...this.#refused].map(publisherOf))].sort();
  }

  /** Applies new records of other devices, and publishes this device's. @throws {SyncError} or the storage's errors */
  async run(centre: Centre, { upload, download }: { upload: boolean; download: boolean }): Promise<void> {
    if (this.#items.problem !== null) return;
    const records = await this.#read(centre);
    if (download && records.length > 0) await this.#apply(records);
    if (!upload || !this.#isNews) return;
    this.#isNews = false;
    try {
      if (await this.#publish(centre)) centre.hint(this.#serial);
    } catch (error) {
      this.#isNews = true;
      throw error;
    }
  }

  /** @returns believable records not read before; this device's own, too, because a restored backup may lack them */
  async #read(centre: Centre): Promise<ItemRecord[]> {
    // a server that was killed may have lost its last messages
    if (centre.server !== this.#server) this.#view.invalidate();
    this.#server = centre.server;
    const onMessage = ({ subject, data }: Numbered): void => void this.#arrived.set(subject, data);
    const following = { centre, bucket: BUCKET, view: this.#view, onMessage } as const;
    await follow(following);
    for (;;) {
      const read = new Map<string, readonly ItemRecord[]>();
      const missing: string[] = [];
      for (const [subject, arrived] of this.#arrived) {
        const data = arrived ?? (await centre.get(BUCKET, subject));
        if (data === null) missing.push(subject);
        read.set(subject, data === null ? [] : this.#recordsIn(subject, data));
        await nextTurn();
      }
      this.#arrived.clear();
      for (const [subject, records] of read) this.#high.set(subject, highIn(records));
      // judged before any record of this round is applied: else a series of records could raise a revision to any number
      const found: ItemRecord[] = [];
      for (const [subject, records] of read) {
        found.push(...this.#believed(subject, records));
        await nextTurn();
      }
      const hasWitness = [...read.keys()].some(
        (subject) => this.#high.get(subject)?.size && !this.#refused.has(subject),
      );
      if (hasWitness) for (const subject of this.#refused) if (!read.has(subject)) this.#arrived.set(subject, null);
      if (missing.length === 0) return found;
      await requireGone(following, missing); // lists the bucket again, so that all subjects are read again
    }
  }

  /** The well-formed records of a message; records the subject as refused where some are not. */
  #recordsIn(subject: string, data: Uint8Array): readonly ItemRecord[] {
    try {
      const { words: records } = parse(data, Part, subject);
      const by = publisherOf(subject);
      const fitting = records.filter((record) => recordCheck.fits(record)).map((record) => ({ ...record, by }));
      if (fitting.length === records.length) this.#refused.delete(subject);
      else this.#recordRefused(subject, records.length - fitting.length);
      return fitting;
    } catch (err) {
      if (!(err instanceof SyncError) || err.code !== 'garbage') throw err;
      this.#log.warn({ err, subject }, RECORDS_REFUSED);
      this.#refused.add(subject);
      return [];
    }
  }

  /** The records whose revision is believable; records the subject as refused where some are not. */
  #believed(subject: string, records: readonly ItemRecord[]): readonly ItemRecord[] {
    const believable = this.#items.believable(records, (id) => this.#witnessed(id));
    if (believable.length < records.length) this.#recordRefused(subject, records.length - believable.length);
    this.#atCentre.set(subject, versionsIn(believable));
    return believable;
  }

  /** The second highest of an item's high revisions, one of each device: two devices vouch for it. 0 without a second. */
  #witnessed(id: string): number {
    const numbers = new Map<string, number>();
    for (const [subject, high] of this.#high) {
      const number = high.get(id);
      if (number !== undefined) numbers.set(publisherOf(subject), number);
    }
    return [...numbers.values()].sort((one, other) => other - one)[1] ?? 0;
  }

  #recordRefused(subject: string, refused: number): void {
    this.#refused.add(subject);
    this.#log.warn({ subject, refused }, RECORDS_REFUSED);
  }

  async #apply(records: readonly ItemRecord[]): Promise<void> {
    this.#isReceiving = true;
    try {
      await this.#items.applyLater(records, this.#serial);
    } catch (error) {
      this.#view.invalidate(); // has all records read again
      throw error;
    } finally {
      this.#isReceiving = false;
    }
  }

  /** Publishes the parts of this device's records that have changed. @returns whether there were any */
  async #publish(centre: Centre): Promise<boolean> {
    const parts = Array.from({ length: ITEM_PARTS }, (_, part) => ({
      subject: itemPart(this.#serial, part),
      records: [] as ItemRecord[],
    }));
    const others = await this.#latestOfOthers(new Set(parts.map(({ subject }) => subject)));
    for await (const page of this.#items.records(this.#serial))
      for (const record of page) {
        // other devices would refuse it: it was stored by an earlier release
        if (!recordCheck.fits(record)) continue;
        const part = parts[partOf(record.id)];
        const published = part && this.#atCentre.get(part.subject)?.get(record.id);
        const version = versionOf(record);
        const isPublished = published !== undefined && !isLater(version, published);
        // a published record stays, even where another device has published the same version since
        const isHigh = version.revision > MOST_AHEAD;
        if (isPublished || isHigh || isLater(version, others.get(record.id) ?? null)) part?.records.push(record);
      }
    let count = 0;
    let last: { readonly subject: string; readonly number: number } | null = null;
    for (const { subject, records } of parts) {
      await nextTurn();
      const there = this.#atCentre.get(subject);
      const isSame = (record: ItemRecord): boolean => isDeepStrictEqual(there?.get(record.id), versionOf(record));
      if (records.length === (there?.size ?? 0) && records.every(isSame)) continue;
      last = { subject, number: await centre.put(subject, JSON.stringify({ words: records })) };
      this.#atCentre.set(subject, versionsIn(records));
      count += 1;
    }
    if (last !== null) await requireStored(centre, BUCKET, last.subject, last.number);
    return count > 0;
  }

  async #latestOfOthers(own: ReadonlySet<string>): Promise<Map<string, ItemVersion>> {
    const latest = new Map<string, ItemVersion>();
    let seen = 0;
    for (const [subject, versions] of this.#atCentre) {
      if (own.has(subject)) continue;
      for (const [id, version] of versions) if (isLater(version, latest.get(id) ?? null)) latest.set(id, version);
      seen += versions.size;
      if (seen < RECORDS_AT_ONCE) continue;
      seen = 0;
      await nextTurn();
    }
    return latest;
  }
}
