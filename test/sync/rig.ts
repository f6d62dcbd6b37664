/**
 * What the tests of synchronisation share: whole devices as a store has them (service, routes, real HTTP), with a camera that is
 * pushed to and a model that is pure arithmetic. A master's message server is made up and in this process; `real-rig.ts` has the
 * same devices with the real one.
 */
import { PushedCamera } from '../../drivers/camera/push.ts';
import { after } from '../../drivers/lib/async.ts';
import { createLog } from '../../firmware/core/host/log.ts';
import { openAccess } from '../../firmware/core/http/access.ts';
import { EventStreamPool } from '../../firmware/core/http/event-stream-pool.ts';
import { openSealer } from '../../firmware/core/secrets/sealer.ts';
import { type Base, openBase } from '../../firmware/device/composition/base.ts';
import { buildRecognition } from '../../firmware/device/composition/build-recognition.ts';
import { buildSync } from '../../firmware/device/composition/build-store.ts';
import { loadConfig } from '../../firmware/device/composition/config.ts';
import type { VectorSource } from '../../firmware/recognition/answer/viewer.ts';
import { serveRecognition } from '../../firmware/recognition/http/port/server.ts';
import type { OpenServer } from '../../firmware/sync/centre/server.ts';
import { addSyncRoutes } from '../../firmware/sync/http/routes.ts';
import { madeUpJpeg } from '../made-up-jpeg.ts';
import { FakeModel, picture } from '../recognition/support.ts';
import { type Answer, call, temporaryFolder, until } from '../support.ts';
import { MadeUpServer } from './message-server.ts';

export interface LaneOptions {
  /** Kept when the lane is closed; a temporary one when absent. */
  readonly folder?: string;
  readonly bootId?: string;
  readonly max?: number;
  /** Room of the templates. */
  readonly storageMb?: number;
  readonly model?: VectorSource;
  /** Null: what a device takes by itself. */
  readonly orphanMs?: number | null;
  readonly keepMs?: number;
  readonly stuckMs?: number;
  /** Room of a master's centre. */
  readonly centreMb?: number;
  /** Of a master; 0: any. */
  readonly port?: number;
  readonly wall?: () => number;
  readonly monotonic?: () => number;
  /** Name or path of the server, which is a process of its own then; a made-up one in this process when left out. */
  readonly program?: string;
  /** Address that the calls are answered on. */
  readonly listen?: string;
  /** Address of a master's server. */
  readonly host?: string;
}

export interface Logged {
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Configuration, folder and clock of a lane; what it warns of is kept. */
function openLaneBase(serial: string, folder: string, options: LaneOptions) {
  const { config } = loadConfig(null, { LANEWARE_DATADIR: folder, LANEWARE_SERIAL: serial });
  const warnings: Logged[] = [];
  const system = openBase(
    {
      ...config,
      recognition: {
        ...config.recognition,
        storageMb: options.storageMb ?? config.recognition.storageMb,
      },
      sync: { host: options.host ?? '127.0.0.1', port: options.port ?? 0 },
    },
    createLog('silent', []),
  );
  const clock: Base['clock'] = {
    bootId: options.bootId ?? 'boot',
    wall: options.wall ?? (() => system.clock.wall()),
    monotonic: options.monotonic ?? (() => Math.round(performance.now())),
    ...{ setFloor: () => undefined, after },
  };
  const base: Base = {
    ...system,
    clock,
    log: {
      info: (): void => undefined,
      warn: (details: object, message: string): void => void warnings.push({ message, details: { ...details } }),
    },
  };
  return { base, warnings };
}

/** Calls of a lane's interface. */
function callsOf(serial: string, url: string) {
  // no connection is kept: devices come and go, and with them their ports
  const headers = { connection: 'close' };
  const post = (path: string, json?: unknown): Promise<Answer> =>
    call(
      `${url}/api/${path}`,
      json === undefined
        ? { method: 'POST', headers }
        : { json, headers: { ...headers, 'content-type': 'application/json' } },
    );
  /** The same, and the call must succeed; returns its data. */
  const must = async (path: string, json?: unknown): Promise<Answer['body']> => {
    const { body } = await post(path, json);
    if (body.code !== 0) throw new Error(`${serial} ${path}: ${body.code} ${body.msg}`);
    return body.data;
  };
  const learn = async (item: string, kind = 1): Promise<string> => {
    const body = new Uint8Array(await picture(kind));
    await call(`${url}/camera/frame`, { method: 'PUT', headers: { ...headers, 'content-type': 'image/jpeg' }, body });
    return (await must('add_item_template', { id: item })).sid;
  };
  return { post, must, learn, get: (path: string) => call(`${url}/api/${path}`, { headers }) };
}

export async function startLane(serial: string, options: LaneOptions = {}) {
  const own = options.folder === undefined ? temporaryFolder() : null;
  const folder = options.folder ?? own?.path ?? '';
  const { base, warnings } = openLaneBase(serial, folder, options);
  const { dataDir, health } = base;
  const sealer = openSealer(dataDir.file('secret.key'), undefined);
  const servers: MadeUpServer[] = [];
  const openServer: OpenServer = (_program, folderOfServer) => {
    const server = new MadeUpServer(folderOfServer);
    servers.push(server);
    return server;
  };
  const sync = buildSync(base, sealer, {
    ...(options.program === undefined ? { openServer } : { program: options.program }),
    ...(options.centreMb === undefined ? {} : { storageMb: options.centreMb }),
    ...(options.orphanMs === null ? {} : { orphanMs: options.orphanMs ?? 60_000 }),
    ...(options.keepMs === undefined ? {} : { keepMs: options.keepMs }),
    ...(options.stuckMs === undefined ? {} : { stuckMs: options.stuckMs }),
  });
  const recognition = buildRecognition(base, {
    camera: new PushedCamera(),
    embedder: options.model ?? new FakeModel(),
    marks: sync.marks,
    maxTemplatesPerItem: options.max,
    setSystemTime: async () => undefined,
  });
  const access = openAccess(base.config.api);
  const streams = new EventStreamPool(access.eventStreams);
  const app = await serveRecognition(base, recognition, { sync, streams, access });
  addSyncRoutes(app, sync);
  recognition.start();
  sync.start(recognition);
  const { port } = new URL(await app.listen({ host: options.listen ?? '127.0.0.1', port: 0 }));
  const url = `http://127.0.0.1:${port}`;
  const calls = callsOf(serial, url);
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    await app.close();
    await sync.close();
    await recognition.close();
    dataDir.release();
  };
  return {
    serial,
    url,
    folder,
    recognition,
    sync,
    health,
    warnings,
    /** Of a master whose server is made up. */
    get server(): MadeUpServer {
      const server = servers.at(-1);
      if (server === undefined) throw new Error(`${serial} has no made-up server`);
      return server;
    },
    ...calls,
    close,
    /** Every template, as item/origin/sid, sorted. */
    held: () =>
      recognition.exchange
        .names()
        .map(({ item, origin, sid }) => `${item}/${origin}/${sid}`)
        .sort(),
    [Symbol.asyncDispose]: async () => {
      await close();
      own?.[Symbol.dispose]();
    },
  };
}

