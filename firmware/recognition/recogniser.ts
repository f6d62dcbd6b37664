/** From the camera's newest frame to an answer, or to the crop and vector of a new template. */
import { type Camera, type Frame, FrameRefused } from '../../drivers/camera/contract.ts';
import type { Speed } from '../config/index.ts';
import type { CodeSource } from './barcodes/barcode-reader.ts';
import type { ReadCode } from './barcodes/barcode-worker.ts';
import { RecognitionError } from './codes.ts';
import type { EmbedderState, ModelRuntime } from './embedding/embedder.ts';
import { averageVectors } from './embedding/embedder-vectors.ts';
import type { Manifest } from './embedding/manifest.ts';
import { withFailureCodes } from './failures.ts';
import { LampLight } from './lamp-light.ts';
import { classifyMeasured, type Measure } from './matching/by-measure.ts';
import { byWeight } from './matching/by-weight.ts';
import type { Classification } from './matching/classifier.ts';
import { type SeenThing, together } from './matching/several.ts';
import type { TemplateIndex } from './matching/template-index.ts';
import type { DeviceSettings } from './settings.ts';
import { isMoving } from './vision/background.ts';
import { boxOf, cutAround, wholeOf } from './vision/cut.ts';
import type { Found, Thing } from './vision/finder.ts';
import { AREA_COORDINATES, modelViews, storedCrop, trayView, type View } from './vision/frame.ts';
import { encodeJpeg, openPicture, type Picture } from './vision/frame-picture.ts';
import { evennessOf, type Flaw, flawsOf, measure } from './vision/quality.ts';
import { type Sight, sightOf } from './vision/sight.ts';
import type { Tray } from './vision/tray.ts';

/** On a streaming camera the next frame is this near, or nothing can be said of motion. */
const MOTION_WAIT_MS = 200;
/** Views of the empty tray that show what flickers. */
const BACKGROUND_VIEWS = 5;
const BACKGROUND_WAIT_MS = 3000;
/** A lamp that was out for a self-test is lit, and seen so, by then. */
const LIT_WAIT_MS = 1500;
const IMAGE_QUALITY = 90;
/** Things that are looked at of those that lie there, the largest; each takes as long as one that lies there alone. */
export const MOST_THINGS = 4;

/** Pixels to a vector: the embedder, or what a test puts in its place. */
export interface VectorSource {
  readonly state: EmbedderState;
  /** Null while no model was found. */
  readonly runtime: ModelRuntime | null;
  readonly manifest: Manifest | null;
  readonly identity: string | null;
  /** Waits a little while the model is being loaded. Never fails. */
  loaded(): Promise<void>;
  embed(pixels: Uint8Array): Promise<Float32Array>;
  close(): Promise<void>;
}

const NOT_EMPTY =
  'something is seen on the tray, and was not learned as a part of it: take everything off, also your hand, and try again; where the tray itself has changed, learn it on the page Camera, or with PUT /console/api/camera/empty-tray?things=ignore';

export interface Sighting {
  /** Of all that lies there: where several things do, none of them is certain. */
  readonly classification: Classification;
  /** The largest first, at least one. */
  readonly things: readonly SeenThing[];
  /** What was seen of the only thing there; null of several. */
  readonly vector: Float32Array | null;
  /** What would explain a bad answer. */
  readonly flaws: readonly Flaw[];
  /** The codes that were read; null where none were looked for, or not in time. */
  readonly codes: readonly ReadCode[] | null;
  /** The JPEG that was looked at. */
  readonly jpeg: Buffer;
}

/** A look at the tray. */
export interface Look {
  /** Of the frame. */
  readonly sequence: number;
  /** `revision` of the empty tray that it was compared with. */
  readonly tray: number;
  readonly view: View;
  /** False as long as no empty tray was learned. */
  readonly isEmpty: boolean;
  /** Whether the next frame follows so closely that comparing the two shows motion. */
  readonly isStreaming: boolean;
}

interface Capture {
  /** What of a picture a template keeps. */
  readonly crop: Uint8Array;
  readonly vector: Float32Array;
  readonly model: string;
}

