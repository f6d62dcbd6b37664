/**
 * Templates and items of a store of devices, kept equal by a master over nats-server. The module holds pairing, the
 * master's side, the member's side, and their calls. A device works alone while its master cannot be reached.
 */
export { SyncError, type SyncErrorCode } from './errors.ts';
export { addSyncRoutes } from './http/routes.ts';
export { LaneReporter, openLaneDoor } from './lane-reporter.ts';
export type { SyncTuning } from './part.ts';
export { Sync } from './sync.ts';
