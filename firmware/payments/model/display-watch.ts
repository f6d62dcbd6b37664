/**
 * What a cashier knows who only watches the display, and whose till never reads the status: a pure state machine.
 *
 * An acceptance that the display has shown counts as known once another call comes. A call for the same sale just after
 * the symbol is a repetition: the next customer does not buy the same so soon.
 */

/** A till that does not poll the status repeats its call within this time. */
const REPEATED_WITHIN_MS = 5000;

export type DisplayWatch =
  | { readonly step: 'idle' }
  /** The code of the payment answered the last call, and no other call, and no till has read the status since. */
  | { readonly step: 'answered'; readonly orderId: string }
  /** The display has shown its acceptance, at monotonic ms. */
  | { readonly step: 'accepted'; readonly orderId: string; readonly at: number }
  /** Its acceptance was on the display before the present call came. */
  | { readonly step: 'known'; readonly orderId: string };

export const IDLE: DisplayWatch = Object.freeze({ step: 'idle' });

export type DisplayWatchEvent =
  /** The turn of a call has come. */
  | { readonly type: 'begun' }
  /** The call is no repetition: the shown acceptance of the previous payment counts as known. */
  | { readonly type: 'known'; readonly orderId: string }
  /** A single call without a key is answered with the code of a new payment. */
  | { readonly type: 'answered'; readonly orderId: string }
  /** The display shows that a payment was accepted. `at`: monotonic ms. */
  | { readonly type: 'accepted'; readonly orderId: string; readonly at: number }
  /** A till has read the status: it does not only watch the display. */
  | { readonly type: 'polled' }
  /** A till has cleared the display: the next call is another sale, however soon after the symbol. */
  | { readonly type: 'cleared' };

/** The state after an event. Total and pure: an event that does not apply leaves it unchanged. */
export function advanceWatch(watch: DisplayWatch, event: DisplayWatchEvent): DisplayWatch {
  switch (event.type) {
    case 'begun':
      return IDLE;
    case 'known':
      return { step: 'known', orderId: event.orderId };
    case 'answered':
      return { step: 'answered', orderId: event.orderId };
    case 'accepted':
      if (watch.step !== 'answered' || watch.orderId !== event.orderId) return watch;
      return { step: 'accepted', orderId: event.orderId, at: event.at };
    case 'polled':
      return watch.step === 'answered' ? IDLE : watch;
    case 'cleared':
      return watch.step === 'accepted' ? { ...watch, at: Number.NEGATIVE_INFINITY } : watch;
  }
}

/** The payment whose acceptance the display has shown, if any: a call may repeat it, or means that it is known. */
export const acceptedOn = (watch: DisplayWatch): string | null => (watch.step === 'accepted' ? watch.orderId : null);

/** The payment whose acceptance was on the display before the present call came, if any. */
export const knownOn = (watch: DisplayWatch): string | null => (watch.step === 'known' ? watch.orderId : null);

/**
 * Whether a call that begins now for the same sale repeats that of the accepted payment.
 * @param now monotonic ms @param symbolMs how long the symbol stays on the display
 */
export const mayBeRepeated = (watch: DisplayWatch, now: number, symbolMs: number): boolean =>
  watch.step === 'accepted' && now < watch.at + Math.max(symbolMs, REPEATED_WITHIN_MS);
