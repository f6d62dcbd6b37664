/** What a bank is asked about when it is tried out: payments that do not exist, and cannot. */

/** An id as the payment system gives it to a code. */
export const NOBODYS_CODE = `AD${'0'.repeat(30)}`;
/** An order number as a shop gives it; in the bank's log it names who has asked. */
export const NOBODYS_ORDER = 'laneware-test';
export const NOBODYS_UUID = '00000000-0000-4000-8000-000000000000';
