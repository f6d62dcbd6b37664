/** Settings of the recognition device that clients set; durable before the call is answered. */
import Type, { type Static } from 'typebox';
import { LEARNING_MODES, type LearningMode, MAX_RESULTS, SPEEDS, type Speed } from '../../core/config/index.ts';
import { JsonStore } from '../../core/files/index.ts';
import { AREA_COORDINATES, type Area } from '../model/area.ts';
import { withFailureCodes } from '../model/failures.ts';
import { PrintedLayout } from '../model/printed-layout.ts';

/** Items that an answer lists, where no client has set another number. */
const DEFAULT_RESULTS = 6;
/** A smaller area is a mistake. */
const MIN_AREA_SIDE = 16;
/** One layout for each prefix. */
export const MAX_LAYOUTS = 10;

const side = (largest: number, minimum: number, description: string) =>
  Type.Number({ minimum, maximum: largest, description });

export const AreaSchema = Type.Object(
  {
    top: side(AREA_COORDINATES.height, 0, 'pixels above the area'),
    left: side(AREA_COORDINATES.width, 0, 'pixels left of the area'),
    height: side(AREA_COORDINATES.height, MIN_AREA_SIDE, 'how high the area is, in pixels'),
    width: side(AREA_COORDINATES.width, MIN_AREA_SIDE, 'how wide it is, in pixels'),
  },
  {
    title: 'RecognitionArea',
    additionalProperties: false,
    description: 'recognition area, in the coordinates of a frame of 1280×720',
  },
);
export type CalibratedArea = Static<typeof AreaSchema>;

export const StoredSchema = Type.Object({
  speed: Type.Optional(Type.Enum(SPEEDS)),
  learningMode: Type.Optional(Type.Enum(LEARNING_MODES)),
  resultCount: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_RESULTS })),
  area: Type.Optional(AreaSchema),
  printedLayouts: Type.Optional(Type.Array(PrintedLayout, { maxItems: MAX_LAYOUTS })),
});
type Stored = Static<typeof StoredSchema>;

const WHOLE_FRAME: CalibratedArea = Object.freeze({
  top: 0,
  left: 0,
  height: AREA_COORDINATES.height,
  width: AREA_COORDINATES.width,
});

export class DeviceSettings {
  readonly #store: JsonStore<Stored>;
  readonly #onChange: () => void;
  /** Whether a setting was set since the start. */
  #isSet = false;

  constructor(path: string, onChange: () => void) {
    this.#store = JsonStore.open(path, StoredSchema, {});
    this.#onChange = onChange;
  }

  /** What was wrong with the stored settings at start, until some are set; or null. */
  get problem(): string | null {
    return this.#isSet ? null : this.#store.problem;
  }

  /** The speed as the original device's calls return it: the set one, else the documented default. */
  get speed(): Speed {
    return this.setSpeed ?? 'fast';
  }

  /** The set speed; null where none was set. */
  get setSpeed(): Speed | null {
    return this.#store.value.speed ?? null;
  }

  get learningMode(): LearningMode {
    return this.#store.value.learningMode ?? 'manual';
  }

  get resultCount(): number {
    return this.#store.value.resultCount ?? DEFAULT_RESULTS;
  }

  /** Layouts of the codes that the shop's scales print; empty where none are set. */
  get printedLayouts(): readonly string[] {
    return this.#store.value.printedLayouts ?? [];
  }

  get calibration(): CalibratedArea {
    return this.#store.value.area ?? WHOLE_FRAME;
  }

  /** The area in the form that the picture code takes. */
  get area(): Area {
    const { top, left, height, width } = this.calibration;
    return { x: left, y: top, width, height };
  }

  /** @throws {RecognitionError} `Internal.StorageFull`, `Internal.StorageRefused`; nothing has changed then */
  async set(changes: Stored): Promise<void> {
    await withFailureCodes(() => this.#store.write({ ...this.#store.value, ...changes }));
    this.#isSet = true;
    this.#onChange();
  }
}
