/** Finds parts of the device that have faults, each with a command for this machine that mends it or tells more. */

import { DATA, type DeviceClient, dataFolder, type Fault, isInstalled, isOwnHost, ROOT } from '../core/cli/index.ts';
import { MOST_LISTED } from '../core/config/limits.ts';
import type { HealthReport } from '../core/host/index.ts';

import type { Payments } from './shapes.ts';

const RELEASE = '/opt/laneware/current';

/** A command on the device's own machine: in a clone, and on a lane. */
type OnMachine = readonly [clone: () => string, lane: string];

const LOG: OnMachine = [() => `df -h ${dataFolder()}`, 'lanectl logs -n 200'];
const CHECK = `sudo ${RELEASE}/scripts/install.sh --check`;

const ON_MACHINE: Readonly<Record<string, OnMachine>> = {
  display: [() => 'ls -l /dev/serial/by-id', 'ls -l /dev/serial/by-id'],
  ledger: [() => `df -h ${dataFolder()}`, 'findmnt /media/laneware'],
  audit: [() => `df -h ${dataFolder()}`, `df -h ${DATA}`],
  templates: [() => `df -h ${dataFolder()}`, 'sudo systemctl restart laneware'],
  model: [() => `ls -l ${ROOT}models`, 'sudo laneware-ota update --retry'],
  camera: [() => 'ls -l /dev/video*', CHECK],
  pins: [() => 'ls -l /dev/gpiochip*', CHECK],
  clock: [() => 'timedatectl set-ntp true', 'sudo timedatectl set-ntp true'],
  disk: [() => `du -xh ${dataFolder()} | sort -h | tail`, `du -xh ${DATA} | sort -h | tail`],
  board: [() => 'journalctl -k -n 50', 'journalctl -k -n 50'],
  update: [() => 'sudo laneware-ota status', 'sudo laneware-ota status'],
  tls: [() => `ls -l ${dataFolder()}`, 'sudo systemctl restart laneware'],
};

type Part = HealthReport['parts'][number];

interface Place {
  readonly device: DeviceClient;
  readonly hostname: string;
  /** The payment that a person must look into first; null where there is none. */
  readonly payment: number | null;
}

/** The command that works over the network, from any machine; null where there is none. */
function overNetwork({ part, driver }: Part, { device, payment }: Place): string | null {
  switch (part) {
    case 'settings':
      return device.commandTo('setup');
    case 'bank':
      return device.commandTo('setup --print');
    case 'payments':
      // `status` alone would repeat the sentence
      return device.commandTo(payment === null ? 'call getDayReport' : `status ${payment}`);
    case 'tray':
      return device.commandTo('call learnBackground');
    case 'sync':
      return device.commandTo('call getSyncStatus');
    case 'webhooks':
      return device.commandTo('call listWebhooks');
    case 'camera':
      return driver === 'push' ? device.commandTo('call putFrame --body PHOTO.jpg') : null;
    default:
      return null;
  }
}

function remedyOf(ill: Part, place: Place): string {
  const command = overNetwork(ill, place);
  if (command !== null) return command;
  const [clone, lane] = ON_MACHINE[ill.part] ?? LOG;
  if (isOwnHost(place.hostname)) return isInstalled() ? lane : clone();
  return `ssh -t ${place.hostname} '${lane}'`;
}

/** Chooses among the newest payments: late ones first, then the oldest whose outcome no bank has reported. */
async function paymentToLookInto(device: DeviceClient): Promise<number | null> {
  const { payments } = (await device.call('terminal', `/v1/payments?limit=${MOST_LISTED}`)) as Payments;
  const found = payments.find(({ late }) => late) ?? payments.findLast(({ state }) => state === 'PENDING');
  return found?.number ?? null;
}

export async function faultsOfParts(device: DeviceClient, { parts }: Pick<HealthReport, 'parts'>): Promise<Fault[]> {
  const wrong = parts.filter(({ state }) => state !== 'ok');
  if (wrong.length === 0) return [];
  const place = {
    device,
    hostname: new URL(await device.urlOf('terminal')).hostname,
    payment: wrong.some(({ part }) => part === 'payments') ? await paymentToLookInto(device) : null,
  };
  return wrong.map((ill) => ({
    code: `part.${ill.part}`,
    what: `${ill.part}: ${ill.reason}`,
    isForLater: ill.sales !== 'does-not-sell',
    command: remedyOf(ill, place),
  }));
}
