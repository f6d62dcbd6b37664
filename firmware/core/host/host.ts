/** What the device may ask of its system: to set the clock, to reboot, to update, to reset. */
import { CodedError } from '../../../drivers/lib/errors.ts';
import { recorded } from '../../../drivers/lib/records.ts';
import { DEVICE_ERRORS } from './records.ts';

export type HostErrorCode =
  /** An update is under way; the call must wait for its end. */
  | 'UPDATE_IN_PROGRESS'
  /** The system does not permit it to this process: the polkit rule is missing. */
  | 'NOT_PERMITTED'
  /** There is no system service that could do it (a developer's machine, a container). */
  | 'UNAVAILABLE'
  | 'TIMEOUT'
  /** The system tried and could not; the message has its words. */
  | 'FAILED';

export class HostError extends CodedError<HostErrorCode> {}

/** What the device refuses to do, although the system might allow it. */
export class DeviceRefusal extends recorded('Device', DEVICE_ERRORS) {}

export interface Host {
  /**
   * Sets the wall clock.
   * @param sec seconds since 1970
   * @param usec microseconds within that second, 0 to 999999
   * @throws {HostError}
   */
  setTime(sec: number, usec: number): Promise<void>;
  /**
   * Sets the time zone of this process, and of the system where the device may command it.
   * @param zone as `Europe/Moscow` @throws {HostError}
   */
  setZone(zone: string): Promise<void>;
  /** Begins an orderly reboot; the process gets its signal to end a moment later. @throws {HostError} */
  reboot(): Promise<void>;
  /** Stops the device, empties its data folder and starts it as new. @throws {HostError} `UPDATE_IN_PROGRESS` too */
  factoryReset(): Promise<void>;
  /** Whether these calls work here: systemd has installed and started the device. */
  readonly isManaged: boolean;
  /** Starts a search for a release, which is then installed. @throws {HostError} `UPDATE_IN_PROGRESS` too */
  update(): Promise<void>;
  /** Starts the return to the release before. @throws {HostError} `UPDATE_IN_PROGRESS` too */
  rollBack(): Promise<void>;
  updateInProgress(): boolean;
}

/** A machine that the device does not command, such as a developer's: every such call fails with that reason. */
export const NO_HOST: Host = Object.freeze({
  setTime: unavailable,
  setZone: async (zone: string) => {
    process.env.TZ = zone;
  },
  reboot: unavailable,
  factoryReset: unavailable,
  isManaged: false,
  update: unavailable,
  rollBack: unavailable,
  updateInProgress: () => false,
});

async function unavailable(): Promise<never> {
  throw new HostError('UNAVAILABLE', 'this machine is not an installed Laneware device: its system is left alone');
}