export type Lane = Awaited<ReturnType<typeof startLane>>;

export const BOTH = { upload: true, download: true };

/** A master whose server runs. */
export async function startMaster(serial = 'M', options: LaneOptions = {}, start = startLane): Promise<Lane> {
  const lane = await start(serial, options);
  await lane.must('set_sync_master', BOTH);
  await running(lane);
  return lane;
}

/** Waits until a device has synchronised. */
export const running = (lane: Lane): Promise<true> =>
  until(`${lane.serial} synchronises`, async () => (await lane.post('start_sync')).body.code === 0 || null);

/** Makes a device a paired slave of a master. */
export async function joinStore(lane: Lane, master: Lane, directions = BOTH): Promise<void> {
  await lane.must('set_sync_slave', await invitation(master, directions));
  await running(lane);
}

/** Waits until all hold the same number of templates, and the same ones. */
export async function agree(lanes: readonly Lane[], count: number): Promise<string[]> {
  const [first] = lanes;
  if (first === undefined) throw new Error('there are no devices to agree');
  return await until(`${lanes.length} devices hold the same ${count} templates`, () => {
    const held = lanes.map((lane) => lane.held().join());
    return held.every((list) => list === held[0]) && first.held().length === count ? first.held() : null;
  });
}

/** Of a master, as `set_sync_slave` takes it. */
export async function address(master: Lane): Promise<{ masterIP: string; mastersyncPort: number }> {
  const { mastersyncPort } = (await master.get('get_device_info')).body.data;
  return { masterIP: '127.0.0.1', mastersyncPort };
}

/** The same with a pairing code: what makes a device a slave. */
export async function invitation(master: Lane, directions = BOTH) {
  const { pairingCode } = await master.must('get_sync_pairing_code');
  return { ...(await address(master)), ...directions, pairingCode: String(pairingCode) };
}

/** Keeps a template of an item as a package would. @returns what brings it to the device again */
export function keep({ recognition: { exchange } }: Lane, item: string): () => Promise<void> {
  const [name] = exchange.namesOf(item);
  const template = name === undefined ? null : exchange.read(name);
  if (template === null) throw new Error(`item ${item} has no template to keep`);
  return async () => await exchange.receive([{ ...template, crop: template.crop.slice() }]);
}

const VECTOR_FLOATS = 192;

/** Learns a template without a camera: what travels is its bytes. @param bytes that its picture holds */
export const addTemplate = ({ recognition: { templates } }: Lane, item: string, bytes: Uint8Array): Promise<string> =>
  templates.add({
    item,
    model: 'fake@1#0123456789abcdef',
    vector: new Float32Array(VECTOR_FLOATS).fill(1 / Math.sqrt(VECTOR_FLOATS)),
    crop: madeUpJpeg(bytes),
  });

/** The answer of `get_sync_status`. */
export const status = async (lane: Lane) => (await lane.get('get_sync_status')).body.data;
