/**
 * Which pages, and parts of pages, a rank sees.
 *
 * A till, and a signed-in cashier, may do the daily work at the lane; a supervisor also what the shop corrects: items,
 * what was learned, the camera. The money's destination, the store and the device itself are the technician's, who may
 * do everything. Each route names its callers in its `config`.
 */
import { isPermitted, type Rank } from '../call/ranks.ts';

/** Pages of the console, and parts of pages, by the lowest rank that sees them. */
export type PageRanks = Readonly<Record<string, Rank>>;
const PAGES: PageRanks = Object.freeze({
  lane: 'till',
  payments: 'till', // find one, the list of a day, late ones
  'payments/totals': 'supervisor',
  'payments/shifts': 'supervisor',
  items: 'supervisor',
  camera: 'supervisor',
  store: 'technician',
  device: 'technician',
  welcome: 'technician',
});

/** Pages that a rank does not see, and the rank that does. @param ofFeatures pages that features bring */
export const hiddenPages = (rank: Rank, ofFeatures: PageRanks): Record<string, Exclude<Rank, 'till'>> =>
  Object.fromEntries(
    Object.entries({ ...PAGES, ...ofFeatures }).flatMap(([page, opener]) =>
      opener === 'till' || isPermitted(rank, opener) ? [] : [[page, opener] as const],
    ),
  );
