/**
 * Who sits at a page, and what each may do: the cashier what is done at the lane all day, as a till may, the supervisor what the shop
 * sets right besides, the technician everything. A supervisor answers for refunds above the cashier's limit.
 */
import type { Rank } from '../http/index.ts';

export const PEOPLE = Object.freeze(['cashier', 'supervisor', 'technician'] as const);
export type Person = (typeof PEOPLE)[number];

export const rankOf = (person: Person): Rank => (person === 'cashier' ? 'till' : person);
export const personOf = (rank: Rank): Person => (rank === 'till' ? 'cashier' : rank);

/** Who may answer for a refund that is more than a till or a cashier may give back. */
export const answersForRefunds = (person: Person): boolean => person !== 'cashier';
