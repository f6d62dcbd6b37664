/** An hour of the clock on the wall, on days that a change of the clock makes longer or shorter, too. */

/**
 * When it was that time last, in the time zone of the device: ms since 1970. An hour that a day leaves out is the one after it; of one
 * that it repeats the first counts.
 * @param time `23:30`
 */
export function lastMomentAt(time: string, now: number): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const today = new Date(now);
  const on = (day: number): number => new Date(today.getFullYear(), today.getMonth(), day, hours, minutes).getTime();
  const moment = on(today.getDate());
  return moment <= now ? moment : on(today.getDate() - 1);
}
