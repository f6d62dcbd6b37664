/** How the lanes of a chain stand: whether each sells, and the one sentence that says why not. */
import { SALES, type Sales } from '../../firmware/host/faults.ts';
import { SILENT_MS } from './exposition.ts';
import type { WatchedDevice } from './watch.ts';

const MINUTE_MS = 60_000;
const WORDS: Readonly<Record<Sales, string>> = {
  sells: 'sells',
  'sells-look-later': 'sells, look at it later',
  'does-not-sell': 'does not sell',
};

/** @param now ms since 1970 @returns null of one that is silent, or has reported nothing */
export function levelOf({ inventory, heardAt }: WatchedDevice, now: number): Sales | null {
  if (inventory === null || now - heardAt >= SILENT_MS) return null;
  return inventory.sales;
}

/** The level of one lane, and what is worst there. @param now ms since 1970 */
export function standingOf(device: WatchedDevice, now: number): string {
  const { inventory, heardAt } = device;
  const level = levelOf(device, now);
  if (level !== null) {
    const [worst, ...others] = inventory?.parts ?? [];
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    return worst === undefined ? WORDS[level] : `${WORDS[level]}; ${worst.part}: ${worst.reason}${more}`;
  }
  if (inventory === null) return 'has reported nothing yet';
  return `silent for ${Math.round((now - heardAt) / MINUTE_MS)} minutes`;
}

/** A lane that nobody hears is worse than one to look at later. */
const rank = (device: WatchedDevice, now: number): number => {
  const level = levelOf(device, now);
  return level === null ? SALES.indexOf('does-not-sell') - 1 / 2 : SALES.indexOf(level);
};

/** A store stands as the worst of its lanes. @param devices at least one @param now ms since 1970 */
export function storeStanding(devices: readonly WatchedDevice[], now: number): string {
  const [worst] = devices.toSorted((one, other) => rank(other, now) - rank(one, now));
  if (worst === undefined) return '';
  return levelOf(worst, now) === 'sells' ? WORDS.sells : `${worst.serial} ${standingOf(worst, now)}`;
}
