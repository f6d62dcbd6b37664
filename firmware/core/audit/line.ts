/**
 * A line of the audit trail: who did what, or was refused it. No line has a secret. Of a flood of refusals, one line
 * stands for many.
 */
import Type, { type Static } from 'typebox';
import { after } from '../../../drivers/lib/async.ts';

/**
 * How a caller was let in: `loopback` is a program on this machine; `none` a network caller who needed no token, or
 * sent no right one; `button` and `pairing-code` are no calls; `device` is the device itself.
 */
export const CREDENTIALS = Object.freeze([
  'loopback',
  'till',
  'supervisor',
  'technician',
  'none',
  'button',
  'pairing-code',
  'device',
] as const);
export type Credential = (typeof CREDENTIALS)[number];

export const AuditLineSchema = Type.Object({
  n: Type.Integer({ minimum: 1, description: 'number of the line: it grows even if the clock goes back' }),
  at: Type.String({ description: 'wall clock of the device, UTC; it may have been wrong' }),
  boot: Type.String({ description: 'names the boot of the machine' }),
  up: Type.Number({ description: 'seconds since that boot, which no clock setting changes' }),
  address: Type.Union([Type.String(), Type.Null()], { description: 'of the caller; null where there was no call' }),
  credential: Type.Enum([...CREDENTIALS]),
  till: Type.Optional(Type.String({ description: 'name of the till, where its token is one of `api.tills`' })),
  signedInBy: Type.Optional(
    Type.Enum(['pin', 'token'], { title: 'SignedInBy', description: 'with what somebody has signed in at a page' }),
  ),
  deed: Type.String({ description: 'what was asked for' }),
  what: Type.Record(Type.String(), Type.Unknown(), { description: 'names of what it was about' }),
  outcome: Type.Enum(['done', 'failed', 'refused']),
  code: Type.Optional(Type.Integer({ description: 'code of the failure in the answer, or its HTTP status' })),
  why: Type.Optional(Type.String({ description: 'of a refusal' })),
  times: Type.Optional(Type.Integer({ description: 'how often, where one line stands for many' })),
});
export type AuditLine = Static<typeof AuditLineSchema>;

/** An event without what the trail itself adds: number, time, boot. */
export type AuditEvent = Omit<AuditLine, 'n' | 'at' | 'boot' | 'up'>;

/**
 * Books of lines with separate room. A caller with fewer rights cannot push out the lines of one with more, nor a
 * stranger anybody's:
 * - `technician`: settings, store, deletion, the machine
 * - `lane`: the daily work at the lane
 * - `refusals`: also failures at the lane
 */
export type Book = 'technician' | 'lane' | 'refusals';

const WINDOW_MS = 60_000;
/** Addresses, each with one act, counted one by one in a window. */
const PLACES = 32;

interface Place {
  readonly last: AuditEvent;
  readonly more: number;
}

const OTHERS: AuditEvent = Object.freeze({
  address: null,
  credential: 'none',
  deed: 'more-refusals',
  what: {},
  outcome: 'refused',
  why: 'from more addresses than are counted one by one',
});

/**
 * Refusals, failures and repeatable calls of a lane come in floods: the first of an address and act is written at once,
 * the others of that minute are counted in one more line, as are those of addresses beyond the counted ones.
 */
export class Refusals {
  readonly #write: (event: AuditEvent) => void;
  readonly #windowMs: number;
  readonly #places = new Map<string, Place>();
  #others = 0;
  #callOff: (() => void) | null = null;

  constructor(write: (event: AuditEvent) => void, windowMs = WINDOW_MS) {
    this.#write = write;
    this.#windowMs = windowMs;
  }

  count(event: AuditEvent): void {
    this.#callOff ??= after(this.#windowMs, () => this.flush());
    const name = `${event.address} ${event.credential} ${event.till ?? ''} ${event.deed} ${event.code}`;
    const place = this.#places.get(name);
    if (place !== undefined) this.#places.set(name, { last: event, more: place.more + 1 });
    else if (this.#places.size >= PLACES) this.#others += 1;
    else {
      this.#places.set(name, { last: event, more: 0 });
      this.#write(event);
    }
  }

  /** Writes the counts, and starts counting again. */
  flush(): void {
    this.#callOff?.();
    this.#callOff = null;
    for (const { last, more } of this.#places.values()) if (more > 0) this.#write({ ...last, times: more });
    if (this.#others > 0) this.#write({ ...OTHERS, times: this.#others });
    this.#places.clear();
    this.#others = 0;
  }
}
