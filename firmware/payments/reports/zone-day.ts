/** Days of another time zone than that of the device: a bank's are mostly Moscow's. */
import { type LocalDay, localDay } from './local-day.ts';

const TOGETHER = { hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' } as const;

/** How far the clocks of a zone are ahead of UTC, ms. @param timestamp ms since 1970 */
function aheadBy(zone: string, timestamp: number): number {
  const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
  const format = new Intl.DateTimeFormat('en', { ...TOGETHER, ...clock, timeZone: zone });
  const part = Object.fromEntries(format.formatToParts(timestamp).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(timestamp / 1000) * 1000;
}

/** The timestamp at which the clocks of a zone show a time, given as if it were UTC's: the zone may change its clocks in between. */
function timestampOf(zone: string, clock: number): number {
  const near = clock - aheadBy(zone, clock);
  return clock - aheadBy(zone, near);
}

/** @param day `2026-11-21` @throws {TerminalError} 400 for a day that no calendar has */
export function zoneDay(day: string, zone: string): LocalDay {
  localDay(day); // looks whether there is one
  const first = Date.parse(`${day}T00:00:00Z`);
  const next = new Date(first);
  next.setUTCDate(next.getUTCDate() + 1);
  return { day, from: timestampOf(zone, first), to: timestampOf(zone, next.getTime()) };
}

/** `2026-11-21`: the day of a timestamp there, ms since 1970. */
export const dayInZone = (timestamp: number, zone: string): string =>
  new Date(timestamp + aheadBy(zone, timestamp)).toISOString().slice(0, 10);
