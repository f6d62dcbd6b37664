/**
 * Synchronises names and prices of items in a store. A word (`ItemWord`) is one device's version of one item, with a revision
 * number. Each device publishes its words under subjects that no other device may write, but not those of which another device
 * has published a later version. The latest version counts, as a word of the device that published it.
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
import { type Items, type ItemVersion, ItemWord, isLater, MOST_AHEAD, versionOf } from '../recognition/index.ts';
import { BucketView } from './centre/bucket-view.ts';
import { type Centre, type Numbered, parse } from './centre/centre.ts';
import { follow, requireGone, requireStored } from './centre/follow.ts';
import { ITEM_PARTS, itemPart, subjectOf } from './centre/subjects.ts';
import { SyncError } from './errors.ts';

const BUCKET = 'items';
/** Versions that are compared before the event loop gets a turn: some milliseconds of work. */
const WORDS_AT_ONCE = 2000;
const WORDS_REFUSED = 'words of a device about items were refused';

const Part = Type.Object({ words: Type.Array(Type.Unknown()) });
/** Compiled, because a round checks thousands of words. */
const wordCheck = compiled(ItemWord);

const versionsIn = (words: readonly ItemWord[]): ReadonlyMap<string, ItemVersion> =>
  new Map(words.map((word) => [word.id, versionOf(word)]));

/** Serial number of the device that published the subject: the server lets no other device write there. */
const publisherOf = (subject: string): string =>
  decodePart(subject.slice(subjectOf(BUCKET, '').length).split('.', 1)[0] ?? '') ?? '';

/** Revisions that are believed only from two devices, by item. */
const highIn = (words: readonly ItemWord[]): ReadonlyMap<string, number> =>
  new Map(words.filter(({ revision }) => revision > MOST_AHEAD).map(({ id, revision }) => [id, revision]));

const partOf = (id: string): number => Number.parseInt(hash('sha256', id).slice(0, 8), 16) % ITEM_PARTS;

export class ItemRounds {
  readonly #serial: string;
  readonly #items: Pick<Items, 'words' | 'applyLater' | 'believable' | 'problem'>;
  readonly #log: Pick<Log, 'warn'>;
  /** Versions of the words at the centre, by subject and then by item. */
  readonly #atCentre = new Map<string, ReadonlyMap<string, ItemVersion>>();
  /** Revisions at the centre that are believed only from two devices, by subject and then by item. */
  readonly #high = new Map<string, ReadonlyMap<string, number>>();
  /** Subjects of which words were refused. */
  readonly #refused = new Set<string>();
  readonly #view: BucketView;
  /** Contents of subjects that have changed since the last read; null: still to be requested. */
  #arrived = new Map<string, Uint8Array | null>();
  #server: string | null = null;
  /** Whether this device may have something to publish. */
  #isNews = true;
  /** Whether words of other devices are being applied. */
  #isReceiving = false;

