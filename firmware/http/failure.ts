/** What can go wrong before or around a handler, in every router; each router words it in its own envelope. */

import type { TSchema } from 'typebox';
import type { Rank } from './guard/roles.ts';

export const STATUS_OF = Object.freeze({
  json: 400,
  parameter: 400,
  request: 400,
  unauthorised: 401,
  forbidden: 403,
  'not-found': 404,
  method: 405,
  timeout: 408,
  'too-large': 413,
  'media-type': 415,
  undecodable: 422,
  encryption: 426,
  'too-many': 429,
  headers: 431,
  internal: 500,
  busy: 503,
  storage: 507,
});

export type FailureKind = keyof typeof STATUS_OF;

export class HttpFailure extends Error {
  readonly kind: FailureKind;
  readonly status: number;
  /** The field at fault, where one is. */
  readonly field: string | null;
  /** Seconds after which the same call may be answered; null where that is not known. */
  readonly retryAfterS: number | null;
  /** Who may do what a person at a page may not; null where that is not why. */
  readonly needs: Rank | null;

  constructor(
    kind: FailureKind,
    message: string,
    details: { field?: string; retryAfterS?: number; needs?: Rank; cause?: unknown } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'HttpFailure';
    this.kind = kind;
    this.status = STATUS_OF[kind];
    this.field = details.field ?? null;
    this.retryAfterS = details.retryAfterS ?? null;
    this.needs = details.needs ?? null;
  }
}

export interface EncodedFailure {
  readonly status: number;
  readonly body: object;
}

/** How a router words a failure. */
export interface Envelope {
  /** Shape of each failure. */
  readonly failure: TSchema & { readonly examples?: readonly unknown[] };
  /** What failures are sent as; JSON where it is left out. */
  readonly mediaType?: string;
  /** Whether the router's own errors go under HTTP 200. */
  readonly failsUnder200: boolean;
  fromFailure(failure: HttpFailure): EncodedFailure;
  /** The router's own errors; null for what it does not know, which becomes `internal`. */
  fromError(error: unknown): EncodedFailure | null;
}