interface RecogniserOptions {
  readonly camera: Camera;
  readonly embedder: VectorSource;
  readonly settings: DeviceSettings;
  readonly tray: Tray;
  /** Null where no model is there to compare by. */
  readonly templateIndex: TemplateIndex | null;
  readonly barcodes: CodeSource;
  /** Grams of a piece of an item; null where none is said. */
  readonly pieceWeightOf: (item: string) => number | null;
  readonly speedChoice: { readonly measured: { readonly speed: Speed } | null };
}

export class Recogniser {
  readonly light = new LampLight();
  readonly #options: RecogniserOptions;

  constructor(options: RecogniserOptions) {
    this.#options = options;
  }

  /** The speed in use: the one that was set, else the one that this board allows; `fast` where that is not known. */
  get speed(): Speed {
    const { settings, speedChoice } = this.#options;
    return settings.setSpeed ?? speedChoice.measured?.speed ?? settings.speed;
  }

  /**
   * @param weight grams of all that lies there; null without a scale
   * @throws {RecognitionError} `cameraLost`, `frameUnusable`, `trayEmpty`, `algorithmTimeout`
   */
  async recognise(weight: number | null = null): Promise<Sighting> {
    const { settings, camera, barcodes } = this.#options;
    this.#requireIndex();
    return await withFailureCodes(async () => {
      await this.#modelLoaded();
      const frame = camera.latest();
      const picture = await openPicture(frame.jpeg);
      const seen = trayView(picture, settings.area);
      picture.decodeAhead(); // beside the small view: of where the things lie, and for the reader
      const reading = barcodes.read(picture, settings.area); // beside all that follows
      const view = await seen;
      const found = this.#requireSomething(this.#options.tray.find(view));
      const ofAll = this.#measuresOf(weight);
      // together, so that none is left behind where another fails
      const [{ things, vector, flaws }, moving, codes] = await Promise.all([
        this.#recogniseAll(picture, view, found, ofAll),
        this.#moves(frame, view),
        reading,
      ]);
      if (moving) flaws.push('moving');
      const classification = together(
        things.map((thing) => thing.classification),
        settings.resultCount,
        ofAll,
      );
      return { classification, things, vector, flaws, codes, jpeg: frame.jpeg };
    });
  }

  /** The crop of the newest frame and its vector. @throws {RecognitionError} like `recognise` */
  async capture(): Promise<Capture> {
    return await withFailureCodes(async () => {
      await this.#modelLoaded();
      return await this.learnable((await this.crop()).jpeg);
    });
  }

  /** The same of a JPEG that was looked at before. @throws {RecognitionError} */
  async captureFrom(jpeg: Buffer): Promise<Capture> {
    return await withFailureCodes(async () => await this.learnable(await this.cropFrom(jpeg)));
  }

