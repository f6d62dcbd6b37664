/** The cameras. A new one is one new file and one line here. */
import type { Camera, CameraOptions } from './contract.ts';

export interface CameraConfig {
  /** One of `CAMERA_DRIVERS`. */
  readonly driver: string;
  /** The folder whose pictures `replay` shows one after another; null: a simulated tray, on which a call lays things. */
  readonly directory: string | null;
}

/** Opens a camera, and loads its driver: a device loads the one that it uses. */
type OpenCamera = (config: CameraConfig, options: CameraOptions) => Promise<Camera>;

const DRIVERS: Readonly<Record<string, OpenCamera>> = {
  libcamera: async (_, options) => new (await import('./libcamera-stream.ts')).LibcameraCamera(options),
  'libcamera-still': async (_, options) => new (await import('./libcamera-still.ts')).LibcameraStillCamera(options),
  push: async (_, options) => new (await import('./push.ts')).PushedCamera(options),
  replay: openReplay,
  none: async (_, options) => new (await import('./frame-slot.ts')).NoCamera(options),
};

/** Names of drivers that the configuration accepts. */
export const CAMERA_DRIVERS: readonly string[] = Object.keys(DRIVERS);
/** Drivers that a real lane may have: `replay` shows pictures that lie on no tray. */
export const LANE_CAMERAS: readonly string[] = CAMERA_DRIVERS.filter((name) => name !== 'replay');

/**
 * Never fails because the hardware is absent: the camera's state says so, and the camera starts when it can.
 * @throws {RangeError} for a driver that is not one of `CAMERA_DRIVERS`
 */
export async function openCamera(config: CameraConfig, options: CameraOptions = {}): Promise<Camera> {
  const open = DRIVERS[config.driver];
  if (open === undefined) throw new RangeError(`no camera ${config.driver}: ${CAMERA_DRIVERS.join(', ')}`);
  return open(config, options);
}

async function openReplay({ directory }: CameraConfig, options: CameraOptions): Promise<Camera> {
  if (directory === null) return new (await import('./drawn-tray.ts')).DrawnTray(options);
  const { PictureFolder, ReplayedPictures } = await import('./replay.ts');
  return new ReplayedPictures(new PictureFolder(directory, options.log ?? (() => {})), options);
}
