/**
 * How much each template of an item counts in its prototypes: packaging and seasons change, so an old one counts less than a new one, at
 * least half as much. Age follows from the identifiers of the templates alone, from the item's own newest ones on and not from
 * now: it is the same on every device, and an item without new templates does not change.
 */

const DAY_MS = 86_400_000;
/** What a template counts. */
export const WHOLE = 64;
const LEAST = WHOLE / 2;
/** When an older one has come down to the least. */
const FALLING_DAYS = 180;
/**
 * Age counts from the third newest one on: one or two that are newer than they can be, of a device whose clock is ahead, make none
 * old, nor do one or two new ones those that an item is known by. Three make all others count half.
 */
const NEW_TEMPLATES = 3;

/** @param timestamps ms since 1970 of each template; null where that is not known, and nothing of it is old */
export function weightsOf(timestamps: readonly (number | null)[]): number[] {
  const newest = timestamps.filter((timestamp) => timestamp !== null).sort((one, other) => other - one);
  const from = newest[NEW_TEMPLATES - 1];
  return timestamps.map((timestamp) => {
    if (from === undefined || timestamp === null) return WHOLE;
    const days = Math.max(0, Math.floor((from - timestamp) / DAY_MS));
    return Math.max(LEAST, WHOLE - Math.floor((days * (WHOLE - LEAST)) / FALLING_DAYS));
  });
}

/** Confirmations of an item that are kept, the newest. */
export const MOST_CONFIRMATIONS = 8;
const EACH = WHOLE / 2;
/** Of the templates' weight, at most. */
const SHARE = 1 / 2;

/**
 * Of each of some confirmations, an integer. Each may be a wrong tap, so it counts half a template. Together they count at most half as
 * much as the templates of their view: the templates define the item.
 * @param templates weight of the templates that they stand beside
 */
export const weightOfEach = (count: number, templates: number): number =>
  Math.min(EACH, Math.floor((templates * SHARE) / count));
