/** Compares the days of registries with the moments of the ledgers. */
import { type ComparedPayment, type LocalDay, zoneDay } from '../../payments/index.ts';

/**
 * So near to its end, a day of a registry may also be the day before or after: the time zones of Russia are ten hours
 * apart, and a bank's day may end in the evening.
 */
const NEAR_MIDNIGHT_MS = 12 * 3_600_000;
/**
 * Longest time from a payment to the moment at which its lane learned of it. Needed for other lanes' payments, whose
 * creation is unknown.
 */
const LEARNED_WITHIN_MS = 48 * 3_600_000;
/** Days of registries as ranges in ms since 1970. They are cached: thousands of lines have the same few days. */
export class DayRanges {
  readonly #known = new Map<string, LocalDay>();

  /** Whether a payment or refund that was requested and done at these moments cannot belong to this day. */
  isOther(day: string, zone: string, { createdAt, at }: Pick<ComparedPayment, 'createdAt' | 'at'>): boolean {
    if (at === null) return false;
    const key = `${zone} ${day}`;
    const range = this.#known.get(key) ?? zoneDay(day, zone);
    this.#known.set(key, range);
    const earliest = Math.min(createdAt ?? at - LEARNED_WITHIN_MS, at);
    return earliest - NEAR_MIDNIGHT_MS >= range.to || at + NEAR_MIDNIGHT_MS < range.from;
  }
}
