/**
 * Composes a device of its parts, and runs it as a process. What a device does is in the other modules. The simulator and
 * the trial of a release, which start a whole device, import it from here.
 */
export { openLog } from './composition/base.ts';
export { loadConfig, type WholeConfig } from './composition/config.ts';
export { type Device, startDevice } from './device.ts';
