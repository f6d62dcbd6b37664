/** The recognition device: it makes its parts, connects, starts and closes them. Knows nothing of HTTP. */
import type { Camera } from '../../../drivers/camera/contract.ts';
import { messageOf } from '../../../drivers/lib/errors.ts';
import type { DataDir } from '../../core/files/index.ts';
import type { Clock, HealthBoard, Log, LogLine, Metrics, Timekeeper } from '../../core/host/index.ts';
import { Recogniser } from '../answer/recogniser.ts';
import { SpeedChoice } from '../answer/speed-choice.ts';
import { type VectorSource, Viewer } from '../answer/viewer.ts';
import type { RecognitionConfig } from '../config.ts';
import { Assignments } from '../feedback/assignments.ts';
import { Confirmations } from '../feedback/confirmations.ts';
import { Contradictions } from '../feedback/contradictions.ts';
import { FeedbackService } from '../feedback/feedback.ts';
import { RankStatistics } from '../feedback/rank-statistics.ts';
import { ReviewQueue } from '../feedback/review-queue.ts';
import { Sessions } from '../feedback/sessions.ts';
import { Items } from '../items/items.ts';
import { PrintedCodes } from '../items/printed-codes.ts';
import { type Model, TemplateIndex } from '../matching/template-index.ts';
import { type DeletionMarks, NO_MARKS } from '../model/deletion-marks.ts';
import { RecognitionError } from '../model/recognition-error.ts';
import { Revision } from '../model/revision.ts';
import type { OwnModel } from '../model/template.ts';
import { DeviceSettings } from '../storage/settings.ts';
import { TemplateExchange } from '../templates/exchange.ts';
import { PackageStore } from '../templates/package-store.ts';
import { PackageTasks } from '../templates/package-tasks.ts';
import { Templates } from '../templates/templates.ts';
import { TemplatesFile } from '../templates/templates-database.ts';
import { BarcodeReader, type CodeSource } from '../vision/barcode-reader.ts';
import { Tray } from '../vision/tray.ts';
import { Deletions } from './deletions.ts';
import { watchRecognition } from './health.ts';
import { Learning } from './learning.ts';
import { Reembedding } from './reembedding.ts';
import { TrayAnswers } from './tray-answers.ts';

const MIB = 1024 * 1024;
const MAX_TEMPLATES_PER_ITEM = 30;

/** The clock of the service; a client may set it. */
export interface MovableClock extends Clock {
  setFloor(wall: number): void;
}

export interface RecognitionOptions {
  readonly config: RecognitionConfig;
  readonly dataDir: DataDir;
  readonly clock: MovableClock & Timekeeper;
  readonly serial: string;
  readonly camera: Camera;
  readonly embedder: VectorSource;
  readonly health: HealthBoard;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly marks?: DeletionMarks;
  /** Reads the codes; a worker of its own when left out. */
  readonly barcodes?: CodeSource;
  readonly maxTemplatesPerItem?: number | undefined;
  /** Sets the clock of the system; rejects with the reason where it may not. */
  readonly setSystemTime: (seconds: number, microseconds: number) => Promise<void>;
}

const ownModelOf = (model: Model | null): OwnModel | null =>
  model === null ? null : { identity: model.identity, dimension: model.manifest.output.dimension };

function modelOf({ identity, manifest }: VectorSource): Model | null {
  return identity === null || manifest === null ? null : { identity, manifest };
}

