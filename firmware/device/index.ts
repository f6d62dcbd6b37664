/**
 * Puts the parts of a device together, starts and ends what runs in them, and tries a release before an update. It holds no logic.
 * A program that starts a whole device takes it here: the simulator.
 */
export { openLog } from './base.ts';
export { type Device, startDevice } from './device.ts';
