/**
 * Who may call which route and see which page. The till, and a cashier who has signed in, may do what is done at the lane all day;
 * the supervisor besides that what the shop sets right: items, what was learned, the camera. Where the money goes, the store and the
 * device itself are the technician's, who may do everything. Each route says in its `config` who may call it.
 */

/** The owners of tokens. */
export const ROLES = Object.freeze(['till', 'technician'] as const);
export type Role = (typeof ROLES)[number];
/** Each may do what those before it may. A supervisor signs in at a page, and has no token. */
const RANKS = Object.freeze(['till', 'supervisor', 'technician'] as const);
export type Rank = (typeof RANKS)[number];
/** Who may call a route: `anyone` needs no token, but must come in as everybody else, from an allowed network and over TLS. `test/http/access.test.ts` lists those routes. */
export type Opener = Rank | 'anyone';

export const mayDo = (rank: Rank, opener: Opener): boolean =>
  opener === 'anyone' || RANKS.indexOf(rank) >= RANKS.indexOf(opener);

/** The pages of the console, and those parts of a page that not all who see it see. */
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

/** Pages that somebody does not see, and who does. */
export const closedTo = (rank: Rank): Record<string, Exclude<Rank, 'till'>> =>
  Object.fromEntries(
    Object.entries(PAGES).flatMap(([page, opener]) =>
      opener === 'till' || mayDo(rank, opener) ? [] : [[page, opener] as const],
    ),
  );
