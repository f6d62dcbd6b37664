/** The days of the shop, which a clock change makes an hour shorter or longer: in the device's time zone, or in the bank's, mostly Moscow's. */
import { TerminalError } from './terminal-error.ts';

const DATE_PARTS = { hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' } as const;

/** How far the clocks of a zone are ahead of UTC, ms. @param timestamp ms since 1970 */
function offsetOf(zone: string, timestamp: number): number {
  const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
  const format = new Intl.DateTimeFormat('en', { ...DATE_PARTS, ...clock, timeZone: zone });
  const part = Object.fromEntries(format.formatToParts(timestamp).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(timestamp / 1000) * 1000;
}

/**
 * The timestamp at which the clocks of a zone show the local time `clock`, given as if it were UTC. The offset is looked up
 * twice: the zone may change its clocks between `clock` as UTC and the timestamp.
 */
function timestampOf(zone: string, clock: number): number {
  const estimate = clock - offsetOf(zone, clock);
  return clock - offsetOf(zone, estimate);
}

/** @param day `2026-11-21` @throws {TerminalError} 400 for a day that no calendar has */
export function zoneDay(day: string, zone: string): LocalDay {
  localDay(day); // throws for a day that no calendar has
  const first = Date.parse(`${day}T00:00:00Z`);
  const next = new Date(first);
  next.setUTCDate(next.getUTCDate() + 1);
  return { day, from: timestampOf(zone, first), to: timestampOf(zone, next.getTime()) };
}

/** The day of a timestamp (ms since 1970) in a zone: `2026-11-21`. */
export const dayInZone = (timestamp: number, zone: string): string =>
  new Date(timestamp + offsetOf(zone, timestamp)).toISOString().slice(0, 10);

export interface LocalDay {
  /** `2026-11-21`. */
  readonly day: string;
  /** ms since 1970; the second timestamp is the next day's first. */
  readonly from: number;
  readonly to: number;
}

const dayOf = (date: Date): string => date.toLocaleDateString('sv');

function firstMomentOf(day: string): Date {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return new Date(year, month - 1, date);
}

/** Whether the calendar has this day. @param day `2026-11-21` */
export const isDay = (day: string): boolean => dayOf(firstMomentOf(day)) === day;

/**
 * @param day `2026-11-21` @param field the field that names it @throws {TerminalError} 400 for a day that no calendar
 * has
 */
export function localDay(day: string, field = 'day'): LocalDay {
  if (!isDay(day)) throw TerminalError.invalid(field, `must be a day of the calendar, as 2026-11-21`);
  const first = firstMomentOf(day);
  const next = new Date(first.getFullYear(), first.getMonth(), first.getDate() + 1);
  return { day, from: first.getTime(), to: next.getTime() };
}

/** The day of a timestamp, ms since 1970. */
export const localDayOf = (wall: number): LocalDay => localDay(dayOf(new Date(wall)));

/**
 * When clocks of the device's zone last showed this time: ms since 1970. A skipped hour counts as the one after it; of
 * a repeated hour the first counts.
 * @param time `23:30`
 */
export function lastMomentAt(time: string, now: number): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const today = new Date(now);
  const on = (day: number): number => new Date(today.getFullYear(), today.getMonth(), day, hours, minutes).getTime();
  const timestamp = on(today.getDate());
  return timestamp <= now ? timestamp : on(today.getDate() - 1);
}
