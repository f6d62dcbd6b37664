/**
 * Who may call which route and see which page. A till, and a signed-in cashier, may do the daily work at the lane; a
 * supervisor also what the shop corrects: items, what was learned, the camera. The money's destination, the store and
 * the device itself are the technician's, who may do everything. Each route names its callers in its `config`.
 */

/** The owners of tokens. */
export const ROLES = Object.freeze(['till', 'technician'] as const);
export type Role = (typeof ROLES)[number];
/** Ranks: each may do what those before it may. A supervisor signs in at a page, and has no token. */
const RANKS = Object.freeze(['till', 'supervisor', 'technician'] as const);
export type Rank = (typeof RANKS)[number];
/**
 * Callers of a route: `anyone` needs no token, but must come from an allowed network and over TLS, as all others.
 * `test/http/access.test.ts` lists the routes for anyone.
 */
export type Opener = Rank | 'anyone';

export const mayDo = (rank: Rank, opener: Opener): boolean =>
  opener === 'anyone' || RANKS.indexOf(rank) >= RANKS.indexOf(opener);

/** The pages of the console, and parts of pages, by the lowest rank that sees them. */
const PAGES = Object.freeze({
  lane: 'till',
  teach: 'till',
  scale: 'till',
  payments: 'till', // find one, the list of a day, late ones
  'payments/totals': 'supervisor',
  'payments/shifts': 'supervisor',
  'payments/reconcile': 'supervisor',
  items: 'supervisor',
  camera: 'supervisor',
  store: 'technician',
  device: 'technician',
  integrate: 'technician',
  welcome: 'technician',
} as const satisfies Record<string, Rank>);

/** Pages that a rank does not see, and the rank that does. */
export const closedTo = (rank: Rank): Record<string, Exclude<Rank, 'till'>> =>
  Object.fromEntries(
    Object.entries(PAGES).flatMap(([page, opener]) =>
      opener === 'till' || mayDo(rank, opener) ? [] : [[page, opener] as const],
    ),
  );
