/** Recognitions that may still get feedback: the offered items, and the picture where it may be learned from. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../core/host/index.ts';
import type { Candidate } from '../matching/classifier.ts';
import type { Verdict } from '../matching/scoring.ts';
import { RecognitionError } from '../model/recognition-error.ts';

/** A customer who took longer has left. */
const SESSION_LIFE_MS = 15 * 60_000;
/** Four looks a second for the life of a session: 2 KB each without the picture, 4 KB for several things. */
const MAX_SESSIONS = 4096;
/** Pictures take most of the memory; older sessions lose theirs first. */
const MAX_PICTURE_BYTES = 24 * 1024 * 1024;

export interface Feedback {
  /** The item that was confirmed; null where none of the offered ones was right. */
  readonly id: string | null;
  /** Rank of the item, from 1; null where it was not offered. */
  readonly rank: number | null;
  /** Identifier of the template that was made, or null. */
  readonly sid: string | null;
  /** Why no template was made, or null. */
  readonly reason: string | null;
}

/** What may be learned from a look. */
interface Shown {
  readonly jpeg: Buffer;
  /** Vector of the only thing; null where several things lay there. */
  readonly vector: Float32Array | null;
}

/** What a recognition offered. */
interface Offer {
  readonly items: readonly Candidate[];
  readonly verdict: Verdict;
  /** Whether the first item was certain, by its looks or by a code. */
  readonly isCertain: boolean;
  /** When the tray was looked at, monotonic ms. */
  readonly seenAt: number;
  /** The offer for each of several things; empty where one thing lay there. */
  readonly things: readonly Pick<Offer, 'items' | 'isCertain'>[];
  /** Weight of everything on the tray, grams; null without a scale. */
  readonly weight: number | null;
  /** The picture to learn from; null where nothing can be learned or where it had to make room. */
  shown: Shown | null;
}

export interface Session extends Offer {
  readonly id: string;
  /** Number of the session, rising by one. */
  readonly number: number;
  /** The answer to the first feedback; the same feedback again gets it again. */
  feedback: { readonly id: string | null; readonly answer: Promise<Feedback> } | null;
  /** Feedback on each of several things, by its place in `things`. */
  readonly ofThings: Map<number, { readonly id: string | null; readonly answer: Promise<Feedback> }>;
  readonly endsAt: number;
}

export class Sessions {
  readonly #clock: Clock;
  readonly #sessions = new Map<string, Session>();
  #last = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Number of the newest session; 0 before the first. */
  get last(): number {
    return this.#last;
  }

  /** Opens a session; returns its id. */
  open(offer: Offer): string {
    const id = randomUUID();
    this.#last += 1;
    this.#sessions.set(id, {
      ...offer,
      id,
      number: this.#last,
      feedback: null,
      ofThings: new Map(),
      endsAt: this.#clock.monotonic() + SESSION_LIFE_MS,
    });
    this.#makeRoom();
    return id;
  }

  /** @throws {RecognitionError} `Recognition.NotFound` */
  find(id: string): Session {
    const session = this.#sessions.get(id);
    if (session === undefined || session.endsAt <= this.#clock.monotonic()) {
      throw new RecognitionError('Recognition.NotFound', 'there is no such session, or it is over: recognise again');
    }
    return session;
  }

  /**
   * The place of one of several things, from 0; null for the tray as a whole, which a single thing is.
   * @param thing number of the thing, from 1; null for all
   * @throws {RecognitionError} `Recognition.NotFound`, also where there is no such thing
   */
  placeOf(id: string, thing: number | null): number | null {
    const { length } = this.find(id).things;
    if (thing === null || (thing === 1 && length === 0)) return null;
    if (thing <= length) return thing - 1;
    const many = length === 0 ? '1 thing' : `${length} things`;
    throw new RecognitionError('Recognition.NotFound', `the recognition has ${many} to choose from`);
  }

  #makeRoom(): void {
    const now = this.#clock.monotonic();
    for (const [id, { endsAt }] of this.#sessions) {
      if (endsAt > now && this.#sessions.size <= MAX_SESSIONS) break; // in the order of creation: all others are younger
      this.#sessions.delete(id);
    }
    let bytes = 0;
    for (const session of [...this.#sessions.values()].reverse()) {
      bytes += session.shown?.jpeg.length ?? 0;
      if (bytes > MAX_PICTURE_BYTES) session.shown = null;
    }
  }
}
