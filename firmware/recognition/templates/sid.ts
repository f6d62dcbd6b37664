/**
 * Identifiers of templates: 23 digits, `YYYYMMDDHHMMSS` in UTC and nine digits of the second's fraction
 * (docs/sources.md, "The recognition interface: template identifiers"). On one device they only ever grow, whatever its clock does: a clock that was set back, or that was years
 * ahead once, must not give the same one twice.
 */

export const SID_PATTERN = /^\d{23}$/;

/** From here on a year may not have four digits. */
const END_OF_YEARS = Date.UTC(9999, 0);

const NS_PER_MS = 1_000_000n;
const NS_PER_SECOND = 1_000_000_000n;

function sidOf(ns: bigint): string {
  const moment = new Date(Number(ns / NS_PER_MS)).toISOString();
  const fraction = String(ns % NS_PER_SECOND).padStart(9, '0');
  return moment.slice(0, 19).replaceAll(/[-T:]/g, '') + fraction;
}

/** Null for what no clock of ours has given: a damaged row. */
function nanosecondsOf(sid: string): bigint | null {
  const [, year, month, day, hour, minute, second, fraction] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{9})$/.exec(sid) ?? [];
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return ms < END_OF_YEARS ? BigInt(ms) * NS_PER_MS + BigInt(fraction ?? 0) : null;
}

/**
 * The next identifier: of this moment, or of one nanosecond after the last one where the clock is behind it.
 * @param wall milliseconds since 1970
 * @param last the newest that this device ever gave, deleted templates included; null before the first. One that is
 * damaged counts for nothing
 */
export function nextSid(wall: number, last: string | null): string {
  // a clock has milliseconds; the digits below keep two devices of one moment apart
  const below = process.hrtime.bigint() % NS_PER_MS;
  const now = BigInt(Math.trunc(wall)) * NS_PER_MS + below;
  const before = last === null ? null : nanosecondsOf(last);
  const floor = before === null ? 0n : before + 1n;
  return sidOf(now > floor ? now : floor);
}
