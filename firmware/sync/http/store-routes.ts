/** How this device stands in its store, by `/v1`: its part, how it joins a master, and a round at once with its outcome. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { MASTER_PORT } from '../../core/config/index.ts';
import { askerOf, HttpFailure } from '../../core/http/index.ts';
import { readCode } from '../pairing-code.ts';
import type { Sync } from '../sync.ts';
import { MasterOfBody, SharingBody, StoreView } from './store-schemas.ts';
import { storeState } from './store-state.ts';
import { synchronising } from './synchronising.ts';

export const RoundAnswer = Type.Object({
  sent: Type.Integer({ description: 'templates that this device gave' }),
  received: Type.Integer({ description: 'templates that it was given' }),
  deleted: Type.Integer({ description: 'templates that it deleted, as others had' }),
  left: Type.Integer({ description: 'templates that the limit leaves for the next round' }),
  templates: Type.Integer({ description: 'that it has now' }),
});
const JoinAnswer = Type.Object({
  master: Type.String({ description: 'serial number of the master' }),
  address: Type.String({ description: 'where it is' }),
});

export function addStoreRoutes(app: FastifyInstance, sync: Sync): void {
  addPart(app, sync);
  addJoining(app, sync);
  addRounds(app, sync);
}

function addPart(app: FastifyInstance, sync: Sync): void {
  app.get('/console/api/store', { config: { role: 'till' }, schema: { response: { 200: StoreView } } }, async () =>
    storeState(sync),
  );

  app.post(
    '/console/api/store',
    {
      config: { role: 'technician', audit: { event: 'became-master', fields: ['upload', 'download'] } }, // whom it shares what it learns with
      schema: { body: SharingBody, response: { 200: StoreView } },
    },
    async ({ body: { upload = true, download = true } }) => {
      await sync.becomeMaster({ upload, download });
      return storeState(sync);
    },
  );

  app.delete(
    '/console/api/store',
    { config: { role: 'technician', audit: { event: 'became-standalone' } }, schema: { response: { 200: StoreView } } },
    async () => {
      await sync.becomeStandalone();
      return storeState(sync);
    },
  );
}

function addJoining(app: FastifyInstance, sync: Sync): void {
  app.put(
    '/console/api/store/master',
    {
      config: { role: 'technician', audit: { event: 'became-slave', fields: ['host', 'port', 'upload', 'download'] } },
      schema: { body: MasterOfBody, response: { 200: StoreView } },
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
      config: { role: 'technician', audit: { event: 'became-slave', answers: ['master', 'address'] } },
      schema: { response: { 200: JoinAnswer } },
    },
    async (_, reply) => await synchronising(() => sync.joinSeen(askerOf(reply).gone)),
  );
}

function addRounds(app: FastifyInstance, sync: Sync): void {
  app.post(
    '/console/api/store/rounds',
    { config: { role: 'technician', audit: null }, schema: { response: { 200: RoundAnswer } } },
    async () => {
      const { put, fetched, deleted, left, templates } = await synchronising(() => sync.now());
      return { sent: put, received: fetched, deleted, left, templates };
    },
  );
}
