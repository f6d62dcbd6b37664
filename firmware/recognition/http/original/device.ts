/** The calls about the device itself: its settings, the store's text about it, reboot, factory reset. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { LEARNING_MODES, MAX_RESULTS } from '../../../core/config/index.ts';
import { JsonStore } from '../../../core/files/index.ts';
import type { Host } from '../../../core/host/index.ts';
import { withFailureCodes } from '../../model/failures.ts';
import type { Recognition } from '../../service/recognition.ts';
import { AreaSchema } from '../../storage/settings.ts';
import { requireInside, Speed, Time } from '../v1/setting-routes.ts';
import { originalCalls } from './calls.ts';
import { addDeviceInfo, type DeviceIdentity } from './device-info.ts';
import { answerOf, success } from './envelope.ts';

const LearningModeBody = Type.Object(
  {
    mode: Type.Enum([...LEARNING_MODES.keys()], {
      description: LEARNING_MODES.map((mode, place) => `${place} ${mode}`).join(', '),
    }),
  },
  { title: 'LearningMode', examples: [{ mode: 1 }] },
);
const LearningModeAnswer = answerOf(Type.Object({ mode: Type.Integer() }), 'CurrentLearningMode', { mode: 1 });
const ResultCountBody = Type.Object(
  { count: Type.Integer({ minimum: 1, maximum: MAX_RESULTS, description: 'items that an answer lists at most' }) },
  { title: 'ResultCount', examples: [{ count: 5 }] },
);
const AREA_EXAMPLE = { top: 0, left: 280, height: 720, width: 720 };
const AreaBody = Type.Object(AreaSchema.properties, { title: 'Area', examples: [AREA_EXAMPLE] });
const AreaAnswer = answerOf(AreaSchema, 'CurrentArea', AREA_EXAMPLE);
export function addDeviceRoutes(app: FastifyInstance, recognition: Recognition, identity: DeviceIdentity): void {
  const { settings } = recognition;
  const ofDevice = originalCalls(app, 'device');
  const ofRecognition = originalCalls(app, 'recognition');
  addDeviceInfo(app, recognition, identity);
  ofRecognition.post('set_predict_speed', {
    config: { role: 'supervisor', audit: { event: 'speed-set', fields: ['speed'], isRepeatable: true } },
    summary: 'Fast, or slower and better',
    description: '`normal` takes a second, closer look at each picture.',
    body: Speed,
    does: ({ speed }) => settings.set({ speed }),
  });
  addLearningMode(app, recognition);
  ofRecognition.post('set_result_count', {
    config: { role: 'technician', audit: { event: 'result-count-set', fields: ['count'] } },
    summary: 'How many items a result lists',
    description: 'At most; a result may have fewer.',
    body: ResultCountBody,
    does: ({ count }) => settings.set({ resultCount: count }),
  });
  addTray(app, recognition);

  ofDevice.post('set_time', {
    config: { role: 'technician', audit: { event: 'clock-set', fields: ['sec'] } },
    summary: 'Set the clock',
    description: 'Of the system, where the device may; of this service in any case. It may go backwards.',
    body: Time,
    does: ({ sec, usec }) => recognition.setTime(sec, usec),
  });
}

/** The calls of the learning mode: who may teach the device. */
function addLearningMode(app: FastifyInstance, { settings }: Recognition): void {
  const { get, post } = originalCalls(app, 'templates');
  get('get_learning_mode', {
    config: { role: 'till' },
    summary: 'Who may add templates',
    description: 'By its place: 0 locked, 1 manual, 2 automatic.',
    answer: LearningModeAnswer,
    does: () => success({ mode: LEARNING_MODES.indexOf(settings.learningMode) }),
  });

  post('set_learning_mode', {
    config: { role: 'technician', audit: { event: 'learning-mode-set', fields: ['mode'] } },
    summary: 'Say who may add templates',
    description: 'Locked: nothing is learned. Automatic: from feedback, too.',
    body: LearningModeBody,
    does: async ({ mode }) => {
      const learningMode = LEARNING_MODES[mode];
      if (learningMode !== undefined) await settings.set({ learningMode });
    },
  });
}

/** The calls of the tray: its place in the picture, and its look when empty. */
function addTray(app: FastifyInstance, recognition: Recognition): void {
  const { get, post } = originalCalls(app, 'camera');
  get('get_calib', {
    config: { role: 'till' },
    summary: 'Recognition area',
    description: 'In the coordinates of a picture of 1280×720.',
    answer: AreaAnswer,
    does: () => {
      const { top, left, height, width } = recognition.settings.calibration;
      return success({ top, left, height, width });
    },
  });

  post('set_calib', {
    config: {
      role: 'supervisor',
      audit: { event: 'area-set', fields: ['top', 'left', 'height', 'width'], isRepeatable: true },
    },
    summary: 'Set the recognition area',
    description:
      'Items may lie anywhere in it: each is found and looked at separately. Only where none stands out from what it lies on, a square in the middle is looked at, 71 % of the shorter side wide. A changed area forgets the empty tray: learn it again.',
    body: AreaBody,
    does: async (area) => {
      requireInside(area);
      await recognition.viewer.setCalibration(area);
    },
  });

  post('learn_background', {
    config: { role: 'supervisor', audit: { event: 'empty-tray-learned', isRepeatable: true } },
    summary: 'Learn what the empty tray looks like',
    description:
      'From what the camera sees now: take everything off the tray first. Refused while something is seen on it.',
    does: () => recognition.viewer.learnBackground(),
  });
}

/** Room for an address or number of the shop, not for a file. */
const MAX_EXTRA_CHARACTERS = 1000;

export const ExtraInfoSchema = Type.Object(
  {
    info: Type.String({
      maxLength: MAX_EXTRA_CHARACTERS,
      description: 'what the store says of the device, kept as sent',
    }),
  },
  { additionalProperties: false },
);
const EXTRA_EXAMPLE = { info: 'shop 12, lane 3' };

/** @param extraInfo path of a file with free text of the store about the device, such as its shop and lane */
export function addSystemRoutes(app: FastifyInstance, host: Host, extraInfo: string): void {
  const extra = JsonStore.open(extraInfo, ExtraInfoSchema, { info: '' });
  const { get, post } = originalCalls(app, 'device');
  post('reboot', {
    config: { role: 'technician', audit: { event: 'reboot' } },
    summary: 'Reboot the device',
    description: 'Answered before the device goes down. Refused where it is not installed as a lane.',
    does: () => withFailureCodes(() => host.reboot()),
  });

  post('factory_reset', {
    config: { role: 'technician', audit: { event: 'factory-reset' } },
    summary: 'Forget everything and start as new; refused during an update',
    description:
      'Templates, settings and secrets are gone; the records of payments and the audit trail are put aside on its disk. Refused where the device is not installed as a lane.',
    does: () => withFailureCodes(() => host.factoryReset()),
  });

  get('get_extra_info', {
    config: { role: 'till' },
    summary: 'What the store said of the device',
    description: 'As set; empty until then.',
    answer: answerOf(ExtraInfoSchema, 'CurrentExtraInfo', EXTRA_EXAMPLE),
    does: () => success({ info: extra.value.info }),
  });

  post('set_extra_info', {
    config: { role: 'technician', audit: { event: 'store-information-set' } },
    summary: 'Say what the store says of the device',
    description: 'A shop, a lane: any text that identifies the device.',
    body: Type.Object(ExtraInfoSchema.properties, { title: 'ExtraInfo', examples: [EXTRA_EXAMPLE] }),
    does: (info) => withFailureCodes(() => extra.write(info)),
  });
}
