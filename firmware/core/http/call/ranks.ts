/** Who a caller is by what it may do, and who may make a call. */

/** Ranks: each may do what those before it may. A supervisor signs in at a page, and has no token. */
const RANKS = Object.freeze(['till', 'supervisor', 'technician'] as const);
export type Rank = (typeof RANKS)[number];
/**
 * Callers of a route: `anyone` needs no token, but must come from an allowed network and over TLS, as all others.
 * `test/http/access.test.ts` lists the routes for anyone.
 */
export type Opener = Rank | 'anyone';

export const isPermitted = (rank: Rank, opener: Opener): boolean =>
  opener === 'anyone' || RANKS.indexOf(rank) >= RANKS.indexOf(opener);
