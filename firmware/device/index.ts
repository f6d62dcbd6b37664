/**
 * Builds the parts of a device, starts and ends them. It holds no logic. The simulator and the trial of a release, which
 * start a whole device, import it from here.
 */
export { openLog } from './composition/base.ts';
export { loadConfig, type WholeConfig } from './composition/config.ts';
export { type Device, startDevice } from './device.ts';
