/** Opens the camera that the configuration names. A new camera is one new file and one line here. */
import type { Camera, CameraKind, CameraOptions } from './contract.ts';

export interface CameraConfig {
  readonly driver: CameraKind;
  /** Where `replay` takes its pictures from; null lets it draw them. */
  readonly directory: string | null;
  /** How long `replay` shows each picture; `REPLAY_INTERVAL_MS` when left out. */
  readonly replayIntervalMs?: number | undefined;
}

/** Every machine without a camera sees the same scenes in the same order. */
const SEED = 1;

/** Only what is used is loaded: sharp and the drawings cost memory that a device with a camera needs elsewhere. */
const DRIVERS: Readonly<Record<CameraKind, (config: CameraConfig, options: CameraOptions) => Promise<Camera>>> = {
  libcamera: async (_, options) => new (await import('./libcamera/stream.ts')).LibcameraCamera(options),
  'libcamera-still': async (_, options) => new (await import('./libcamera/still.ts')).LibcameraStillCamera(options),
  push: async (_, options) => new (await import('./push.ts')).PushedCamera(options),
  replay: openReplay,
  none: async (_, options) => new (await import('./none.ts')).NoCamera(options),
};

/** Never fails for what is absent: a camera that cannot work says so by its state, and comes alive when it can. */
export async function openCamera(config: CameraConfig, options: CameraOptions = {}): Promise<Camera> {
  return DRIVERS[config.driver](config, options);
}

async function openReplay({ directory, replayIntervalMs }: CameraConfig, options: CameraOptions): Promise<Camera> {
  const { REPLAY_INTERVAL_MS, ReplayedPictures } = await import('./replay/replay.ts');
  const replay = { ...options, intervalMs: replayIntervalMs ?? REPLAY_INTERVAL_MS };
  if (directory === null) {
    const { SceneSource } = await import('./replay/scenes/scene-source.ts');
    return new ReplayedPictures(new SceneSource(SEED), replay);
  }
  const { PictureFolder } = await import('./replay/picture-folder.ts');
  return new ReplayedPictures(new PictureFolder(directory, options.log ?? (() => {})), replay);
}
