/** The recognition device: templates, recogniser, packages and settings put together. Knows nothing of HTTP. */
import type { Camera } from '../../drivers/camera/contract.ts';
import { messageOf } from '../../drivers/lib/errors.ts';
import type { Config } from '../config/index.ts';
import type { Clock, HealthBoard, Log, LogLine, Metrics, Timekeeper } from '../host/index.ts';
import type { DataDir } from '../store/index.ts';
import { BarcodeReader, type CodeSource, NO_READER } from './barcodes/barcode-reader.ts';
import { type CodeAnswer, foundCodes, type Means, withCodes } from './barcodes/by-code.ts';
import { spellingsOf } from './barcodes/gtin.ts';
import { RecognitionError } from './codes.ts';
import { type DeletionMarks, NO_MARKS } from './deletion-marks.ts';
import { withFailureCodes } from './failures.ts';
import { Assignments } from './feedback/assignments.ts';
import { Confirmations } from './feedback/confirmations.ts';
import { FeedbackService } from './feedback/feedback.ts';
import { RankStatistics } from './feedback/rank-statistics.ts';
import { ReviewQueue } from './feedback/review-queue.ts';
import { type Feedback, Sessions } from './feedback/sessions.ts';
import { watchRecognition } from './health.ts';
import { Items } from './items/items.ts';
import { Revision } from './items/revision.ts';
import { Learning } from './learning.ts';
import { Reembedding } from './matching/reembedding.ts';
import { type Model, TemplateIndex } from './matching/template-index.ts';
import { PackageStore } from './packages/package-store.ts';
import { PackageTasks } from './packages/tasks.ts';
import { Recogniser, type Sighting, type VectorSource } from './recogniser.ts';
import { type CalibratedArea, DeviceSettings } from './settings.ts';
import { SpeedChoice } from './speed-choice.ts';
import { Deletions } from './templates/deletions.ts';
import { TemplateExchange } from './templates/exchange.ts';
import { Templates } from './templates/templates.ts';
import { TemplatesFile } from './templates/templates-database.ts';
import { AREA_COORDINATES } from './vision/frame.ts';
import { Tray } from './vision/tray.ts';

const MIB = 1024 * 1024;

/** The clock of the service, which a client may set. */
export interface MovableClock extends Clock {
  setFloor(wall: number): void;
}

export interface RecognitionOptions {
  readonly config: Config['recognition'];
  readonly dataDir: DataDir;
  readonly clock: MovableClock & Timekeeper;
  readonly serial: string;
  readonly camera: Camera;
  readonly embedder: VectorSource;
  readonly health: HealthBoard;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly marks?: DeletionMarks;
  /** As the configuration says when left out. */
  readonly barcodes?: CodeSource;
  /** Sets the clock of the system; rejects with the reason where it may not. */
  readonly setSystemTime: (seconds: number, microseconds: number) => Promise<void>;
}

export interface Answer extends Omit<Sighting, 'codes' | 'vector'> {
  /** The codes that were read; null where none were looked for, or not in time. */
  readonly read: readonly CodeAnswer[] | null;
  readonly by: Means;
  readonly session: string;
}

function modelOf({ identity, manifest }: VectorSource): Model | null {
  return identity === null || manifest === null ? null : { identity, manifest };
}

/** `unsure`: candidates, to be chosen from. */
const VERDICTS = Object.freeze(['certain', 'unsure', 'unknown'] as const);

