/**
 * The latest uncertain answers, of which a person may say afterwards which items they showed. Each has the crop that a
 * template would keep, never the whole frame. The queue is in memory only.
 */
import { recorded } from '../../../drivers/lib/records.ts';
import type { Speed } from '../../core/config/index.ts';
import type { Clock, LogLine } from '../../core/host/index.ts';
import type { Classification } from '../matching/classifier.ts';
import { dotRow } from '../matching/matrix.ts';
import { RECOGNITION_ERRORS } from '../model/error-records.ts';
import { Revision } from '../model/revision.ts';
import type { Flaw } from '../vision/quality.ts';

/**
 * Why an uncertain answer cannot be assigned. `NotFound`: it is no longer in the queue; `AnsweredOtherwise`: it was
 * assigned otherwise.
 */
export class ReviewError extends recorded('Uncertain', RECOGNITION_ERRORS) {}

export const MAX_QUEUED = 40;
/** One shift: from a picture nobody remembers what was sold yesterday. */
const LIFE_MS = 12 * 3_600_000;
/** Looks this similar are one answer: a till asks several times a second. */
const SAME_SIMILARITY = 0.98;
/** Flaws of pictures from which nothing can be learned. */
const USELESS: ReadonlySet<Flaw> = new Set(['moving', 'hand']);

/** An answer that was not certain. */
export interface Unsure {
  /** Id of the recognition. */
  readonly id: string;
  readonly classification: Classification;
  readonly flaws: readonly Flaw[];
  /** Vector of the only thing; null where several things lay there. */
  readonly vector: Float32Array | null;
  readonly speed: Speed;
  /** The frame. */
  readonly jpeg: Buffer;
}

export interface UncertainAnswer extends Pick<Unsure, 'id' | 'speed'> {
  readonly crop: Uint8Array;
  /** Wall clock, ms since 1970: when it was seen last. */
  at: number;
  /** How often it was seen since it was listed. */
  times: number;
  readonly vector: Float32Array;
  /** The recognition that saw it last. */
  latest: string;
  /** The item that a feedback named without learning it; null without feedback. */
  reported: string | null;
  readonly endsAt: number;
}

export class ReviewQueue {
  /** Rises whenever the list changes. */
  readonly revision = new Revision();
  readonly #clock: Clock;
  /** Makes the crop that a template would keep of a frame. @throws where the frame cannot be used */
  readonly #cropOf: (jpeg: Buffer) => Promise<Uint8Array>;
  readonly #log: LogLine;
  /** Answers, the latest last. */
  #all: UncertainAnswer[] = [];
  #cutting: Promise<void> | null = null;

  constructor(clock: Clock, cropOf: (jpeg: Buffer) => Promise<Uint8Array>, log: LogLine) {
    this.#clock = clock;
    this.#cropOf = cropOf;
    this.#log = log;
  }

  /** Answers, the latest first. */
  all(): readonly UncertainAnswer[] {
    this.#removeExpired();
    return this.#all.toReversed();
  }

  find(id: string): UncertainAnswer | null {
    return this.all().find((entry) => entry.id === id) ?? null;
  }

  /**
   * Adds an uncertain answer from which something can be learned. While a picture is being cut, others are skipped: the
   * tray is recognised again anyway.
   */
  consider(answer: Unsure): void {
    const { classification, vector, flaws } = answer;
    if (classification.verdict.certain || vector === null || flaws.some((flaw) => USELESS.has(flaw))) return;
    if (this.#seenAgain(answer.id, vector)) return;
    this.#cutting ??= this.#add(answer, vector).finally(() => {
      this.#cutting = null;
    });
  }

  /** Processes feedback on a recognition. @param learned whether a template was made: the answer is then removed */
  answered(recognition: string, item: string | null, learned: boolean): void {
    const entry = this.#all.find(({ id, latest }) => id === recognition || latest === recognition);
    if (entry === undefined) return;
    if (learned) this.remove([entry.id]);
    else if (entry.reported !== item) {
      entry.reported = item;
      this.revision.rise();
    }
  }

  /** Removes some answers; missing ones are ignored. @returns those that were there */
  remove(ids: readonly string[]): UncertainAnswer[] {
    const removed = this.#all.filter(({ id }) => ids.includes(id));
    if (removed.length === 0) return [];
    this.#all = this.#all.filter((entry) => !removed.includes(entry));
    this.revision.rise();
    return removed;
  }

  /** Puts answers back, in the order of time. */
  restore(answers: readonly UncertainAnswer[]): void {
    const added = answers.filter(({ id }) => !this.#all.some((entry) => entry.id === id));
    this.#all = [...this.#all, ...added].toSorted((one, other) => one.at - other.at);
    this.#all = this.#all.slice(-MAX_QUEUED);
    this.revision.rise();
  }

  /** Settles when the latest answer has been added. */
  async idle(): Promise<void> {
    await this.#cutting;
  }

  #seenAgain(id: string, vector: Float32Array): boolean {
    this.#removeExpired();
    const same = this.#all.find((entry) => dotRow(vector, entry.vector, 0) > SAME_SIMILARITY);
    if (same === undefined) return false;
    same.times += 1;
    same.latest = id;
    same.at = this.#clock.wall();
    this.#all = [...this.#all.filter((entry) => entry !== same), same];
    return true;
  }

  /** Adds an answer with its crop; never fails. */
  async #add({ id, speed, jpeg }: Unsure, vector: Float32Array): Promise<void> {
    try {
      const crop = await this.#cropOf(jpeg);
      const times = { at: this.#clock.wall(), times: 1, endsAt: this.#clock.monotonic() + LIFE_MS };
      const entry = { id, latest: id, speed, vector, reported: null, crop, ...times };
      this.#all = [...this.#all, entry].slice(-MAX_QUEUED);
      this.revision.rise();
    } catch (error) {
      this.#log('an uncertain answer could not be kept for teaching', { reason: String(error) });
    }
  }

  #removeExpired(): void {
    const now = this.#clock.monotonic();
    if (this.#all.some(({ endsAt }) => endsAt <= now)) this.#all = this.#all.filter(({ endsAt }) => endsAt > now);
  }
}
