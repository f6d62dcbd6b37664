/**
 * What the tests of the recognition device share: the device's service over real HTTP, with a camera that is pushed to
 * and a model that is pure arithmetic, and pictures to show it.
 */

import sharp from 'sharp';
import { PushedCamera } from '../../drivers/camera/push.ts';
import { createLog } from '../../firmware/core/host/log.ts';
import { openAccess } from '../../firmware/core/http/access.ts';
import { EventStreamPool } from '../../firmware/core/http/event-stream-pool.ts';
import { addServiceRoutes } from '../../firmware/core/http/port/server.ts';
import type { LeastRate } from '../../firmware/core/http/transfer-rate.ts';
import { openBase } from '../../firmware/device/composition/base.ts';
import { buildRecognition } from '../../firmware/device/composition/build-recognition.ts';
import { loadConfig, type WholeConfig } from '../../firmware/device/composition/config.ts';
import { addUncertain } from '../../firmware/features/teach/routes.ts';
import type { VectorSource } from '../../firmware/recognition/answer/viewer.ts';
import type { EmbedderState, ModelRuntime } from '../../firmware/recognition/embedding/embedder.ts';
import type { Manifest } from '../../firmware/recognition/embedding/manifest.ts';
import { serveRecognition } from '../../firmware/recognition/http/port/server.ts';
import { RECOGNITION_PROBLEMS } from '../../firmware/recognition/model/recognition-error.ts';
import { toUnitVector } from '../../firmware/recognition/model/vectors.ts';
import type { RecognitionOptions } from '../../firmware/recognition/service/recognition.ts';
import { type Answer, call, temporaryFolder, until } from '../support.ts';
import { drawScene, SCENE_ITEMS, type SceneItem } from '../tools/scenes/scenes.ts';
import { TRAYS } from '../tools/scenes/trays.ts';
import { NO_READER } from './no-reader.ts';
import { confidenceOf } from './steps.ts';

const SIDE = 32;

/** A model that is pure arithmetic: mean colours of a grid of cells, less the grey of each. */
export class FakeModel implements VectorSource {
  state: EmbedderState = { name: 'ready', reason: null };
  runtime: ModelRuntime = { name: 'webassembly', nativeFault: null };
  readonly manifest: Manifest;
  readonly identity: string;
  readonly #cells: number;
  /** Runs before each picture; may throw or wait. */
  before: () => Promise<void> | void = () => undefined;

  constructor(name = 'fake', cells = 8, changes: Partial<Manifest> = {}) {
    this.#cells = cells;
    this.identity = `${name}@1#0123456789abcdef`;
    this.manifest = {
      name,
      version: '1',
      file: 'none.tflite',
      sha256: '0'.repeat(64),
      bytes: 1,
      input: { width: SIDE, height: SIDE, channels: 3, dtype: 'uint8', resize: 'cover' },
      output: { dtype: 'float32', dimension: cells * cells * 3 },
      normalise: true,
      temperature: 0.05,
      confidence: confidenceOf({ certain: 0.9, margin: 0.02, unknown: 0.5 }),
      licence: 'none',
      trainedOn: 'nothing',
      createdAt: '2026-01-01',
      ...changes,
    };
  }

