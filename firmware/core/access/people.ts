/**
 * The persons at a page and their rights: a cashier may do the daily work at the lane, as a till may; a supervisor also
 * what the shop corrects; a technician everything. A supervisor approves refunds above the cashier's limit.
 */
import type { Rank } from '../http/index.ts';

export const PEOPLE = Object.freeze(['cashier', 'supervisor', 'technician'] as const);
export type Person = (typeof PEOPLE)[number];

export const rankOf = (person: Person): Rank => (person === 'cashier' ? 'till' : person);
export const personOf = (rank: Rank): Person => (rank === 'till' ? 'cashier' : rank);

/** Whether a person may approve a refund above the limit of a till or a cashier. */
export const answersForRefunds = (person: Person): boolean => person !== 'cashier';
