/** The last calls of tills, in memory alone, so that a programmer of a till sees what it sends. */
import type { Credential } from '../../core/audit/index.ts';
import type { ShownBody } from './shown-body.ts';

/** Calls of each origin that are kept. */
export const KEPT_CALLS = 200;
/** Room for those of one origin: bodies, and what else a caller writes. */
const KEPT_BYTES = 512 * 1024;
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

/** The last calls of one origin. */
class Ring {
  readonly calls: NumberedCall[] = [];
  bytes = 0;

  add(call: NumberedCall): void {
    this.calls.push(call);
    this.bytes += bytesOf(call);
    while (this.calls.length > KEPT_CALLS || this.bytes > KEPT_BYTES) this.#forgetOldest();
  }

  #forgetOldest(): void {
    const oldest = this.calls.shift();
    if (oldest !== undefined) this.bytes -= bytesOf(oldest);
  }
}

/** Each origin has a ring of its own: pages and monitoring call all day, and push no till out. */
export class CallLog {
  readonly #rings: Readonly<Record<Call['origin'], Ring>> = { till: new Ring(), page: new Ring(), watch: new Ring() };
  #last = 0;
  #changed: () => void = () => undefined;

  /** Number of the newest; 0 before the first. */
  get last(): number {
    return this.#last;
  }

  get bytes(): number {
    return Object.values(this.#rings).reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** @param changed called after each call */
  onChange(changed: () => void): void {
    this.#changed = changed;
  }

  add(call: Call): void {
    this.#last += 1;
    this.#rings[call.origin].add({ ...call, n: this.#last });
    this.#changed();
  }

  find(n: number): NumberedCall | null {
    return this.#all.find((call) => call.n === n) ?? null;
  }

  /** Newest first. */
  list({ after, limit, path, status, origin }: CallFilter): readonly NumberedCall[] {
    const sought = path.toLowerCase();
    return (origin === null ? this.#all : this.#rings[origin].calls)
      .filter(
        (call) => call.n > after && String(call.status).startsWith(status) && call.path.toLowerCase().includes(sought),
      )
      .toSorted((one, other) => other.n - one.n)
      .slice(0, limit);
  }

  get #all(): readonly NumberedCall[] {
    return Object.values(this.#rings).flatMap(({ calls }) => calls);
  }
}
