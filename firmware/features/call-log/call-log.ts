/** The latest calls to the device, in memory only, so that a till's programmer sees what the till sends and gets. */
import type { Credential } from '../../core/audit/index.ts';
import type { ShownBody } from './shown-body.ts';

/** How many calls of each origin are stored. */
export const KEPT_CALLS = 200;

/** Origins of calls: a till, a page in a browser, or a monitor of the device's health. */
export const ORIGINS = Object.freeze(['till', 'page', 'watch'] as const);
export const PORTS = Object.freeze(['terminal', 'recognition'] as const);

export interface Call {
  /** Wall clock when it ended, ms since 1970. */
  readonly at: number;
  readonly port: (typeof PORTS)[number];
  readonly origin: (typeof ORIGINS)[number];
  readonly method: string;
  /** Path with its query, secrets masked. */
  readonly path: string;
  readonly status: number;
  /** Whether the caller closed the connection before it had the whole answer. */
  readonly hungUp: boolean;
  /** Whether the answer is a stream: it is logged once, at its beginning. */
  readonly isStream: boolean;
  readonly ms: number;
  readonly requestId: string;
  readonly address: string;
  readonly credential: Credential;
  readonly till: string | null;
  /** The header `Idempotency-Key`. */
  readonly key: string | null;
  readonly request: ShownBody | null;
  readonly answer: ShownBody | null;
}

export interface NumberedCall extends Call {
  /** Grows by one with each call since the device started. */
  readonly n: number;
}

interface CallFilter {
  readonly after: number;
  readonly limit: number;
  readonly path: string;
  readonly status: string;
  readonly origin: Call['origin'] | null;
}

/**
 * The log of calls, with a list for each origin: the calls of pages and monitoring, all day, must not displace those of
 * tills.
 */
export class CallLog {
  readonly #stored: Readonly<Record<Call['origin'], NumberedCall[]>> = { till: [], page: [], watch: [] };
  #last = 0;
  #changed: () => void = () => undefined;

  /** Number of the newest call; 0 before the first. */
  get last(): number {
    return this.#last;
  }

  /** @param changed called after each call */
  onChange(changed: () => void): void {
    this.#changed = changed;
  }

  add(call: Call): void {
    this.#last += 1;
    const stored = this.#stored[call.origin];
    stored.push({ ...call, n: this.#last });
    if (stored.length > KEPT_CALLS) stored.shift();
    this.#changed();
  }

  find(n: number): NumberedCall | null {
    return this.#all.find((call) => call.n === n) ?? null;
  }

  /** Calls, newest first. */
  list({ after, limit, path, status, origin }: CallFilter): readonly NumberedCall[] {
    const sought = path.toLowerCase();
    return (origin === null ? this.#all : this.#stored[origin])
      .filter(
        (call) => call.n > after && String(call.status).startsWith(status) && call.path.toLowerCase().includes(sought),
      )
      .toSorted((one, other) => other.n - one.n)
      .slice(0, limit);
  }

  get #all(): readonly NumberedCall[] {
    return Object.values(this.#stored).flat();
  }
}
