/** What the master of a store does with its devices, by `/v1`: lets them in, shuts them out, has them forget. */
import type { FastifyInstance } from 'fastify';
import type { TypeBoxProvider } from '../../http/index.ts';
import { cleanItem, notMaster, refusals, StoreRefusal } from '../../recognition/index.ts';
import type { Sync } from '../sync.ts';
import { atMaster } from './at-master.ts';
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

const NO_STORE = { 'cache-control': 'no-store' } as const;
const WRITING = ['Internal.StorageFull', 'Internal.StorageRefused'] as const;

type App = ReturnType<typeof typed>;

const typed = (plain: FastifyInstance) => plain.withTypeProvider<TypeBoxProvider>();

export function addStoreDeviceRoutes(plain: FastifyInstance, sync: Sync): void {
  const app = typed(plain);
  addPairing(app, sync);
  addMarks(app, sync);
  addWipes(app, sync);
}

function addPairing(app: App, sync: Sync): void {
  app.post(
    '/console/api/store/pairing-code',
    {
      schema: {
        operationId: 'showPairingCode',
        tags: ['device'],
        summary: 'The code that lets devices into the store of this master',
        description:
          "Shown on the master itself, and over TLS to a caller with a technician's token. Any number of devices may use it while it is valid.",
        response: {
          200: PairingCodeView,
          ...refusals('Store.NotMaster', 'Store.NotSynchronised', 'Store.Late', ...WRITING),
        },
      },
    },
    async (request, reply) => {
      reply.headers(NO_STORE);
      return await atMaster(() => pairingCodeFor(request, sync));
    },
  );

  app.delete(
    '/console/api/store/devices/:serial',
    {
      schema: {
        operationId: 'shutDeviceOut',
        tags: ['device'],
        summary: 'Shut a device out of the store',
        description: 'Its credential is worth nothing from then on: it takes no part until it is paired anew.',
        params: DevicePath,
        response: { 200: StoreView, ...refusals('Store.NotMaster', 'Store.NoDevice', ...WRITING) },
      },
    },
    async ({ params: { serial } }) => {
      if (!(await atMaster(() => sync.shutOut(serial))))
        throw new StoreRefusal('NoDevice', `no device with the serial number ${serial} is paired`);
      return storeState(sync);
    },
  );
}

function addMarks(app: App, sync: Sync): void {
  const list = async (): Promise<Marks> => ({
    marks: (await sync.marks.progress()).map(({ id, SNs }) => ({ item: id, done: [...SNs] })),
  });

  app.get(
    '/console/api/store/marks',
    {
      schema: {
        operationId: 'listStoreMarks',
        tags: ['device'],
        summary: 'Which items are deleted everywhere, and who has done so',
        description: 'Of a master. The marks go with its restart.',
        response: { 200: MarkList, ...refusals('Store.NotMaster') },
      },
    },
    async () => await atMaster(list),
  );

  app.put(
    '/console/api/store/marks/:item',
    {
      schema: {
        operationId: 'markForDeletion',
        tags: ['device'],
        summary: 'Delete an item on all devices of the store',
        description:
          'Its templates go on this master at once, and on each other device at its next synchronisation; what is learned of it anew goes, too, until the mark is taken away. Name and price stay.',
        params: MarkPath,
        response: { 200: MarkList, ...refusals('Store.NotMaster', ...WRITING) },
      },
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
      schema: {
        operationId: 'unmarkForDeletion',
        tags: ['device'],
        summary: 'Take the mark of an item away',
        description: 'It may be learned again. Where there is no mark, nothing happens.',
        params: MarkPath,
        response: { 200: MarkList, ...refusals('Store.NotMaster', ...WRITING) },
      },
    },
    async ({ params: { item } }) =>
      await atMaster(async () => {
        await sync.marks.clear(cleanItem(item, 'item'));
        return await list();
      }),
  );
}

function addWipes(app: App, sync: Sync): void {
  app.put(
    '/console/api/store/wipes/:id',
    {
      schema: {
        operationId: 'deleteEverythingEverywhere',
        tags: ['device'],
        summary: 'Delete the templates of all items on all devices of the store',
        description:
          'This master forgets at once, each other device at its next synchronisation, once, however long it was away; `wipe` of `GET /console/api/store` lists which have. Nothing brings the templates back; what is learned after that stays, and so do names and prices. A restart in between changes nothing. A person types the serial number of the master first.',
        params: WipePath,
        body: WipeBody,
        response: { 200: WipeView, ...refusals('Store.NotMaster', 'Store.WrongName', ...WRITING) },
      },
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
