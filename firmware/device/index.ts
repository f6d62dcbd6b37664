/**
 * Builds the parts of a device, starts and ends them, and tries a release before an update. It holds no logic. The
 * simulator, which starts a whole device, imports it from here.
 */
export { openLog } from './composition/base.ts';
export { loadConfig } from './composition/config.ts';
export { type Device, startDevice } from './device.ts';
