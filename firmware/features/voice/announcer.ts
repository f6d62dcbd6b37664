/**
 * Decides what is said: a payment whose acceptance is in the book, once, within ten seconds, else never. It listens to
 * the events of each commit, so that refunds, late payments and what was told before are left out. What is taken back
 * before it was said is not said, nor said again.
 *
 * Once a payment: its note is taken back before its first sample, and a payment without a note is never said. The note
 * is written in the moment of the commit, so that a process which is killed leaves it to the next one of the same boot.
 */
import Type, { type Static } from 'typebox';
import { messageOf } from '../../../drivers/lib/errors.ts';
import type { BootNote } from '../../core/files/index.ts';
import type { Clock, LogLine } from '../../core/host/index.ts';
import { jsonFitting } from '../../core/schema/index.ts';
import type { Outbox } from '../../payments/index.ts';

/** After this time from its acceptance a payment is not said: its customer has gone. */
export const SAID_WITHIN_MS = 10_000;
/** How long a payment can be said again: while its customer may still stand there. */
export const SAID_AGAIN_WITHIN_MS = 3 * 60_000;
/** More payments than anybody can hear in ten seconds; the oldest of more are left out. */
const MOST_WAITING = 8;
/** Bytes of a note with that many. */
export const NOTE_BYTES = 2048;
/** Events read at once. */
const READ_AT_ONCE = 100;

/** A payment to be said. */
const Accepted = Type.Object({
  orderId: Type.String(),
  kopecks: Type.Integer(),
  isTest: Type.Boolean(),
  /** Monotonic clock at the acceptance, ms. */
  at: Type.Number(),
});
export type Accepted = Static<typeof Accepted>;
const Note = Type.Object({ waiting: Type.Array(Accepted), last: Type.Union([Accepted, Type.Null()]) });

/** After these a payment is not paid any more, or not its whole sum. */
const TAKEN_BACK: ReadonlySet<string> = new Set(['payment.refunded', 'payment.canceled']);

/** What an event of a payment says of it. */
const PaymentEvent = Type.Object({
  payment: Type.Object({ id: Type.String(), amount: Type.Integer(), test: Type.Boolean(), late: Type.Boolean() }),
});
type PaymentOfEvent = Static<typeof PaymentEvent>['payment'];

/** A payment whose turn it is. Others may keep the speaker busy until it is not due any more. */
interface Turn {
  readonly payment: Accepted;
  readonly isDue: () => boolean;
}

/** Plays the announcements, and says when it may. */
export interface AnnouncementOutput {
  /** Whether anything is said. */
  readonly isOn: () => boolean;
  /** Whether payments are said now without being asked for. */
  readonly isQuiet: () => boolean;
  /** Says a payment if it is still due before its first sample, and settles when it was said. Never rejects. */
  readonly say: (payment: Accepted, isDue: () => boolean) => Promise<void>;
}

export type AcceptedEvents = Pick<Outbox, 'isOpen' | 'last' | 'lostTo' | 'after' | 'onAppended'>;

export class Announcer {
  readonly #outbox: AcceptedEvents;
  readonly #note: Pick<BootNote, 'read' | 'write'>;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #output: AnnouncementOutput;
  readonly #log: LogLine;
  /** Number of the event up to which all were seen; null: no book was open yet. */
  #seen: number | null = null;
  #waiting: Accepted[] = [];
  #last: Accepted | null = null;
  /** A payment that a person wants to hear again. */
  #again: Accepted | null = null;
  #isClosed = false;
  #speaking: Promise<void> | null = null;

