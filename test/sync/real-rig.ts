/** The devices of `rig.ts` with the real message server, a process of its own. */
import { missingPrograms } from '../needing.ts';
import { startMaster as inProcess, type Lane, type LaneOptions, startLane as startAny } from './rig.ts';

/** Why no real server can be run here, or null. */
export const NO_SERVER = missingPrograms('nats-server');

export const startLane = (serial: string, options: LaneOptions = {}): Promise<Lane> =>
  startAny(serial, { program: 'nats-server', ...options });

export const startMaster = (serial = 'M', options: LaneOptions = {}) => inProcess(serial, options, startLane);
