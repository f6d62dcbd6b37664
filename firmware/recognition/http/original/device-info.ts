/** The call that returns the device's identity, its settings, and its role in the store. */
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { LEARNING_MODES, ROLES } from '../../../core/config/index.ts';
import type { Recognition } from '../../service/recognition.ts';
import { Speed } from '../v1/setting-routes.ts';
import { originalCalls } from './calls.ts';
import { answerOf, success } from './envelope.ts';

const SyncInfoSchema = Type.Object({
  masterIP: Type.String(),
  masterSN: Type.String(),
  mastersyncPort: Type.Integer(),
  upload: Type.Boolean(),
  download: Type.Boolean(),
  sync: Type.Boolean({ description: 'whether this device takes part in synchronisation' }),
  syncMode: Type.Enum(ROLES, { title: 'SyncRole' }),
  sync_limit: Type.Integer({ description: 'templates of one synchronisation; 0: no limit' }),
});
/** How this device synchronises with its store. */
export type SyncInfo = Readonly<Static<typeof SyncInfoSchema>>;
export const STANDALONE: SyncInfo = Object.freeze({
  masterIP: '',
  masterSN: '',
  mastersyncPort: 0,
  upload: false,
  download: false,
  sync: false,
  syncMode: 'standalone',
  sync_limit: 0,
});

const DeviceInfoSchema = Type.Object({
  app: Type.String(),
  engine: Type.String({ description: 'identity of the model; empty where none is there' }),
  firmware: Type.String(),
  board: Type.String(),
  sn: Type.String(),
  item_count: Type.Integer(),
  template_count: Type.Integer(),
  learnMode: Type.Integer(),
  max_result_num: Type.Integer(),
  predict_speed: Speed.properties.speed,
  ...SyncInfoSchema.properties,
  soldOutLimit: Type.Integer({ description: 'days after which an unsold item is removed; 0: never' }),
});
type DeviceInfo = Static<typeof DeviceInfoSchema>;
const DeviceInfoAnswer = answerOf(DeviceInfoSchema, 'DeviceInfo', {
  app: '0.1.0',
  engine: 'lane-embed@1',
  firmware: '0.1.0',
  board: 'linux-arm64',
  sn: 'LW000042',
  item_count: 1,
  template_count: 3,
  learnMode: 1,
  max_result_num: 6,
  predict_speed: 'fast',
  ...STANDALONE,
  soldOutLimit: 0,
});

export interface DeviceIdentity {
  readonly version: string;
  readonly serial: string;
  readonly sync: () => SyncInfo;
}

function describe(recognition: Recognition, { version, serial, sync }: DeviceIdentity): DeviceInfo {
  const { settings, templates, model } = recognition;
  const store = sync();
  return {
    app: version,
    engine: model?.identity ?? '',
    firmware: version,
    board: `${process.platform}-${process.arch}`,
    sn: serial,
    item_count: templates.reader.itemCount(),
    template_count: templates.reader.templateCount(),
    learnMode: LEARNING_MODES.indexOf(settings.learningMode),
    max_result_num: settings.resultCount,
    predict_speed: settings.speed,
    soldOutLimit: 0,
    masterIP: store.masterIP,
    masterSN: store.masterSN,
    mastersyncPort: store.mastersyncPort,
    upload: store.upload,
    download: store.download,
    sync: store.sync,
    syncMode: store.syncMode,
    sync_limit: store.sync_limit,
  };
}

export function addDeviceInfo(app: FastifyInstance, recognition: Recognition, identity: DeviceIdentity): void {
  const { get } = originalCalls(app, 'device');
  get('get_device_info', {
    config: { role: 'till' },
    summary: 'What this device is and how it is set',
    description: 'Versions, serial number, how much was learned, settings.',
    answer: DeviceInfoAnswer,
    does: () => success(describe(recognition, identity)),
  });
}
