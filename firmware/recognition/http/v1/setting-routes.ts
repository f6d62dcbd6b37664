/** The calls of settings: how the device looks at the tray, and its clock. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { BUILD_TIME } from '../../../../drivers/lib/version.ts';
import { SPEEDS } from '../../../core/config/index.ts';
import { LATEST_TIME } from '../../../core/host/index.ts';
import { HttpFailure } from '../../../core/http/index.ts';
import { AREA_COORDINATES } from '../../model/area.ts';
import type { Recognition } from '../../service/recognition.ts';
import { AreaSchema, type CalibratedArea } from '../../storage/settings.ts';

const SpeedName = Type.Enum(SPEEDS, { title: 'Speed', description: 'how much work one recognition may be' });
export const Speed = Type.Object({ speed: SpeedName }, { title: 'PredictSpeed', examples: [{ speed: 'fast' }] });
export const Time = Type.Object(
  {
    sec: Type.Integer({
      minimum: Math.floor(BUILD_TIME / 1000),
      maximum: Math.floor(LATEST_TIME / 1000),
      description: 'seconds since 1970; from the build of this release to 20 years after it',
    }),
    usec: Type.Integer({ minimum: 0, maximum: 999_999, description: 'microseconds beside them' }),
  },
  { title: 'Time', examples: [{ sec: Math.floor(BUILD_TIME / 1000) + 86_400, usec: 0 }] },
);

/** @throws {HttpFailure} `parameter` */
export function requireInside({ top, left, height, width }: CalibratedArea): void {
  const outside =
    left + width > AREA_COORDINATES.width ? 'width' : top + height > AREA_COORDINATES.height ? 'height' : null;
  if (outside === null) return;
  throw new HttpFailure('parameter', `${outside} must keep the area inside of the frame of 1280×720`, {
    field: outside,
  });
}

/** The schema of a body that has no other fields. */
const wanted = <T extends Type.TProperties>(properties: T, title: string, example: object) =>
  Type.Object(properties, { title, additionalProperties: false, examples: [example] });
const Area = Type.Object(AreaSchema.properties, {
  ...AreaSchema,
  examples: [{ top: 0, left: 280, height: 720, width: 720 }],
});
const WantedSpeed = wanted(Speed.properties, 'WantedSpeed', { speed: 'fast' });
const WantedTime = wanted(Time.properties, 'WantedTime', { sec: Math.floor(BUILD_TIME / 1000) + 86_400, usec: 0 });

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
const Learned = Type.Object({ learned: Type.Literal(true) });

export function addSettings(app: FastifyInstance, recognition: Recognition): void {
  app.put(
    '/console/api/camera/area',
    {
      config: {
        role: 'supervisor',
        audit: { event: 'area-set', fields: ['top', 'left', 'height', 'width'], isRepeatable: true },
      },
      schema: { body: Area, response: { 200: Area } },
    },
    async ({ body }) => {
      requireInside(body);
      await recognition.viewer.setCalibration(body);
      return recognition.settings.calibration;
    },
  );

  app.put(
    '/console/api/camera/empty-tray',
    {
      config: { role: 'supervisor', audit: { event: 'empty-tray-learned', isRepeatable: true } },
      schema: { querystring: LearningQuery, response: { 200: Learned } },
    },
    async ({ query: { things } }) => {
      await recognition.viewer.learnBackground(things === 'ignore');
      return { learned: true } as const;
    },
  );

  app.put(
    '/console/api/recognition/speed',
    {
      config: { role: 'supervisor', audit: { event: 'speed-set', fields: ['speed'], isRepeatable: true } },
      schema: { body: WantedSpeed, response: { 200: Speed } },
    },
    async ({ body: { speed } }) => {
      await recognition.settings.set({ speed });
      return { speed };
    },
  );

  app.put(
    '/console/api/device/clock',
    {
      config: { role: 'technician', audit: { event: 'clock-set', fields: ['sec'] } },
      schema: { body: WantedTime, response: { 200: Time } },
    },
    async ({ body: { sec, usec } }) => {
      await recognition.setTime(sec, usec);
      return { sec, usec };
    },
  );
}
