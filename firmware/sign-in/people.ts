/**
 * Who sits at a page, and what each may do: the cashier what is done at the lane all day, as a till may, the technician everything.
 * The supervisor does what a cashier does, and answers for refunds above the cashier's limit.
 */
import type { Role } from '../http/index.ts';

export const PEOPLE = Object.freeze(['cashier', 'supervisor', 'technician'] as const);
export type Person = (typeof PEOPLE)[number];

const ROLE_OF: Readonly<Record<Person, Role>> = { cashier: 'till', supervisor: 'till', technician: 'technician' };

export const roleOf = (person: Person): Role => ROLE_OF[person];
export const personOf = (role: Role): Person => (role === 'till' ? 'cashier' : 'technician');

/** Who may answer for a refund that is more than a till or a cashier may give back. */
export const answersForRefunds = (person: Person): boolean => person !== 'cashier';
