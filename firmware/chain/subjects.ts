/**
 * Where things lie between a store and its chain. At the chain's hub (NATS in operator mode) every store has an account of
 * its own, and the chain has one. What a store says upwards it says on `laneware.up.>`, which the hub imports into the chain's
 * account under the number of the store's account: no store can speak as another. What it reads are two services of the
 * chain's account, one for all stores and one for this store alone; what it hears are two streams of the same kind.
 *
 * Within the store the leaf has an account, too, in which nothing is but these subjects: see `sync/centre/server-config.ts`.
 */

/** The account of a master's server that its leaf joins with the chain. */
export const CHAIN_ACCOUNT = 'CHAIN';

/** Said upwards: of a state the newest counts, an event is kept. Behind it: kind of the two, encoded serial number, what it is about. */
export const UP = 'laneware.up';
export const stateSubject = (part: string, kind: string): string => `${UP}.state.${part}.${kind}`;
export const eventSubject = (part: string, kind: string): string => `${UP}.event.${part}.${kind}`;

/** For every store, or for this one. */
export type Scope = 'all' | 'own';
export const SCOPES: readonly Scope[] = ['all', 'own'];
/** The service that returns what the chain has put under a key. */
export const readSubject = (scope: Scope, key: string): string => `laneware.read.${scope}.${key}`;
/** Sent by the chain: there is something new under the key that the subject ends with. */
export const newsSubject = (scope: Scope, key: string): string => `laneware.told.${scope}.${key}`;

/** Where a device sends its payments to its master, for reconciliation: nothing of it leaves the store. @param part as above */
export const lanePaymentsSubject = (part: string): string => `laneware.lane-payments.${part}`;
export const LANE_PAYMENTS = lanePaymentsSubject('*');

/** What devices ask of the chain, and what they hear of it. */
export const CHAIN_SERVICES: readonly string[] = [`${UP}.>`, ...SCOPES.map((scope) => readSubject(scope, '>'))];
export const CHAIN_STREAMS: readonly string[] = SCOPES.map((scope) => newsSubject(scope, '>'));

/** What a device may say and hear. @param part its encoded serial number */
export const chainPermissions = (part: string) => ({
  publish: [
    `${UP}.state.${part}.>`,
    `${UP}.event.${part}.>`,
    ...SCOPES.map((scope) => readSubject(scope, '>')),
    lanePaymentsSubject(part),
  ],
  subscribe: CHAIN_STREAMS,
});

/** Words of a kind or of a key: what a subject takes, and nothing that it would read as an order. */
export const WORDS = /^[A-Za-z0-9_=-]+(?:\.[A-Za-z0-9_=-]+)*$/;

/** At the hub, in the chain's account. */
export const STATES = 'STATES';
export const EVENTS = 'EVENTS';
export const DOWN = 'DOWN';
/** @param store public key of the store's account; `*` for all */
export const upAtHub = (store: string, rest: string): string => `up.${store}.${rest}`;
/** @param store public key of the store's account; null: for all stores */
export const downAtHub = (store: string | null, key: string): string =>
  store === null ? `down.all.${key}` : `down.to.${store}.${key}`;
/** The key of what renews the credential of a store. */
export const LEAF = 'leaf';
/** The same at the hub, in the chain's account. */
export const newsAtHub = (store: string | null, key: string): string =>
  store === null ? `told.all.${key}` : `told.to.${store}.${key}`;
