/**
 * `lanectl doctor`: lists faults, those that stop sales first, each with a command that mends it or says more about it.
 */

import type { Command } from 'commander';
import {
  acting,
  CommandFailure,
  DATA,
  type DeviceClient,
  dataFolder,
  type ExitName,
  type Fault,
  faultOfFailure,
  faultsOfMachine,
  isInstalled,
  isMisuse,
  isOwnHost,
  type Output,
  ROOT,
  type Tools,
} from '../../core/cli/index.ts';
import { MOST_LISTED } from '../../core/config/limits.ts';
import type { HealthReport } from '../../core/host/index.ts';
import type { Payments } from './shapes.ts';

const RELEASE = '/opt/laneware/current';

/** A command on the device's machine: where the device runs in a clone, and where it is installed. */
type OnMachine = readonly [clone: () => string, lane: string];

const LOG: OnMachine = [() => `df -h ${dataFolder()}`, 'lanectl logs -n 200'];
const CHECK = `sudo ${RELEASE}/scripts/install/install.sh --check`;

const ON_MACHINE: Readonly<Record<string, OnMachine>> = {
  display: [() => 'ls -l /dev/serial/by-id', 'ls -l /dev/serial/by-id'],
  ledger: [() => `df -h ${dataFolder()}`, 'findmnt /media/laneware'],
  audit: [() => `df -h ${dataFolder()}`, `df -h ${DATA}`],
  templates: [() => `df -h ${dataFolder()}`, 'sudo systemctl restart laneware'],
  model: [() => `ls -l ${ROOT}models`, 'sudo laneware-ota update --retry'],
  camera: [() => 'ls -l /dev/video*', CHECK],
  pins: [() => 'ls -l /dev/gpiochip*', CHECK],
  voice: [() => 'aplay -l', 'aplay -l'],
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
  /** A speaker that was found, and that the voice does not use; null where there is none. */
  readonly speaker: string | null;
}

/** The used fields of the voice's answer. */
interface Voice {
  readonly mode: string;
  readonly device: string | null;
  readonly speakers: readonly { readonly name: string }[];
}

/** The command about a part that works from any machine, over the network; null where there is none. */
function overNetwork({ part, driver }: Part, { device, payment, speaker }: Place): string | null {
  switch (part) {
    case 'settings':
      return device.commandTo('setup');
    case 'bank':
      return device.commandTo('setup --print');
    case 'payments':
      // `lanectl status` without a payment would only repeat the reason
      return device.commandTo(payment === null ? 'call getDayReport' : `status ${payment}`);
    case 'tray':
      return device.commandTo('call learnBackground');
    case 'sync':
      return device.commandTo('call getSyncStatus');
    case 'voice':
      // without another speaker: lists those that there are
      return device.commandTo(speaker === null ? 'call readVoice' : `call changeVoice --device ${speaker}`);
    case 'webhooks':
      return device.commandTo('call listWebhooks');
    case 'camera':
      return driver === 'push' ? device.commandTo('call putFrame --body PHOTO.jpg') : null;
    default:
      return null;
  }
}

function remedyOf(failing: Part, place: Place): string {
  const command = overNetwork(failing, place);
  if (command !== null) return command;
  const [clone, lane] = ON_MACHINE[failing.part] ?? LOG;
  if (isOwnHost(place.hostname)) return isInstalled() ? lane : clone();
  return `ssh -t ${place.hostname} '${lane}'`;
}

/**
 * Number of the payment to look into, among the newest: a late one, else the oldest whose outcome the bank has not
 * reported.
 */
async function paymentToLookInto(device: DeviceClient): Promise<number | null> {
  const { payments } = (await device.call('terminal', `/v1/payments?limit=${MOST_LISTED}`)) as Payments;
  const found = payments.find(({ late }) => late) ?? payments.findLast(({ state }) => state === 'PENDING');
  return found?.number ?? null;
}

/** A speaker that was found, and that the voice does not use; null where there is none. */
function idleSpeaker({ device, speakers }: Voice): string | null {
  return speakers.find(({ name }) => device === null || !name.startsWith(device))?.name ?? null;
}

/** Of a device without voice, or where this person may not read it: null. */
async function voiceOf(device: DeviceClient): Promise<Voice | null> {
  try {
    return (await device.call('terminal', '/v1/voice')) as Voice;
  } catch (error) {
    if (error instanceof CommandFailure) return null;
    throw error;
  }
}

/** How to have a speaker say what is paid, where one was found and nothing is said; null where there is nothing to offer. */
export async function speakerOffer(device: DeviceClient): Promise<string | null> {
  const voice = await voiceOf(device);
  const speaker = voice?.mode === 'off' ? (voice.speakers[0]?.name ?? null) : null;
  return speaker && device.commandTo(`call changeVoice --mode sum --device ${speaker}`);
}

