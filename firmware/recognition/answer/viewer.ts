/**
 * The camera's view of the tray, for recognition and for people who set up a camera or teach. People see the parts that
 * recognition would look at, found by the same code. Learns the empty tray. Only `observe` and `requireIndex` need a model.
 */
import type { Camera, Frame } from '../../../drivers/camera/contract.ts';
import type { Speed } from '../../core/config/index.ts';
import type { EmbedderState, ModelRuntime } from '../embedding/embedder.ts';
import type { Manifest } from '../embedding/manifest.ts';
import type { TemplateIndex } from '../matching/template-index.ts';
import { AREA_COORDINATES, type Area } from '../model/area.ts';
import { withFailureCodes } from '../model/failures.ts';
import { RecognitionError } from '../model/recognition-error.ts';
import type { CalibratedArea, DeviceSettings } from '../storage/settings.ts';
import type { CodeSource } from '../vision/barcode-reader.ts';
import { boxOf, cutAround, ofPicture, type Rectangle, toPixels, wholeOf } from '../vision/cut.ts';
import { modelViews, seenOf, storedCrop, trayView, type View } from '../vision/frame.ts';
import { encodeJpeg, openPicture } from '../vision/frame-picture.ts';
import { evennessOf, type Flaw, flawsOf, type Measures, measure } from '../vision/quality.ts';
import type { CoveredBy, FoundThings } from '../vision/thing-finder.ts';
import type { Tray } from '../vision/tray.ts';

/** Lengths in the frame's own pixels. */
interface Sight {
  readonly frame: Frame;
  readonly area: Rectangle;
  /** `unsure`: nothing stands out clearly, and the whole area is looked at. */
  readonly tray: 'empty' | 'things' | 'unsure';
  /** Whether an empty tray was learned from pictures of this size. */
  readonly isLearned: boolean;
  /** Things, the largest first. */
  readonly things: readonly { readonly box: Rectangle; readonly cover: CoveredBy | null }[];
  /**
   * The model's looks in their order; of several things those at the largest. Empty where no model runs, or the tray is
   * empty.
   */
  readonly looks: readonly Rectangle[];
  readonly flaws: readonly Flaw[];
  /** Measures of the first look; null where there is none. */
  readonly measures: Measures | null;
}

interface SightSettings {
  readonly area: Area;
  /** Input of the model; null where none runs. */
  readonly input: Manifest['input'] | null;
  readonly speed: Speed;
}

const stateOf = ({ isSure, things }: FoundThings): Sight['tray'] =>
  isSure ? (things.length === 0 ? 'empty' : 'things') : 'unsure';

/** @throws {FrameRefused} */
async function sightOf(
  frame: Frame,
  tray: Pick<Tray, 'findThings' | 'isKnown'>,
  { area, input, speed }: SightSettings,
): Promise<Sight> {
  const picture = await openPicture(frame.jpeg);
  const small = await trayView(picture, area);
  const found = tray.findThings(small);
  const state = stateOf(found);
  const [thing = null] = found.things;
  const cut = thing === null ? null : cutAround(thing, small);
  const isLooked = input !== null && state !== 'empty';
  const measures = isLooked ? measure((await modelViews(picture, area, input, 'fast', cut))[0]) : null;
  const covers = found.things.flatMap(({ cover }) => cover ?? []).slice(0, 1);
  return {
    frame,
    area: toPixels(area, picture),
    tray: state,
    isLearned: tray.isKnown,
    things: found.things.map((one) => ({ box: ofPicture(boxOf(one, small, area), picture), cover: one.cover })),
    looks: isLooked ? seenOf(picture, area, input, speed, cut) : [],
    flaws: measures === null ? [] : [...covers, ...flawsOf(measures)],
    measures,
  };
}

/** The most views of the empty tray that are learned together: several show what flickers. */
const BACKGROUND_VIEWS = 5;
/** The longest wait for them. */
const BACKGROUND_WAIT_MS = 3000;
const IMAGE_QUALITY = 90;

/** Turns pixels into a vector: the embedder, or a test's replacement. */
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

/** A look at the tray. */
export interface Look {
  /** Number of the frame. */
  readonly sequence: number;
  /** `revision` of the empty tray with which the look was compared. */
  readonly trayRevision: number;
  readonly view: View;
  /** Whether the tray is empty; false while no empty tray was learned. */
  readonly isEmpty: boolean;
  /** Whether the next frame follows so closely that comparing the two shows motion. */
  readonly isStreaming: boolean;
}

interface ViewerOptions {
  readonly camera: Camera;
  readonly embedder: VectorSource;
  readonly settings: DeviceSettings;
  readonly tray: Tray;
  /** Null where there is no model to compare with. */
  readonly templateIndex: TemplateIndex | null;
  readonly barcodes: CodeSource;
  readonly speedChoice: { readonly measured: { readonly speed: Speed } | null };
}

function requireSomething(found: FoundThings): FoundThings {
  if (found.isSure && found.things.length === 0)
    throw new RecognitionError('Tray.Empty', 'the tray is empty: put an item on it');
  return found;
}

export class Viewer {
  readonly #options: ViewerOptions;

  constructor(options: ViewerOptions) {
    this.#options = options;
  }

  /** The speed in use: the set one, else the one that was measured on this board; `fast` where none was. */
  get speed(): Speed {
    const { settings, speedChoice } = this.#options;
    return settings.setSpeed ?? speedChoice.measured?.speed ?? settings.speed;
  }

  /** As `Tray.isKnown`. */
  get knowsTray(): boolean {
    return this.#options.tray.isKnown;
  }