  constructor(
    serial: string,
    items: Pick<Items, 'words' | 'applyLater' | 'believable' | 'problem'>,
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

  /** Records that items of this device have changed. @returns whether the change was made here, not by another device's words */
  recordChange(): boolean {
    this.#isNews = true;
    return !this.#isReceiving;
  }

  /** Serial numbers of devices of which words were refused. */
  get refused(): string[] {
    return [...new Set([...this.#refused].map(publisherOf))].sort();
  }

  /** Applies new words of other devices, and publishes this device's. @throws {SyncError} or the storage's errors */
  async run(centre: Centre, { upload, download }: { upload: boolean; download: boolean }): Promise<void> {
    if (this.#items.problem !== null) return;
    const words = await this.#read(centre);
    if (download && words.length > 0) await this.#apply(words);
    if (!upload || !this.#isNews) return;
    this.#isNews = false;
    try {
      if (await this.#publish(centre)) centre.hint(this.#serial);
    } catch (error) {
      this.#isNews = true;
      throw error;
    }
  }

  /** @returns believable words not read before; this device's own, too, because a restored backup may lack them */
  async #read(centre: Centre): Promise<ItemWord[]> {
    // a server that was killed may have lost its last messages
    if (centre.server !== this.#server) this.#view.invalidate();
    this.#server = centre.server;
    const onMessage = ({ subject, data }: Numbered): void => void this.#arrived.set(subject, data);
    const following = { centre, bucket: BUCKET, view: this.#view, onMessage } as const;
    await follow(following);
    for (;;) {
      const read = new Map<string, readonly ItemWord[]>();
      const missing: string[] = [];
      for (const [subject, arrived] of this.#arrived) {
        const data = arrived ?? (await centre.get(BUCKET, subject));
        if (data === null) missing.push(subject);
        read.set(subject, data === null ? [] : this.#wordsIn(subject, data));
        await nextTurn();
      }
      this.#arrived.clear();
      for (const [subject, words] of read) this.#high.set(subject, highIn(words));
      // judged before any word of this round is applied: else a series of words could raise a revision to any number
      const found: ItemWord[] = [];
      for (const [subject, words] of read) {
        found.push(...this.#believed(subject, words));
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

  /** The well-formed words of a message; records the subject as refused where some are not. */
  #wordsIn(subject: string, data: Uint8Array): readonly ItemWord[] {
    try {
      const { words } = parse(data, Part, subject);
      const by = publisherOf(subject);
      const fitting = words.filter((word) => wordCheck.fits(word)).map((word) => ({ ...word, by }));
      this.#noteRefused(subject, words.length - fitting.length);
      return fitting;
    } catch (err) {
      if (!(err instanceof SyncError) || err.code !== 'garbage') throw err;
      this.#log.warn({ err, subject }, WORDS_REFUSED);
      this.#refused.add(subject);
      return [];
    }
  }

  /** The words whose revision is believable; records the subject as refused where some are not. */
  #believed(subject: string, words: readonly ItemWord[]): readonly ItemWord[] {
    const believable = this.#items.believable(words, (id) => this.#witnessed(id));
    if (believable.length < words.length) this.#noteRefused(subject, words.length - believable.length);
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

  #noteRefused(subject: string, refused: number): void {
    if (refused === 0) return void this.#refused.delete(subject);
    this.#refused.add(subject);
    this.#log.warn({ subject, refused }, WORDS_REFUSED);
  }

  async #apply(words: readonly ItemWord[]): Promise<void> {
    this.#isReceiving = true;
    try {
      await this.#items.applyLater(words, this.#serial);
    } catch (error) {
      this.#view.invalidate(); // has all words read again
      throw error;
    } finally {
      this.#isReceiving = false;
    }
  }

  /** Publishes the parts of this device's words that have changed. @returns whether there were any */
  async #publish(centre: Centre): Promise<boolean> {
    const parts = Array.from({ length: ITEM_PARTS }, (_, part) => ({
      subject: itemPart(this.#serial, part),
      words: [] as ItemWord[],
    }));
    const others = await this.#latestOfOthers(new Set(parts.map(({ subject }) => subject)));
    for await (const page of this.#items.words(this.#serial))
      for (const word of page) {
        // other devices would refuse it: it was stored by an earlier release
        if (!wordCheck.fits(word)) continue;
        const part = parts[partOf(word.id)];
        const published = part && this.#atCentre.get(part.subject)?.get(word.id);
        const version = versionOf(word);
        const isPublished = published !== undefined && !isLater(version, published);
        // a published word stays, even where another device has published the same version since
        const isHigh = version.revision > MOST_AHEAD;
        if (isPublished || isHigh || isLater(version, others.get(word.id) ?? null)) part?.words.push(word);
      }
    let count = 0;
    let last: { readonly subject: string; readonly number: number } | null = null;
    for (const { subject, words } of parts) {
      await nextTurn();
      const there = this.#atCentre.get(subject);
      const isSame = (word: ItemWord): boolean => isDeepStrictEqual(there?.get(word.id), versionOf(word));
      if (words.length === (there?.size ?? 0) && words.every(isSame)) continue;
      last = { subject, number: await centre.put(subject, JSON.stringify({ words })) };
      this.#atCentre.set(subject, versionsIn(words));
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
      if (seen < WORDS_AT_ONCE) continue;
      seen = 0;
      await nextTurn();
    }
    return latest;
  }
}
