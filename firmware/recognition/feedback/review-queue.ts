/**
 * The last answers that were not certain, to be said afterwards what they were: what recognition asks a person for help with. Of each
 * the crop that a template would keep, never the whole frame. In memory alone: a restart forgets them.
 */
import { CodedError } from '../../../drivers/lib/errors.ts';
import type { MembersOf } from '../../../drivers/lib/records.ts';
import type { Speed } from '../../core/config/index.ts';
import type { Clock, LogLine } from '../../core/host/index.ts';
import type { RECOGNITION_ERRORS } from '../error-records.ts';
import { Revision } from '../items/revision.ts';
import type { Classification } from '../matching/classifier.ts';
import { dotRow } from '../matching/matrix.ts';
import type { Flaw } from '../vision/quality.ts';

/** What cannot be said of one. `NotFound`: it is not kept any more; `AnsweredOtherwise`: something else was said of it. */
export class ReviewError extends CodedError<MembersOf<typeof RECOGNITION_ERRORS, 'Uncertain'>> {}

export const MAX_QUEUED = 40;
const MOST_BYTES = 4 * 1024 * 1024;
/** A shift: a person does not remember by a picture what was sold yesterday. */
const LIFE_MS = 12 * 3_600_000;
/** Looks of one thing that lies there are one answer: a till asks several times a second. */
const SAME = 0.98;
/** Of such pictures nothing is to be learned. */
const USELESS: ReadonlySet<Flaw> = new Set(['moving', 'hand']);

/** An answer that was not certain. */
export interface Unsure {
  /** Of the recognition. */
  readonly id: string;
  readonly classification: Classification;
  readonly flaws: readonly Flaw[];
  /** What was seen; null where several things lay there. */
  readonly vector: Float32Array | null;
  readonly speed: Speed;
  /** The frame. */
  readonly jpeg: Buffer;
}

export interface UncertainAnswer extends Pick<Unsure, 'id' | 'speed'> {
  readonly crop: Uint8Array;
  /** Wall clock, ms since 1970: when it was seen last. */
  at: number;
  /** How often, without a pause in which it was forgotten. */
  times: number;
  readonly vector: Float32Array;
  /** The recognition that saw it last. */
  latest: string;
  /** The item that a feedback named and that was not learned; null without one. */
  reported: string | null;
  readonly endsAt: number;
}

export class ReviewQueue {
  /** Rises whenever the list is another. */
  readonly revision = new Revision();
  readonly #clock: Clock;
  /** What a template would keep of a frame. @throws where it cannot be used */
  readonly #cropOf: (jpeg: Buffer) => Promise<Uint8Array>;
  readonly #log: LogLine;
  /** The latest last. */
  #all: UncertainAnswer[] = [];
  #cutting: Promise<void> | null = null;

  constructor(clock: Clock, cropOf: (jpeg: Buffer) => Promise<Uint8Array>, log: LogLine) {
    this.#clock = clock;
    this.#cropOf = cropOf;
    this.#log = log;
  }

  /** The latest first. */
  all(): readonly UncertainAnswer[] {
    this.#forgetOld();
    return this.#all.toReversed();
  }

  find(id: string): UncertainAnswer | null {
    return this.all().find((entry) => entry.id === id) ?? null;
  }

  /** Keeps an uncertain answer. While one is being cut, others are skipped: the tray is recognised again anyway. */
  see(answer: Unsure): void {
    const { classification, vector, flaws } = answer;
    if (classification.verdict.certain || vector === null || flaws.some((flaw) => USELESS.has(flaw))) return;
    if (this.#seenAgain(answer.id, vector)) return;
    this.#cutting ??= this.#keep(answer, vector).finally(() => {
      this.#cutting = null;
    });
  }

  /** Takes feedback on a recognition. @param learned whether a template was made of it: then its answer is removed */
  answered(recognition: string, item: string | null, learned: boolean): void {
    const entry = this.#all.find(({ id, latest }) => id === recognition || latest === recognition);
    if (entry === undefined) return;
    if (learned) this.take([entry.id]);
    else if (entry.reported !== item) {
      entry.reported = item;
      this.revision.rise();
    }
  }

  /** Takes some out; of those that are not there nothing comes. @returns those that were there */
  take(ids: readonly string[]): UncertainAnswer[] {
    const taken = this.#all.filter(({ id }) => ids.includes(id));
    if (taken.length === 0) return [];
    this.#all = this.#all.filter((entry) => !taken.includes(entry));
    this.revision.rise();
    return taken;
  }

  /** Puts some back where they were. */
  putBack(answers: readonly UncertainAnswer[]): void {
    const added = answers.filter(({ id }) => !this.#all.some((entry) => entry.id === id));
    this.#all = [...this.#all, ...added].toSorted((one, other) => one.at - other.at);
    this.#makeRoom();
    this.revision.rise();
  }

  /** When what was seen last has been kept. */
  async idle(): Promise<void> {
    await this.#cutting;
  }

  #seenAgain(id: string, vector: Float32Array): boolean {
    this.#forgetOld();
    const same = this.#all.find((entry) => dotRow(vector, entry.vector, 0) > SAME);
    if (same === undefined) return false;
    same.times += 1;
    same.latest = id;
    same.at = this.#clock.wall();
    this.#all = [...this.#all.filter((entry) => entry !== same), same];
    return true;
  }

  /** Never fails. */
  async #keep({ id, speed, jpeg }: Unsure, vector: Float32Array): Promise<void> {
    try {
      const crop = await this.#cropOf(jpeg);
      const times = { at: this.#clock.wall(), times: 1, endsAt: this.#clock.monotonic() + LIFE_MS };
      this.#all.push({ id, latest: id, speed, vector, reported: null, crop, ...times });
      this.#makeRoom();
      this.revision.rise();
    } catch (error) {
      this.#log('an uncertain answer could not be kept for teaching', { reason: String(error) });
    }
  }

  #forgetOld(): void {
    const now = this.#clock.monotonic();
    if (this.#all.some(({ endsAt }) => endsAt <= now)) this.#all = this.#all.filter(({ endsAt }) => endsAt > now);
  }

  #makeRoom(): void {
    let bytes = 0;
    const kept = this.#all.toReversed().filter(({ crop }, at) => {
      bytes += crop.length;
      return at < MAX_QUEUED && bytes <= MOST_BYTES;
    });
    this.#all = kept.toReversed();
  }
}
