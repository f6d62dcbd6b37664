/**
 * The calls for the store's page: this device's state and role, joining a master, a round at once, and on a master
 * pairing, deletion marks and wipes.
 */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { MASTER_PORT } from '../../core/config/index.ts';
import { HttpFailure, NO_STORE, requesterOf } from '../../core/http/index.ts';
import { cleanItem, type DeletionProgress, notMaster, StoreRefusal } from '../../recognition/index.ts';
import { readCode } from '../pairing-code.ts';
import type { Sync } from '../sync.ts';
import { pairingCodeFor } from './pairing-code-answer.ts';
import {
  DevicePath,
  MarkList,
  MarkPath,
  type Marks,
  MasterOfBody,
  PairingCodeView,
  SharingBody,
  StoreView,
  WipeBody,
  WipePath,
  WipeView,
} from './store-schemas.ts';
import { storeState } from './store-state.ts';
import { withSyncErrors } from './sync-errors.ts';

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
  addPairing(app, sync);
  addMarks(app, sync);
  addWipes(app, sync);
}

function addPart(app: FastifyInstance, sync: Sync): void {
  app.get('/console/api/store', { config: { role: 'till' }, schema: { response: { 200: StoreView } } }, async () =>
    storeState(sync),
  );

  app.post(
    '/console/api/store',
    {
      // upload and download are audited: they decide whether devices share what they learn
      config: { role: 'technician', audit: { event: 'became-master', fields: ['upload', 'download'] } },
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
      await withSyncErrors(() => sync.becomeSlave({ host, port, upload, download, code }));
      return storeState(sync);
    },
  );

  app.post(
    '/console/api/store/join',
    {
      config: { role: 'technician', audit: { event: 'became-slave', answers: ['master', 'address'] } },
      schema: { response: { 200: JoinAnswer } },
    },
    async (_, reply) => await withSyncErrors(() => sync.joinSeen(requesterOf(reply).gone)),
  );
}

function addRounds(app: FastifyInstance, sync: Sync): void {
  app.post(
    '/console/api/store/rounds',
    { config: { role: 'technician', audit: null }, schema: { response: { 200: RoundAnswer } } },
    async () => {
      const { put, fetched, deleted, left, templates } = await withSyncErrors(() => sync.now());
      return { sent: put, received: fetched, deleted, left, templates };
    },
  );
}

function addPairing(app: FastifyInstance, sync: Sync): void {
  app.post(
    '/console/api/store/pairing-code',
    {
      config: { role: 'technician', audit: { event: 'pairing-code-shown' } }, // the code lets devices into the store
      schema: { response: { 200: PairingCodeView } },
    },
    async (request, reply) => {
      reply.headers(NO_STORE);
      return await pairingCodeFor(request, sync);
    },
  );

  app.delete(
    '/console/api/store/devices/:serial',
    {
      config: { role: 'technician', audit: { event: 'device-revoked', fields: ['serial'] } },
      schema: { params: DevicePath, response: { 200: StoreView } },
    },
    async ({ params: { serial } }) => {
      if (!(await withSyncErrors(() => sync.shutOut(serial))))
        throw new StoreRefusal('NoDevice', `no device with the serial number ${serial} is paired`);
      return storeState(sync);
    },
  );
}

function addMarks(app: FastifyInstance, sync: Sync): void {
  const shown = ({ id, SNs }: DeletionProgress): Marks['marks'][number] => ({ item: id, done: [...SNs] });
  const list = async (): Promise<Marks> => ({
    marks: (await sync.marks.progress()).map(shown),
    ended: sync.marks.ended().map(shown),
  });

  app.get(
    '/console/api/store/marks',
    { config: { role: 'till' }, schema: { response: { 200: MarkList } } },
    async () => await withSyncErrors(list),
  );

  app.put(
    '/console/api/store/marks/:item',
    {
      config: { role: 'technician', audit: { event: 'item-marked-for-deletion-everywhere', fields: ['item'] } },
      schema: { params: MarkPath, response: { 200: MarkList } },
    },
    async ({ params: { item } }) =>
      await withSyncErrors(async () => {
        await sync.marks.set(cleanItem(item, 'item'));
        return await list();
      }),
  );

  app.delete(
    '/console/api/store/marks/:item',
    {
      config: { role: 'technician', audit: { event: 'mark-for-deletion-taken-back', fields: ['item'] } },
      schema: { params: MarkPath, response: { 200: MarkList } },
    },
    async ({ params: { item } }) =>
      await withSyncErrors(async () => {
        await sync.marks.clear(cleanItem(item, 'item'));
        return await list();
      }),
  );
}

function addWipes(app: FastifyInstance, sync: Sync): void {
  app.put(
    '/console/api/store/wipes/:id',
    {
      config: { role: 'technician', audit: { event: 'everything-deleted-everywhere', fields: ['id'] } },
      schema: { params: WipePath, body: WipeBody, response: { 200: WipeView } },
    },
    async ({ params: { id }, body: { master } }) => {
      await withSyncErrors(async () => {
        if (!sync.isMaster) throw notMaster();
        if (master.trim() !== sync.info().masterSN)
          throw new StoreRefusal('WrongName', 'that is not the serial number of this master: nothing was deleted');
        await sync.wipe(id);
      });
      // where a newer wipe was requested since, the answer is about the newer one
      return sync.marks.wipe ?? { id, devices: [], done: [] };
    },
  );
}
