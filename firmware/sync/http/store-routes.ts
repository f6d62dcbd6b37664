/** The store by `/v1`: a round at once with its outcome, and joining by the code that a master shows to the camera. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { callerOf } from '../../http/caller.ts';
import type { TypeBoxProvider } from '../../http/server.ts';
import { refusals } from '../../recognition/http/v1/problem.ts';
import type { Sync } from '../sync.ts';
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

export function addStoreRoutes(plain: FastifyInstance, sync: Sync): void {
  const app = plain.withTypeProvider<TypeBoxProvider>();
  app.post(
    '/v1/store/rounds',
    {
      schema: {
        operationId: 'synchroniseNow',
        tags: ['device'],
        summary: 'Synchronise now, and tell what came of it',
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

  app.post(
    '/v1/store/join',
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
    async (_, reply) => await synchronising(() => sync.joinSeen(callerOf(reply).gone)),
  );
}