export class Recognition {
  readonly camera: Camera;
  readonly settings: DeviceSettings;
  readonly templates: Templates;
  /** What the items are called and sold as. */
  readonly items: Items;
  /** What items are taught. */
  readonly learning: Learning;
  /** What is deleted soon, and can be taken back until then. */
  readonly deletions: Deletions;
  /** The last answers that were not certain. */
  readonly reviewQueue: ReviewQueue;
  /** What was said of them afterwards. */
  readonly assignments: Assignments;
  /** Of what is said, learned and about to be deleted of the items. */
  readonly revision = new Revision();
  /** The way of synchronisation to the templates. */
  readonly exchange: TemplateExchange;
  readonly tasks: PackageTasks;
  readonly packageStore: PackageStore;
  readonly ranks: RankStatistics;
  readonly recogniser: Recogniser;
  readonly barcodes: CodeSource;
  /** The speed where none has been set. */
  readonly speedChoice: SpeedChoice;
  readonly marks: DeletionMarks;
  readonly model: Model | null;
  readonly reembedding: Reembedding | null;
  readonly #options: RecognitionOptions;
  readonly #file: TemplatesFile;
  readonly #tray: Tray;
  readonly #line: LogLine = (message, details = {}) => this.#options.log.info(details, message);
  readonly #warn: LogLine = (message, details = {}) => this.#options.log.warn(details, message);
  readonly #pieceWeightOf = (item: string): number | null => this.items.find(item)?.pieceWeight ?? null;
  readonly #sessions: Sessions;
  readonly #confirmations: Confirmations;
  readonly #feedback: FeedbackService;
  readonly #outcomes;

