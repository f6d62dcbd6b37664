/** The days of the shop: those of the device's time zone, which may be an hour shorter or longer than others. */
import { TerminalError } from '../../banks/index.ts';

export interface LocalDay {
  /** `2026-11-21`. */
  readonly day: string;
  /** ms since 1970; the second timestamp is the next day's first. */
  readonly from: number;
  readonly to: number;
}

const dayOf = (date: Date): string => date.toLocaleDateString('sv');

/** The name of the device's time zone: `Europe/Moscow`. */
export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

function firstMomentOf(day: string): Date {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return new Date(year, month - 1, date);
}

/** Whether a calendar has it. @param day `2026-11-21` */
export const isDay = (day: string): boolean => dayOf(firstMomentOf(day)) === day;

/** @param day `2026-11-21` @param field that names it @throws {TerminalError} 400 for a day that no calendar has */
export function localDay(day: string, field = 'day'): LocalDay {
  if (!isDay(day)) throw TerminalError.invalid(field, `must be a day of the calendar, as 2026-11-21`);
  const first = firstMomentOf(day);
  const next = new Date(first.getFullYear(), first.getMonth(), first.getDate() + 1);
  return { day, from: first.getTime(), to: next.getTime() };
}

/** The day of a timestamp, ms since 1970. */
export const localDayOf = (wall: number): LocalDay => localDay(dayOf(new Date(wall)));

/**
 * When it was that time last, in the time zone of the device: ms since 1970. An hour that a day leaves out is the one after it; of one
 * that it repeats the first counts.
 * @param time `23:30`
 */
export function lastMomentAt(time: string, now: number): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const today = new Date(now);
  const on = (day: number): number => new Date(today.getFullYear(), today.getMonth(), day, hours, minutes).getTime();
  const timestamp = on(today.getDate());
  return timestamp <= now ? timestamp : on(today.getDate() - 1);
}
