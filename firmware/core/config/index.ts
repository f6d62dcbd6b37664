/**
 * The configuration: schema, defaults, environment variables, and checks that a schema cannot express. Other
 * parts bring their own keys. It also stores the last configuration that worked. Of the core it imports only `files/` and
 * `schema/`.
 */

export { isHost, isTimeZone, timeZoneOf } from './checks.ts';
export {
  isNamedTill,
  LANECTL,
  LEARNING_MODES,
  type LearningMode,
  MAX_RESULTS,
  MAX_TTL_MINUTES,
  ROLES,
  type Role,
  SPEEDS,
  type Speed,
  UNNAMED,
} from './choices.ts';
export { closed, host, megabytes, nullable, port } from './kinds.ts';
export { type ChosenConfig, LastGoodConfig } from './last-good.ts';
export {
  DEFAULT_TTL_MINUTES,
  LISTED,
  MASTER_PORT,
  MAX_AMOUNT_KOPECKS,
  MAX_PURPOSE_CHARACTERS,
  MOST_LISTED,
  MOST_REPORT_DAYS,
} from './limits.ts';
export { type Config, ConfigError, Configuration, unknownInWords } from './load.ts';
export {
  addressesBehind,
  isEverywhere,
  isLoopback,
  isLoopbackHost,
  lanAddress,
} from './loopback.ts';
export { type ConfigPart, configOf } from './schema.ts';
