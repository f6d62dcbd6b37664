/**
 * The connection of a store to its chain: joining, reports upward, and templates, settings and releases downward. Each
 * document from the hub is signed, and is checked before it is used. Without a join file, nothing of this room runs.
 */
export { Chain } from './chain.ts';
export { ChainError } from './errors.ts';
export { faultIn, JoinFile } from './join-file.ts';
export { LaneReporter, openLaneDoor } from './lane-reporter.ts';
export { runtimeFolderOf } from './membership.ts';
export {
  CHAIN_ACCOUNT,
  CHAIN_SERVICES,
  CHAIN_STREAMS,
  chainPermissions,
  LANE_PAYMENTS,
} from './subjects.ts';
export { type Trust, TrustSchema } from './trust.ts';
export type { Upward } from './upward.ts';