  /** Its crop alone, which costs the model nothing. @throws {RecognitionError} */
  async cropFrom(jpeg: Buffer): Promise<Uint8Array> {
    return await withFailureCodes(() => this.#cropOf(jpeg, false));
  }

  /** What a template of a crop has. @throws {RecognitionError} */
  async learnable(crop: Uint8Array): Promise<Capture> {
    const { identity: model } = this.#requireIndex().model;
    return { crop, vector: await this.vectorOf(crop), model };
  }

  /** The vector of a stored crop. @throws {RecognitionError} */
  async vectorOf(crop: Uint8Array): Promise<Float32Array> {
    const { manifest } = this.#requireIndex().model;
    return await withFailureCodes(async () => {
      const picture = await openPicture(crop);
      return await this.#embedAll(await modelViews(picture, null, manifest.input));
    });
  }

  /** The newest frame as a JPEG of 1280×720. @throws {RecognitionError} `cameraLost`, `frameUnusable` */
  async image(): Promise<Uint8Array> {
    return await withFailureCodes(async () => {
      const frame = this.#options.camera.latest();
      const { width, height } = AREA_COORDINATES;
      if (frame.width === width && frame.height === height) return frame.jpeg;
      const picture = await openPicture(frame.jpeg);
      return await picture.jpeg(width, height, wholeOf(picture), IMAGE_QUALITY);
    });
  }

  /**
   * What the tray looks like now, for its watchers.
   * @param after the look before
   * @returns null where neither the frame nor the learned tray has changed since
   * @throws {RecognitionError} `cameraLost`, `frameUnusable`, `algorithmTimeout` without a model
   */
  async look(after: Pick<Look, 'sequence' | 'tray'> | null): Promise<Look | null> {
    const { camera, settings, tray } = this.#options;
    this.#requireIndex();
    return await withFailureCodes(async () => {
      const { jpeg, sequence } = camera.latest();
      const { revision } = tray;
      if (sequence === after?.sequence && revision === after.tray) return null;
      const view = await trayView(jpeg, settings.area);
      return { sequence, tray: revision, view, isEmpty: tray.isEmpty(view), isStreaming: camera.streaming };
    });
  }

  /** What the camera sees now and what of it would be looked at, for people. @throws {RecognitionError} `cameraLost`, `frameUnusable` */
  async sight(): Promise<Sight> {
    const { camera, settings, tray, templateIndex } = this.#options;
    return await withFailureCodes(async () => {
      const frame = camera.latest();
      const input = templateIndex?.model.manifest.input ?? null;
      return await sightOf(frame, tray, { area: settings.area, input, speed: this.speed });
    });
  }

  /** How well the area is lit and seen, whatever lies there. @throws {RecognitionError} `cameraLost`, `frameUnusable` */
  async judgeView(): Promise<{ readonly evenness: number; readonly flaws: readonly Flaw[] }> {
    const { camera, settings } = this.#options;
    return await withFailureCodes(async () => {
      const view = await trayView(camera.latest().jpeg, settings.area);
      return { evenness: evennessOf(view), flaws: flawsOf(measure(view)) };
    });
  }

  /** What of the newest frame a template would keep, and the number of that frame. @throws {RecognitionError} `cameraLost`, `frameUnusable`, `trayEmpty` */
  async crop(): Promise<{ readonly jpeg: Uint8Array; readonly number: number }> {
    return await withFailureCodes(async () => {
      const { jpeg, sequence: number } = this.#options.camera.latest();
      return { jpeg: await this.#cropOf(jpeg, true), number };
    });
  }

  /**
   * Learns what the tray looks like with nothing on it.
   * @param ignoresThings also where something is seen on it: the tray itself may have changed
   * @throws {RecognitionError} `trayNotEmpty`
   */
  async learnBackground(ignoresThings = false): Promise<void> {
    const { settings, tray } = this.#options;
    const views = await withFailureCodes(async () => {
      await this.#lit();
      const seen: View[] = [];
      for (const { jpeg } of await this.#framesOfNow()) seen.push(await trayView(jpeg, settings.area));
      return seen;
    });
    if (!ignoresThings && views.some((view) => tray.isLoaded(view)))
      throw new RecognitionError('trayNotEmpty', NOT_EMPTY);
    await tray.learn(views);
  }

  /** The learned empty tray, a small JPEG. @throws {RecognitionError} `trayUnknown` */
  async knownTray(): Promise<Uint8Array> {
    const { known } = this.#options.tray;
    if (known === null) throw new RecognitionError('trayUnknown', 'the empty tray was never learned');
    return await encodeJpeg(known, IMAGE_QUALITY);
  }

  /** Waits a little for a model that is being loaded, as in the first moments; a missing picture is reported at once. */
  async #modelLoaded(): Promise<void> {
    this.#options.camera.latest();
    await this.#lit();
    await this.#options.embedder.loaded();
  }

  /** Waits for a frame of the lit tray where the lamp was out. */
  async #lit(): Promise<void> {
    const { camera } = this.#options;
    const from = this.light.need();
    const limit = AbortSignal.timeout(LIT_WAIT_MS);
    while (camera.latest().takenAt < from && !limit.aborted)
      await camera.next(limit).catch((error: unknown) => {
        if (!limit.aborted) throw error;
      });
  }

  /** The newest frame and, on a streaming camera, some that follow it. */
  async #framesOfNow(): Promise<Frame[]> {
    const { camera } = this.#options;
    const frames = [camera.latest()];
    const limit = AbortSignal.timeout(BACKGROUND_WAIT_MS);
    while (camera.streaming && frames.length < BACKGROUND_VIEWS && !limit.aborted) {
      const next = await camera.next(limit, frames.at(-1)?.sequence).catch((error: unknown) => {
        if (limit.aborted) return null;
        throw error;
      });
      if (next !== null) frames.push(next);
    }
    return frames;
  }

