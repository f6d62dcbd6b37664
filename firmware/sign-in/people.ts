/** Who sits at a page, and what each may do: the cashier what is done at the lane all day, as a till may, the technician everything. */
import type { Role } from '../http/guard/roles.ts';

export const PEOPLE = Object.freeze(['cashier', 'technician'] as const);
export type Person = (typeof PEOPLE)[number];

const ROLE_OF: Readonly<Record<Person, Role>> = { cashier: 'till', technician: 'technician' };

export const roleOf = (person: Person): Role => ROLE_OF[person];
export const personOf = (role: Role): Person => (role === 'till' ? 'cashier' : 'technician');
