/** The calls of the camera's page: the frame as it is, and the parts of it that the device looks at. */
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { type Camera, DRAWN_THINGS, type DrawnCamera, isDrawnCamera } from '../../../../drivers/camera/contract.ts';
import { NO_STORE } from '../../../core/http/index.ts';
import { describeNames, enumOf, orNull } from '../../../core/schema/index.ts';
import { withFailureCodes } from '../../model/failures.ts';
import { RecognitionError } from '../../model/recognition-error.ts';
import type { Recognition } from '../../service/recognition.ts';
import { FLAWS } from '../../vision/quality.ts';
import { sendJpeg } from '../file-answers.ts';

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
/** What to lay on the drawn tray. */
export const Laying = Type.Object({ thing }, { additionalProperties: false, ...LAID });
export const Laid = Type.Object({ thing, things: Type.Array(thing, { description: 'what can be laid there' }) });
export type Laid = Static<typeof Laid>;

/** The header that holds the number of a picture's frame. */
export const FRAME_NUMBER = 'laneware-frame';
/** The header that holds the frame's size, pixels: `1280x720`. */
export const FRAME_SIZE = 'laneware-frame-size';

/** Drivers without a camera: their pictures come from elsewhere. */
const PLAY_DRIVERS = ['replay', 'push'];

export interface CameraRoutes {
  readonly recognition: Pick<Recognition, 'camera' | 'viewer'>;
  /** Share of a look's side that the net uses; null: not known. */
  readonly modelSees: number | null;
}

/** @throws {RecognitionError} `Camera.NotDrawn` */
function drawn(camera: Camera): DrawnCamera {
  if (isDrawnCamera(camera)) return camera;
  throw new RecognitionError('Camera.NotDrawn', 'this device has no drawn tray: lay the thing before its camera');
}

const laid = ({ lies }: DrawnCamera): Laid => ({ thing: lies, things: [...DRAWN_THINGS] });

export function addCamera(app: FastifyInstance, { recognition, modelSees }: CameraRoutes): void {
  const { camera, viewer } = recognition;
  app.get(
    '/console/api/camera',
    { config: { role: 'till' }, schema: { response: { 200: CameraAnswer } } },
    async (): Promise<CameraAnswer> => {
      const { frame, area, tray, isLearned, things, looks, flaws, measures } = await viewer.sight();
      const { sequence: number, width, height, ageMs } = frame;
      return {
        driver: camera.kind,
        play: PLAY_DRIVERS.includes(camera.kind),
        frame: { number, width, height, ageMs: Math.round(ageMs) },
        area,
        tray,
        learned: isLearned,
        things: things.map(({ box, cover }) => ({ box, cover })),
        looks: [...looks],
        sees: modelSees,
        quality: [...flaws],
        measures,
      };
    },
  );

  app.get('/console/api/camera/frame', { config: { role: 'till' } }, async (_, reply) => {
    const { jpeg, sequence, width, height } = await withFailureCodes(() => camera.latest());
    const frameHeaders = { [FRAME_NUMBER]: String(sequence), [FRAME_SIZE]: `${width}x${height}` };
    return sendJpeg(reply, jpeg, { ...NO_STORE, ...frameHeaders });
  });

  app.get('/console/api/camera/crop', { config: { role: 'till' } }, async (_, reply) => {
    const { jpeg, number } = await viewer.crop();
    return sendJpeg(reply, jpeg, { ...NO_STORE, [FRAME_NUMBER]: String(number) });
  });

  app.get('/console/api/camera/empty-tray', { config: { role: 'till' } }, async (_, reply) =>
    sendJpeg(reply, await viewer.knownTray(), NO_STORE),
  );

  app.get(
    '/console/api/camera/drawn-tray',
    { config: { role: 'till' }, schema: { response: { 200: Laid } } },
    async () => laid(drawn(camera)),
  );

  app.put(
    '/console/api/camera/drawn-tray',
    { config: { role: 'till', audit: null }, schema: { body: Laying, response: { 200: Laid } } },
    async ({ body: { thing } }) => {
      const tray = drawn(camera);
      await withFailureCodes(() => tray.lay(thing));
      return laid(tray);
    },
  );
}
