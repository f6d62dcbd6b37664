/** The calls of synchronisation, on the recognition device's port. */
import type { FastifyInstance } from 'fastify';
import { MASTER_PORT } from '../../core/config/index.ts';
import { originalCalls, RecognitionError, success } from '../../recognition/index.ts';
import type { Sync } from '../sync.ts';
import {
  LimitAnswer,
  LimitBody,
  MasterBody,
  PairingCodeAnswer,
  RevokeBody,
  SlaveBody,
  StatusAnswer,
} from './original-schemas.ts';
import { pairingCodeFor } from './pairing-code-answer.ts';
import { addStoreRoutes } from './store-routes.ts';
import { syncStatus } from './store-state.ts';
import { withSyncErrors } from './sync-errors.ts';

export function addSyncRoutes(app: FastifyInstance, sync: Sync): void {
  addRoles(app, sync);
  addRounds(app, sync);
  addPairing(app, sync);
  addStoreRoutes(app, sync);
}

function addRoles(app: FastifyInstance, sync: Sync): void {
  const { post } = originalCalls(app, 'synchronisation');
  post('set_sync_master', {
    config: { role: 'technician', audit: { event: 'became-master', fields: ['upload', 'download'] } },
    summary: 'Become the master of the store',
    description: 'The device runs the server that the others synchronise with.',
    body: MasterBody,
    does: (directions) => sync.becomeMaster(directions),
  });

  post('set_sync_slave', {
    config: {
      role: 'technician',
      audit: { event: 'became-slave', fields: ['masterIP', 'mastersyncPort', 'upload', 'download'] },
    },
    summary: 'Become a slave of a master',
    description: 'With the pairing code of the master, unless the device was paired before.',
    body: SlaveBody,
    does: ({ masterIP, mastersyncPort, upload, download, pairingCode }) => {
      const port = mastersyncPort ?? MASTER_PORT;
      const code = pairingCode ?? null;
      return withSyncErrors(() => sync.becomeSlave({ host: masterIP, port, upload, download, code }));
    },
  });

  post('set_sync_standalone', {
    config: { role: 'technician', audit: { event: 'became-standalone' } },
    summary: 'Take part in no synchronisation',
    description: 'What was learned stays.',
    does: () => sync.becomeStandalone(),
  });
}

function addRounds(app: FastifyInstance, sync: Sync): void {
  const { get, post } = originalCalls(app, 'synchronisation');
  post('start_sync', {
    config: { role: 'technician', audit: null },
    summary: 'Synchronise now; answers when it is done',
    description: 'It happens by itself, too.',
    does: async () => void (await withSyncErrors(() => sync.now())),
  });

  get('get_sync_status', {
    config: { role: 'till' },
    summary: 'How synchronisation stands',
    description: 'When it last worked, what is left to do, and why it does not work. A master lists each device.',
    answer: StatusAnswer,
    does: () => success(syncStatus(sync)),
  });

  get('get_sync_limit', {
    config: { role: 'till' },
    summary: 'Templates of one synchronisation',
    description: '0 is no limit.',
    answer: LimitAnswer,
    does: () => success({ limit: sync.limit }),
  });

  post('set_sync_limit', {
    config: { role: 'technician', audit: { event: 'synchronisation-limit-set', fields: ['limit'] } },
    summary: 'Bound what one synchronisation moves',
    description: 'What is left is moved by the next one.',
    body: LimitBody,
    does: ({ limit }) => sync.setLimit(limit),
  });
}

function addPairing(app: FastifyInstance, sync: Sync): void {
  const { post } = originalCalls(app, 'synchronisation');
  post('get_sync_pairing_code', {
    config: { role: 'technician', audit: { event: 'pairing-code-shown' } },
    summary: 'Pairing code of this master',
    description:
      "Shown on the master itself, and over TLS to a caller with a technician's token. Any number of slaves may use it while it is valid.",
    answer: PairingCodeAnswer,
    does: async (_, request) => {
      const { code, seconds, qr } = await pairingCodeFor(request, sync);
      return success({ pairingCode: code, seconds, qr });
    },
  });

  post('revoke_sync_device', {
    config: { role: 'technician', audit: { event: 'device-revoked', fields: ['sn'] } },
    summary: "Take a device's credential",
    description: 'It takes no part any more until it is paired anew.',
    body: RevokeBody,
    does: async ({ sn }) => {
      if (!(await sync.shutOut(sn)))
        throw new RecognitionError('RequestParams.InvalidField', `no device with the serial number ${sn} is paired`);
    },
  });
}
