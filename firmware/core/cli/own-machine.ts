/** Finds faults of this machine, where it is the device itself. Explains why a port gave no health, and what to do. */
import { existsSync, realpathSync, statfsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LEAST_FREE_BYTES } from '../board/least-free.ts';
import { isLoopbackHost } from '../config/loopback.ts';
import type { CommandFailure } from './exit-codes.ts';
import { FOREIGN } from './failures.ts';

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

/** Whether a host of a URL is this machine. */
export const isOwnHost = (hostname: string): boolean => isLoopbackHost(hostname.replaceAll(/[[\]]/g, ''));

/** Codes of a certificate without a trusted issuer; for other faults its dates and names are shown. */
const NOT_TRUSTED = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_)/;

function certificateFault({ message }: CommandFailure, code: string, url: string): Fault {
  const { origin, hostname, port } = new URL(url);
  const shown = `openssl s_client -connect ${hostname}:${port || 443} </dev/null 2>/dev/null`;
  if (NOT_TRUSTED.test(code)) {
    const again = `${ownCommand()} doctor --url ${origin} --ca laneware.pem`;
    return {
      code: 'device.certificate',
      what: `${message} (compare the fingerprint with that in the device's console)`,
      command: `${shown} | openssl x509 -out laneware.pem && ${again}`,
    };
  }
  const command = `${shown} | openssl x509 -noout -dates -ext subjectAltName`;
  return { code: 'device.certificate', what: message, command };
}

/** The fault of an address that a call found. */
function addressFault({ message, details }: CommandFailure, url: string): Fault | null {
  const doctor = `${ownCommand()} doctor`;
  if (details.code === 'device.port')
    return { code: 'device.port', what: message, command: `${doctor} ${details.option} ${details.right}` };
  if (details.code !== 'device.two') return null;
  const command =
    details.isTold === true ? `env -u LANEWARE_RECOGNITION_URL ${doctor} --url ${url}` : `curl ${url}/health`;
  return { code: 'device.two', what: message, command };
}

/**
 * The fault behind a call that failed.
 * @param fallback address of the port, where the failure has none
 */
export function faultOfFailure(failure: CommandFailure, fallback: string): Fault {
  const { exit, message, details } = failure;
  const { code } = details;
  const url = typeof details.url === 'string' ? details.url : fallback;
  const { hostname, port, protocol, host, origin } = new URL(url);
  const ofAddress = addressFault(failure, origin);
  if (ofAddress !== null) return ofAddress;
  if (exit === 'unauthorised')
    return { code: 'token', what: message, command: 'read -rs LANEWARE_TOKEN && export LANEWARE_TOKEN' };
  if (exit === 'refused' && details.status === 426)
    return { code: 'device.needs-tls', what: message, command: `${ownCommand()} doctor --url https://${host}` };
  if (exit === 'refused' || code === FOREIGN)
    return {
      code: 'port.taken',
      what: `another program answers on ${host}: ${message}`,
      command: isOwnHost(hostname) ? `sudo ss -ltnp 'sport = :${port}'` : `curl -i ${origin}/health`,
    };
  if (details.isCertificate === true) return certificateFault(failure, String(code), url);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return { code: 'device.name', what: `no address found for ${hostname}`, command: `getent hosts ${hostname}` };
  const start = isInstalled() ? 'sudo systemctl restart laneware' : 'npm start';
  if (isOwnHost(hostname)) return { code: 'device.not-running', what: message, command: start };
  const what = protocol === 'http:' && code === 'ECONNRESET' ? `${message}; over the network use https` : message;
  return { code: 'device.unreachable', what, command: `ping -c 3 ${hostname}` };
}