  constructor(options: RecognitionOptions) {
    const { config, dataDir, clock, serial, camera, embedder, metrics } = options;
    const file = new TemplatesFile(dataDir.file('templates.db'), config.storageMb, clock.wall());
    this.#options = options;
    this.#file = file;
    this.camera = camera;
    this.marks = options.marks ?? NO_MARKS;
    this.settings = new DeviceSettings(dataDir.file('recognition.json'), config);
    const isMarked = (item: string): boolean => this.marks.has(item);
    this.templates = new Templates({ file, clock, serial, max: config.maxTemplatesPerItem, isMarked });
    this.items = new Items(dataDir.file('items.db'), clock);
    this.items.file.settle(clock);
    file.settle(clock);
    this.templates.onChange(() => file.wrote());
    this.deletions = this.#newDeletions();
    for (const part of [this.items.file, this.templates]) part.onChange(this.revision.rise);
    this.model = modelOf(embedder);
    this.#confirmations = new Confirmations({ file, model: this.model?.identity ?? null });
    const templateIndex = this.#newTemplateIndex();
    this.#tray = new Tray(dataDir.file('empty-tray.bin'));
    this.barcodes = options.barcodes ?? this.#newReader();
    this.speedChoice = new SpeedChoice({ path: dataDir.file('measured-speed.json'), embedder, log: this.#line });
    const { settings, barcodes, speedChoice } = this;
    const tray = this.#tray;
    this.recogniser = new Recogniser({
      camera,
      embedder,
      settings,
      tray,
      templateIndex,
      barcodes,
      pieceWeightOf: this.#pieceWeightOf,
      speedChoice,
    });
    const { templates, deletions, recogniser } = this;
    this.learning = new Learning({ settings, templates, deletions, recogniser, templateIndex });
    this.reviewQueue = this.#newReviewQueue();
    this.assignments = this.#newAssignments();
    this.reembedding = this.#newReembedding(templateIndex);
    this.exchange = this.#newExchange();
    this.packageStore = new PackageStore(dataDir.file('packages'), config.downloadsMb * MIB);
    this.tasks = this.#newTasks(templateIndex);
    this.ranks = new RankStatistics(file, clock);
    this.#sessions = new Sessions(clock);
    const { ranks } = this;
    this.#feedback = new FeedbackService({
      sessions: this.#sessions,
      confirmations: this.#confirmations,
      templates,
      recogniser,
      settings,
      ranks,
      pieceWeightOf: this.#pieceWeightOf,
      metrics,
      clock,
    });
    this.#outcomes = metrics.counterOf(
      'laneware_recognitions_total',
      'Recognitions by their verdict',
      'verdict',
      VERDICTS,
    );
    const counted = (count: () => number) => (): number | null => (file.isGone ? null : count());
    metrics.gauge(
      'laneware_items',
      'Items that something was learned of',
      counted(() => templates.itemCount()),
    );
    metrics.gauge(
      'laneware_templates',
      'Templates of all of them',
      counted(() => templates.templateCount()),
    );
    const reembedding = () => this.reembedding?.progress ?? null;
    const gallery = () => templateIndex?.report(this.recogniser.speed) ?? null;
    watchRecognition(options.health, {
      camera,
      tray,
      embedder,
      settings,
      reembedding,
      gallery,
      database: file,
      items: this.items.file,
      barcodes,
      speed: this,
    });
  }

  /** Begins what goes on in the background. */
  start(): void {
    this.deletions.start();
    void this.templates.dropLandings();
    void this.reembedding?.start();
    void this.#forgetOld();
  }

  /** Begins what needs a processor of its own for a moment, once the model runs. */
  startEyes(): void {
    // without a camera its thread and its WebAssembly are 22 MB for nothing
    if (this.camera.kind !== 'none') void this.barcodes.start();
    void this.speedChoice.start();
  }

  /** Whether there is a picture to look at and a model to look with. */
  get isReady(): boolean {
    return this.camera.state.name === 'ready' && this.#options.embedder.state.name === 'ready';
  }

  /** @param items null exports all @throws {RecognitionError} `taskRunning` */
  async startExport(items: readonly string[] | null): Promise<void> {
    const asked = items === null ? null : [...new Set(items)];
    const known = new Set(asked === null ? [] : this.templates.items().map(({ id }) => id));
    await this.tasks.startExport(
      asked?.filter((item) => known.has(item)) ?? null,
      asked?.filter((item) => !known.has(item)) ?? [],
    );
  }

  /** @param weight grams of all that lies there; null without a scale @throws {RecognitionError} */
  async recognise(weight: number | null = null): Promise<Answer> {
    const { settings } = this;
    const seenAt = this.#options.clock.monotonic();
    const { codes, flaws, jpeg, vector, ...seen } = await this.recogniser.recognise(weight);
    const found = codes === null ? null : foundCodes(codes, (text) => this.#itemOf(text));
    const { by, classification, things } = withCodes(seen, found ?? [], settings.area, settings.resultCount);
    const { items, verdict } = classification;
    const learns = settings.learningMode === 'automatic';
    this.#outcomes(verdict.certain ? 'certain' : verdict.unknown ? 'unknown' : 'unsure');
    // an item that only its barcode made certain is still worth learning by its looks
    const { classification: byLooks } = seen;
    const isSeen = byLooks.verdict.certain && byLooks.items[0]?.id === items[0]?.id;
    const known = { ...verdict, certain: verdict.certain && isSeen };
    const shown = learns ? { vector, jpeg } : { vector: null, jpeg: null };
    const candidatesOf = things.length > 1 ? things.map((thing) => thing.classification.items) : [];
    const offer = { items, verdict: known, isCertain: verdict.certain, things: candidatesOf, weight };
    const session = this.#sessions.open({ ...offer, seenAt, ...shown });
    const read = found?.map(({ code }) => code) ?? null;
    // where nothing may be learned, no picture is kept either
    if (settings.learningMode !== 'locked')
      this.reviewQueue.see({ id: session, classification, flaws, vector, speed: this.recogniser.speed, jpeg });
    return { classification, things, flaws, jpeg, read, by, session };
  }

  /** The one item that a code belongs to: where it could be two, it is none. */
  #itemOf(barcode: string): string | null {
    const learned = spellingsOf(barcode).filter((id) => this.templates.countOf(id) > 0);
    const [item = null, other] = new Set([this.items.ownerOf(barcode) ?? learned, learned].flat());
    return other === undefined ? item : null;
  }

  /** What the codes of the newest frame say, wherever they stand in it; none while no frame can be read. @throws {RecognitionError} `cameraLost` */
  async codesInSight(): Promise<readonly string[]> {
    const { jpeg } = await withFailureCodes(async () => this.camera.latest());
    const { width, height } = AREA_COORDINATES;
    const read = await this.barcodes.read(jpeg, { x: 0, y: 0, width, height });
    return (read ?? []).map(({ text }) => text);
  }

  /** @param id null for "none of these" @throws {RecognitionError} */
  async giveFeedback(session: string, id: string | null): Promise<Feedback> {
    const feedback = await this.#feedback.give(session, id);
    this.reviewQueue.answered(session, id, feedback.sid !== null);
    return feedback;
  }

  /** The order in which recognitions were made: the number of one, else of the newest. @throws {RecognitionError} `noSession` */
  numberOf(session?: string, thing: number | null = null): number {
    return session === undefined ? this.#sessions.last : this.#sessions.find(session, thing).number;
  }

  /** The same for one of several things, by its place from 0. @throws {RecognitionError} `noSession`, `answeredOtherwise` */
  async giveFeedbackOfThing(session: string, thing: number, id: string | null): Promise<Feedback> {
    return await this.#feedback.giveOfThing(session, thing, id);
  }

  /** Another area of the tray must be learned again. @throws {RecognitionError} */
  async setCalibration(area: CalibratedArea): Promise<void> {
    const { top, left, height, width } = this.settings.calibration;
    if (area.top === top && area.left === left && area.height === height && area.width === width) return;
    await this.#tray.forget();
    await this.settings.set({ area });
  }

  /**
   * Sets the clock of the system, and that of this service also where the system refuses: backwards too, for a wrong time
   * must be possible to take back. Identifiers go on above the last one in any case.
   * @throws {RecognitionError} `clockRefused` when this process may not
   */
  async setTime(seconds: number, microseconds: number): Promise<void> {
    this.#options.clock.setFloor(seconds * 1000 + Math.floor(microseconds / 1000));
    try {
      await this.#options.setSystemTime(seconds, microseconds);
    } catch (cause) {
      throw new RecognitionError(
        'clockRefused',
        `the clock of the system could not be set (${messageOf(cause)}); this service takes the time that was sent as passed, other programs do not`,
        { cause },
      );
    }
  }

  async close(): Promise<void> {
    await this.deletions.close();
    await this.tasks.close();
    await this.reembedding?.close();
    await this.exchange.close();
    await this.templates.close();
    await this.items.close();
    await this.speedChoice.close();
    await this.barcodes.close();
    await this.#options.embedder.close();
    await this.camera.close();
    await this.#file.close();
  }

  #newDeletions(): Deletions {
    const { dataDir, clock } = this.#options;
    const { items, templates } = this;
    const { rise: onChange } = this.revision;
    return new Deletions({ path: dataDir.file('deletions.json'), clock, items, templates, onChange, log: this.#warn });
  }

  #newReader(): CodeSource {
    return this.#options.config.barcodes ? new BarcodeReader({ log: this.#line }) : NO_READER;
  }

  #newReviewQueue(): ReviewQueue {
    const { clock } = this.#options;
    return new ReviewQueue({ clock, cropOf: (jpeg) => this.recogniser.cropFrom(jpeg), log: this.#line });
  }

  #newAssignments(): Assignments {
    const { reviewQueue, templates, recogniser, learning } = this;
    return new Assignments({ queue: reviewQueue, templates, clock: this.#options.clock, recogniser, learning });
  }

  /** Null where no model is there to compare by. */
  #newTemplateIndex(): TemplateIndex | null {
    const { templates, model } = this;
    return model === null ? null : new TemplateIndex(templates, model, this.#warn, this.#confirmations);
  }

  /** Null where no model is there to embed with. */
  #newReembedding(templateIndex: TemplateIndex | null): Reembedding | null {
    const { templates, recogniser } = this;
    return templateIndex === null ? null : new Reembedding({ templates, recogniser, templateIndex, log: this.#line });
  }

  #newExchange(): TemplateExchange {
    const onReceived = () => void this.reembedding?.start();
    return new TemplateExchange({ file: this.#file, templates: this.templates, onReceived });
  }

  #newTasks(templateIndex: TemplateIndex | null): PackageTasks {
    const { config, dataDir, clock, serial } = this.#options;
    return new PackageTasks({
      file: this.#file,
      clock,
      serial,
      packageStore: this.packageStore,
      incoming: dataDir.file('incoming'),
      maxTemplatesPerItem: config.maxTemplatesPerItem,
      maxPackageBytes: config.packageMb * MIB,
      onLanded: async (batch) => {
        await templateIndex?.takeBatch(batch);
        void this.reembedding?.start();
      },
      onFailed: () => this.templates.dropLandings(),
      log: this.#warn,
    });
  }

  async #forgetOld(): Promise<void> {
    const { log } = this.#options;
    try {
      await this.ranks.forget();
      await this.#confirmations.forgetForeign();
    } catch (err) {
      log.warn({ err }, 'old rank statistics, and what was confirmed with another model, stay until the next start');
    }
  }
}
