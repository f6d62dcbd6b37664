/** Builds the recognition device: the service, and the server of its interface. */

import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { openCamera } from '../../../drivers/camera/registry.ts';
import { noteButton } from '../../core/audit/index.ts';
import { countLosses, type LogLine } from '../../core/host/index.ts';
import {
  createServer,
  type Envelope,
  type EventStreamPool,
  type LeastRate,
  type ServerOptions,
} from '../../core/http/index.ts';
import { terminalProblems } from '../../payments/index.ts';

import {
  addOriginalRoutes,
  addRecognitionRoutes,
  Embedder,
  Recognition,
  type RecognitionOptions,
  recognitionEnvelope,
  recognitionProblems,
  SHIPPED_MODEL,
  SHIPPED_MODEL_SEES,
  STANDALONE,
  TrayPins,
} from '../../recognition/index.ts';
import type { Sync } from '../../sync/index.ts';
import { type Base, partOf } from './base.ts';
import type { Opened } from './joining.ts';
import type { Has } from './whole.ts';

const MIB = 1024 * 1024;

/** Folder of the native runtime: a release has it; `scripts/native.sh` makes it in a clone. */
const NATIVE_RUNTIME = fileURLToPath(new URL('../../../bin/litert', import.meta.url));

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

/** Parts that the base lacks; a given part replaces the base's. */
type GivenParts = Pick<RecognitionOptions, 'camera' | 'embedder' | 'setSystemTime'> & Partial<RecognitionOptions>;

export function buildRecognition(base: Base, parts: GivenParts): Recognition {
  const { config, dataDir, clock, serial, health, metrics, log } = base;
  return new Recognition({ config: config.recognition, dataDir, clock, serial, health, metrics, log, ...parts });
}

async function openEyes({ config, metrics, log }: Base) {
  const lines: LogLine = (message, details = {}) => log.info(details, message);
  const noteState = countLosses(metrics, 'camera');
  const [camera, embedder] = await Promise.all([
    openCamera(config.camera, { log: lines, onState: ({ name }) => noteState(name) }),
    Embedder.load({ manifestPath: config.model.manifest ?? SHIPPED_MODEL, native: NATIVE_RUNTIME, log: lines }),
  ]);
  return { camera, embedder };
}

/** What lies on the tray. */
export const recognition = {
  name: 'recognition',
  open: async (
    device: Has<'base' | 'host' | 'lastTime' | 'sync' | 'standIns'>,
  ): Promise<Opened<Has<'recognition'>>> => {
    const { base, host, lastTime, sync, standIns } = device;
    const own = partOf(base, 'recognition');
    const { camera, embedder } = await openEyes(own);
    const recognition = buildRecognition(own, {
      camera,
      embedder,
      marks: sync.marks,
      maxTemplatesPerItem: standIns.tuning?.maxTemplatesPerItem,
      setSystemTime: (sec, usec) => host.setTime(sec, usec).finally(() => lastTime.save()),
    });
    lastTime.take(recognition.templates.latestMoment());
    return [
      { recognition },
      {
        start: () => recognition.start(),
        // until the ports are open, the payment terminal needs both cores
        serve: () => void embedder.start().then(() => recognition.startEyes()),
        close: () => recognition.close(),
      },
    ];
  },
};

/** Lamp, LED and button. */
export const panel = {
  name: 'panel',
  open: async ({
    base,
    recognition,
    audit,
    claims,
  }: Has<'base' | 'recognition' | 'audit' | 'claims'>): Promise<Opened<Has<'panel'>>> => {
    const panel = await TrayPins.open(base.config.gpio, recognition, base.health, base.log, {
      onLearned: noteButton(audit, 'empty-tray-learned'),
      onHeld: () => claims && noteButton(audit, 'token-code-called-up')(claims.showNewCode()),
    });
    return [{ panel }, { close: () => panel.close() }];
  },
};

interface RecognitionServer extends Pick<ServerOptions, 'access' | 'audit'> {
  /** Synchronisation; null where the device has none. */
  readonly sync: Sync | null;
  readonly streams: EventStreamPool;
  /** Least rate of an upload; `UPLOAD_RATE` when left out. */
  readonly uploadRate?: LeastRate;
}

const problems: Envelope = {
  ...recognitionProblems,
  fromError: (error) => recognitionProblems.fromError(error) ?? terminalProblems.fromError(error),
};

/** @returns the server with the routes of recognition; other parts add theirs, and it does not listen yet */
export async function serveRecognition(
  { config, clock, health, metrics, version, serial, logger }: Base,
  recognition: Recognition,
  { sync, streams, uploadRate, ...options }: RecognitionServer,
): Promise<FastifyInstance> {
  const app = await createServer({
    name: 'recognition',
    title: 'Laneware recognition device',
    description:
      'Learns items from its camera and says what lies on the tray. A handled failure is answered under HTTP 200 with a `code` below 0 and a sentence in `msg`; one of `/v1` is a problem (RFC 9457) with a `code` that stays.',
    tags: TAGS,
    envelope: recognitionEnvelope,
    problems,
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