  async #embedAll(views: readonly View[]): Promise<Float32Array> {
    return averageVectors(await Promise.all(views.map((view) => this.#options.embedder.embed(view.pixels))));
  }

  /** Whether the next frame of a streaming camera differs; false where none comes in time, or a damaged one. */
  async #moves(frame: Frame, view: View): Promise<boolean> {
    const { camera, settings } = this.#options;
    if (!camera.streaming) return false;
    const next = await camera.next(AbortSignal.timeout(MOTION_WAIT_MS), frame.sequence).catch(() => null);
    if (next === null) return false;
    try {
      return isMoving(view, await trayView(next.jpeg, settings.area));
    } catch (error) {
      // a damaged frame says nothing of motion, and the one that was asked for is whole
      if (error instanceof FrameRefused) return false;
      throw error;
    }
  }

  #requireSomething(found: Found): Found {
    if (found.isSure && found.things.length === 0) {
      throw new RecognitionError('trayEmpty', 'the tray is empty: put an item on it');
    }
    return found;
  }

  /** @param weight grams of all that lies there */
  #measuresOf(weight: number | null): Measure[] {
    return weight === null ? [] : [byWeight(weight, this.#options.pieceWeightOf)];
  }

  /**
   * The largest things one after the other, and the flaws of the first; the whole area where nothing is sure.
   * @param ofAll what was measured of all of them together, which is that of one only where it lies there alone
   */
  async #recogniseAll(picture: Picture, view: View, found: Found, ofAll: readonly Measure[]) {
    const { area } = this.#options.settings;
    const flaws: Flaw[] = found.things.flatMap(({ cover }) => cover ?? []).slice(0, 1);
    const things: SeenThing[] = [];
    const vectors: Float32Array[] = [];
    const looked = found.isSure ? found.things.slice(0, MOST_THINGS) : [null];
    for (const thing of looked) {
      const measures = looked.length === 1 ? ofAll : [];
      const { classification, vector, flaws: own } = await this.#recogniseThing(picture, view, thing, measures);
      if (things.length === 0) flaws.push(...own);
      things.push({ classification, box: boxOf(thing, view, area) });
      vectors.push(vector);
    }
    const [vector = null, second] = vectors;
    return { things, flaws, vector: second === undefined ? vector : null };
  }

  /** @param thing null looks at the whole area */
  async #recogniseThing(picture: Picture, view: View, thing: Thing | null, measures: readonly Measure[]) {
    const templateIndex = this.#requireIndex();
    const { area, resultCount } = this.#options.settings;
    const { speed } = this;
    const cut = thing === null ? null : cutAround(thing, view);
    const views = await modelViews(picture, area, templateIndex.model.manifest.input, speed, cut);
    const embedded = this.#embedAll(views);
    // measured here while the model runs in its own thread
    const flaws = flawsOf(measure(views[0]));
    const vector = await embedded;
    const byLooks = (k: number): Classification => templateIndex.classify(vector, k, speed);
    const classification = classifyMeasured(byLooks, measures, resultCount);
    return { classification, vector, flaws };
  }

  /** Of several things the largest. @param isLoaded an empty tray is refused */
  async #cropOf(jpeg: Buffer, isLoaded: boolean): Promise<Uint8Array> {
    const { tray, settings } = this.#options;
    const { area } = settings;
    const picture = await openPicture(jpeg);
    const view = await trayView(picture, area);
    const found = tray.find(view);
    const [thing] = (isLoaded ? this.#requireSomething(found) : found).things;
    return await storedCrop(picture, area, thing === undefined ? null : cutAround(thing, view));
  }

  #requireIndex(): TemplateIndex {
    const { templateIndex, embedder } = this.#options;
    if (templateIndex !== null) return templateIndex;
    const reason = embedder.state.reason ?? 'it is being loaded';
    throw new RecognitionError('algorithmTimeout', `no model is running: ${reason}`);
  }
}
