/** What the calls of the camera answer. */
import Type, { type Static } from 'typebox';
import { DRAWN_THINGS } from '../../../drivers/camera/contract.ts';
import { orNull } from '../../core/store/index.ts';
import { describeNames, enumOf } from '../matching/documented-names.ts';
import { FLAWS } from '../vision/quality.ts';

const pixels = (description: string) => Type.Number({ description: `${description}, in pixels of the frame` });
const Part = Type.Object({
  left: pixels('left'),
  top: pixels('top'),
  width: pixels('width'),
  height: pixels('height'),
});
const TRAYS = {
  empty: 'it looks as the empty tray that was learned',
  things: 'something lies there',
  unsure: 'nothing stands out clearly, and the whole area is looked at',
};

export const CameraAnswer = Type.Object({
  driver: Type.String({ description: 'what the configuration calls it' }),
  play: Type.Boolean({ description: 'whether its pictures come from a folder or a program, and no camera looks' }),
  frame: Type.Object({
    number: Type.Integer({ description: 'counts up: `GET /console/api/camera/frame` has that of its picture' }),
    width: Type.Integer({ description: 'pixels' }),
    height: Type.Integer({ description: 'pixels' }),
    ageMs: Type.Integer({ description: 'milliseconds since it was taken' }),
  }),
  area: Part,
  tray: enumOf(TRAYS, 'TrayAsSeen'),
  learned: Type.Boolean({ description: 'whether the empty tray was learned of pictures as these' }),
  things: Type.Array(
    Type.Object({ box: Part, cover: orNull(Type.Enum(['cut-by-rim', 'hand']), 'why it is not seen whole') }),
    { description: 'the largest first' },
  ),
  looks: Type.Array(Part, {
    description:
      'what the model is given of the frame, of several things of the largest: at speed `normal` a closer look more. May reach beyond the area: there it is given grey. None where the tray is empty or no model runs',
  }),
  sees: orNull(
    Type.Number(),
    'of the side of each look, what the net uses, in the middle of it; null: not known of this model',
  ),
  quality: Type.Array(enumOf(FLAWS, 'Flaw'), {
    description: `what would explain a bad answer, motion left out: ${describeNames(FLAWS)}`,
  }),
  measures: orNull(
    Type.Object({
      highlights: Type.Number({ description: 'brightness that one tenth of the pixels reach, 0 to 255' }),
      glare: Type.Number({ description: 'share of the pixels that are burnt out, 0 to 1' }),
      blur: orNull(Type.Number(), '0 sharp to 1 blurred; null where there is nothing to see'),
    }),
    'of the first look; null where there is none',
  ),
});
export type CameraAnswer = Static<typeof CameraAnswer>;

const thing = Type.Enum([...DRAWN_THINGS], { description: 'a thing on the drawn tray' });
const LAID = { examples: [{ thing: 'orange' as const }] };
/** What is laid on the drawn tray. */
export const Laying = Type.Object({ thing }, { additionalProperties: false, ...LAID });
export const Laid = Type.Object({ thing, things: Type.Array(thing, { description: 'what can be laid there' }) });
export type Laid = Static<typeof Laid>;

/** What a picture says of itself. */
export const FRAME_NUMBER = 'laneware-frame';
export const FRAME_SIZE = 'laneware-frame-size';
