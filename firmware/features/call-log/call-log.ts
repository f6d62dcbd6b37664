/** The latest calls of tills, kept only in memory, so that a till's programmer sees what it sends. */
import type { Credential } from '../../core/audit/index.ts';
import type { ShownBody } from './shown-body.ts';

/** How many calls of each origin are kept. */
export const KEPT_CALLS = 200;
/** Room for the calls of one origin: bodies, and other text of callers. */
const KEPT_BYTES = 512 * 1024;
/** Bytes that a call takes in addition to its caller's text. */
const OWN_BYTES = 512;

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
  /** Whether the caller had gone before it got the answer. */
  readonly hungUp: boolean;
  /** Whether the answer is a stream: it is logged once, at its beginning. */
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

/** The log of calls, with a ring for each origin: pages and monitoring call all day, and must not push out tills. */
export class CallLog {
  readonly #rings: Readonly<Record<Call['origin'], Ring>> = { till: new Ring(), page: new Ring(), watch: new Ring() };
  #last = 0;
  #changed: () => void = () => undefined;

  /** Number of the newest call; 0 before the first. */
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

  /** Calls, newest first. */
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
