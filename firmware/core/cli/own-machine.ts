/** Looks at this machine, where it is the device itself. */
import { existsSync, realpathSync, statfsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LEAST_FREE_BYTES } from '../board/least-free.ts';

export interface Fault {
  /** Stable, for programs: `device.unreachable`, `part.display`. */
  readonly code: string;
  readonly what: string;
  /** Whether the fault can wait, as the lane sells. */
  readonly isForLater?: boolean;
  /** A shell command that helps. */
  readonly command: string;
}

/** The unit of systemd: where this file exists, the device is a service of this machine. */
const UNIT = '/etc/systemd/system/laneware.service';
export const DATA = '/var/lib/laneware';
const DATA_OF_A_CLONE = '.laneware';

/** Whether this machine is a lane, as `install.sh` makes one. */
export const isInstalled = (): boolean => existsSync(UNIT);

/** Folder of the clone, or of the release, with a slash at its end. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The command for this program in the present folder. */
export function ownCommand(): string {
  if (isInstalled()) return 'lanectl';
  return `${realpathSync(process.cwd())}/` === ROOT ? 'npx lanectl' : `${ROOT}scripts/lanectl.sh`;
}

/** The data folder of the device on this machine: in a clone that of `npm start`. */
export function dataFolder(): string {
  if (process.env.LANEWARE_DATADIR !== undefined) return process.env.LANEWARE_DATADIR;
  if (isInstalled()) return DATA;
  return existsSync(DATA_OF_A_CLONE) ? DATA_OF_A_CLONE : `${ROOT}${DATA_OF_A_CLONE}`;
}

/** Faults of the machine: of its disk. A Node that is too old starts no lanectl. */
export function faultsOfMachine(folder = dataFolder()): Fault[] {
  if (!existsSync(folder)) return [];
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  if (free >= LEAST_FREE_BYTES) return [];
  const what = `${Math.floor(free / 1024 / 1024)} MB free for ${folder}: soon sales could not be recorded`;
  return [{ code: 'disk', what, command: `du -xh ${folder} | sort -h | tail` }];
}
