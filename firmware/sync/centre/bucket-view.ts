/**
 * A device's view of a bucket, by the numbers of its messages: after one listing the device requests only newer
 * messages. Pure: the caller asks the server for the next step and passes in the answer.
 *
 * A deletion by the master leaves no message. It is expected for entries that a mark or a tombstone names, so the
 * server may count that many messages less. Any other count, another creation time, or a lower number leads to a
 * listing. Each message has its own subject. So a bucket is damaged whose count does not fit the listing just made.
 */
import type { TemplateName } from '../../recognition/index.ts';
import { type Entry, entryOf, type FollowedBucket, identityOf } from './subjects.ts';

/**
 * More new messages than this lead to a listing, which names them: requested by number, each answer holds a whole
 * template.
 */
export const MOST_FOLLOWED = 500;

/** The state of a bucket. */
export interface Place {
  /** Changes when the bucket is created again. */
  readonly created: string;
  /** Number of the latest message. */
  readonly last: number;
  /** How many messages the bucket holds. */
  readonly messages: number;
}

export type Step =
  | { readonly kind: 'done' }
  | { readonly kind: 'list' }
  /** The count of the bucket did not fit two listings. */
  | { readonly kind: 'damaged' }
  /** Messages with these numbers are to be requested. */
  | { readonly kind: 'follow'; readonly numbers: readonly number[]; readonly last: number };

export interface NumberedEntry extends Entry {
  /** Number of its message; null where the entry comes from a listing. */
  readonly number: number | null;
}

interface ViewListener {
  /** Called before a listing, with the view empty. */
  readonly onListing: () => void;
  /** @param entry read from the subject; null where the subject names no template */
  readonly onEntry: (subject: string, entry: NumberedEntry | null) => void;
}

const DONE: Step = { kind: 'done' };
const LIST: Step = { kind: 'list' };
const DAMAGED: Step = { kind: 'damaged' };
/** A bucket counts as damaged after so many listings of one state that do not fit its count. */
const MOST_MISFITS = 2;

const isSame = (one: Place | null, other: Place): boolean =>
  one?.created === other.created && one.last === other.last && one.messages === other.messages;

export class BucketView {
  readonly #bucket: FollowedBucket;
  readonly #listener: ViewListener;
  /** Entries by subject. */
  #entries = new Map<string, NumberedEntry>();
  #byItem = new Map<string, Map<string, NumberedEntry>>();
  /** Subjects in the bucket that are no entries of Laneware. */
  #foreign = new Set<string>();
  #expectedDeletions = new Set<string>();
  /** Subjects of this device's own messages, by the number that the server returned. */
  readonly #own = new Map<number, string>();
  #created: string | null = null;
  #last = 0;
  /** The bucket's state before the latest listing. */
  #listed: Place | null = null;
  /** How many listings of that state did not fit its count. */
  #misfits = 0;
  /** Highest number that a message of the latest listing can have; null until the next state is read. */
  #listedBy: number | null = null;

  constructor(bucket: FollowedBucket, listener: ViewListener) {
    this.#bucket = bucket;
    this.#listener = listener;
  }

  /** Creation time of the bucket; null before the first listing. */
  get created(): string | null {
    return this.#created;
  }

  get last(): number {
    return this.#last;
  }

  get items(): Iterable<string> {
    return this.#byItem.keys();
  }

