/**
 * Identifiers of templates: 23 digits, `YYYYMMDDHHMMSS` in UTC and nine digits of the second's fraction
 * (docs/sources.md, "The recognition interface: template identifiers"). On one device they only grow: a clock that was
 * set back, or was once years ahead, must not give the same identifier twice.
 */
import type { DatabaseSync } from 'node:sqlite';

export const SID_PATTERN = /^\d{23}$/;

/** Years from here on may have more than four digits. */
const END_OF_YEARS = Date.UTC(9999, 0);

const NS_PER_MS = 1_000_000n;
const NS_PER_SECOND = 1_000_000_000n;

function sidOf(ns: bigint): string {
  const moment = new Date(Number(ns / NS_PER_MS)).toISOString();
  const fraction = String(ns % NS_PER_SECOND).padStart(9, '0');
  return moment.slice(0, 19).replaceAll(/[-T:]/g, '') + fraction;
}

/** An identifier in nanoseconds; null where none of our clocks can have given it: the row is damaged. */
function nanosecondsOf(sid: string): bigint | null {
  const [, year, month, day, hour, minute, second, fraction] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{9})$/.exec(sid) ?? [];
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return ms < END_OF_YEARS ? BigInt(ms) * NS_PER_MS + BigInt(fraction ?? 0) : null;
}

/**
 * When a template was made by the clock of its device, ms since 1970; null where none of our clocks can have given it.
 */
export function momentOf(sid: string): number | null {
  const ns = nanosecondsOf(sid);
  return ns === null ? null : Number(ns / NS_PER_MS);
}

/**
 * The next identifier: of this moment, or one nanosecond after the last one where the clock is behind that.
 * @param wall milliseconds since 1970
 * @param last the newest that this device ever gave, deleted templates included; null before the first. A damaged one
 * is ignored
 */
export function nextSid(wall: number, last: string | null): string {
  // a clock has milliseconds; the digits below distinguish two devices at one moment
  const below = process.hrtime.bigint() % NS_PER_MS;
  const now = BigInt(Math.trunc(wall)) * NS_PER_MS + below;
  const before = last === null ? null : nanosecondsOf(last);
  const floor = before === null ? 0n : before + 1n;
  return sidOf(now > floor ? now : floor);
}

/**
 * The newest identifier and time of this device's own templates, deleted ones included, in the database. A damaged row
 * is ignored.
 */
export class LastSid {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** The newest identifier that was given; null before the first. */
  sid(): string | null {
    return this.#value('last_sid');
  }

  /** When the latest template was made, ms since 1970; 0 before the first. */
  moment(): number {
    return Number(this.#value('last_moment') ?? 0);
  }

  /** Stores both, in the caller's transaction. */
  store(sid: string, moment: number): void {
    const set = this.#db.prepare('INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = ?');
    set.run('last_sid', sid, sid);
    set.run('last_moment', String(moment), String(moment));
  }

  #value(name: string): string | null {
    const value = this.#db.prepare('SELECT value FROM facts WHERE name = ?').get(name)?.value;
    return value === undefined ? null : String(value);
  }
}
