/** What a bank is asked about when it is tried out: payments that nobody has made, and nobody can make. */

/** An id as the payment system gives it to a code. */
export const NOBODYS_CODE = `AD${'0'.repeat(30)}`;
/** An order number as a shop gives it; it tells whoever reads the bank's log who has asked. */
export const NOBODYS_ORDER = 'laneware-test';
export const NOBODYS_UUID = '00000000-0000-4000-8000-000000000000';
