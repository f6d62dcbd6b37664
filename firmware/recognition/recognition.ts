/** The recognition device: templates, recogniser, packages and settings put together. Knows nothing of HTTP. */
import type { DatabaseSync } from 'node:sqlite';
import type { Camera } from '../../drivers/camera/contract.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { HealthBoard } from '../http/health.ts';
import type { Metrics } from '../http/metrics.ts';
import type { DataDir } from '../store/data-dir.ts';
import { openDatabase } from '../store/database.ts';
import { RecognitionError } from './codes.ts';
import { type CalibratedArea, DeviceSettings } from './device-settings.ts';
import { TemplateExchange } from './exchange.ts';
import { FeedbackDesk } from './feedback.ts';
import { Gallery, type Model } from './gallery.ts';
import { watchRecognition } from './health.ts';
import { type DeletionMarks, NO_MARKS } from './marks.ts';
import { Shelf } from './packages/shelf.ts';
import { PackageTasks } from './packages/tasks.ts';
import { COUNTED_RANKS, Ranks } from './ranks.ts';
import { Recogniser, type Sighting, type VectorSource } from './recogniser.ts';
import { Reembedding } from './reembedding.ts';
import { type Feedback, Sessions } from './sessions.ts';
import { setSystemTime } from './system-time.ts';
import { Templates } from './templates.ts';
import { CHECKED_TABLES, TEMPLATE_MIGRATIONS } from './templates-schema.ts';
import { Tray } from './tray.ts';
import { Turns } from './turns.ts';

const MIB = 1024 * 1024;
const PAGE_BYTES = 4096;

export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** The clock of the service, which a client may push forward. */
export interface MovableClock extends Clock {
  raiseFloor(wall: number): void;
}

export interface RecognitionOptions {
  readonly config: Config['recognition'];
  readonly dataDir: DataDir;
  readonly clock: MovableClock;
  readonly serial: string;
  readonly camera: Camera;
  readonly embedder: VectorSource;
  readonly health: HealthBoard;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly marks?: DeletionMarks;
  readonly setSystemTime?: (seconds: number, microseconds: number) => Promise<void>;
}

export interface Answer extends Sighting {
  readonly session: string;
}

function modelOf({ identity, manifest }: VectorSource): Model | null {
  return identity === null || manifest === null ? null : { identity, manifest };
}

export class Recognition {
  readonly camera: Camera;
  readonly settings: DeviceSettings;
  readonly templates: Templates;
  /** The way of synchronisation to the templates. */
  readonly exchange: TemplateExchange;
  readonly tasks: PackageTasks;
  readonly shelf: Shelf;
  readonly ranks: Ranks;
  readonly recogniser: Recogniser;
  readonly marks: DeletionMarks;
  readonly model: Model | null;
  readonly reembedding: Reembedding | null;
  readonly #options: RecognitionOptions;
  readonly #db: DatabaseSync;
  readonly #tray: Tray;
  readonly #sessions: Sessions;
  readonly #feedback: FeedbackDesk;
  readonly #outcomes;

