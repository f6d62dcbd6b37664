const OFFSET_MS = 3 * 3_600_000;

/** A timestamp as banks of Russia write it: `2026-11-21T16:05:00+03:00`. @param at milliseconds since 1970 */
export const moscowTime = (at: number): string => `${new Date(at + OFFSET_MS).toISOString().slice(0, 19)}+03:00`;
