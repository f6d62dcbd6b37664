/** The camera for people: its frame as it is, and what of it is looked at. */
import type { FastifyInstance } from 'fastify';
import { type Camera, DRAWN_THINGS, type DrawnCamera, isDrawnCamera } from '../../../drivers/camera/contract.ts';
import { NO_STORE } from '../../core/http/index.ts';
import { RecognitionError } from '../codes.ts';
import { withFailureCodes } from '../failures.ts';
import type { Recognition } from '../recognition.ts';
import { CameraAnswer, FRAME_NUMBER, FRAME_SIZE, Laid, Laying } from './camera-schemas.ts';
import { sendJpeg } from './requests.ts';

/** Drivers without a camera: their pictures come from elsewhere. */
const PLAY_DRIVERS = ['replay', 'push'];

export interface CameraRoutes {
  readonly recognition: Pick<Recognition, 'camera' | 'recogniser'>;
  /** Of the side of a look, what the net uses; null: not known. */
  readonly modelSees: number | null;
}

/** @throws {RecognitionError} `notDrawn` */
function drawn(camera: Camera): DrawnCamera {
  if (isDrawnCamera(camera)) return camera;
  throw new RecognitionError('notDrawn', 'this device has no drawn tray: lay the thing before its camera');
}

const laid = ({ lies }: DrawnCamera): Laid => ({ thing: lies, things: [...DRAWN_THINGS] });

export function addCamera(app: FastifyInstance, { recognition, modelSees }: CameraRoutes): void {
  const { camera, recogniser } = recognition;
  app.get(
    '/console/api/camera',
    { config: { role: 'till' }, schema: { response: { 200: CameraAnswer } } },
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

  app.get('/console/api/camera/frame', { config: { role: 'till' } }, async (_, reply) => {
    const { jpeg, sequence, width, height } = await withFailureCodes(() => camera.latest());
    const facts = { [FRAME_NUMBER]: String(sequence), [FRAME_SIZE]: `${width}x${height}` };
    return sendJpeg(reply, jpeg, { ...NO_STORE, ...facts });
  });

  app.get('/console/api/camera/crop', { config: { role: 'till' } }, async (_, reply) => {
    const { jpeg, number } = await recogniser.crop();
    return sendJpeg(reply, jpeg, { ...NO_STORE, [FRAME_NUMBER]: String(number) });
  });

  app.get('/console/api/camera/empty-tray', { config: { role: 'till' } }, async (_, reply) =>
    sendJpeg(reply, await recogniser.knownTray(), NO_STORE),
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
