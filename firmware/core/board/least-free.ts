/** A limit for the storage of the data folder. Loads nothing: `lanectl` uses it, too. */

/** With less free space, a release and a day's payments do not fit. */
export const LEAST_FREE_BYTES = 200 * 1024 * 1024;