  /** Entries that the master deletes. */
  get expectedDeletions(): readonly NumberedEntry[] {
    return [...this.#expectedDeletions]
      .map((subject) => this.#entries.get(subject))
      .filter((entry) => entry !== undefined);
  }

  /** All subjects in the bucket, foreign ones included. */
  get subjects(): Iterable<string> {
    return [...this.#entries.keys(), ...this.#foreign];
  }

  isListed(subject: string): boolean {
    return this.#entries.has(subject) || this.#foreign.has(subject);
  }

  get size(): number {
    return this.#entries.size + this.#foreign.size;
  }

  get entries(): Iterable<NumberedEntry> {
    return this.#entries.values();
  }

  /** Entries of an item, including those whose deletion is expected. */
  entriesOf(item: string): Iterable<NumberedEntry> {
    return this.#byItem.get(item)?.values() ?? [];
  }

  /** Whether the bucket has an entry of this template, from any device. */
  has(name: TemplateName): boolean {
    const identity = identityOf(name);
    for (const { ref } of this.entriesOf(name.item)) if (identityOf(ref) === identity) return true;
    return false;
  }

  /** Whether the entry's message has no number above `last`. */
  isUpTo(last: number, { number }: NumberedEntry): boolean {
    return (number ?? this.#listedBy ?? Number.POSITIVE_INFINITY) <= last;
  }

  /** The next step towards a state of the bucket. */
  step(place: Place): Step {
    this.#listedBy ??= place.last;
    if (this.#created !== place.created || place.last < this.#last) return LIST;
    if (place.last === this.#last) return this.#fits(place) ? DONE : this.#misfit(place);
    const numbers: number[] = [];
    if (place.last - this.#last - this.#own.size > MOST_FOLLOWED) return LIST;
    for (let number = this.#last + 1; number <= place.last; number++) if (!this.#own.has(number)) numbers.push(number);
    return { kind: 'follow', numbers, last: place.last };
  }

  beginListing(place: Place): void {
    this.#entries = new Map();
    this.#byItem = new Map();
    this.#foreign = new Set();
    this.#expectedDeletions = new Set();
    this.#created = place.created;
    this.#last = place.last;
    if (!isSame(this.#listed, place)) this.#misfits = 0;
    this.#listed = place;
    this.#listedBy = null;
    // a bucket that was created again gives the same numbers to other messages
    this.#own.clear();
    this.#listener.onListing();
  }

  /** Applies an entry of the bucket. @param number null where it comes from a listing */
  apply(subject: string, number: number | null): void {
    const read = entryOf(this.#bucket, subject);
    if (read === null) this.#foreign.add(subject);
    this.#listener.onEntry(subject, read && this.#store(read, number));
  }

  #store(read: Entry, number: number | null): NumberedEntry {
    const { subject } = read;
    const before = this.#entries.get(subject)?.number ?? null;
    // a message that was sent twice has the later number
    const entry = { ...read, number: number === null || before === null ? number : Math.max(number, before) };
    this.#entries.set(subject, entry);
    const { item } = read.ref;
    const ofItem = this.#byItem.get(item) ?? new Map<string, NumberedEntry>();
    this.#byItem.set(item, ofItem.set(subject, entry));
    return entry;
  }

  /** Records the number that the server gave to a message of this device. */
  recordOwn(subject: string, number: number): void {
    if (number > this.#last) this.#own.set(number, subject);
  }

  /** Numbers and subjects of own messages up to a number; the caller applies them like those of other devices. */
  ownUpTo(last: number): [number: number, subject: string][] {
    return [...this.#own].filter(([number]) => number <= last);
  }

  /** Records that all messages up to a number were applied. */
  reach(last: number): void {
    for (const [number] of this.ownUpTo(last)) this.#own.delete(number);
    this.#last = last;
  }

  expectDeletion({ subject }: Entry): void {
    this.#expectedDeletions.add(subject);
  }

  /** Makes the next step a listing: the entries may be out of date. */
  invalidate(): void {
    this.#created = null;
  }

  isDeletionExpected({ subject }: Entry): boolean {
    return this.#expectedDeletions.has(subject);
  }

  forget({ subject, ref }: Entry): void {
    this.#entries.delete(subject);
    this.#expectedDeletions.delete(subject);
    const ofItem = this.#byItem.get(ref.item);
    ofItem?.delete(subject);
    if (ofItem?.size === 0) this.#byItem.delete(ref.item);
  }

  #fits({ messages }: Place): boolean {
    const { size } = this;
    const fewest = size - this.#expectedDeletions.size;
    if (messages === fewest) for (const entry of this.expectedDeletions) this.forget(entry);
    const isFitting = messages >= fewest && messages <= size;
    if (isFitting) this.#misfits = 0;
    return isFitting;
  }

  #misfit(place: Place): Step {
    if (!isSame(this.#listed, place)) return LIST;
    this.#misfits += 1;
    return this.#misfits >= MOST_MISFITS ? DAMAGED : LIST;
  }
}
