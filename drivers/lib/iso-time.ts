/** Timestamps in answers and exports (RFC 3339, UTC). Years always have four digits, even from a bank or a damaged row. */
const FIRST = 0;
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** @param wall ms since 1970 @returns null outside the years 1970 to 9999 */
export const isoTimeOrNull = (wall: number | null): string | null =>
  wall !== null && wall >= FIRST && wall <= LAST ? new Date(wall).toISOString() : null;

/** @param wall ms since 1970 @returns the nearest timestamp of the years 1970 to 9999 */
export const isoTime = (wall: number): string => new Date(Math.min(Math.max(wall || FIRST, FIRST), LAST)).toISOString();
