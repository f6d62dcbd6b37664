/** Turns the camera's newest frame into an answer, or into the crop and vector of a new template. */
import { type Camera, type Frame, FrameRefused } from '../../../drivers/camera/contract.ts';
import { byWeight, classifyWeighed, type TrustByWeight } from '../matching/by-weight.ts';
import type { Classification } from '../matching/classifier.ts';
import { type SeenThing, together } from '../matching/several.ts';
import { withFailureCodes } from '../model/failures.ts';
import { averageVectors } from '../model/vectors.ts';
import type { DeviceSettings } from '../storage/settings.ts';
import { isMoving } from '../vision/background.ts';
import type { CodeSource } from '../vision/barcode-reader.ts';
import type { ReadCode } from '../vision/barcode-worker.ts';
import { boxOf, cutAround } from '../vision/cut.ts';
import { modelViews, trayView, type View } from '../vision/frame.ts';
import { openPicture, type Picture } from '../vision/frame-picture.ts';
import { type Flaw, flawsOf, measure } from '../vision/quality.ts';
import type { FoundThings, Thing } from '../vision/thing-finder.ts';
import type { VectorSource, Viewer } from './viewer.ts';

/** How long to wait for a streaming camera's next frame; without one nothing is known of motion. */
const MOTION_WAIT_MS = 200;
/** The most things that are recognised, the largest ones: each adds the time of one answer. */
export const MOST_THINGS = 4;

export interface Sighting {
  /** Classification of everything on the tray; things that differ are never certain. */
  readonly classification: Classification;
  /** Things on the tray, the largest first, at least one. */
  readonly things: readonly SeenThing[];
  /** Vector of the only thing; null for several. */
  readonly vector: Float32Array | null;
  /** Flaws of the picture that would explain a bad answer. */
  readonly flaws: readonly Flaw[];
  /** The codes that were read; null where none were looked for, or they were not read in time. */
  readonly codes: readonly ReadCode[] | null;
  /** The JPEG that was looked at. */
  readonly jpeg: Buffer;
}

interface Capture {
  /** The part of a picture that a template keeps. */
  readonly crop: Uint8Array;
  readonly vector: Float32Array;
  readonly model: string;
}

export class Recogniser {
  readonly #viewer: Viewer;
  readonly #camera: Camera;
  readonly #settings: Pick<DeviceSettings, 'area' | 'resultCount'>;
  readonly #embedder: Pick<VectorSource, 'embed' | 'loaded'>;
  readonly #barcodes: CodeSource;
  readonly #pieceWeightOf: (item: string) => number | null;

  /** @param pieceWeightOf weight of one piece of an item, grams; null where it is unknown */
  constructor(
    viewer: Viewer,
    camera: Camera,
    settings: Pick<DeviceSettings, 'area' | 'resultCount'>,
    embedder: Pick<VectorSource, 'embed' | 'loaded'>,
    barcodes: CodeSource,
    pieceWeightOf: (item: string) => number | null,
  ) {
    this.#viewer = viewer;
    this.#camera = camera;
    this.#settings = settings;
    this.#embedder = embedder;
    this.#barcodes = barcodes;
    this.#pieceWeightOf = pieceWeightOf;
  }