/** Faults of parts of the device, each with a command for this machine. */
export async function faultsOfParts(device: DeviceClient, { parts }: Pick<HealthReport, 'parts'>): Promise<Fault[]> {
  const wrong = parts.filter(({ state }) => state !== 'ok');
  if (wrong.length === 0) return [];
  const voice = wrong.some(({ part }) => part === 'voice') ? await voiceOf(device) : null;
  const place = {
    device,
    speaker: voice && idleSpeaker(voice),
    hostname: new URL(await device.urlOf('terminal')).hostname,
    payment: wrong.some(({ part }) => part === 'payments') ? await paymentToLookInto(device) : null,
  };
  return wrong.map((failing) => ({
    code: `part.${failing.part}`,
    what: `${failing.part}: ${failing.reason}`,
    isForLater: failing.sales !== 'does-not-sell',
    command: remedyOf(failing, place),
  }));
}

/**
 * Largest difference between the clocks of this machine and the device that banks' signatures and certificates
 * tolerate.
 */
const MOST_CLOCK_APART_MS = 60_000;

/** Whether the failure is a wrong address that was typed, and no fault of the device. */
const isMistyped = ({ exit, details }: CommandFailure): boolean => exit === 'usage' && isMisuse(details.code);

interface Diagnosis {
  /** Faults, those that stop sales first. */
  readonly faults: Fault[];
  /** Whether a port of the device answers. */
  readonly answers: boolean;
}

async function faultsOfDevice({ device }: Tools): Promise<Diagnosis> {
  const faults: Fault[] = [];
  let health: HealthReport | null = null;
  for (const port of ['terminal', 'recognition'] as const) {
    try {
      health = await device.health(port);
    } catch (error) {
      if (!(error instanceof CommandFailure) || isMistyped(error)) throw error;
      const fault = faultOfFailure(error, device.addresses.guess(port));
      if (fault.what !== faults[0]?.what) faults.push(fault); // both ports may fail for one cause, with the same words
    }
  }
  // parts can be diagnosed only where both ports answer; without that, look at this machine
  if (health === null || faults.length > 0) {
    if (isOwnHost(new URL(device.addresses.guess('terminal')).hostname)) faults.push(...faultsOfMachine());
    return { faults, answers: health !== null };
  }
  return { faults: [...(await faultsOfParts(device, health)), ...(await clockFaults(device))], answers: true };
}

/** A fault where the device's clock is wrong: banks then refuse its signatures. */
async function clockFaults(device: Tools['device']): Promise<Fault[]> {
  const headers = await device.read('terminal', '/version', async (answer) => answer.headers);
  const deviceTime = Date.parse(headers.get('date') ?? '');
  const apart = Math.abs(Date.now() - deviceTime);
  if (Number.isNaN(apart) || apart <= MOST_CLOCK_APART_MS) return [];
  const what = `the clock of the device says ${new Date(deviceTime).toISOString()}, that of this machine ${new Date().toISOString()}`;
  const sec = Math.round(Date.now() / 1000);
  const command = device.commandTo(`call setTime --sec ${sec} --usec 0`);
  return [{ code: 'clock', what, command }];
}

/** Finds all faults that can be found without a person's help. */
export async function diagnose(tools: Tools): Promise<Diagnosis> {
  const { faults, answers } = await faultsOfDevice(tools);
  faults.sort((one, other) => Number(one.isForLater ?? false) - Number(other.isForLater ?? false));
  return { faults, answers };
}

/** The lines of faults, each with its command; neighbouring faults with the same command share it. */
export function faultLines(out: Output, faults: readonly Fault[]): string[] {
  const mark = ({ isForLater = false }: Fault) => (isForLater ? out.coloured('yellow', '!') : out.coloured('red', '✗'));
  return faults.flatMap((fault, at) => [
    `${mark(fault)} ${fault.what}`,
    ...(fault.command === faults[at + 1]?.command ? [] : [`    ${out.coloured('bold', fault.command)}`]),
  ]);
}

async function doctor(tools: Tools): Promise<ExitName> {
  const { faults, answers } = await diagnose(tools);
  const { out } = tools;
  const well = faults.length === 0 ? [`${out.coloured('green', '✓')} nothing is wrong`] : [];
  const offer = answers ? await speakerOffer(tools.device) : null;
  const offered =
    offer === null ? [] : ['a speaker was found; to have it say what is paid:', `    ${out.coloured('bold', offer)}`];
  out.result({ ok: faults.length === 0, answers, faults }, [...faultLines(out, faults), ...well, ...offered]);
  return faults.length === 0 ? 'ok' : 'faults';
}

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('show each fault and the command that fixes it; exits with 9 if there is one')
    .action(acting(doctor));
}
