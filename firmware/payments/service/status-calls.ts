/**
 * Which call the status is about: the latest. It is PENDING until that call has a payment, and ERROR where the call
 * fails without one. A till that has lost the answer to its call reads the status, and must not take the payment before
 * for the outcome. That holds after a restart, too, so the ledger keeps the failure until there is a later call.
 */
import type { Ledger } from '../money/ledger.ts';
import type { BookEvent } from './events.ts';
import type { PaymentFailure } from './payment.ts';
import { RESTARTED } from './payment-failures.ts';

export class StatusCalls {
  readonly #ledger: Pick<Ledger, 'failedCall' | 'keepFailedCall'>;
  /** Number of the latest call; 0 stands for the calls of the previous process. */
  #last = 0;
  /** Number of the latest call that has a payment. */
  #spokenOf = 0;
  /** The latest call that has failed without a payment, or in spite of one. */
  #failed: { readonly call: number; readonly failure: PaymentFailure } | null = null;
  #isForeseen = false;

  constructor(ledger: Pick<Ledger, 'failedCall' | 'keepFailedCall'>) {
    this.#ledger = ledger;
  }

  /** Restores the failure that the previous process left, as soon as the ledger can be read. */
  recover(): void {
    const failure = this.#ledger.failedCall();
    if (failure === null) return;
    this.#failed ??= { call: 0, failure };
    this.#isForeseen = true;
  }

  /** Number of the latest call. */
  get last(): number {
    return this.#last;
  }

  /** The failure of the latest call; null where it has not failed. */
  get failure(): PaymentFailure | null {
    return this.#failed?.call === this.#last ? this.#failed.failure : null;
  }

  /** Whether the last call has no outcome yet. */
  get isUnderWay(): boolean {
    return this.#spokenOf !== this.#last;
  }

  /** Whether the ledger has the latest call as failed: its payment must be recorded after that. */
  get isForeseen(): boolean {
    return this.#isForeseen;
  }

  /** A call has come, which may have to wait. Returns its number. From now on the status is about this call. */
  nextCall(): number {
    this.#last += 1;
    return this.#last;
  }

  /** Number of the latest call that has a payment. */
  get spokenOf(): number {
    return this.#spokenOf;
  }

  /** Whether this call has a payment, and no later call has. */
  isSpokenOf(call: number): boolean {
    return this.#spokenOf === call;
  }

  /** A call has a payment. The failure of a later call stays the last. */
  speakOf(call: number): void {
    this.#spokenOf = Math.max(this.#spokenOf, call);
    if (this.#failed !== null && this.#failed.call <= call) this.#failed = null;
  }

  /** The same, after the ledger has recorded that payment as the last: the failure of a later call is kept again. */
  isRecorded(call: number): readonly BookEvent[] {
    this.#isForeseen = false;
    this.speakOf(call);
    return this.#spokenOf < this.#last ? this.#keep(this.failure ?? RESTARTED) : [];
  }

  /** Never throws. */
  fail(call: number, failure: PaymentFailure): readonly BookEvent[] {
    if (this.#failed !== null && this.#failed.call > call) return [];
    this.#failed = { call, failure };
    return this.#keep(failure);
  }

  /** The last call may take a while: if the process restarts meanwhile, the call counts as failed. Never throws. */
  foresee(): readonly BookEvent[] {
    return this.#isForeseen ? [] : this.#keep(RESTARTED);
  }

  #keep(failure: PaymentFailure): readonly BookEvent[] {
    try {
      this.#ledger.keepFailedCall(failure);
      this.#isForeseen = true;
      return [];
    } catch (error) {
      return [{ type: 'unwritten', what: 'how a call failed cannot be recorded', orderId: null, error }];
    }
  }
}