export class Recognition {
  readonly camera: Camera;
  readonly settings: DeviceSettings;
  readonly templates: Templates;
  /** Names, codes and prices of items. */
  readonly items: Items;
  /** Reads codes that the shop's scales print. */
  readonly printedCodes: PrintedCodes;
  /** Teaches items. */
  readonly learning: Learning;
  /** Pending deletions, which can still be undone. */
  readonly deletions: Deletions;
  /** The latest uncertain answers. */
  readonly reviewQueue: ReviewQueue;
  /** Certain answers that a person has contradicted. */
  readonly contradictions: Contradictions;
  /** Assignments of uncertain answers to items. */
  readonly assignments: Assignments;
  /** Rises with each change of items, templates, pending deletions and settings: of everything that answers depend on. */
  readonly revision = new Revision();
  /** Synchronisation's access to the templates. */
  readonly exchange: TemplateExchange;
  readonly tasks: PackageTasks;
  readonly packageStore: PackageStore;
  readonly ranks: RankStatistics;
  /** The camera's view of the tray. */
  readonly viewer: Viewer;
  readonly recogniser: Recogniser;
  readonly barcodes: CodeSource;
  /** Chooses the speed where none has been set. */
  readonly speedChoice: SpeedChoice;
  readonly marks: DeletionMarks;
  readonly model: Model | null;
  readonly reembedding: Reembedding | null;
  readonly sessions: Sessions;
  /** What lies on the tray, and which item it was. */
  readonly answers: TrayAnswers;
  readonly #options: RecognitionOptions;

  constructor(options: RecognitionOptions) {
    const { config, dataDir, clock, serial, camera, embedder, metrics } = options;
    const file = new TemplatesFile(dataDir.file('templates.db'), config.storageMb, clock.wall());
    const line: LogLine = (message, details = {}) => options.log.info(details, message);
    const warn: LogLine = (message, details = {}) => options.log.warn(details, message);
    const pieceWeightOf = (item: string): number | null => this.items.find(item)?.pieceWeight ?? null;
    this.#options = options;
    this.camera = camera;
    this.marks = options.marks ?? NO_MARKS;
    this.settings = new DeviceSettings(dataDir.file('recognition.json'), this.revision.rise);
    const isMarked = (item: string): boolean => this.marks.items().has(item);
    this.templates = new Templates(
      file,
      clock,
      serial,
      options.maxTemplatesPerItem ?? MAX_TEMPLATES_PER_ITEM,
      isMarked,
    );
    this.items = new Items(dataDir.file('items.db'), clock);
    for (const database of [this.items.file, file]) database.checkpointAfterWrites(clock);
    const { items, templates } = this;
    const { rise: onChange } = this.revision;
    this.deletions = new Deletions(dataDir.file('deletions.json'), items, templates, clock, onChange, warn);
    for (const part of [items.file, templates]) part.onChange(onChange);
    this.printedCodes = new PrintedCodes(this.settings, items, templates.reader);
    this.model = modelOf(embedder);
    const confirmations = new Confirmations(file, this.model?.identity ?? null);
    const { model } = this;
    // null where there is no model to compare with
    const templateIndex = model === null ? null : new TemplateIndex(templates, model, warn, confirmations);
    confirmations.onAdded(onChange); // after the index
    const tray = new Tray(dataDir.file('empty-tray.bin'));
    this.barcodes = options.barcodes ?? new BarcodeReader(line);
    this.barcodes.onCaughtUp(onChange); // a thing that has not moved since was answered without its code
    this.speedChoice = new SpeedChoice(dataDir.file('measured-speed.json'), embedder, line);
    const { settings, barcodes, speedChoice } = this;
    this.viewer = new Viewer({ camera, embedder, settings, tray, templateIndex, barcodes, speedChoice });
    const { viewer } = this;
    this.recogniser = new Recogniser(viewer, camera, settings, embedder, barcodes, pieceWeightOf);
    const { recogniser } = this;
    this.learning = new Learning(settings, templates, recogniser, templateIndex, () => viewer.knowsTray);
    const cropOf = (jpeg: Buffer) => viewer.cropFrom(jpeg);
    this.reviewQueue = new ReviewQueue(clock, cropOf, line);
    this.contradictions = new Contradictions(config.contradictions, items, clock, metrics, cropOf, line);
    this.contradictions.revision.onChange(this.reviewQueue.revision.rise);
    this.assignments = new Assignments(this.reviewQueue, this.learning, clock);
    this.reembedding = templateIndex === null ? null : new Reembedding(templates, recogniser, templateIndex, line);
    const ownModel = ownModelOf(model);
    this.exchange = new TemplateExchange(templates, () => void this.reembedding?.start(), undefined, ownModel);
    this.packageStore = new PackageStore(dataDir.file('packages'), config.downloadsMb * MIB);
    this.tasks = this.#newTasks(templateIndex, warn);
    this.ranks = new RankStatistics(file, clock);
    this.sessions = new Sessions(clock);
    const { ranks, sessions, contradictions, reviewQueue, printedCodes } = this;
    const feedback = new FeedbackService({
      sessions,
      confirmations,
      contradictions,
      templates,
      captureFrom: (jpeg) => recogniser.captureFrom(jpeg),
      settings,
      ranks,
      pieceWeightOf,
      metrics,
      clock,
    });
    this.answers = new TrayAnswers({
      recogniser,
      viewer,
      printedCodes,
      settings,
      sessions,
      feedback,
      reviewQueue,
      contradictions,
      clock,
      metrics,
    });
    const counted = (count: () => number) => (): number | null => (file.isGone ? null : count());
    metrics.gauge(
      'laneware_items',
      'Items that something was learned of',
      counted(() => templates.reader.itemCount()),
    );
    metrics.gauge(
      'laneware_templates',
      'Templates of all of them',
      counted(() => templates.reader.templateCount()),
    );
    const reembedding = () => this.reembedding?.progress ?? null;
    const gallery = () => templateIndex?.report(viewer.speed) ?? null;
    watchRecognition(options.health, {
      camera,
      tray,
      embedder,
      settings,
      reembedding,
      gallery,
      database: file,
      items: items.file,
      barcodes,
      speed: this,
    });
  }

