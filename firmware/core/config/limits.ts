/** Usual ports, limits of a payment, which the sandbox bank has, too, and lengths of lists. */

/** Ports of the device family. */
export const TERMINAL_PORT = 1234;
export const RECOGNITION_PORT = 8080;
export const MASTER_PORT = 7443;

export const MAX_AMOUNT_KOPECKS = 100_000_000;
export const MAX_PURPOSE_CHARACTERS = 140;
/** Life of a code where the till names none. */
export const DEFAULT_TTL_MINUTES = 5;
/** Default and largest page of payments, shifts and deliveries. */
export const LISTED = 20;
export const MOST_LISTED = 100;
/** Most days of one file of payments: a leap year. */
export const MOST_REPORT_DAYS = 366;
