/** How the device looks at the tray, and what time it is for it. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { TypeBoxProvider } from '../../../http/index.ts';
import { BUILD_TIME } from '../../../version.ts';
import type { Recognition } from '../../recognition.ts';
import { AreaSchema } from '../../settings.ts';
import { requireInside } from '../requests.ts';
import { SpeedBody, TimeBody } from '../schemas.ts';
import { refusals } from './problem.ts';

const WRITING = ['Internal.StorageFull', 'Internal.StorageRefused'] as const;

/** As at the original calls, but unknown fields are refused. */
const wanted = <T extends Type.TProperties>(properties: T, title: string, example: object) =>
  Type.Object(properties, { title, additionalProperties: false, examples: [example] });
const Area = Type.Object(AreaSchema.properties, {
  ...AreaSchema,
  examples: [{ top: 0, left: 280, height: 720, width: 720 }],
});
const WantedSpeed = wanted(SpeedBody.properties, 'WantedSpeed', { speed: 'fast' });
const WantedTime = wanted(TimeBody.properties, 'WantedTime', { sec: Math.floor(BUILD_TIME / 1000) + 86_400, usec: 0 });

const LearningQuery = Type.Object(
  {
    things: Type.Optional(
      Type.Enum(['refuse', 'ignore'], {
        description:
          'what is done where something is seen on the tray; `ignore` is for a tray that has changed, when somebody has looked that it is empty. `refuse` when left out',
      }),
    ),
  },
  { additionalProperties: false },
);
const Learned = Type.Object(
  { learned: Type.Literal(true) },
  { title: 'EmptyTray', description: 'the empty tray is known', examples: [{ learned: true }] },
);

export function addSettings(plain: FastifyInstance, recognition: Recognition): void {
  addTray(plain, recognition);
  addSpeed(plain, recognition);
  addClock(plain, recognition);
}

function addTray(plain: FastifyInstance, recognition: Recognition): void {
  const app = plain.withTypeProvider<TypeBoxProvider>();

  app.put(
    '/console/api/camera/area',
    {
      schema: {
        operationId: 'setArea',
        tags: ['recognition'],
        summary: 'Set the recognition area',
        description:
          'In the coordinates of a frame of 1280×720, for any resolution of the camera. A changed area forgets the empty tray: learn it again.',
        body: Area,
        response: { 200: Area, ...refusals(...WRITING) },
      },
    },
    async ({ body }) => {
      requireInside(body);
      await recognition.setCalibration(body);
      return recognition.settings.calibration;
    },
  );

  app.put(
    '/console/api/camera/empty-tray',
    {
      schema: {
        operationId: 'learnEmptyTray',
        tags: ['recognition'],
        summary: 'Learn what the empty tray looks like',
        description: 'From what the camera sees now: take everything off the tray first.',
        querystring: LearningQuery,
        response: { 200: Learned, ...refusals('Tray.NotEmpty', 'Camera.NoPicture', 'Camera.Lost', ...WRITING) },
      },
    },
    async ({ query: { things } }) => {
      await recognition.recogniser.learnBackground(things === 'ignore');
      return { learned: true } as const;
    },
  );
}

function addSpeed(plain: FastifyInstance, { settings }: Recognition): void {
  plain.withTypeProvider<TypeBoxProvider>().put(
    '/console/api/recognition/speed',
    {
      schema: {
        operationId: 'setSpeed',
        tags: ['recognition'],
        summary: 'Fast, or slower and better',
        description: '`normal` takes a second, closer look at each picture. `/health` has the time of a look.',
        body: WantedSpeed,
        response: { 200: SpeedBody, ...refusals(...WRITING) },
      },
    },
    async ({ body: { speed } }) => {
      await settings.set({ speed });
      return { speed };
    },
  );
}

function addClock(plain: FastifyInstance, recognition: Recognition): void {
  plain.withTypeProvider<TypeBoxProvider>().put(
    '/console/api/device/clock',
    {
      schema: {
        operationId: 'setClock',
        tags: ['device'],
        summary: 'Set the clock',
        description: 'Of the system, where the device may; of this service in any case. It may go backwards.',
        body: WantedTime,
        response: { 200: TimeBody, ...refusals('Device.ClockRefused', ...WRITING) },
      },
    },
    async ({ body: { sec, usec } }) => {
      await recognition.setTime(sec, usec);
      return { sec, usec };
    },
  );
}
