/** The calls about the device itself: what it is, how it is set. */
import type { FastifyInstance } from 'fastify';
import { LEARNING_MODES } from '../../config/index.ts';
import type { TypeBoxProvider } from '../../http/index.ts';
import { CODES } from '../codes.ts';
import type { Recognition } from '../recognition.ts';
import { answers, DONE, requireInside } from './requests.ts';
import {
  AreaAnswer,
  AreaBody,
  type DeviceInfo,
  DeviceInfoAnswer,
  Done,
  LearningModeAnswer,
  LearningModeBody,
  ResultCountBody,
  SpeedBody,
  type SyncInfo,
  TimeBody,
} from './schemas.ts';

export interface DeviceIdentity {
  readonly version: string;
  readonly serial: string;
  readonly sync: () => SyncInfo;
}

function describe(recognition: Recognition, { version, serial, sync }: DeviceIdentity): DeviceInfo {
  const { settings, templates, model } = recognition;
  return {
    app: version,
    engine: model?.identity ?? '',
    firmware: version,
    board: `${process.platform}-${process.arch}`,
    sn: serial,
    item_count: templates.itemCount(),
    template_count: templates.counts(null).total,
    learnMode: LEARNING_MODES.indexOf(settings.learningMode),
    max_result_num: settings.resultCount,
    predict_speed: settings.speed,
    soldOutLimit: 0,
    ...sync(),
  };
}

export function addDeviceRoutes(plain: FastifyInstance, recognition: Recognition, identity: DeviceIdentity): void {
  const app = plain.withTypeProvider<TypeBoxProvider>();
  app.get(
    '/api/get_device_info',
    {
      schema: {
        operationId: 'getDeviceInfo',
        tags: ['original device: device'],
        summary: 'What this device is and how it is set',
        description: 'Versions, serial number, how much was learned, settings.',
        response: answers(DeviceInfoAnswer),
      },
    },
    async () => ({ code: CODES.ok, data: describe(recognition, identity) }),
  );

  addSpeed(plain, recognition);
  addLearningMode(plain, recognition);
  addResultCount(plain, recognition);
  addTray(plain, recognition);
  app.post(
    '/api/set_time',
    {
      schema: {
        operationId: 'setTime',
        tags: ['original device: device'],
        summary: 'Set the clock',
        description: 'Of the system, where the device may; of this service in any case. It may go backwards.',
        body: TimeBody,
        response: answers(Done),
      },
    },
    async (request) => {
      await recognition.setTime(request.body.sec, request.body.usec);
      return DONE;
    },
  );
}

function addSpeed(plain: FastifyInstance, { settings }: Recognition): void {
  plain.withTypeProvider<TypeBoxProvider>().post(
    '/api/set_predict_speed',
    {
      schema: {
        operationId: 'setPredictSpeed',
        tags: ['original device: recognition'],
        summary: 'Fast, or slower and better',
        description: '`normal` takes a second, closer look at each picture.',
        body: SpeedBody,
        response: answers(Done),
      },
    },
    async (request) => {
      await settings.set({ speed: request.body.speed });
      return DONE;
    },
  );
}

/** Who may teach it. */
function addLearningMode(plain: FastifyInstance, { settings }: Recognition): void {
  const app = plain.withTypeProvider<TypeBoxProvider>();
  app.get(
    '/api/get_learning_mode',
    {
      schema: {
        operationId: 'getLearningMode',
        tags: ['original device: templates'],
        summary: 'Who may add templates',
        description: 'By its place: 0 locked, 1 manual, 2 automatic.',
        response: answers(LearningModeAnswer),
      },
    },
    async () => ({ code: CODES.ok, data: { mode: LEARNING_MODES.indexOf(settings.learningMode) } }),
  );

  app.post(
    '/api/set_learning_mode',
    {
      schema: {
        operationId: 'setLearningMode',
        tags: ['original device: templates'],
        summary: 'Say who may add templates',
        description: 'Locked: nothing is learned. Automatic: from feedback, too.',
        body: LearningModeBody,
        response: answers(Done),
      },
    },
    async (request) => {
      const learningMode = LEARNING_MODES[request.body.mode];
      if (learningMode !== undefined) await settings.set({ learningMode });
      return DONE;
    },
  );
}

function addResultCount(plain: FastifyInstance, { settings }: Recognition): void {
  plain.withTypeProvider<TypeBoxProvider>().post(
    '/api/set_result_count',
    {
      schema: {
        operationId: 'setResultCount',
        tags: ['original device: recognition'],
        summary: 'How many items a result lists',
        description: 'At most; a result may have fewer.',
        body: ResultCountBody,
        response: answers(Done),
      },
    },
    async (request) => {
      await settings.set({ resultCount: request.body.count });
      return DONE;
    },
  );
}

/** Where on the picture the tray is, and what it looks like with nothing on it. */
function addTray(plain: FastifyInstance, recognition: Recognition): void {
  const app = plain.withTypeProvider<TypeBoxProvider>();
  const { settings, recogniser } = recognition;
  app.get(
    '/api/get_calib',
    {
      schema: {
        operationId: 'getCalib',
        tags: ['original device: camera'],
        summary: 'Recognition area',
        description: 'In the coordinates of a picture of 1280×720.',
        response: answers(AreaAnswer),
      },
    },
    async () => ({
      code: CODES.ok,
      data: settings.calibration,
    }),
  );

  app.post(
    '/api/set_calib',
    {
      schema: {
        operationId: 'setCalib',
        tags: ['original device: camera'],
        summary: 'Set the recognition area',
        description:
          'Items may lie anywhere in it: each is found and looked at separately. Only where none stands out from what it lies on, a square in the middle is looked at, 71 % of the shorter side wide. A changed area forgets the empty tray: learn it again.',
        body: AreaBody,
        response: answers(Done),
      },
    },
    async (request) => {
      requireInside(request.body);
      await recognition.setCalibration(request.body);
      return DONE;
    },
  );

  app.post(
    '/api/learn_background',
    {
      schema: {
        operationId: 'learnBackground',
        tags: ['original device: camera'],
        summary: 'Learn what the empty tray looks like',
        description:
          'From what the camera sees now: take everything off the tray first. Refused while something is seen on it.',
        response: answers(Done),
      },
    },
    async () => {
      await recogniser.learnBackground();
      return DONE;
    },
  );
}