  /**
   * @param weight grams of everything on the tray; null without a scale
   * @throws {RecognitionError} `Camera.Lost`, `Camera.NoPicture`, `Tray.Empty`, `Model.NotReady`
   */
  async recognise(weight: number | null = null): Promise<Sighting> {
    this.#viewer.requireIndex();
    return await withFailureCodes(async () => {
      await this.#modelLoaded();
      const frame = this.#camera.latest();
      const picture = await openPicture(frame.jpeg);
      const seen = trayView(picture, this.#settings.area);
      picture.decodeAhead(); // for the crops and the reader of codes, while the small view is made
      const view = await seen;
      const found = this.#viewer.findThings(view);
      const ofAll = weight === null ? null : byWeight(weight, this.#pieceWeightOf);
      // awaited together, so that no rejection stays unhandled where another fails first
      const [{ things, vector, flaws }, codes, moving] = await Promise.all([
        this.#recogniseAll(picture, view, found, ofAll),
        this.#barcodes.read(picture, this.#settings.area), // started after the looks, which take longer
        this.#moves(frame, view),
      ]);
      await picture.release();
      if (moving) flaws.push('moving');
      const classification = together(
        things.map((thing) => thing.classification),
        this.#settings.resultCount,
        ofAll,
      );
      return { classification, things, vector, flaws, codes, jpeg: frame.jpeg };
    });
  }

  /** The crop of the newest frame and its vector. @throws {RecognitionError} like `recognise` */
  async capture(): Promise<Capture> {
    return await withFailureCodes(async () => {
      await this.#modelLoaded();
      return await this.learnable((await this.#viewer.crop()).jpeg);
    });
  }

  /** Crop and vector of an earlier frame. @throws {RecognitionError} */
  async captureFrom(jpeg: Buffer): Promise<Capture> {
    return await withFailureCodes(async () => await this.learnable(await this.#viewer.cropFrom(jpeg)));
  }

  /** Crop and vector of a template from a crop. @throws {RecognitionError} */
  async learnable(crop: Uint8Array): Promise<Capture> {
    const { identity: model } = this.#viewer.requireIndex().model;
    return { crop, vector: await this.vectorOf(crop), model };
  }

  /** The vector of a stored crop. @throws {RecognitionError} */
  async vectorOf(crop: Uint8Array): Promise<Float32Array> {
    const { manifest } = this.#viewer.requireIndex().model;
    return await withFailureCodes(async () => {
      const picture = await openPicture(crop);
      return await this.#embedAll(await modelViews(picture, null, manifest.input));
    });
  }

  /** Waits a little for a model that is being loaded, as after a start; a missing picture is reported at once. */
  async #modelLoaded(): Promise<void> {
    this.#camera.latest();
    await this.#embedder.loaded();
  }

  async #embedAll(views: readonly View[]): Promise<Float32Array> {
    return averageVectors(await Promise.all(views.map((view) => this.#embedder.embed(view.pixels))));
  }

  /** Whether the next frame of a streaming camera differs; false where none comes in time or it is damaged. */
  async #moves(frame: Frame, view: View): Promise<boolean> {
    if (!this.#camera.streaming) return false;
    const next = await this.#camera.next(AbortSignal.timeout(MOTION_WAIT_MS), frame.sequence).catch(() => null);
    if (next === null) return false;
    try {
      return isMoving(view, await trayView(next.jpeg, this.#settings.area));
    } catch (error) {
      // a damaged frame says nothing of motion, and the frame that is recognised is whole
      if (error instanceof FrameRefused) return false;
      throw error;
    }
  }

  /**
   * Recognises the largest things in turn; the whole area where no thing is sure. The flaws are those of the first thing,
   * and the first cover of any thing.
   * @param ofAll trust by the weight of all things, which is the weight of one only where it lies alone
   */
  async #recogniseAll(picture: Picture, view: View, found: FoundThings, ofAll: TrustByWeight | null) {
    const { area } = this.#settings;
    const flaws: Flaw[] = found.things.flatMap(({ cover }) => cover ?? []).slice(0, 1);
    const things: SeenThing[] = [];
    const vectors: Float32Array[] = [];
    const targets = found.isSure ? found.things.slice(0, MOST_THINGS) : [null];
    for (const thing of targets) {
      const trustIn = targets.length === 1 ? ofAll : null;
      const { classification, vector, flaws: own } = await this.#recogniseThing(picture, view, thing, trustIn);
      if (things.length === 0) flaws.push(...own);
      things.push({ classification, box: boxOf(thing, view, area) });
      vectors.push(vector);
    }
    const [vector = null, second] = vectors;
    return { things, flaws, vector: second === undefined ? vector : null };
  }

  /** @param thing null looks at the whole area */
  async #recogniseThing(picture: Picture, view: View, thing: Thing | null, trustIn: TrustByWeight | null) {
    const templateIndex = this.#viewer.requireIndex();
    const { area, resultCount } = this.#settings;
    const { speed } = this.#viewer;
    const cut = thing === null ? null : cutAround(thing, view);
    const views = await modelViews(picture, area, templateIndex.model.manifest.input, speed, cut);
    const embedded = this.#embedAll(views);
    // measured here while the model runs in its own thread
    const flaws = flawsOf(measure(views[0]));
    const vector = await embedded;
    const byLooks = (k: number): Classification => templateIndex.classify(vector, k, speed);
    const classification = classifyWeighed(byLooks, trustIn, resultCount);
    return { classification, vector, flaws };
  }
}
