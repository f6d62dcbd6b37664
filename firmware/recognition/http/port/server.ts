/** The server of the recognition device: its OpenAPI document, and the calls of recognition. */
import type { FastifyInstance } from 'fastify';
import type { Clock, HealthBoard } from '../../../core/host/index.ts';
import {
  createServer,
  type Envelope,
  type EventStreamPool,
  type LeastRate,
  type ServerOptions,
} from '../../../core/http/index.ts';
import type { ModelConfig, RecognitionConfig } from '../../config.ts';
import { SHIPPED_MODEL_SEES } from '../../embedding/manifest.ts';
import type { Recognition } from '../../service/recognition.ts';
import { STANDALONE, type SyncInfo } from '../original/device-info.ts';
import { recognitionEnvelope } from '../original/envelope.ts';
import { addOriginalRoutes } from '../original/routes.ts';
import { recognitionProblems } from '../v1/problem.ts';
import { addRecognitionRoutes } from '../v1/routes.ts';

const MIB = 1024 * 1024;

/** Tags that sort the calls of this port. */
const TAGS = Object.freeze([
  { name: 'recognition', description: 'What lies on the tray, and which item it was, in `/v1`.' },
  { name: 'items', description: 'What items are called and sold as, and what was learned of them, in `/v1`.' },
  { name: 'device', description: 'Whether all of it works; a frame for a device without a camera.' },
  {
    name: 'original device: templates',
    description: 'Calls of the original device: what was learned of each item. `/v1` uses the same.',
  },
  {
    name: 'original device: packages',
    description: 'Calls of the original device: templates of many items as one file.',
  },
  {
    name: 'original device: recognition',
    description: 'Calls of the original device, for a scale you cannot modify: what is on the tray.',
  },
  {
    name: 'original device: camera',
    description: 'Calls of the original device: the picture of the camera, and where in it the tray is.',
  },
  {
    name: 'original device: device',
    description: 'Calls of the original device: what it is, how it is set, its clock.',
  },
  {
    name: 'original device: synchronisation',
    description: 'Calls of the original device: devices of one store that share their templates.',
  },
]);

interface DeviceShare extends Pick<ServerOptions, 'metrics' | 'version' | 'logger'> {
  readonly config: { readonly recognition: Pick<RecognitionConfig, 'packageMb'>; readonly model: ModelConfig };
  readonly clock: Clock;
  readonly serial: string;
  readonly health: HealthBoard;
}

interface RecognitionServer extends Pick<ServerOptions, 'access' | 'audit'> {
  /** Synchronisation; null where the device has none. */
  readonly sync: { info(): SyncInfo } | null;
  readonly streams: EventStreamPool;
  /** Least rate of an upload; `UPLOAD_RATE` when left out. */
  readonly uploadRate?: LeastRate;
  /** Encodes errors of calls that other parts add to this server. */
  readonly encodeOthers?: Envelope['fromError'];
}

/** @returns the server with the routes of recognition; other parts add theirs, and it does not listen yet */
export async function serveRecognition(
  { config, clock, health, metrics, version, serial, logger }: DeviceShare,
  recognition: Recognition,
  { sync, streams, uploadRate, encodeOthers = () => null, ...options }: RecognitionServer,
): Promise<FastifyInstance> {
  const app = await createServer({
    name: 'recognition',
    title: 'Laneware recognition device',
    description:
      'Learns items from its camera and says what lies on the tray. A handled failure is answered under HTTP 200 with a `code` below 0 and a sentence in `msg`; one of `/v1` is a problem (RFC 9457) with a `code` that stays.',
    tags: TAGS,
    envelope: recognitionEnvelope,
    problems: {
      ...recognitionProblems,
      fromError: (error) => recognitionProblems.fromError(error) ?? encodeOthers(error),
    },
    version,
    metrics,
    own: health.own,
    logger,
    ...options,
  });
  const limits = {
    maxPackageBytes: config.recognition.packageMb * MIB,
    ...(uploadRate === undefined ? {} : { uploadRate }),
  };
  const identity = { version, serial, sync: () => sync?.info() ?? STANDALONE };
  // the document lists the calls in this order
  await addOriginalRoutes(app, recognition, health, identity, limits);
  await addRecognitionRoutes(app, {
    recognition,
    streams,
    now: () => clock.wall(),
    health,
    modelSees: config.model.manifest === null ? SHIPPED_MODEL_SEES : null,
    ...limits,
  });
  return app;
}