  constructor(options: RecognitionOptions) {
    const { config, dataDir, clock, serial, camera, embedder, log, metrics } = options;
    const path = dataDir.file('templates.db');
    const { db, setAside } = openDatabase(path, TEMPLATE_MIGRATIONS, clock.wall(), CHECKED_TABLES);
    const maxPages = (config.storageMb * MIB) / PAGE_BYTES;
    db.exec(`PRAGMA max_page_count = ${maxPages}; UPDATE batches SET state = 'dropped' WHERE state = 'landing'`);
    const turns = new Turns();
    this.#options = options;
    this.#db = db;
    this.camera = camera;
    this.marks = options.marks ?? NO_MARKS;
    this.settings = new DeviceSettings(dataDir.file('recognition.json'), config);
    this.templates = new Templates({ db, turns, clock, serial, max: config.maxTemplatesPerItem });
    this.model = modelOf(embedder);
    const warn = (message: string, details: object): void => log.warn(details, message);
    const gallery = this.model === null ? null : new Gallery(this.templates, this.model, warn);
    this.#tray = new Tray(dataDir.file('empty-tray.bin'));
    this.recogniser = new Recogniser({
      camera,
      embedder,
      settings: this.settings,
      tray: this.#tray,
      model: this.model,
      gallery,
    });
    this.reembedding =
      this.model === null || gallery === null
        ? null
        : new Reembedding({
            templates: this.templates,
            recogniser: this.recogniser,
            model: this.model,
            gallery,
            log: (message, details) => log.info(details, message),
          });
    this.exchange = new TemplateExchange({
      ...{ db, turns, templates: this.templates, writer: { database: path, maxPages } },
      onReceived: () => void this.reembedding?.start(),
    });
    this.shelf = new Shelf(dataDir.file('packages'), config.downloadsMb * MIB);
    this.tasks = new PackageTasks({
      db,
      databasePath: path,
      turns,
      shelf: this.shelf,
      incoming: dataDir.file('incoming'),
      clock,
      serial,
      maxTemplatesPerItem: config.maxTemplatesPerItem,
      maxPackageBytes: config.packageMb * MIB,
      maxPages,
      onLanded: async ({ batch }) => {
        await gallery?.takeBatch(batch);
        void this.reembedding?.start();
      },
      log: warn,
    });
    this.ranks = new Ranks(db, turns);
    this.#sessions = new Sessions(clock);
    this.#feedback = new FeedbackDesk({
      sessions: this.#sessions,
      templates: this.templates,
      recogniser: this.recogniser,
      settings: this.settings,
      ranks: this.ranks,
      clock,
      onRank: this.#countRanks(metrics),
    });
    this.#outcomes = metrics.counter('laneware_recognitions_total', 'Recognitions by their verdict', ['verdict']);
    watchRecognition(options.health, {
      camera,
      embedder,
      settings: this.settings,
      reembedding: () => this.reembedding?.progress ?? null,
      setAside,
    });
    clock.raiseFloor(this.templates.latestMoment());
  }

  /** Begins what goes on in the background. */
  start(): void {
    void this.templates.sweep();
    void this.reembedding?.start();
    void this.#forgetOldRanks();
  }

  /** Whether there is a picture to look at and a model to look with. */
  get isReady(): boolean {
    return this.camera.state.name === 'ready' && this.#options.embedder.state.name === 'ready';
  }

  /** Links an item to what the camera sees now. @throws {RecognitionError} */
  async addTemplate(item: string): Promise<{ image: Uint8Array; sid: string }> {
    this.#requireUnlocked();
    this.templates.requireRoom(item);
    const capture = await this.recogniser.capture();
    const sid = await this.templates.add({ item, ...capture });
    return { image: capture.crop, sid };
  }

  /** @throws {RecognitionError} */
  async deleteTemplate(item: string, sid: string): Promise<void> {
    this.#requireUnlocked();
    await this.templates.delete(item, sid);
  }

  /** @param items null exports all @throws {RecognitionError} `taskRunning` */
  async startExport(items: readonly string[] | null): Promise<void> {
    const asked = items === null ? null : [...new Set(items)];
    const isKnown = (item: string): boolean => this.templates.countOf(item) > 0;
    await this.tasks.startExport(
      asked?.filter((item) => isKnown(item)) ?? null,
      asked?.filter((item) => !isKnown(item)) ?? [],
    );
  }

  /** @throws {RecognitionError} */
  async recognise(): Promise<Answer> {
    const sighting = await this.recogniser.recognise();
    const { items, verdict } = sighting.classification;
    const learns = this.settings.learningMode === 'automatic' && !verdict.certain;
    this.#outcomes.inc({ verdict: verdict.certain ? 'certain' : verdict.unknown ? 'unknown' : 'unsure' });
    return { ...sighting, session: this.#sessions.open(items, verdict, learns ? sighting.jpeg : null) };
  }

  /** @param id null for "none of these" @throws {RecognitionError} */
  giveFeedback(session: string, id: string | null): Promise<Feedback> {
    return this.#feedback.give(session, id);
  }

  /** A tray that is seen otherwise is to be learned anew. @throws {RecognitionError} */
  async setCalibration(area: CalibratedArea): Promise<void> {
    const { top, left, height, width } = this.settings.calibration;
    if (area.top === top && area.left === left && area.height === height && area.width === width) return;
    await this.#tray.forget();
    await this.settings.set({ area });
  }

  /**
   * Sets the clock of the system, or at least moves the one of this service forward.
   * @throws {RecognitionError} `clockRefused` when this process may not
   */
  async setTime(seconds: number, microseconds: number): Promise<void> {
    this.#options.clock.raiseFloor(seconds * 1000 + Math.floor(microseconds / 1000));
    try {
      await (this.#options.setSystemTime ?? setSystemTime)(seconds, microseconds);
    } catch (cause) {
      const words = cause instanceof Error ? cause.message : String(cause);
      throw new RecognitionError(
        'clockRefused',
        `the clock of the system could not be set (${words}); this service knows the time, other programs do not`,
        { cause },
      );
    }
  }

  async close(): Promise<void> {
    await this.tasks.close();
    await this.reembedding?.close();
    await this.exchange.close();
    await this.templates.close();
    await this.#options.embedder.close();
    await this.camera.close();
    this.#db.close();
  }

  async #forgetOldRanks(): Promise<void> {
    const { clock, log } = this.#options;
    try {
      await this.ranks.forget(clock.wall());
    } catch (err) {
      log.warn({ err }, 'old rank statistics stay until the next start');
    }
  }

  #requireUnlocked(): void {
    if (this.settings.learningMode === 'locked')
      throw new RecognitionError('learningLocked', 'adding and deleting templates is disabled by the learning mode');
  }

  /** The counter goes on where it stood before the restart. */
  #countRanks(metrics: Metrics): (rank: number | null) => void {
    const counter = metrics.counter('laneware_feedback_rank_total', 'Confirmed items by the rank they stood at', [
      'rank',
    ]);
    const { positions, none } = this.ranks.report({ from: null, to: null, item: null });
    for (const [index, count] of positions.entries()) counter.inc({ rank: String(index + 1) }, count);
    counter.inc({ rank: 'none' }, none);
    return (rank) => counter.inc({ rank: rank !== null && rank <= COUNTED_RANKS ? String(rank) : 'none' });
  }
}
