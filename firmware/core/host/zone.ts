/**
 * The time zone of the process, resolved once to a name that `Intl` accepts, wherever days are counted. TZ may hold no
 * such name, but an offset as POSIX writes it, a file, a misspelt name, or nothing.
 */
import { realpathSync } from 'node:fs';
import { isCode } from '../../../drivers/lib/errors.ts';

const UTC = 'UTC';

/** The name of a zone, as Node resolves it; null where Node knows no zone of this name. */
export function namedZone(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone ?? null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The last answer of `Intl`, with its TZ: asking takes a third of a millisecond, and `/health` and the pages ask often. */
let cached: { readonly tz: string | undefined; readonly zone: string } | null = null;

/** The zone of this process: `Europe/Moscow`. */
export function zoneNow(): string {
  const tz = process.env.TZ;
  if (cached?.tz !== tz || cached === null) cached = { tz, zone: Intl.DateTimeFormat().resolvedOptions().timeZone };
  return cached.zone;
}

/** `MSK-3`, `<+03>-3`, `UTC+5:00`: the hours that are added for UTC, so that a minus is east of it. */
const OF_POSIX = /^(?:[a-z]{3,}|<[\w+-]{3,}>)([+-]?)(\d{1,2})(?::00){0,2}$/i;
/** `+03:00`: the hours that are added to UTC. */
const OF_ISO = /^([+-])(\d\d)(?::?00)?$/;
const MOST_EAST = 14;
const MOST_WEST = 12;

/** The zone of whole hours east of UTC. Its name has the sign of POSIX: `Etc/GMT-3` is three hours east. */
function zoneAhead(hours: number): string | null {
  if (hours > MOST_EAST || hours < -MOST_WEST) return null;
  if (hours === 0) return UTC;
  return hours > 0 ? `Etc/GMT-${hours}` : `Etc/GMT+${-hours}`;
}

function offsetIn(given: string): string | null {
  const [, sign, hours] = OF_POSIX.exec(given) ?? [];
  if (hours !== undefined) return zoneAhead(sign === '-' ? Number(hours) : -Number(hours));
  const [, ahead, digits] = OF_ISO.exec(given) ?? [];
  return digits === undefined ? null : zoneAhead(ahead === '-' ? -Number(digits) : Number(digits));
}

/** The path before a zone's name in the system's files; its folders `posix` and `right` hold the same zones again. */
const FOLDER = /^(?:.*\/zoneinfo\/)?(?:posix\/|right\/)?/;

function fileAt(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP')) return path;
    throw error;
  }
}

/** The name of the zone that TZ means, possibly an older one; null where it cannot be known. */
export function zoneMeant(given: string): string | null {
  const bare = given.replace(/^:/, '');
  if (bare === '') return null;
  const name = bare.startsWith('/') ? fileAt(bare) : bare;
  return offsetIn(bare) ?? namedZone(name.replace(FOLDER, ''));
}

/** The result of the first `adoptZone`; null before it. */
let result: { readonly unknown: string | null } | null = null;

/**
 * Gives the process a zone with a name, and UTC where none can be known.
 * @returns the value of TZ that names no zone; null where the zone is known. The same at each call
 */
export function adoptZone(): string | null {
  result ??= { unknown: resolve(process.env.TZ) };
  return result.unknown;
}

function resolve(given: string | undefined): string | null {
  // without TZ Node looks at the system's files, and may find no name either
  const zone = given === undefined ? namedZone(String(zoneNow())) : zoneMeant(given);
  if (zone !== zoneNow()) process.env.TZ = zone ?? UTC;
  return zone === null ? (given ?? '/etc/localtime') : null;
}
