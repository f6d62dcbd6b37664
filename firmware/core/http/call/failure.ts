/** Failures before or around a handler, in every router; each router words them in its own envelope. */
import type { TSchema } from 'typebox';
import type { Rank } from './ranks.ts';

/** Kinds of these failures: HTTP status, and code under `/v1`, the same on both ports. */
export const KINDS = Object.freeze({
  json: [400, 'JsonParse.IllegalValue'],
  parameter: [400, 'RequestParams.InvalidField'],
  request: [400, 'RequestParams.InvalidRequest'],
  unauthorised: [401, 'RequestParams.NotAuthorised'],
  forbidden: [403, 'RequestParams.Forbidden'],
  'not-found': [404, 'RequestParams.UnknownPath'],
  method: [405, 'RequestParams.WrongMethod'],
  timeout: [408, 'RequestParams.InvalidRequest'],
  'too-large': [413, 'RequestParams.TooLarge'],
  'media-type': [415, 'RequestParams.UnsupportedMediaType'],
  undecodable: [422, 'RequestParams.InvalidField'],
  encryption: [426, 'RequestParams.Forbidden'],
  'too-many': [429, 'RequestParams.TooMany'],
  headers: [431, 'RequestParams.TooLarge'],
  internal: [500, 'Internal.UnexpectedError'],
  busy: [503, 'RequestParams.TooMany'],
  storage: [507, 'Internal.StorageFull'],
  'storage-refused': [500, 'Internal.StorageRefused'],
} as const satisfies Readonly<Record<string, readonly [status: number, code: string]>>);

export type FailureKind = keyof typeof KINDS;

export const codeOfKind = (kind: FailureKind): string => KINDS[kind][1];

export class HttpFailure extends Error {
  readonly kind: FailureKind;
  readonly status: number;
  /** The field at fault; null for none. */
  readonly field: string | null;
  /** Seconds after which the same call may be answered; null where unknown. */
  readonly retryAfterS: number | null;
  /** The rank that a person at a page lacks; null for other failures. */
  readonly needs: Rank | null;

  constructor(
    kind: FailureKind,
    message: string,
    details: { field?: string; retryAfterS?: number; needs?: Rank; cause?: unknown } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'HttpFailure';
    this.kind = kind;
    this.status = KINDS[kind][0];
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
  /** Media type of failures; JSON where left out. */
  readonly mediaType?: string;
  /** Whether the router's own errors are sent under HTTP 200. */
  readonly failsUnder200: boolean;
  fromFailure(failure: HttpFailure): EncodedFailure;
  /** The router's own error; null for an unknown one, which becomes `internal`. */
  fromError(error: unknown): EncodedFailure | null;
}
