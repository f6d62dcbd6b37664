/** The calls of synchronisation, on the recognition device's port. */
import type { FastifyInstance } from 'fastify';
import { MASTER_PORT } from '../../config/index.ts';
import type { TypeBoxProvider } from '../../http/index.ts';
import { answers, CODES, DONE, Done, RecognitionError } from '../../recognition/index.ts';
import type { Sync } from '../sync.ts';
import { pairingCodeFor } from './pairing-code.ts';
import {
  LimitAnswer,
  LimitBody,
  MasterBody,
  PairingCodeAnswer,
  RevokeBody,
  SlaveBody,
  StatusAnswer,
} from './schemas.ts';
import { addStoreDeviceRoutes } from './store-device-routes.ts';
import { addStoreRoutes } from './store-routes.ts';
import { syncStatus } from './store-state.ts';
import { synchronising } from './synchronising.ts';

type App = ReturnType<typeof typed>;

const typed = (plain: FastifyInstance) => plain.withTypeProvider<TypeBoxProvider>();

export function addSyncRoutes(plain: FastifyInstance, sync: Sync): void {
  const app = typed(plain);
  addRoles(app, sync);
  addRounds(app, sync);
  addLimit(app, sync);
  addPairing(app, sync);
  addStoreRoutes(plain, sync);
  addStoreDeviceRoutes(plain, sync);
}

/** Which part this device takes. */
function addRoles(app: App, sync: Sync): void {
  app.post(
    '/api/set_sync_master',
    {
      schema: {
        operationId: 'setSyncMaster',
        tags: ['original device: synchronisation'],
        summary: 'Become the master of the store',
        description: 'The device runs the server that the others synchronise with.',
        body: MasterBody,
        response: answers(Done),
      },
    },
    async (request) => {
      await sync.becomeMaster(request.body);
      return DONE;
    },
  );

  app.post(
    '/api/set_sync_slave',
    {
      schema: {
        operationId: 'setSyncSlave',
        tags: ['original device: synchronisation'],
        summary: 'Become a slave of a master',
        description: 'With the pairing code of the master, unless the device was paired before.',
        body: SlaveBody,
        response: answers(Done),
      },
    },
    async (request) => {
      const { masterIP, mastersyncPort, upload, download, pairingCode } = request.body;
      const port = mastersyncPort ?? MASTER_PORT;
      const code = pairingCode ?? null;
      await synchronising(() => sync.becomeSlave({ host: masterIP, port, upload, download, code }));
      return DONE;
    },
  );

  app.post(
    '/api/set_sync_standalone',
    {
      schema: {
        operationId: 'setSyncStandalone',
        tags: ['original device: synchronisation'],
        summary: 'Take part in no synchronisation',
        description: 'What was learned stays.',
        response: answers(Done),
      },
    },
    async () => {
      await sync.becomeStandalone();
      return DONE;
    },
  );
}

/** Its rounds. */
function addRounds(app: App, sync: Sync): void {
  app.post(
    '/api/start_sync',
    {
      schema: {
        operationId: 'startSync',
        tags: ['original device: synchronisation'],
        summary: 'Synchronise now; answers when it is done',
        description: 'It happens by itself, too.',
        response: answers(Done),
      },
    },
    async () => {
      await synchronising(() => sync.now());
      return DONE;
    },
  );

  app.get(
    '/api/get_sync_status',
    {
      schema: {
        operationId: 'getSyncStatus',
        tags: ['original device: synchronisation'],
        summary: 'How synchronisation stands',
        description: 'When it last worked, what is left to do, and why it does not work. A master lists each device.',
        response: answers(StatusAnswer),
      },
    },
    async () => ({ code: CODES.ok, data: syncStatus(sync) }),
  );
}

/** How much a round moves. */
function addLimit(app: App, sync: Sync): void {
  app.get(
    '/api/get_sync_limit',
    {
      schema: {
        operationId: 'getSyncLimit',
        tags: ['original device: synchronisation'],
        summary: 'Templates of one synchronisation',
        description: '0 is no limit.',
        response: answers(LimitAnswer),
      },
    },
    async () => ({ code: CODES.ok, data: { limit: sync.limit } }),
  );

  app.post(
    '/api/set_sync_limit',
    {
      schema: {
        operationId: 'setSyncLimit',
        tags: ['original device: synchronisation'],
        summary: 'Bound what one synchronisation moves',
        description: 'What is left is moved by the next one.',
        body: LimitBody,
        response: answers(Done),
      },
    },
    async (request) => {
      await sync.setLimit(request.body.limit);
      return DONE;
    },
  );
}

/** Who belongs to the store. */
function addPairing(app: App, sync: Sync): void {
  app.post(
    '/api/get_sync_pairing_code',
    {
      schema: {
        operationId: 'getSyncPairingCode',
        tags: ['original device: synchronisation'],
        summary: 'Pairing code of this master',
        description:
          "Shown on the master itself, and over TLS to a caller with a technician's token. Any number of slaves may use it while it is valid.",
        response: answers(PairingCodeAnswer),
      },
    },
    async (request) => {
      const { code, seconds, qr } = await pairingCodeFor(request, sync);
      return { code: CODES.ok, data: { pairingCode: code, seconds, qr } };
    },
  );

  app.post(
    '/api/revoke_sync_device',
    {
      schema: {
        operationId: 'revokeSyncDevice',
        tags: ['original device: synchronisation'],
        summary: "Take a device's credential",
        description: 'It takes no part any more until it is paired anew.',
        body: RevokeBody,
        response: answers(Done),
      },
    },
    async ({ body: { sn } }) => {
      if (!(await sync.shutOut(sn)))
        throw new RecognitionError('parameter', `no device with the serial number ${sn} is paired`);
      return DONE;
    },
  );
}