  /** Starts the work in the background. */
  start(): void {
    this.deletions.start();
    this.items.checkDaily(this.#options.clock);
    void this.templates.file.dropLandings();
    void this.reembedding?.start();
    void this.#removeOldRanks();
  }

  /** Starts what needs a free processor for a moment, once the model runs. */
  startEyes(): void {
    // without a camera the reader's thread and WebAssembly would take 22 MB for nothing
    if (this.camera.kind !== 'none') void this.barcodes.start();
    void this.speedChoice.start();
  }

  /** Whether there is a picture, and a model that runs. */
  get isReady(): boolean {
    return this.camera.state.name === 'ready' && this.#options.embedder.state.name === 'ready';
  }

  /**
   * Sets the clock of the system, and this service's own clock even where the system refuses. Backwards is allowed,
   * because a wrong time must be correctable. Identifiers always continue above the last one.
   * @throws {RecognitionError} `Device.ClockRefused` when this process may not
   */
  async setTime(seconds: number, microseconds: number): Promise<void> {
    this.#options.clock.setFloor(seconds * 1000 + Math.floor(microseconds / 1000));
    try {
      await this.#options.setSystemTime(seconds, microseconds);
    } catch (cause) {
      throw new RecognitionError(
        'Device.ClockRefused',
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
    await this.items.close();
    await this.speedChoice.close();
    await this.barcodes.close();
    await this.#options.embedder.close();
    await this.camera.close();
    await this.templates.file.close();
  }

  #newTasks(templateIndex: TemplateIndex | null, log: LogLine): PackageTasks {
    const { config, dataDir, clock, serial } = this.#options;
    const { templates, packageStore, marks } = this;
    return new PackageTasks({
      own: ownModelOf(this.model),
      templates,
      packageStore,
      marks,
      clock,
      serial,
      incoming: dataDir.file('incoming'),
      maxPackageBytes: config.packageMb * MIB,
      onLanded: async (batch) => {
        await templateIndex?.addBatch(batch);
        void this.reembedding?.start();
      },
      log,
    });
  }

  async #removeOldRanks(): Promise<void> {
    const { log } = this.#options;
    try {
      await this.ranks.forget();
    } catch (err) {
      log.warn({ err }, 'old rank statistics stay until the next start');
    }
  }
}
