/** The last calls of tills, in memory alone, so that a programmer of a till sees what it sends. */
import type { Credential } from '../../core/audit/index.ts';
import type { ShownBody } from './shown-body.ts';

/** Calls that are kept. */
export const KEPT_CALLS = 200;
/** Room for all of them: bodies, and what else a caller writes. */
const KEPT_BYTES = 1024 * 1024;
/** What one takes beside what its caller wrote. */
const OWN_BYTES = 512;

/** Who speaks: a till, a page in a browser, or what only looks whether the device is well. */
export const ORIGINS = Object.freeze(['till', 'page', 'watch'] as const);
export const PORTS = Object.freeze(['terminal', 'recognition'] as const);

export interface Call {
  /** Milliseconds of the wall clock at its end. */
  readonly at: number;
  readonly port: (typeof PORTS)[number];
  readonly origin: (typeof ORIGINS)[number];
  readonly method: string;
  /** With its query, secrets masked. */
  readonly path: string;
  readonly status: number;
  /** Whether the caller was gone before it had the answer. */
  readonly hungUp: boolean;
  /** It stays open: logged once, at its beginning. */
  readonly isStream: boolean;
  readonly ms: number;
  readonly requestId: string;
  readonly address: string;
  readonly credential: Credential;
  readonly till: string | null;
  /** `Idempotency-Key`. */
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

const bytesOf = ({ path, key, request, answer }: Call): number =>
  OWN_BYTES + 2 * (path.length + (key?.length ?? 0)) + (request?.text.length ?? 0) + (answer?.text.length ?? 0);

export class CallLog {
  readonly #calls: NumberedCall[] = [];
  #bytes = 0;
  #last = 0;
  #changed: () => void = () => undefined;

  /** Number of the newest; 0 before the first. */
  get last(): number {
    return this.#last;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** @param changed called after each call */
  onChange(changed: () => void): void {
    this.#changed = changed;
  }

  add(call: Call): void {
    this.#last += 1;
    this.#calls.push({ ...call, n: this.#last });
    this.#bytes += bytesOf(call);
    while (this.#calls.length > KEPT_CALLS || this.#bytes > KEPT_BYTES) this.#forgetOldest();
    this.#changed();
  }

  find(n: number): NumberedCall | null {
    return this.#calls.find((call) => call.n === n) ?? null;
  }

  /** Newest first. */
  list({ after, limit, path, status, origin }: CallFilter): readonly NumberedCall[] {
    const sought = path.toLowerCase();
    return this.#calls
      .filter(
        (call) =>
          call.n > after &&
          (origin === null || call.origin === origin) &&
          String(call.status).startsWith(status) &&
          call.path.toLowerCase().includes(sought),
      )
      .reverse()
      .slice(0, limit);
  }

  #forgetOldest(): void {
    const oldest = this.#calls.shift();
    if (oldest !== undefined) this.#bytes -= bytesOf(oldest);
  }
}
