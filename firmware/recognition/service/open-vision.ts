/** Opens the camera and the model of a device. */
import { fileURLToPath } from 'node:url';
import { openCamera } from '../../../drivers/camera/registry.ts';
import { countLosses, type Log, type LogLine, type Metrics } from '../../core/host/index.ts';
import type { CameraConfig, ModelConfig } from '../config.ts';
import { Embedder } from '../embedding/embedder.ts';
import { shippedModel } from '../embedding/manifest.ts';

/** Folder of the native runtime: a release has it; `scripts/release/native.sh` makes it in a clone. */
const nativeRuntime = (): string => fileURLToPath(new URL('../../../bin/litert', import.meta.url));

interface Base {
  readonly config: { readonly camera: CameraConfig; readonly model: ModelConfig };
  readonly metrics: Metrics;
  readonly log: Log;
}

/** Settles when the files of the model are checked; its workers wait for their start. */
export async function openVision({ config, metrics, log }: Base) {
  const logLine: LogLine = (message, details = {}) => log.info(details, message);
  const countState = countLosses(metrics, 'camera');
  const [camera, embedder] = await Promise.all([
    openCamera(config.camera, { log: logLine, onState: ({ name }) => countState(name) }),
    Embedder.load({ manifestPath: config.model.manifest ?? shippedModel(), native: nativeRuntime(), log: logLine }),
  ]);
  return { camera, embedder };
}
