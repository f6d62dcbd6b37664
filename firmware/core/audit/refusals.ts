/**
 * Refusals, failures and repeatable calls of a lane come in floods: the first of an address and act is written at once,
 * the others of that minute are counted in one more line, as are those of addresses beyond the counted ones.
 */
import { after } from '../../../drivers/lib/async.ts';
import type { AuditEvent } from './line.ts';

const WINDOW_MS = 60_000;
/** Addresses counted one by one in a window. */
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

  take(event: AuditEvent): void {
    this.#callOff ??= after(this.#windowMs, () => this.end());
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
  end(): void {
    this.#callOff?.();
    this.#callOff = null;
    for (const { last, more } of this.#places.values()) if (more > 0) this.#write({ ...last, times: more });
    if (this.#others > 0) this.#write({ ...OTHERS, times: this.#others });
    this.#places.clear();
    this.#others = 0;
  }
}
