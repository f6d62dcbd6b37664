/** Lists of choices, for the configuration, the calls and stored values. Imports nothing, so that lanectl starts fast. */

/** Who may add and delete templates. Calls name a mode by its place; the device family has 1 for `manual`. */
export const LEARNING_MODES = Object.freeze(['locked', 'manual', 'automatic'] as const);
export type LearningMode = (typeof LEARNING_MODES)[number];

export const SPEEDS = Object.freeze(['normal', 'fast'] as const);
export type Speed = (typeof SPEEDS)[number];

/** The roles of a device in its store. */
export const ROLES = Object.freeze(['standalone', 'slave', 'master'] as const);
export type Role = (typeof ROLES)[number];

/** Credentials whose tokens have no name; every till of `api.tills` has one of its own. */
export const UNNAMED = Object.freeze(['till', 'technician'] as const);

/** Whether the `till` of a payment names a till of `api.tills`, also a removed one. */
export const isNamedTill = (till: string | null): till is string =>
  till !== null && !(UNNAMED as readonly string[]).includes(till);

/** The `User-Agent` of lanectl: it marks a person's reading, not a till's. */
export const LANECTL = 'lanectl';

/** The longest life of a code that the payment system knows, in minutes: 90 days. */
export const MAX_TTL_MINUTES = 129_600;

/** Most items in an answer. */
export const MAX_RESULTS = 10;
