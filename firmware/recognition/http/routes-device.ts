/** The calls about the device itself: what it is, how it is set. */
import type { FastifyInstance } from 'fastify';
import { LEARNING_MODES } from '../../config/index.ts';
import type { Recognition } from '../recognition.ts';
import { originalCalls } from './original-calls.ts';
import { requireInside } from './requests.ts';
import {
  AreaAnswer,
  AreaBody,
  type DeviceInfo,
  DeviceInfoAnswer,
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
    template_count: templates.templateCount(),
    learnMode: LEARNING_MODES.indexOf(settings.learningMode),
    max_result_num: settings.resultCount,
    predict_speed: settings.speed,
    soldOutLimit: 0,
    ...sync(),
  };
}

export function addDeviceRoutes(app: FastifyInstance, recognition: Recognition, identity: DeviceIdentity): void {
  const { settings } = recognition;
  const ofDevice = originalCalls(app, 'device');
  const ofRecognition = originalCalls(app, 'recognition');
  ofDevice.get('get_device_info', {
    summary: 'What this device is and how it is set',
    description: 'Versions, serial number, how much was learned, settings.',
    answer: DeviceInfoAnswer,
    does: () => ({ data: describe(recognition, identity) }),
  });

  ofRecognition.post('set_predict_speed', {
    summary: 'Fast, or slower and better',
    description: '`normal` takes a second, closer look at each picture.',
    body: SpeedBody,
    does: ({ speed }) => settings.set({ speed }),
  });
  addLearningMode(app, recognition);
  ofRecognition.post('set_result_count', {
    summary: 'How many items a result lists',
    description: 'At most; a result may have fewer.',
    body: ResultCountBody,
    does: ({ count }) => settings.set({ resultCount: count }),
  });
  addTray(app, recognition);

  ofDevice.post('set_time', {
    summary: 'Set the clock',
    description: 'Of the system, where the device may; of this service in any case. It may go backwards.',
    body: TimeBody,
    does: ({ sec, usec }) => recognition.setTime(sec, usec),
  });
}

/** Who may teach it. */
function addLearningMode(app: FastifyInstance, { settings }: Recognition): void {
  const { get, post } = originalCalls(app, 'templates');
  get('get_learning_mode', {
    summary: 'Who may add templates',
    description: 'By its place: 0 locked, 1 manual, 2 automatic.',
    answer: LearningModeAnswer,
    does: () => ({ data: { mode: LEARNING_MODES.indexOf(settings.learningMode) } }),
  });

  post('set_learning_mode', {
    summary: 'Say who may add templates',
    description: 'Locked: nothing is learned. Automatic: from feedback, too.',
    body: LearningModeBody,
    does: async ({ mode }) => {
      const learningMode = LEARNING_MODES[mode];
      if (learningMode !== undefined) await settings.set({ learningMode });
    },
  });
}

/** Where on the picture the tray is, and what it looks like with nothing on it. */
function addTray(app: FastifyInstance, recognition: Recognition): void {
  const { get, post } = originalCalls(app, 'camera');
  get('get_calib', {
    summary: 'Recognition area',
    description: 'In the coordinates of a picture of 1280×720.',
    answer: AreaAnswer,
    does: () => ({ data: recognition.settings.calibration }),
  });

  post('set_calib', {
    summary: 'Set the recognition area',
    description:
      'Items may lie anywhere in it: each is found and looked at separately. Only where none stands out from what it lies on, a square in the middle is looked at, 71 % of the shorter side wide. A changed area forgets the empty tray: learn it again.',
    body: AreaBody,
    does: async (area) => {
      requireInside(area);
      await recognition.setCalibration(area);
    },
  });

  post('learn_background', {
    summary: 'Learn what the empty tray looks like',
    description:
      'From what the camera sees now: take everything off the tray first. Refused while something is seen on it.',
    does: () => recognition.recogniser.learnBackground(),
  });
}
