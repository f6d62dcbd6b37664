/** Recognises what lies on the tray, by looks and by codes, and records the feedback on an answer. */
import type { Clock, Metrics } from '../../core/host/index.ts';
import { type Answer, foundCodes, withCodes } from '../answer/by-code.ts';
import type { Recogniser } from '../answer/recogniser.ts';
import type { Viewer } from '../answer/viewer.ts';
import type { Contradictions } from '../feedback/contradictions.ts';
import type { FeedbackService } from '../feedback/feedback.ts';
import type { ReviewQueue } from '../feedback/review-queue.ts';
import type { Feedback, Sessions } from '../feedback/sessions.ts';
import type { PrintedCodes } from '../items/printed-codes.ts';
import type { DeviceSettings } from '../storage/settings.ts';

interface Collaborators {
  readonly recogniser: Recogniser;
  readonly viewer: Pick<Viewer, 'speed'>;
  readonly printedCodes: PrintedCodes;
  readonly settings: DeviceSettings;
  readonly sessions: Sessions;
  readonly feedback: FeedbackService;
  readonly reviewQueue: ReviewQueue;
  readonly contradictions: Contradictions;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly metrics: Metrics;
}

/** `unsure`: there are candidates for a person to choose from. */
const VERDICTS = Object.freeze(['certain', 'unsure', 'unknown'] as const);

export class TrayAnswers {
  readonly #parts: Collaborators;
  readonly #outcomes;

  constructor(parts: Collaborators) {
    this.#parts = parts;
    this.#outcomes = parts.metrics.counterOf(
      'laneware_recognitions_total',
      'Recognitions by their verdict',
      'verdict',
      VERDICTS,
    );
  }

  /** @param weight grams of everything on the tray; null without a scale @throws {RecognitionError} */
  async recognise(weight: number | null = null): Promise<Answer> {
    const { recogniser, printedCodes, settings, sessions, contradictions, reviewQueue, viewer, clock } = this.#parts;
    const seenAt = clock.monotonic();
    const { codes, flaws, jpeg, vector, ...seen } = await recogniser.recognise(weight);
    const found = codes === null ? null : foundCodes(codes, (text) => printedCodes.meaningOf(text));
    const { by, classification, things } = withCodes(seen, found ?? [], settings.area, settings.resultCount);
    const { items, verdict } = classification;
    const learns = settings.learningMode === 'automatic';
    this.#outcomes(verdict.certain ? 'certain' : verdict.unknown ? 'unknown' : 'unsure');
    // an item that only its barcode made certain is still worth learning by its looks
    const { classification: byLooks } = seen;
    const isCertainByLooks = byLooks.verdict.certain && byLooks.items[0]?.id === items[0]?.id;
    const known = { ...verdict, certain: verdict.certain && isCertainByLooks };
    const shown = learns ? { vector, jpeg } : null;
    const offered = things.map(({ classification: own }) => ({ items: own.items, isCertain: own.verdict.certain }));
    const candidatesOf = things.length > 1 ? offered : [];
    const offer = { items, verdict: known, isCertain: verdict.certain, things: candidatesOf, weight };
    const session = sessions.open({ ...offer, seenAt, shown });
    // where nothing may be learned, no picture is kept either
    const keepsPictures = settings.learningMode !== 'locked';
    if (keepsPictures && verdict.certain) contradictions.show(session, jpeg);
    const read = found?.map(({ code }) => code) ?? null;
    if (keepsPictures) reviewQueue.consider({ id: session, classification, flaws, vector, speed: viewer.speed, jpeg });
    return { classification, things, flaws, jpeg, read, by, session };
  }

  /**
   * @param id null for "none of these" @param thing its place among several, from 0
   * @throws {RecognitionError} `Recognition.NotFound`, `Recognition.AnsweredOtherwise`
   */
  async recordFeedback(session: string, id: string | null, thing: number | null = null): Promise<Feedback> {
    const { feedback: service, reviewQueue } = this.#parts;
    if (thing !== null) return await service.recordOfThing(session, thing, id);
    const feedback = await service.record(session, id);
    reviewQueue.answered(session, id, feedback.sid !== null);
    return feedback;
  }
}
