/** Feedback on which item was right: always counted, and learned from only with caution. */
import type { Clock, Metrics } from '../../core/host/index.ts';
import { trustByWeight } from '../matching/by-weight.ts';
import type { Candidate } from '../matching/classifier.ts';
import { dotRow } from '../matching/matrix.ts';
import { STRAY_LEAD } from '../matching/strays.ts';
import { RecognitionError } from '../model/recognition-error.ts';
import type { DeviceSettings } from '../storage/settings.ts';
import type { NewTemplate, Templates } from '../templates/templates.ts';
import type { Confirmations } from './confirmations.ts';
import type { Contradictions } from './contradictions.ts';
import type { RankStatistics } from './rank-statistics.ts';
import type { Feedback, Session, Sessions } from './sessions.ts';

/** A template this similar to one that the item has teaches nothing. */
const NEAR_DUPLICATE = 0.98;

/** What a person chose: the certain item, the first tile, another tile, an item that was not offered, or none of them. */
const TAPS = Object.freeze(['certain', 'first', 'other', 'search', 'none'] as const);
/** Times that a person at the scale takes to choose, seconds. */
const CHOOSING_BUCKETS_S = [1, 2, 4, 8, 16, 32];
const MS = 1000;

/** @param rank place of the item, from 1; null where it was not offered */
function tapOf({ isCertain, things }: Session, id: string | null, rank: number | null): (typeof TAPS)[number] {
  if (id === null) return 'none';
  if (rank === null) return 'search';
  if (rank > 1) return 'other';
  return isCertain && things.length === 0 ? 'certain' : 'first';
}

type Offered = Pick<Session, 'items' | 'isCertain'>;
const NOTHING: Offered = Object.freeze({ items: [], isCertain: false });

export interface FeedbackOptions {
  readonly sessions: Sessions;
  readonly confirmations: Confirmations;
  readonly contradictions: Pick<Contradictions, 'record'>;
  readonly templates: Templates;
  /** The crop and vector that a template would keep of an earlier frame. @throws {RecognitionError} */
  readonly captureFrom: (jpeg: Buffer) => Promise<Omit<NewTemplate, 'item'>>;
  readonly settings: DeviceSettings;
  readonly ranks: RankStatistics;
  /** Weight of one piece of an item, grams; null where it is unknown. */
  readonly pieceWeightOf: (item: string) => number | null;
  readonly metrics: Metrics;
  readonly clock: Pick<Clock, 'monotonic'>;
}

export class FeedbackService {
  readonly #options: FeedbackOptions;
  readonly #taps;
  readonly #choosing;

