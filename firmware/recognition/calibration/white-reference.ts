/** A white place of the tray, kept with its colour: what it looks like in a picture tells the lamp's colour. */
import Type, { type Static } from 'typebox';
import type { Camera } from '../../../drivers/camera/contract.ts';
import { JsonStore } from '../../store/kept/json-store.ts';
import { StoredInstant } from '../../store/schema.ts';
import { withFailureCodes } from '../failures.ts';
import { AREA_COORDINATES, type Area } from '../vision/frame.ts';
import { openPicture, type Picture } from '../vision/frame-picture.ts';
import type { Gain } from '../vision/in-light.ts';
import { CalibrationError } from './calibration-error.ts';
import { type Colour, colourOf, gainOf, LEAST_SAME_NAMED, whiteProblem } from './white-colour.ts';

/** A smaller place is a few pixels, and a slip of the hand. */
export const MIN_WHITE_SIDE = 8;
/** Of what is looked at of the place: enough for a median, and soon done. */
const MOST_SIDE_PIXELS = 32;

const side = (largest: number, minimum: number, description: string) =>
  Type.Number({ minimum, maximum: largest, description });
export const WhitePlaceSchema = Type.Object(
  {
    left: side(AREA_COORDINATES.width, 0, 'pixels left of it'),
    top: side(AREA_COORDINATES.height, 0, 'pixels above it'),
    width: side(AREA_COORDINATES.width, MIN_WHITE_SIDE, 'how wide it is, in pixels'),
    height: side(AREA_COORDINATES.height, MIN_WHITE_SIDE, 'how high it is, in pixels'),
  },
  {
    title: 'WhitePlace',
    additionalProperties: false,
    description: 'a white place of the tray, in a frame of 1280×720',
    examples: [{ left: 30, top: 30, width: 60, height: 60 }],
  },
);
export type WhitePlace = Readonly<Static<typeof WhitePlaceSchema>>;

const level = Type.Integer({ minimum: 0, maximum: 255 });
const StoredSchema = Type.Object({
  white: Type.Union([
    Type.Object({ at: StoredInstant, place: WhitePlaceSchema, colour: Type.Tuple([level, level, level]) }),
    Type.Null(),
  ]),
});

export interface White {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly place: WhitePlace;
  readonly colour: Colour;
}

export interface WhiteReferenceOptions {
  readonly path: string;
  readonly camera: Pick<Camera, 'latest'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

async function viewOf(picture: Picture, { left, top, width, height }: WhitePlace) {
  const [scaleX, scaleY] = [picture.width / AREA_COORDINATES.width, picture.height / AREA_COORDINATES.height];
  const [x, y] = [Math.floor(left * scaleX), Math.floor(top * scaleY)];
  const region = {
    left: Math.min(picture.width - 1, x),
    top: Math.min(picture.height - 1, y),
    width: Math.max(1, Math.min(picture.width - x, Math.round(width * scaleX))),
    height: Math.max(1, Math.min(picture.height - y, Math.round(height * scaleY))),
  };
  return await picture.pixels(
    Math.min(MOST_SIDE_PIXELS, region.width),
    Math.min(MOST_SIDE_PIXELS, region.height),
    region,
  );
}

const overlap = ({ left, top, width, height }: WhitePlace, box: Area): boolean =>
  box.x < left + width && left < box.x + box.width && box.y < top + height && top < box.y + box.height;

export class WhiteReference {
  readonly #options: WhiteReferenceOptions;
  readonly #store: JsonStore<Static<typeof StoredSchema>>;

  constructor(options: WhiteReferenceOptions) {
    this.#options = options;
    this.#store = JsonStore.open(options.path, StoredSchema, { white: null });
  }

  get white(): White | null {
    return this.#store.value.white;
  }

  /** What was wrong with the file at start, or null. */
  get problem(): string | null {
    return this.#store.problem;
  }

  /**
   * Takes the colour of the place as it is in the newest picture. Durable when it settles.
   * @throws {CalibrationError} `WhiteUnusable` @throws {RecognitionError} `cameraLost`, `frameUnusable`, `storageFull`, `fileWrite`
   */
  async learn(place: WhitePlace): Promise<void> {
    const { camera, now } = this.#options;
    await withFailureCodes(async () => {
      const { colour, evenness } = colourOf(await viewOf(await openPicture(camera.latest().jpeg), place));
      const problem = whiteProblem(colour, evenness, LEAST_SAME_NAMED);
      if (problem !== null) {
        const seen = `red ${colour[0]}, green ${colour[1]}, blue ${colour[2]} of 255`;
        throw new CalibrationError(
          'WhiteUnusable',
          `the place cannot tell the lamp's colour (${seen}): it is ${problem}`,
        );
      }
      await this.#store.replace({ white: { at: now(), place, colour: [...colour] } });
    });
  }

  /** @throws {RecognitionError} `storageFull`, `fileWrite` */
  async forget(): Promise<void> {
    await withFailureCodes(() => this.#store.replace({ white: null }));
  }

  /**
   * What takes the lamp's colour out of a picture; null where nothing does.
   * @param boxes of what lies on the tray, in a frame of 1280×720: what lies on the place hides it
   */
  async gainIn(picture: Picture, boxes: readonly Area[]): Promise<Gain | null> {
    const { white } = this;
    if (white === null || boxes.some((box) => overlap(white.place, box))) return null;
    return gainOf(white.colour, await viewOf(picture, white.place));
  }
}
