/** What a payment may ask for, to which the bank of the sandbox holds, too; and how long lists are. */

export const MAX_AMOUNT_KOPECKS = 100_000_000;
export const MAX_PURPOSE_CHARACTERS = 140;
/** Life of a code where the till names none. */
export const DEFAULT_TTL_MINUTES = 5;
/** Characters of what others name something by. */
export const MAX_ID = 128;
/** Entries of a page of payments, shifts and deliveries where a caller names no limit, and at most. */
export const LISTED = 20;
export const MOST_LISTED = 100;
/** Of one file of payments: a year, a leap one too. */
export const MOST_REPORT_DAYS = 366;
