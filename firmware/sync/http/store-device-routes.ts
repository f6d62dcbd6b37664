/** What the master of a store does with its devices, by `/v1`: lets them in, shuts them out, has them forget. */
import type { FastifyInstance } from 'fastify';
import { NO_STORE } from '../../core/http/index.ts';
import { cleanItem, type DeletionProgress, notMaster, StoreRefusal } from '../../recognition/index.ts';
import type { Sync } from '../sync.ts';
import { pairingCodeFor } from './pairing-code.ts';
import {
  DevicePath,
  MarkList,
  MarkPath,
  type Marks,
  PairingCodeView,
  StoreView,
  WipeBody,
  WipePath,
  WipeView,
} from './store-schemas.ts';
import { storeState } from './store-state.ts';
import { atMaster } from './synchronising.ts';

export function addStoreDeviceRoutes(app: FastifyInstance, sync: Sync): void {
  addPairing(app, sync);
  addMarks(app, sync);
  addWipes(app, sync);
}

function addPairing(app: FastifyInstance, sync: Sync): void {
  app.post(
    '/console/api/store/pairing-code',
    {
      config: { role: 'technician', audit: { event: 'pairing-code-shown' } }, // who belongs to the store
      schema: { response: { 200: PairingCodeView } },
    },
    async (request, reply) => {
      reply.headers(NO_STORE);
      return await atMaster(() => pairingCodeFor(request, sync));
    },
  );

  app.delete(
    '/console/api/store/devices/:serial',
    {
      config: { role: 'technician', audit: { event: 'device-revoked', fields: ['serial'] } },
      schema: { params: DevicePath, response: { 200: StoreView } },
    },
    async ({ params: { serial } }) => {
      if (!(await atMaster(() => sync.shutOut(serial))))
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
    async () => await atMaster(list),
  );

  app.put(
    '/console/api/store/marks/:item',
    {
      config: { role: 'technician', audit: { event: 'item-marked-for-deletion-everywhere', fields: ['item'] } },
      schema: { params: MarkPath, response: { 200: MarkList } },
    },
    async ({ params: { item } }) =>
      await atMaster(async () => {
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
      await atMaster(async () => {
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
      await atMaster(async () => {
        if (!sync.isMaster) throw notMaster();
        if (master.trim() !== sync.info().masterSN)
          throw new StoreRefusal('WrongName', 'that is not the serial number of this master: nothing was deleted');
        await sync.wipe(id);
      });
      // one that another has followed is answered with that one
      return sync.marks.wipe ?? { id, devices: [], done: [] };
    },
  );
}
