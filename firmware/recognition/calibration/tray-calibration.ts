/** How the tray was measured: kept in a small file, with the area and the camera's pictures that it holds for. */
import Type, { type Static } from 'typebox';
import { type Camera, CameraError } from '../../../drivers/camera/contract.ts';
import type { JpegSize } from '../../../drivers/camera/jpeg-header.ts';
import { SerialQueue } from '../../../drivers/lib/serial-queue.ts';
import { JsonStore, StoredInstant } from '../../store/index.ts';
import { withFailureCodes } from '../failures.ts';
import { AreaSchema, type CalibratedArea, type DeviceSettings } from '../settings.ts';
import type { Area } from '../vision/frame.ts';
import type { Projection } from './projection.ts';
import { findCodes } from './sheet-finder.ts';
import { isScaleOf, measuredScale, reportOf, type ScaleReport } from './tray-scale.ts';

const number = Type.Number();
const MeasuredSchema = Type.Object({
  at: StoredInstant,
  rulerMm: Type.Number({ exclusiveMinimum: 0 }),
  area: AreaSchema,
  picture: Type.Object({ width: Type.Integer({ minimum: 1 }), height: Type.Integer({ minimum: 1 }) }),
  projection: Type.Tuple([number, number, number, number, number, number, number, number]),
});
const StoredSchema = Type.Object({ measured: Type.Union([MeasuredSchema, Type.Null()]) });
type Measured = Readonly<Static<typeof MeasuredSchema>>;

/** What was measured, as a technician is told of it. */
export interface MeasuredTray extends ScaleReport {
  readonly at: number;
  readonly rulerMm: number;
  readonly area: CalibratedArea;
  /** Of the camera, at that time. */
  readonly picture: JpegSize;
}

export interface CalibrationReport {
  readonly measured: MeasuredTray | null;
  /** Why sizes are not told; null where they are. */
  readonly problem: string | null;
}

export interface CalibrationOptions {
  readonly path: string;
  readonly camera: Pick<Camera, 'latest'>;
  readonly settings: Pick<DeviceSettings, 'calibration' | 'area'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const boxOf = ({ left, top, width, height }: CalibratedArea): Area => ({ x: left, y: top, width, height });

const isSameArea = (one: CalibratedArea, other: CalibratedArea): boolean =>
  one.top === other.top && one.left === other.left && one.height === other.height && one.width === other.width;

export const NEVER_MEASURED =
  'the tray was never measured: print GET /console/api/calibration/sheet and lay it on the tray';

/** What is wrong with a file of the right shape; null where nothing is. */
function unusable({ measured }: Static<typeof StoredSchema>): string | null {
  if (measured === null || isScaleOf(measured.projection, boxOf(measured.area))) return null;
  return 'its projection is of no tray';
}

export class TrayCalibration {
  readonly #options: CalibrationOptions;
  readonly #store: JsonStore<Static<typeof StoredSchema>>;
  readonly #queue = new SerialQueue();

  constructor(options: CalibrationOptions) {
    this.#options = options;
    this.#store = JsonStore.open(options.path, StoredSchema, { measured: null }, unusable);
  }

  /** Whether a tray was measured, be it this one as it is seen now or not. */
  get isMeasured(): boolean {
    return this.#store.value.measured !== null;
  }

  get report(): CalibrationReport {
    const { measured } = this.#store.value;
    const problem = this.#problemWith(measured, this.#pictureNow());
    if (measured === null) return { measured: null, problem };
    const { at, rulerMm, area, picture, projection } = measured;
    const scale = reportOf(projection, boxOf(area));
    return { measured: { at, rulerMm, area, picture, ...scale }, problem };
  }

  /** From a picture of these sides, its places in a frame of 1280×720, to the tray; null where it was not measured so. */
  scaleFor(picture: JpegSize): Projection | null {
    const { measured } = this.#store.value;
    return this.#problemWith(measured, picture) === null ? (measured?.projection ?? null) : null;
  }

  /**
   * Looks for the sheet in the newest picture. Durable when it settles; what was measured before stays where it fails.
   * @param rulerMm how long the printed line is
   * @throws {CalibrationError} @throws {RecognitionError} `cameraLost`, `frameUnusable`, `storageFull`, `fileWrite`
   */
  async measure(rulerMm: number): Promise<void> {
    const { camera, settings, now } = this.#options;
    await this.#queue.run(() =>
      withFailureCodes(async () => {
        const { jpeg, width, height } = camera.latest();
        const { calibration: area, area: looked } = settings;
        const projection = measuredScale(await findCodes(jpeg), looked, rulerMm);
        const picture = { width, height };
        await this.#store.replace({ measured: { at: now(), rulerMm, area, picture, projection: [...projection] } });
      }),
    );
  }

  /** @throws {RecognitionError} `storageFull`, `fileWrite` */
  async forget(): Promise<void> {
    await withFailureCodes(() => this.#store.replace({ measured: null }));
  }

  /** Null while there is none. */
  #pictureNow(): JpegSize | null {
    try {
      return this.#options.camera.latest();
    } catch (error) {
      if (error instanceof CameraError) return null; // which is told of by itself
      throw error;
    }
  }

  #problemWith(measured: Measured | null, picture: JpegSize | null): string | null {
    if (measured === null) {
      const { problem } = this.#store;
      return problem === null ? NEVER_MEASURED : `calibration.json was damaged (${problem}): measure the tray again`;
    }
    if (!isSameArea(measured.area, this.#options.settings.calibration))
      return 'the area was changed since the tray was measured: measure it again';
    const { width, height } = measured.picture;
    if (picture === null || (picture.width === width && picture.height === height)) return null;
    return `the camera gives pictures of ${picture.width}×${picture.height}, and the tray was measured in one of ${width}×${height}: measure it again`;
  }
}
