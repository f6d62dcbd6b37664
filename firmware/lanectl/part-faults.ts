/** Parts of the device that are not well, each with a command for this machine that mends it or says more. */
import type { HealthReport } from '../host/index.ts';
import { MOST_LISTED } from '../terminal/payment-limits.ts';
import type { DeviceClient } from './client.ts';
import { isOwnHost } from './connection-faults.ts';
import { DATA, dataFolder, type Fault, isInstalled, ROOT } from './own-machine.ts';
import type { Payments } from './shapes.ts';

const RELEASE = '/opt/laneware/current';

/** On the machine of the device: of a clone, and on a lane. */
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
  readonly urls: { readonly terminal: string; readonly recognition: string };
  /** The payment that somebody must look into first; null where none is found. */
  readonly payment: number | null;
}

/** The command that works over the network, from any machine; null where there is none. */
function overNetwork({ part, driver }: Part, { device, urls, payment }: Place): string | null {
  switch (part) {
    case 'settings':
      return device.commandTo('setup');
    case 'bank':
      return device.commandTo('setup --print');
    case 'payments':
      // `status` alone would say the same sentence again
      return device.commandTo(payment === null ? 'report' : `status ${payment}`);
    case 'tray':
      return `curl -X POST ${urls.recognition}/api/learn_background`;
    case 'sync':
      return `curl ${urls.recognition}/api/get_sync_status`;
    case 'webhooks':
      return `curl ${urls.terminal}/v1/webhooks`;
    case 'camera':
      return driver === 'push'
        ? `curl -T PHOTO.jpg -H 'Content-Type: image/jpeg' ${urls.recognition}/camera/frame`
        : null;
    default:
      return null;
  }
}

function remedyOf(ill: Part, place: Place): string {
  const command = overNetwork(ill, place);
  if (command !== null) return command;
  const [clone, lane] = ON_MACHINE[ill.part] ?? LOG;
  const { hostname } = new URL(place.urls.terminal);
  if (isOwnHost(hostname)) return isInstalled() ? lane : clone();
  return `ssh -t ${hostname} '${lane}'`;
}

/** Of the newest payments. Late ones first, then the oldest whose outcome no bank has reported. */
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
    urls: { terminal: await device.urlOf('terminal'), recognition: await device.urlOf('recognition') },
    payment: wrong.some(({ part }) => part === 'payments') ? await paymentToLookInto(device) : null,
  };
  return wrong.map((ill) => ({
    code: `part.${ill.part}`,
    what: `${ill.part}: ${ill.reason}`,
    isForLater: ill.sales !== 'does-not-sell',
    command: remedyOf(ill, place),
  }));
}
