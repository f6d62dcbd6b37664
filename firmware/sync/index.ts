/**
 * Synchronises templates and items between the devices of a store, through a master with a nats-server. The module
 * holds pairing, the master's side, the member's side, their calls and pages, and the reports of lanes' payments. A
 * device works alone while its master cannot be reached.
 */
export { bootPairing } from './boot-pairing.ts';
export type { SyncConfig } from './config.ts';
export { addSyncRoutes } from './http/routes.ts';
export { openLaneReports } from './lane-reports.ts';
export type { SyncTuning } from './part.ts';
export { Sync } from './sync.ts';
