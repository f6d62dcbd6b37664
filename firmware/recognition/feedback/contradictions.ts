/**
 * Contradictions: the answer was certain, and a person chose another item. The choice is never refused, because the
 * answer may be wrong; but an expensive item sold as a cheap one shows here first. The list is in memory only.
 */
import type { Clock, LogLine, Metrics } from '../../core/host/index.ts';
import type { Items } from '../items/items.ts';
import { Revision } from '../model/revision.ts';

export const MAX_CONTRADICTIONS = 40;
/** The most frames of certain answers, in case one is contradicted: some 200 kB each. */
const MOST_FRAMES = 8;
/** Items with their own label in the metric; all others share one. */
const MOST_FIGURES = 100;
const OTHERS = 'other';

/** An item with its name and price at the time of the sale. */
export interface SoldThen {
  readonly id: string;
  readonly name: string | null;
  readonly plu: string;
  /** Kopecks; null where the item has no price. */
  readonly price: number | null;
}

interface Pick {
  readonly recognition: string;
  /** Number of the thing, from 1; null where it lay alone. */
  readonly thing: number | null;
  /** Id of the item that was certain. */
  readonly certain: string;
  readonly taken: string;
}

export interface Contradiction extends Omit<Pick, 'certain' | 'taken'> {
  readonly id: string;
  /** Wall clock, ms since 1970. */
  readonly at: number;
  readonly certain: SoldThen;
  readonly taken: SoldThen;
  /** JPEG; null for several things, while learning is locked, and where the picture had to make room. */
  readonly crop: Uint8Array | null;
}

export class Contradictions {
  /** Rises whenever the list changes. */
  readonly revision = new Revision();
  readonly #isOn: boolean;
  readonly #items: Items;
  readonly #clock: Clock;
  /** Makes the crop that a template would keep of a frame. @throws where the frame cannot be used */
  readonly #cropOf: (jpeg: Buffer) => Promise<Uint8Array>;
  readonly #log: LogLine;
  readonly #count;
  readonly #counted = new Set<string>();
  /** Frames by their recognition, the latest last. */
  readonly #frames = new Map<string, Buffer>();
  /** Contradictions, the latest last. */
  #all: Contradiction[] = [];
  #adding: Promise<void> = Promise.resolve();
  #listener: (one: Contradiction) => void = () => undefined;

  constructor(
    isOn: boolean,
    items: Items,
    clock: Clock,
    metrics: Metrics,
    cropOf: (jpeg: Buffer) => Promise<Uint8Array>,
    log: LogLine,
  ) {
    this.#isOn = isOn;
    this.#items = items;
    this.#clock = clock;
    this.#cropOf = cropOf;
    this.#log = log;
    this.#count = metrics.counter(
      'laneware_items_contradicted_total',
      'Answers that were certain of an item where another one was taken, by the item',
      ['item'],
    );
  }

  /** Contradictions, the latest first. */
  all(): readonly Contradiction[] {
    return this.#all.toReversed();
  }

  find(id: string): Contradiction | null {
    return this.#all.find((one) => one.id === id) ?? null;
  }

  /** Called with each contradiction once it is listed. */
  onAdded(listener: (one: Contradiction) => void): void {
    this.#listener = listener;
  }

  /** Stores the frame of a certain answer, in case it is contradicted. */
  show(recognition: string, jpeg: Buffer): void {
    if (!this.#isOn) return;
    this.#frames.set(recognition, jpeg);
    for (const oldest of this.#frames.keys()) if (this.#frames.size > MOST_FRAMES) this.#frames.delete(oldest);
  }

  /** Counts a contradiction, and lists it once its crop is cut. */
  record(pick: Pick): void {
    if (!this.#isOn) return;
    this.#increment(pick.certain);
    const [certain, taken] = [this.#soldAs(pick.certain), this.#soldAs(pick.taken)];
    const at = this.#clock.wall();
    const jpeg = pick.thing === null ? (this.#frames.get(pick.recognition) ?? null) : null;
    const id = pick.thing === null ? pick.recognition : `${pick.recognition}-${pick.thing}`;
    this.#adding = this.#adding.then(async () =>
      this.#add({ ...pick, id, at, certain, taken, crop: await this.#cut(jpeg) }),
    );
  }

  /** Settles when all contradictions so far are listed. */
  async idle(): Promise<void> {
    await this.#adding;
  }

  #add(one: Contradiction): void {
    this.#all = [...this.#all, one].slice(-MAX_CONTRADICTIONS);
    this.revision.rise();
    this.#listener(one);
  }

  /** Cuts the crop; never fails. */
  async #cut(jpeg: Buffer | null): Promise<Uint8Array | null> {
    try {
      return jpeg === null ? null : await this.#cropOf(jpeg);
    } catch (error) {
      this.#log('the picture of a pick that contradicts could not be kept', { reason: String(error) });
      return null;
    }
  }

  #increment(item: string): void {
    if (this.#counted.size < MOST_FIGURES) this.#counted.add(item);
    this.#count.inc({ item: this.#counted.has(item) ? item : OTHERS });
  }

  #soldAs(id: string): SoldThen {
    const { name = null, plu = id, price = null } = this.#items.find(id) ?? {};
    return { id, name, plu, price };
  }
}
