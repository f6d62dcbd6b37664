/**
 * `lanectl doctor`: lists the faults, those that stop sales first, each with the command that mends it or says more.
 */

import type { Command } from 'commander';
import {
  acting,
  CommandFailure,
  type ExitName,
  type Fault,
  faultOfFailure,
  faultsOfMachine,
  isMisuse,
  isOwnHost,
  type Output,
  type Tools,
} from '../../core/cli/index.ts';
import type { HealthReport } from '../../core/host/index.ts';

import { faultsOfParts } from '../part-faults.ts';

/** Largest difference between this clock and the device's that signatures of banks and certificates tolerate. */
const MOST_CLOCK_APART_MS = 60_000;

/** Whether the address cannot be called, which is no fault of the device. */
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
  // both ports must answer before their parts can be diagnosed, the disk among them
  if (health === null || faults.length > 0) {
    if (isOwnHost(new URL(device.addresses.guess('terminal')).hostname)) faults.push(...faultsOfMachine());
    return { faults, answers: health !== null };
  }
  return { faults: [...(await faultsOfParts(device, health)), ...(await clockFaults(device))], answers: true };
}

/** Faults of the clock: with a wrong one banks refuse the device's signatures. */
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

/** Finds all faults that need no person. */
export async function diagnose(tools: Tools): Promise<Diagnosis> {
  const { faults, answers } = await faultsOfDevice(tools);
  faults.sort((one, other) => Number(one.isForLater ?? false) - Number(other.isForLater ?? false));
  return { faults, answers };
}

/** Lines of faults, each with its command; neighbours with the same command share it. */
export function faultLines(out: Output, faults: readonly Fault[]): string[] {
  const mark = ({ isForLater = false }: Fault) => (isForLater ? out.toned('yellow', '!') : out.toned('red', '✗'));
  return faults.flatMap((fault, at) => [
    `${mark(fault)} ${fault.what}`,
    ...(fault.command === faults[at + 1]?.command ? [] : [`    ${out.toned('bold', fault.command)}`]),
  ]);
}

async function doctor(tools: Tools): Promise<ExitName> {
  const { faults, answers } = await diagnose(tools);
  const { out } = tools;
  const well = faults.length === 0 ? [`${out.toned('green', '✓')} nothing is wrong`] : [];
  out.result({ ok: faults.length === 0, answers, faults }, [...faultLines(out, faults), ...well]);
  return faults.length === 0 ? 'ok' : 'faults';
}

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('show each fault and the command that fixes it; exits with 9 if there is one')
    .action(acting(doctor));
}