  constructor(
    outbox: AcceptedEvents,
    note: Pick<BootNote, 'read' | 'write'>,
    clock: Pick<Clock, 'monotonic'>,
    output: AnnouncementOutput,
    log: LogLine,
  ) {
    this.#outbox = outbox;
    this.#note = note;
    this.#clock = clock;
    this.#output = output;
    this.#log = log;
    const left = jsonFitting(Note, note.read() ?? '');
    this.#waiting = left?.waiting ?? [];
    this.#last = left?.last ?? null;
    this.#seen = outbox.isOpen ? outbox.last : null;
    outbox.onAppended(() => this.#queueAccepted());
  }

  /** Goes on with what the process before has left in this boot. */
  start(): void {
    this.#speak();
  }

  /** The payment that can be said again; null for none. */
  get last(): Accepted | null {
    const last = this.#last;
    return last !== null && this.#ageOf(last) < SAID_AGAIN_WITHIN_MS ? last : null;
  }

  /** Says the last payment again. @returns null where there is none, or it is too long ago */
  again(): Accepted | null {
    const { last } = this;
    if (last === null || !this.#output.isOn()) return null;
    // what is still to be said is not said twice for it
    if (!this.#waiting.some(({ orderId }) => orderId === last.orderId)) this.#again = last;
    this.#speak();
    return last;
  }

  /** Settles when the present one was said, or broken off by its player. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#speaking;
  }

  /** After a commit with events: a sale waits for this, and never fails by it. */
  #queueAccepted(): void {
    try {
      if (!this.#output.isOn()) {
        this.#seen = this.#outbox.last;
        return;
      }
      const changes = this.#newEvents().map(({ type, payment }) =>
        type === 'payment.accepted' ? this.#accept(payment) : TAKEN_BACK.has(type) && this.#withdraw(payment.id),
      );
      if (!changes.includes(true)) return;
      this.#writeNote();
      this.#speak();
    } catch (error) {
      this.#log('a payment cannot be announced', { reason: messageOf(error) });
    }
  }

  /** Events of payments since the last look. */
  #newEvents(): { readonly type: string; readonly payment: PaymentOfEvent }[] {
    const { last, lostTo } = this.#outbox;
    const from = this.#seen;
    this.#seen = last;
    // the events of a book that was made anew tell of earlier payments; before the first look nothing is known to be new
    if (from === null || lostTo > from) return [];
    return this.#outbox.after(from, READ_AT_ONCE).flatMap(({ type, text }) => {
      const event = jsonFitting(PaymentEvent, text);
      return event === null ? [] : { type, payment: event.payment };
    });
  }

  /** @returns whether it was accepted in time */
  #accept({ id, amount, test, late }: PaymentOfEvent): boolean {
    if (late) return false;
    const accepted = { orderId: id, kopecks: amount, isTest: test, at: this.#clock.monotonic() };
    this.#last = accepted;
    if (!this.#output.isQuiet()) this.#waiting = [...this.#waiting, accepted].slice(-MOST_WAITING);
    return true;
  }

  /** @returns whether it could still have been said */
  #withdraw(orderId: string): boolean {
    const isOther = (payment: Accepted | null): boolean => payment?.orderId !== orderId;
    const isKnown = !isOther(this.#last) || !this.#waiting.every(isOther);
    this.#waiting = this.#waiting.filter(isOther);
    if (!isOther(this.#last)) this.#last = null;
    if (!isOther(this.#again)) this.#again = null;
    return isKnown;
  }

  #speak(): void {
    this.#speaking ??= this.#sayAll().finally(() => {
      this.#speaking = null;
    });
  }

  async #sayAll(): Promise<void> {
    for (;;) {
      await Promise.resolve(); // the commit is over for its caller first
      const next = this.#isClosed ? null : this.#next();
      if (next === null) return;
      await this.#output.say(next.payment, next.isDue);
    }
  }

  /** The next payment to be said, no longer in the note. */
  #next(): Turn | null {
    while (this.#waiting.length > 0) {
      const [first, ...rest] = this.#waiting;
      this.#waiting = rest;
      if (first === undefined) continue;
      const isDue = (): boolean => this.#ageOf(first) < SAID_WITHIN_MS && this.#output.isOn();
      if (!isDue()) continue;
      try {
        this.#writeNote();
        return { payment: first, isDue };
      } catch (error) {
        // it might be said again after a kill
        this.#log('a payment is not announced, because this cannot be noted', { reason: messageOf(error) });
      }
    }
    const again = this.#again;
    this.#again = null;
    return again && { payment: again, isDue: () => this.#output.isOn() };
  }

  #writeNote(): void {
    this.#note.write(JSON.stringify({ waiting: this.#waiting, last: this.#last }));
  }

  #ageOf({ at }: Accepted): number {
    return this.#clock.monotonic() - at;
  }
}
