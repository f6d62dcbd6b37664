/** Schemas of the original device's calls of synchronisation. */
import Type from 'typebox';
import { MASTER_PORT } from '../../core/config/index.ts';
import { maybe } from '../../core/schema/index.ts';
import { answerOf } from '../../recognition/index.ts';
import { CodeField, directions, HostField, pairing, SyncStatus } from './store-schemas.ts';

const limit = Type.Integer({
  minimum: 0,
  maximum: 1_000_000,
  description: 'templates that one synchronisation moves; 0: no limit',
});

export const MasterBody = Type.Object(directions, { title: 'Master', examples: [{ upload: true, download: true }] });
export const SlaveBody = Type.Object(
  {
    masterIP: HostField,
    mastersyncPort: maybe(
      Type.Integer({ minimum: 1, maximum: 65_535, description: `port of the master; ${MASTER_PORT} where absent` }),
    ),
    ...directions,
    pairingCode: maybe(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'as the master shows it; absent: paired before, or later',
      }),
    ),
  },
  { title: 'Slave', examples: [{ masterIP: '127.0.0.1', upload: true, download: true }] },
);
export const LimitBody = Type.Object({ limit }, { title: 'SyncLimit', examples: [{ limit: 1000 }] });
export const RevokeBody = Type.Object(
  {
    sn: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'serial number of the device, as its `get_device_info` returns it',
    }),
  },
  { title: 'RevokedDevice', examples: [{ sn: 'LW000043' }] },
);

export const LimitAnswer = answerOf(LimitBody, 'CurrentSyncLimit', { limit: 1000 });

export const PairingCodeAnswer = answerOf(Type.Object({ pairingCode: CodeField, ...pairing }), 'PairingCode', {
  pairingCode: 'made-up-code',
  seconds: 600,
  qr: { size: 37, path: 'M4 4h7v1h-7z' },
});

export const StatusAnswer = answerOf(Type.Object(SyncStatus), 'SyncStatus', {
  role: 'standalone',
  paired: false,
  masterSN: '',
  problem: null,
  lastSuccess: null,
  lag: null,
  pending: 0,
  devices: [],
});