  constructor(options: FeedbackOptions) {
    this.#options = options;
    const { metrics } = options;
    this.#taps = metrics.counterOf('laneware_taps_total', 'Answers of persons by what they chose', 'tap', TAPS);
    this.#choosing = metrics.histogram(
      'laneware_item_chosen_seconds',
      'Time from the look at what came to rest to the answer that says what is sold',
      [],
      CHOOSING_BUCKETS_S,
    );
  }

  /**
   * @param id the right item; null for "none of these"
   * @throws {RecognitionError} `Recognition.NotFound`: unknown or expired; `Recognition.AnsweredOtherwise`, also where one of its things was
   * answered
   */
  async record(sessionId: string, id: string | null): Promise<Feedback> {
    const session = this.#options.sessions.find(sessionId);
    if (session.ofThings.size > 0) throw answeredOtherwise();
    if (session.feedback === null) {
      session.feedback = { id, answer: this.#countAndLearn(session, id) };
      // a feedback that could not be stored may be given again
      session.feedback.answer.catch(() => {
        session.feedback = null;
      });
    } else if (session.feedback.id !== id) {
      throw answeredOtherwise();
    }
    return await session.feedback.answer;
  }

  /**
   * Records feedback on one of several things: it is counted and never learned from.
   * @param thing its place in the things of the recognition, from 0 (`Sessions.placeOf`)
   * @throws {RecognitionError} as `record`
   */
  async recordOfThing(sessionId: string, thing: number, id: string | null): Promise<Feedback> {
    const session = this.#options.sessions.find(sessionId);
    const offered = session.things[thing] ?? NOTHING;
    const before = session.ofThings.get(thing);
    if (session.feedback !== null || (before !== undefined && before.id !== id)) throw answeredOtherwise();
    const answer =
      before?.answer ??
      this.#count(session, offered, id, thing + 1).then((rank) => ({ id, rank, ...refusal(OF_SEVERAL) }));
    session.ofThings.set(thing, { id, answer });
    answer.catch(() => session.ofThings.delete(thing)); // a feedback that could not be stored may be given again
    return await answer;
  }

  /** @param thing number of the thing, from 1; null where it lay alone */
  async #count(session: Session, { items, isCertain }: Offered, id: string | null, thing: number | null = null) {
    const place = items.findIndex((item) => item.id === id);
    const rank = place < 0 ? null : place + 1;
    await this.#options.ranks.count(id, rank);
    this.#taps(tapOf(session, id, rank));
    const certain = isCertain ? items[0]?.id : undefined;
    if (certain !== undefined && id !== null && id !== certain)
      this.#options.contradictions.record({ recognition: session.id, thing, certain, taken: id });
    if (id !== null) this.#choosing.observe((this.#options.clock.monotonic() - session.seenAt) / MS);
    return rank;
  }

  async #countAndLearn(session: Session, id: string | null): Promise<Feedback> {
    const rank = await this.#count(session, session, id);
    const learned = id === null ? refusal('none of the offered items was right') : await this.#learn(session, id);
    session.shown = null;
    return { id, rank, ...learned };
  }

  /**
   * Learns with caution: one wrong tap must not spoil an item, known looks need no template, but a wrong certainty must
   * be corrected.
   */
  async #learn(session: Session, item: string): Promise<Learned> {
    const { settings, pieceWeightOf } = this.#options;
    const { verdict, items, weight, shown } = session;
    if (settings.learningMode !== 'automatic') return refusal('the learning mode is not automatic');
    if (verdict.certain && items[0]?.id === item) return refusal('the answer was certain already');
    if (weight !== null && trustByWeight(weight, pieceWeightOf(item)) < 1)
      return refusal('the weight that was sent is not that of a few pieces of the item');
    if (shown === null) return refusal('the picture is not kept any more');
    const learned = await this.#addTemplate(shown.jpeg, item);
    if (learned.sid !== null || !(await this.#confirm(items, shown.vector, item))) return learned;
    return refusal(`${learned.reason}; what the item is compared by was drawn towards what was seen`);
  }

  async #addTemplate(jpeg: Buffer, item: string): Promise<Learned> {
    const { templates, captureFrom } = this.#options;
    if (templates.reader.countOf(item) >= templates.max) return refusal('the item has as many templates as it may');
    try {
      const capture = await captureFrom(jpeg);
      if (this.#isKnown(item, capture.model, capture.vector)) return refusal('the item has nearly the same template');
      return { sid: await templates.add({ item, ...capture }), reason: null };
    } catch (error) {
      // the confirmation stands, learned from or not
      if (error instanceof RecognitionError) return refusal(error.message);
      throw error;
    }
  }

  /** Adds a confirmation, unless the picture clearly looks like another item. @returns whether it was added */
  async #confirm(items: readonly Candidate[], vector: Float32Array | null, item: string): Promise<boolean> {
    const best = Math.max(...items.map(({ similarity }) => similarity));
    const similarityToItem = items.find(({ id }) => id === item)?.similarity;
    if (vector === null || similarityToItem === undefined || similarityToItem < best - STRAY_LEAD) return false;
    try {
      return await this.#options.confirmations.add({ item, vector });
    } catch (error) {
      // the confirmation stands, learned from or not
      if (error instanceof RecognitionError) return false;
      throw error;
    }
  }

  #isKnown(item: string, model: string, vector: Float32Array): boolean {
    return this.#options.templates.reader
      .vectorsOf(item, model)
      .some((known) => dotRow(vector, known, 0) > NEAR_DUPLICATE);
  }
}

type Learned = Pick<Feedback, 'sid' | 'reason'>;

const refusal = (reason: string): Learned => ({ sid: null, reason });

const OF_SEVERAL = 'several things lay there';

const answeredOtherwise = (): RecognitionError =>
  new RecognitionError(
    'Recognition.AnsweredOtherwise',
    'this recognition was answered otherwise before: the first answer counts; recognise again',
  );