  /** The newest frame as a JPEG of 1280×720. @throws {RecognitionError} `Camera.Lost`, `Camera.NoPicture` */
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
   * A look at the tray now, for `TrayWatch`.
   * @param after the look before
   * @returns null where neither the frame nor the learned tray has changed since
   * @throws {RecognitionError} `Camera.Lost`, `Camera.NoPicture`, `Model.NotReady` without a model
   */
  async observe(after: Pick<Look, 'sequence' | 'trayRevision'> | null): Promise<Look | null> {
    const { camera, settings, tray } = this.#options;
    this.requireIndex();
    return await withFailureCodes(async () => {
      const { jpeg, sequence } = camera.latest();
      const { revision } = tray;
      if (sequence === after?.sequence && revision === after.trayRevision) return null;
      const view = await trayView(jpeg, settings.area);
      return { sequence, trayRevision: revision, view, isEmpty: tray.isEmpty(view), isStreaming: camera.streaming };
    });
  }

  /**
   * The camera's view now, and the parts that recognition would look at, for people.
   * @throws {RecognitionError} `Camera.Lost`, `Camera.NoPicture`
   */
  async sight(): Promise<Sight> {
    const { camera, settings, tray, templateIndex } = this.#options;
    return await withFailureCodes(async () => {
      const frame = camera.latest();
      const input = templateIndex?.model.manifest.input ?? null;
      return await sightOf(frame, tray, { area: settings.area, input, speed: this.speed });
    });
  }

  /**
   * How well the area is lit and visible, whatever lies there.
   * @throws {RecognitionError} `Camera.Lost`, `Camera.NoPicture`
   */
  async judgeView(): Promise<{ readonly evenness: number; readonly flaws: readonly Flaw[] }> {
    const { camera, settings } = this.#options;
    return await withFailureCodes(async () => {
      const view = await trayView(camera.latest().jpeg, settings.area);
      return { evenness: evennessOf(view), flaws: flawsOf(measure(view)) };
    });
  }

  /**
   * The crop that a template would keep of the newest frame, and the frame's number.
   * @throws {RecognitionError} `Camera.Lost`, `Camera.NoPicture`, `Tray.Empty`
   */
  async crop(): Promise<{ readonly jpeg: Uint8Array; readonly number: number }> {
    return await withFailureCodes(async () => {
      const { jpeg, sequence: number } = this.#options.camera.latest();
      return { jpeg: await this.#cropOf(jpeg, true), number };
    });
  }

  /** The crop of an earlier frame, even where it shows an empty tray. @throws {RecognitionError} */
  async cropFrom(jpeg: Buffer): Promise<Uint8Array> {
    return await withFailureCodes(() => this.#cropOf(jpeg, false));
  }

  /** Texts of all codes in the newest frame; none while no frame can be read. @throws {RecognitionError} `Camera.Lost` */
  async codesInSight(): Promise<readonly string[]> {
    const { jpeg } = await withFailureCodes(async () => this.#options.camera.latest());
    const { width, height } = AREA_COORDINATES;
    const read = await this.#options.barcodes.read(jpeg, { x: 0, y: 0, width, height });
    return (read ?? []).map(({ text }) => text);
  }

  /** Sets the area; for another area the empty tray must be learned again. @throws {RecognitionError} */
  async setCalibration(area: CalibratedArea): Promise<void> {
    const { settings, tray } = this.#options;
    const { top, left, height, width } = settings.calibration;
    if (area.top === top && area.left === left && area.height === height && area.width === width) return;
    await tray.forget();
    await settings.set({ area });
  }

  /**
   * Learns the empty tray.
   * @param ignoresThings learns also where something seems to lie on it: the tray itself may have changed
   * @throws {RecognitionError} `Tray.NotEmpty`
   */
  async learnBackground(ignoresThings = false): Promise<void> {
    const { settings, tray } = this.#options;
    const views = await withFailureCodes(async () => {
      const seen: View[] = [];
      for (const { jpeg } of await this.#framesOfNow()) seen.push(await trayView(jpeg, settings.area));
      return seen;
    });
    if (!ignoresThings && views.some((view) => tray.isLoaded(view)))
      throw new RecognitionError('Tray.NotEmpty', NOT_EMPTY);
    await tray.learn(views);
  }

  /** The learned empty tray, a small JPEG. @throws {RecognitionError} `Tray.NotLearned` */
  async knownTray(): Promise<Uint8Array> {
    const { known } = this.#options.tray;
    if (known === null) throw new RecognitionError('Tray.NotLearned', 'the empty tray was never learned');
    return await encodeJpeg(known, IMAGE_QUALITY);
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

  /** Where things lie in a view. @throws {RecognitionError} `Tray.Empty` */
  findThings(view: View): FoundThings {
    return requireSomething(this.#options.tray.findThings(view));
  }

  /** The index of the present model. @throws {RecognitionError} `Model.NotReady` */
  requireIndex(): TemplateIndex {
    const { templateIndex, embedder } = this.#options;
    if (templateIndex !== null) return templateIndex;
    const reason = embedder.state.reason ?? 'it is being loaded';
    throw new RecognitionError('Model.NotReady', `no model is running: ${reason}`);
  }

  /** The crop of the largest thing; of the whole area where there is none. @param refusesEmpty throws for an empty tray */
  async #cropOf(jpeg: Buffer, refusesEmpty: boolean): Promise<Uint8Array> {
    const { tray, settings } = this.#options;
    const { area } = settings;
    const picture = await openPicture(jpeg);
    const view = await trayView(picture, area);
    const [thing] = (refusesEmpty ? this.findThings(view) : tray.findThings(view)).things;
    return await storedCrop(picture, area, thing === undefined ? null : cutAround(thing, view));
  }
}
