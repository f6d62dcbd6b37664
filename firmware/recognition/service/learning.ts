/** Adds and deletes templates where the learning mode allows it, and measures how sure recognition is of an item. */
import type { Speed } from '../../core/config/index.ts';
import type { Recogniser } from '../answer/recogniser.ts';
import type { UncertainAnswer } from '../feedback/review-queue.ts';
import type { Classification } from '../matching/classifier.ts';
import type { LookAlikes } from '../matching/look-alikes.ts';
import { isUnlike } from '../matching/strays.ts';
import { type Sureness, surenessOf, UNSEEN } from '../matching/sureness.ts';
import type { TemplateIndex } from '../matching/template-index.ts';
import { RecognitionError } from '../model/recognition-error.ts';
import type { DeviceSettings } from '../storage/settings.ts';
import type { NewTemplate, Templates } from '../templates/templates.ts';

/** Number of candidates in which an item is looked for: the number that the classifier rates by their templates. */
const SURENESS_CANDIDATES = 16;

const TRAY_UNKNOWN =
  'the empty tray is not known: a bare tray would be sold as what was learned of it. Take everything off the tray and learn it (the page Camera, or POST /api/learn_background), then look at what was learned before';

/** A new template, with how sure recognition was of its picture before and is after. */
interface LearnedNow {
  readonly image: Uint8Array;
  readonly sid: string;
  readonly before: Sureness;
  readonly after: Sureness;
}

export class Learning {
  readonly #settings: DeviceSettings;
  readonly #templates: Templates;
  readonly #recogniser: Recogniser;
  /** Null where there is no model to compare with. */
  readonly #templateIndex: TemplateIndex | null;
  readonly #isTrayKnown: () => boolean;

  constructor(
    settings: DeviceSettings,
    templates: Templates,
    recogniser: Recogniser,
    templateIndex: TemplateIndex | null,
    isTrayKnown: () => boolean,
  ) {
    this.#settings = settings;
    this.#templates = templates;
    this.#recogniser = recogniser;
    this.#templateIndex = templateIndex;
    this.#isTrayKnown = isTrayKnown;
  }

  /**
   * Makes a template of what the camera sees now, and returns how sure recognition was of it before and is after.
   * @param refusesUnlike whether a picture unlike all templates of the item is refused
   * @throws {RecognitionError} `Templates.Unlike`
   */
  async add(item: string, refusesUnlike = false): Promise<LearnedNow> {
    this.requireUnlocked();
    this.#templates.requireRoom(item);
    const capture = await this.#recogniser.capture();
    if (refusesUnlike) this.#requireLike(capture.vector, item);
    const before = this.surenessOf(capture.vector, item);
    const sid = await this.#templates.add({ item, ...capture });
    return { image: capture.crop, sid, before, after: this.surenessOf(capture.vector, item) };
  }

  /**
   * Makes templates of an item from earlier pictures: of all of them, or of none.
   * @returns their identifiers, and how sure recognition was of each picture before and is after, in their order
   * @throws {RecognitionError} nothing has happened then
   */
  async addAll(item: string, pictures: readonly Pick<UncertainAnswer, 'crop' | 'vector' | 'speed'>[]) {
    this.requireUnlocked();
    this.#templates.requireRoom(item, pictures.length);
    const learned: NewTemplate[] = [];
    for (const { crop } of pictures) learned.push({ item, ...(await this.#recogniser.learnable(crop)) });
    const sureness = () => pictures.map(({ vector, speed }) => this.surenessOf(vector, item, speed));
    const before = sureness();
    const sids = await this.#templates.addAll(learned);
    return { sids, before, after: sureness() };
  }

  /** @throws {RecognitionError} */
  async delete(item: string, sid: string): Promise<void> {
    this.requireUnlocked();
    await this.#templates.delete(item, sid);
  }

  /** Deletes those of the templates that still exist. @throws {RecognitionError} */
  async deleteThese(item: string, sids: readonly string[]): Promise<void> {
    this.requireUnlocked();
    await this.#templates.deleteThese(item, sids);
  }

  /** A warning to the person who teaches; null where nothing is wrong. */
  get warning(): string | null {
    return this.#isTrayKnown() ? null : TRAY_UNKNOWN;
  }

  /** Number of templates by which an item is recognised. */
  countOf(item: string): number {
    return this.#templateIndex?.countOf(item) ?? 0;
  }

  /** Classifies an uncertain answer again with the present templates, by looks alone. */
  classifyNow({ vector, speed }: Pick<UncertainAnswer, 'vector' | 'speed'>): Classification | null {
    return this.#templateIndex?.classify(vector, SURENESS_CANDIDATES, speed) ?? null;
  }

  /** @param speed at which the vector was made: that of a template is `normal` */
  surenessOf(vector: Float32Array, item: string, speed: Speed = 'normal'): Sureness {
    const classification = this.classifyNow({ vector, speed });
    return classification === null ? UNSEEN : surenessOf(classification, item);
  }

  /**
   * Look-alikes that an operator can mend: see `look-alikes.ts`.
   * @throws {RecognitionError} `Model.NotReady` without a model
   */
  async lookAlikes(after: string | null, limit: number): Promise<LookAlikes> {
    if (this.#templateIndex === null)
      throw new RecognitionError('Model.NotReady', 'no model is running: there is nothing to compare templates by');
    return await this.#templateIndex.lookAlikes(after, limit);
  }

  /** @throws {RecognitionError} `Templates.Locked` */
  requireUnlocked(): void {
    if (this.#settings.learningMode === 'locked')
      throw new RecognitionError('Templates.Locked', 'adding and deleting templates is disabled by the learning mode');
  }

  /** Refuses a picture unlike the item's templates; an item without templates accepts any picture. */
  #requireLike(vector: Float32Array, item: string): void {
    if (this.countOf(item) === 0) return;
    const items = this.classifyNow({ vector, speed: 'normal' })?.items ?? [];
    // an item that is not among the candidates is less similar than all of them
    const similarity = items.find(({ id }) => id === item)?.similarity ?? Number.NEGATIVE_INFINITY;
    const other = items.find(({ id }) => id !== item) ?? null;
    if (!isUnlike(similarity, other)) return;
    const looks = other !== null && other.similarity > similarity ? `: it looks more like item ${other.id}` : '';
    throw new RecognitionError(
      'Templates.Unlike',
      `this look is unlike what item ${item} was taught by${looks}; nothing was learned`,
    );
  }
}
