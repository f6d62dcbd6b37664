/** What can be chosen: one list each for the configuration, the calls and what is stored. Needs nothing of either device. */

/** Who may add and delete templates. Their places are their numbers in the calls; the device family has 1 for `manual`. */
export const LEARNING_MODES = Object.freeze(['locked', 'manual', 'automatic'] as const);
export type LearningMode = (typeof LEARNING_MODES)[number];

export const SPEEDS = Object.freeze(['normal', 'fast'] as const);
export type Speed = (typeof SPEEDS)[number];

/** Parts that a device can have in its store. */
export const ROLES = Object.freeze(['standalone', 'slave', 'master'] as const);
export type Role = (typeof ROLES)[number];

/** Credentials whose tokens have no name of their own; every till of `api.tills` has another one. */
export const UNNAMED = Object.freeze(['till', 'technician'] as const);

/** Whether a payment, by its `till`, is of a till of `api.tills`, also of one that stands there no more. */
export const isNamedTill = (till: string | null): till is string =>
  till !== null && !(UNNAMED as readonly string[]).includes(till);

/** What lanectl sends as its `User-Agent`: a person looks by it, and no till. */
export const LANECTL = 'lanectl';

/** The longest life of a code that the payment system knows, in minutes: 90 days. */
export const MAX_TTL_MINUTES = 129_600;

/** Items that an answer may list. */
export const MAX_RESULTS = 10;

/** Events that tills get; `firmware/payments/events/event-types.ts` says what each means. */
export const EVENT_TYPES = Object.freeze([
  'payment.created',
  'payment.shown',
  'payment.accepted',
  'payment.rejected',
  'payment.canceled',
  'payment.error',
  'payment.reopened',
  'payment.given_back',
  'payment.late',
  'payment.acknowledged',
  'payment.refunded',
  'refund.created',
  'refund.done',
  'refund.refused',
] as const);
export type EventType = (typeof EVENT_TYPES)[number];
