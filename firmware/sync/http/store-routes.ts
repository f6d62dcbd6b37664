/** How this device stands in its store, by `/v1`: its part, how it joins a master, and a round at once with its outcome. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { MASTER_PORT } from '../../config/index.ts';
import { askerOf, HttpFailure, type TypeBoxProvider } from '../../http/index.ts';
import { refusals } from '../../recognition/index.ts';
import { readCode } from '../pairing-code.ts';
import type { Sync } from '../sync.ts';
import { MasterOfBody, SharingBody, StoreView } from './store-schemas.ts';
import { storeState } from './store-state.ts';
import { synchronising } from './synchronising.ts';

const WRITING = ['Internal.StorageFull', 'Internal.StorageRefused'] as const;

export const RoundAnswer = Type.Object(
  {
    sent: Type.Integer({ description: 'templates that this device gave' }),
    received: Type.Integer({ description: 'templates that it was given' }),
    deleted: Type.Integer({ description: 'templates that it deleted, as others had' }),
    left: Type.Integer({ description: 'templates that the limit leaves for the next round' }),
    templates: Type.Integer({ description: 'that it has now' }),
  },
  {
    title: 'StoreRound',
    description: 'what came of it',
    examples: [{ sent: 2, received: 5, deleted: 0, left: 0, templates: 120 }],
  },
);
export const JoinAnswer = Type.Object(
  {
    master: Type.String({ description: 'serial number of the master' }),
    address: Type.String({ description: 'where it is' }),
  },
  {
    title: 'JoinedStore',
    description: 'this device is paired',
    examples: [{ master: 'LW000042', address: '192.168.0.7:1237' }],
  },
);

type App = ReturnType<typeof typed>;

const typed = (plain: FastifyInstance) => plain.withTypeProvider<TypeBoxProvider>();

export function addStoreRoutes(plain: FastifyInstance, sync: Sync): void {
  const app = typed(plain);
  addPart(app, sync);
  addJoining(app, sync);
  addRounds(app, sync);
}

function addPart(app: App, sync: Sync): void {
  app.get(
    '/console/api/store',
    {
      schema: {
        operationId: 'getStore',
        tags: ['device'],
        summary: 'How this device stands in its store',
        description: 'A master lists each device, and how far a deletion of everything is.',
        response: { 200: StoreView },
      },
    },
    async () => storeState(sync),
  );

  app.post(
    '/console/api/store',
    {
      schema: {
        operationId: 'becomeMaster',
        tags: ['device'],
        summary: 'Become the master of the store',
        description: 'The device runs the server that the others synchronise with.',
        body: SharingBody,
        response: { 200: StoreView, ...refusals(...WRITING) },
      },
    },
    async ({ body: { upload = true, download = true } }) => {
      await sync.becomeMaster({ upload, download });
      return storeState(sync);
    },
  );

  app.delete(
    '/console/api/store',
    {
      schema: {
        operationId: 'leaveStore',
        tags: ['device'],
        summary: 'Take part in no store',
        description: 'What was learned stays. A master forgets its marks.',
        response: { 200: StoreView, ...refusals(...WRITING) },
      },
    },
    async () => {
      await sync.becomeStandalone();
      return storeState(sync);
    },
  );
}

function addJoining(app: App, sync: Sync): void {
  app.put(
    '/console/api/store/master',
    {
      schema: {
        operationId: 'joinMaster',
        tags: ['device'],
        summary: 'Join the store of a master by its pairing code',
        description: 'Answers when the master has let this device in. Nothing has changed where it is refused.',
        body: MasterOfBody,
        response: {
          200: StoreView,
          ...refusals('Store.Unreachable', 'Store.Late', 'Store.Refused', ...WRITING),
        },
      },
    },
    async ({ body: { host, port = MASTER_PORT, code, upload = true, download = true } }) => {
      if (readCode(code) === null)
        throw new HttpFailure('parameter', 'code has twenty letters and digits: copy it from the master', {
          field: 'code',
        });
      await synchronising(() => sync.becomeSlave({ host, port, upload, download, code }));
      return storeState(sync);
    },
  );

  app.post(
    '/console/api/store/join',
    {
      schema: {
        operationId: 'joinByCamera',
        tags: ['device'],
        summary: 'Join the store of the master whose QR code is held before the camera',
        description:
          'Looks for nine seconds for the code that the page of the master shows, and pairs with it as `/api/set_sync_slave` does. Nothing has changed where it is refused.',
        response: {
          200: JoinAnswer,
          ...refusals('Store.NoCode', 'Store.Unreachable', 'Store.Late', 'Store.Refused', 'Camera.Lost', ...WRITING),
        },
      },
    },
    async (_, reply) => await synchronising(() => sync.joinSeen(askerOf(reply).gone)),
  );
}

function addRounds(app: App, sync: Sync): void {
  app.post(
    '/console/api/store/rounds',
    {
      schema: {
        operationId: 'synchroniseNow',
        tags: ['device'],
        summary: 'Synchronise now, and return the result',
        description:
          'Answers when the round of this device is done. At the master every other device that can be reached begins one, too.',
        response: {
          200: RoundAnswer,
          ...refusals('Store.NotSynchronised', 'Store.Unreachable', 'Store.Late', 'Store.Refused', ...WRITING),
        },
      },
    },
    async () => {
      const { put, fetched, deleted, left, templates } = await synchronising(() => sync.now());
      return { sent: put, received: fetched, deleted, left, templates };
    },
  );
}
