/** The work of the recognition device: it recognises, takes feedback, and takes settings. Knows nothing of HTTP. */
import { messageOf } from '../../../drivers/lib/errors.ts';
import { type Answer, type CodeAnswer, foundCodes, withCodes } from '../answer/by-code.ts';
import type { Feedback } from '../feedback/sessions.ts';
import { AREA_COORDINATES } from '../model/area.ts';
import { RecognitionError } from '../model/codes.ts';
import { withFailureCodes } from '../model/failures.ts';
import { spellingsOf } from '../model/symbologies.ts';
import type { CalibratedArea } from '../storage/settings.ts';
import { type RecognitionOptions, RecognitionParts } from './recognition-parts.ts';

/** `unsure`: there are candidates for a person to choose from. */
const VERDICTS = Object.freeze(['certain', 'unsure', 'unknown'] as const);

export class Recognition extends RecognitionParts {
  readonly #outcomes;

  constructor(options: RecognitionOptions) {
    super(options);
    this.#outcomes = options.metrics.counterOf(
      'laneware_recognitions_total',
      'Recognitions by their verdict',
      'verdict',
      VERDICTS,
    );
  }

  /** @param weight grams of everything on the tray; null without a scale @throws {RecognitionError} */
  async recognise(weight: number | null = null): Promise<Answer> {
    const { settings } = this;
    const seenAt = this.options.clock.monotonic();
    const { codes, flaws, jpeg, vector, ...seen } = await this.recogniser.recognise(weight);
    const found = codes === null ? null : foundCodes(codes, (text) => this.#saidBy(text));
    const { by, classification, things } = withCodes(seen, found ?? [], settings.area, settings.resultCount);
    const { items, verdict } = classification;
    const learns = settings.learningMode === 'automatic';
    this.#outcomes(verdict.certain ? 'certain' : verdict.unknown ? 'unknown' : 'unsure');
    // an item that only its barcode made certain is still worth learning by its looks
    const { classification: byLooks } = seen;
    const isSeen = byLooks.verdict.certain && byLooks.items[0]?.id === items[0]?.id;
    const known = { ...verdict, certain: verdict.certain && isSeen };
    const shown = learns ? { vector, jpeg } : null;
    const offered = things.map(({ classification: own }) => ({ items: own.items, isCertain: own.verdict.certain }));
    const candidatesOf = things.length > 1 ? offered : [];
    const offer = { items, verdict: known, isCertain: verdict.certain, things: candidatesOf, weight };
    const session = this.sessions.open({ ...offer, seenAt, shown });
    // where nothing may be learned, no picture is kept either
    const keepsPictures = settings.learningMode !== 'locked';
    if (keepsPictures && verdict.certain) this.contradictions.show(session, jpeg);
    const read = found?.map(({ code }) => code) ?? null;
    if (keepsPictures)
      this.reviewQueue.see({ id: session, classification, flaws, vector, speed: this.viewer.speed, jpeg });
    return { classification, things, flaws, jpeg, read, by, session };
  }

  #saidBy(text: string): Pick<CodeAnswer, 'item' | 'weight' | 'price'> {
    const own = { item: this.#itemOf(text), weight: null, price: null };
    return own.item === null ? (this.printedCodes.read(text) ?? own) : own;
  }

  /** The only item of a code; null where there are two. */
  #itemOf(barcode: string): string | null {
    const learned = spellingsOf(barcode).filter((id) => this.templates.countOf(id) > 0);
    const [item = null, other] = new Set([...this.items.havingAll(barcode), ...learned]);
    return other === undefined ? item : null;
  }

  /** Texts of all codes in the newest frame; none while no frame can be read. @throws {RecognitionError} `cameraLost` */
  async codesInSight(): Promise<readonly string[]> {
    const { jpeg } = await withFailureCodes(async () => this.camera.latest());
    const { width, height } = AREA_COORDINATES;
    const read = await this.barcodes.read(jpeg, { x: 0, y: 0, width, height });
    return (read ?? []).map(({ text }) => text);
  }

  /**
   * @param id null for "none of these" @param thing its place among several, from 0
   * @throws {RecognitionError} `noSession`, `answeredOtherwise`
   */
  async giveFeedback(session: string, id: string | null, thing: number | null = null): Promise<Feedback> {
    if (thing !== null) return await this.feedback.giveOfThing(session, thing, id);
    const feedback = await this.feedback.give(session, id);
    this.reviewQueue.answered(session, id, feedback.sid !== null);
    return feedback;
  }

  /** Sets the area; for another area the empty tray must be learned again. @throws {RecognitionError} */
  async setCalibration(area: CalibratedArea): Promise<void> {
    const { top, left, height, width } = this.settings.calibration;
    if (area.top === top && area.left === left && area.height === height && area.width === width) return;
    await this.tray.forget();
    await this.settings.set({ area });
  }

  /**
   * Sets the clock of the system, and this service's own clock even where the system refuses. Backwards is allowed,
   * because a wrong time must be correctable. Identifiers always continue above the last one.
   * @throws {RecognitionError} `clockRefused` when this process may not
   */
  async setTime(seconds: number, microseconds: number): Promise<void> {
    this.options.clock.setFloor(seconds * 1000 + Math.floor(microseconds / 1000));
    try {
      await this.options.setSystemTime(seconds, microseconds);
    } catch (cause) {
      throw new RecognitionError(
        'clockRefused',
        `the clock of the system could not be set (${messageOf(cause)}); this service takes the time that was sent as passed, other programs do not`,
        { cause },
      );
    }
  }
}
