/** The camera for people: its frame as it is, and what of it is looked at. */
import type { FastifyInstance } from 'fastify';
import { type Camera, DRAWN_THINGS, type DrawnCamera, isDrawnCamera } from '../../../../drivers/camera/contract.ts';
import type { TypeBoxProvider } from '../../../http/index.ts';
import { RecognitionError } from '../../codes.ts';
import { withFailureCodes } from '../../failures.ts';
import type { Recognition } from '../../recognition.ts';
import { binary } from '../requests.ts';
import { CameraAnswer, FRAME_NUMBER, FRAME_SIZE, Laid, Laying } from './camera-schemas.ts';
import { refusals } from './problem.ts';

const NO_FRAME = ['Camera.NoPicture', 'Camera.Lost'] as const;
const AS_OF_NOW = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;
/** Whose pictures no camera takes. */
const PLAY_DRIVERS = ['replay', 'push'];

export interface CameraRoutes {
  readonly recognition: Pick<Recognition, 'camera' | 'recogniser'>;
  /** Of the side of a look, what the net uses; null: not known. */
  readonly modelSees: number | null;
}

export function addCamera(plain: FastifyInstance, routes: CameraRoutes): void {
  addSight(plain, routes);
  addFrame(plain, routes.recognition);
  addCrop(plain, routes.recognition);
  addKnownTray(plain, routes.recognition);
  addDrawnTray(plain, routes.recognition);
}

function addSight(plain: FastifyInstance, { recognition: { camera, recogniser }, modelSees }: CameraRoutes): void {
  plain.withTypeProvider<TypeBoxProvider>().get(
    '/console/api/camera',
    {
      schema: {
        operationId: 'getCamera',
        tags: ['recognition'],
        summary: 'What the camera sees, and what of it is looked at',
        description:
          'The recognition area, the things that were found in it and what the model is given, in the pixels of the frame as it is: computed by what recognises, so that a drawing of it is true. Nothing is recognised.',
        response: { 200: CameraAnswer, ...refusals(...NO_FRAME) },
      },
    },
    async (): Promise<CameraAnswer> => {
      const { frame, area, tray, isLearned, things, looks, flaws, measures } = await recogniser.sight();
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
}

function addFrame(plain: FastifyInstance, { camera }: CameraRoutes['recognition']): void {
  plain.withTypeProvider<TypeBoxProvider>().get(
    '/console/api/camera/frame',
    {
      schema: {
        operationId: 'getFrame',
        tags: ['recognition'],
        summary: 'The newest frame as it is, a JPEG',
        description: `Neither stretched nor cut. Its number stands in the header \`${FRAME_NUMBER}\`, its size in \`${FRAME_SIZE}\`, as \`1280x720\`.`,
        response: { ...binary('image/jpeg', 'the frame'), ...refusals(...NO_FRAME) },
      },
    },
    async (_, reply) => {
      const { jpeg, sequence, width, height } = await withFailureCodes(() => camera.latest());
      return reply
        .headers({ ...AS_OF_NOW, [FRAME_NUMBER]: String(sequence), [FRAME_SIZE]: `${width}x${height}` })
        .type('image/jpeg')
        .send(jpeg);
    },
  );
}

function addKnownTray(plain: FastifyInstance, { recogniser }: CameraRoutes['recognition']): void {
  plain.withTypeProvider<TypeBoxProvider>().get(
    '/console/api/camera/empty-tray',
    {
      schema: {
        operationId: 'getEmptyTray',
        tags: ['recognition'],
        summary: 'The learned empty tray, a small JPEG',
        description: 'What lies on it is found by comparison with this picture: a thing that is in it is never found.',
        response: { ...binary('image/jpeg', 'the tray'), ...refusals('Tray.NotLearned') },
      },
    },
    async (_, reply) =>
      reply
        .headers(AS_OF_NOW)
        .type('image/jpeg')
        .send(Buffer.from(await recogniser.knownTray())),
  );
}

/** @throws {RecognitionError} `notDrawn` */
function drawn(camera: Camera): DrawnCamera {
  if (isDrawnCamera(camera)) return camera;
  throw new RecognitionError('notDrawn', 'this device has no drawn tray: lay the thing before its camera');
}

function addDrawnTray(plain: FastifyInstance, { camera }: CameraRoutes['recognition']): void {
  const app = plain.withTypeProvider<TypeBoxProvider>();
  const laid = ({ lies }: DrawnCamera): Laid => ({ thing: lies, things: [...DRAWN_THINGS] });

  app.get(
    '/console/api/camera/drawn-tray',
    {
      schema: {
        operationId: 'getDrawnTray',
        tags: ['recognition'],
        summary: 'What lies on the drawn tray of a device without a camera',
        description: 'For trying it out: where `camera.driver` is `replay` and no folder is given.',
        response: { 200: Laid, ...refusals('Camera.NotDrawn') },
      },
    },
    async () => laid(drawn(camera)),
  );

  app.put(
    '/console/api/camera/drawn-tray',
    {
      schema: {
        operationId: 'layOnDrawnTray',
        tags: ['recognition'],
        summary: 'Lay a thing on the drawn tray of a device without a camera',
        description: 'In the place of what lies there. The same thing again lies another way.',
        body: Laying,
        response: { 200: Laid, ...refusals('Camera.NotDrawn') },
      },
    },
    async ({ body: { thing } }) => {
      const tray = drawn(camera);
      await withFailureCodes(() => tray.lay(thing));
      return laid(tray);
    },
  );
}

function addCrop(plain: FastifyInstance, { recogniser }: CameraRoutes['recognition']): void {
  plain.withTypeProvider<TypeBoxProvider>().get(
    '/console/api/camera/crop',
    {
      schema: {
        operationId: 'getCrop',
        tags: ['recognition'],
        summary: 'What a template would keep now, a JPEG',
        description: `What \`POST /v1/items/{id}/templates\` would learn of the newest frame: of several things the largest. The number of that frame stands in the header \`${FRAME_NUMBER}\`.`,
        response: { ...binary('image/jpeg', 'the crop'), ...refusals('Tray.Empty', ...NO_FRAME) },
      },
    },
    async (_, reply) => {
      const { jpeg, number } = await recogniser.crop();
      return reply
        .headers({ ...AS_OF_NOW, [FRAME_NUMBER]: String(number) })
        .type('image/jpeg')
        .send(Buffer.from(jpeg));
    },
  );
}
