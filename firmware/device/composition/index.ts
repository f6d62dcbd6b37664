/**
 * Puts the parts of a device together, in order: storage, terminal, recognition, synchronisation, servers.
 * `firmware/device/device.ts` starts and stops what this room builds. No logic belongs here.
 */
export { pairingOf } from './build-access.ts';
export { buildParts, type Parts, SHIPPED_MODEL, type StandIns, type StartOptions } from './parts.ts';
export { buildServers } from './servers.ts';