  async embed(pixels: Uint8Array): Promise<Float32Array> {
    await this.before();
    const sums = new Float64Array(this.#cells * this.#cells * 3);
    for (let at = 0; at < SIDE * SIDE; at++) {
      const row = Math.floor((Math.floor(at / SIDE) * this.#cells) / SIDE);
      const column = Math.floor(((at % SIDE) * this.#cells) / SIDE);
      for (const channel of [0, 1, 2]) {
        const cell = (row * this.#cells + column) * 3 + channel;
        sums[cell] = (sums[cell] ?? 0) + (pixels[at * 3 + channel] ?? 0) - 110;
      }
    }
    return toUnitVector(sums);
  }

  async loaded(): Promise<void> {}

  async close(): Promise<void> {
    this.state = { name: 'degraded', reason: 'closed', code: 'worker' };
  }
}

/** No model is there, as with a damaged file. */
export const NO_MODEL: VectorSource = {
  state: { name: 'degraded', reason: 'the file of the model is damaged', code: 'checksum' },
  runtime: null,
  manifest: null,
  identity: null,
  loaded: async () => undefined,
  embed: async () => {
    throw new Error('nothing to embed with');
  },
  close: async () => undefined,
};

/** What all goods of a drawn scene lie in, in pixels of the frame. */
const CLOSE_UP = Object.freeze({ left: 400, top: 120, width: 480, height: 480 });
const CLOSE_UP_SIDE = 256;
const drawn = new Map<string, Promise<Buffer>>();

/** A JPEG of goods from near: the same kind is the same sort of goods, another variant another picture of it. */
export function picture(kind: number, variant = 0): Promise<Buffer> {
  const name = `${kind} ${variant}`;
  const known = drawn.get(name);
  if (known !== undefined) return known;
  const fresh = closeUp(kind, variant);
  drawn.set(name, fresh);
  return fresh;
}

async function closeUp(kind: number, variant: number): Promise<Buffer> {
  const frame = await scene(SCENE_ITEMS[kind % SCENE_ITEMS.length] ?? null, variant);
  return await sharp(frame).extract(CLOSE_UP).resize(CLOSE_UP_SIDE).jpeg().toBuffer();
}

/** A JPEG of one colour. */
export async function coloured(r: number, b: number): Promise<Buffer> {
  const background = { r, g: 60, b };
  return await sharp({ create: { width: CLOSE_UP_SIDE, height: CLOSE_UP_SIDE, channels: 3, background } })
    .jpeg()
    .toBuffer();
}

/** A drawn frame of 1280×720; null is the empty tray. */
export async function scene(item: SceneItem | null, seed = 0): Promise<Buffer> {
  const [tray] = TRAYS;
  if (tray === undefined) throw new Error('there is no tray');
  return await drawScene({ item, seed, tray });
}

/** Runs a test on a device of its own: `const it = each(test, onRig)`. */
export const onRig = (run: (rig: Rig) => Promise<void>) => async (): Promise<void> => {
  await using rig = await startRig();
  await run(rig);
};

export interface RigOptions {
  /** Kept when the rig is closed; a temporary one when absent. */
  readonly folder?: string;
  readonly model?: VectorSource;
  readonly config?: Partial<WholeConfig['recognition']>;
  readonly service?: Partial<RecognitionOptions>;
  readonly serial?: string;
  readonly uploadRate?: LeastRate;
}

const RUNNING: Readonly<Record<'export' | 'import', readonly number[]>> = { export: [1], import: [2, 3] };
const waitFor = (url: string, kind: keyof typeof RUNNING) =>
  until(`the end of the ${kind}`, async () => {
    const { body } = await call(`${url}/api/${kind}_template_status`);
    return RUNNING[kind].includes(body.status) ? null : body;
  });

export async function startRig(options: RigOptions = {}) {
  const own = options.folder === undefined ? temporaryFolder() : null;
  const folder = options.folder ?? own?.path ?? '';
  const { serial = 'TEST0001', model = new FakeModel(), uploadRate } = options;
  const { config } = loadConfig(null, { LANEWARE_DATADIR: folder, LANEWARE_SERIAL: serial });
  const base = openBase(
    { ...config, recognition: { ...config.recognition, ...options.config } },
    createLog('silent', []),
  );
  const camera = new PushedCamera();
  const recognition = buildRecognition(base, {
    camera,
    embedder: model,
    barcodes: NO_READER,
    setSystemTime: async () => undefined,
    ...options.service,
  });
  const access = openAccess(config.api);
  const app = await serveRecognition(base, recognition, {
    sync: null,
    streams: new EventStreamPool(access.eventStreams),
    access,
    ...(uploadRate === undefined ? {} : { uploadRate }),
  });
  addUncertain(app, recognition); // of the feature that teaches
  addServiceRoutes(app, base.metrics, RECOGNITION_PROBLEMS);
  recognition.start();
  const url = await app.listen({ host: '127.0.0.1', port: 0 });

  const post = (path: string, json?: unknown) =>
    call(`${url}${path}`, json === undefined ? { method: 'POST' } : { json });
  const show = (jpeg: Buffer) =>
    call(`${url}/camera/frame`, {
      method: 'PUT',
      headers: { 'content-type': 'image/jpeg' },
      body: new Uint8Array(jpeg),
    });
  const upload = (zip: Uint8Array, field = 'file') => {
    const form = new FormData();
    form.append(field, new Blob([new Uint8Array(zip)]), 'package.zip');
    return call(`${url}/api/import_template`, { method: 'POST', body: form });
  };
  return {
    url,
    recognition,
    camera,
    folder,
    post,
    show,
    upload,
    get: (path: string) => call(`${url}${path}`),
    send: (method: 'DELETE' | 'PATCH' | 'PUT', path: string, json?: unknown) =>
      call(`${url}${path}`, { method, ...(json === undefined ? {} : { json }) }),
    /** What `/health` reports of a part. */
    part: async (name: string): Promise<Answer['body']> => {
      const { parts } = (await call(`${url}/health`)).body.data;
      return parts.find(({ part }: { part: string }) => part === name);
    },
    /** Adds a template of the picture; returns its identifier. */
    learn: async (item: string, jpeg: Buffer): Promise<string> => {
      await show(jpeg);
      const { body } = await post('/api/add_item_template', { id: item });
      if (body.code !== 0) throw new Error(`nothing was learned: ${body.msg}`);
      return body.data.sid;
    },
    /** The status of a task, once it has ended. */
    ended: (task: keyof typeof RUNNING): Promise<Answer['body']> => waitFor(url, task),
    exportPackage: async (ids?: readonly string[]) => {
      const { body } = await post('/api/export_template', ids === undefined ? undefined : { ids });
      if (body.code !== 0) throw new Error(`no export: ${body.msg}`);
      const { filename, msg } = await waitFor(url, 'export');
      if (filename === undefined) throw new Error(`no package: ${msg}`);
      return Buffer.from(await (await fetch(`${url}/download/${filename}`)).arrayBuffer());
    },
    /** Uploads and waits for the end. */
    importPackage: async (zip: Uint8Array): Promise<Answer['body']> => {
      const { body } = await upload(zip);
      if (body.code !== 0) throw new Error(`no import: ${body.msg}`);
      return await waitFor(url, 'import');
    },
    [Symbol.asyncDispose]: async () => {
      await app.close();
      await recognition.close();
      base.dataDir.release();
      own?.[Symbol.dispose]();
    },
  };
}

export type Rig = Awaited<ReturnType<typeof startRig>>;

/** A device that knows `item1` to `item7` and sees the third. */
export async function learnedRig(options: RigOptions = {}): Promise<Rig> {
  const rig = await startRig(options);
  for (const kind of [1, 2, 3, 4, 5, 6, 7]) await rig.learn(`item${kind}`, await picture(kind));
  await rig.show(await picture(3));
  return rig;
}
