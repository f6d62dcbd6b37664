/** Of the storage below the data folder. Needs nothing: `lanectl` loads it, too. */

/** Below it no release and no day's payments have room. */
export const LEAST_FREE_BYTES = 200 * 1024 * 1024;
