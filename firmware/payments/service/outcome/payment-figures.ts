/** Figures of the payments for `/metrics`, in memory alone: they cost a sale nothing on the disk. Payments by a fixed code have no outcome, and are left out. */
import { METHOD_NAMES } from '../../../banks/index.ts';
import type { Clock, Metrics } from '../../../core/host/index.ts';
import { remainingMsOf } from '../../model/payment.ts';
import type { NewPayment, PaymentRow } from '../../model/payment-row.ts';

/** How payments end. EXPIRED: cancelled as their time was over. CANCELED: cancelled earlier. */
const ENDS = Object.freeze(['ACCEPTED', 'REJECTED', 'CANCELED', 'EXPIRED', 'ERROR'] as const);
type End = (typeof ENDS)[number];

const UNSAID = 'unsaid';

/** Seconds from code to payment; a code lives for some minutes. */
const PAYING_BUCKETS_S = [5, 10, 20, 40, 80, 160, 320];
const MS = 1000;

export class PaymentFigures {
  readonly #clock: Clock;
  readonly #asked;
  readonly #shown;
  readonly #ended;
  readonly #paying;
  readonly #methods;
  readonly #tooMany;
  /** When the code of each payment that has not ended was shown: monotonic ms, by order id. */
  readonly #shownAt = new Map<string, number>();

  /**
   * @param waiting how many payments a caller or a customer waits for
   * @param late how many late payments are not acknowledged; null where that cannot be read
   */
  constructor(metrics: Metrics, clock: Clock, waiting: () => number, late: () => number | null) {
    this.#clock = clock;
    this.#asked = metrics.counter('laneware_payments_asked_total', 'Payments that were begun at a bank', []);
    this.#shown = metrics.counter('laneware_payments_shown_total', 'Payments whose code was on the display', []);
    this.#ended = metrics.counterOf('laneware_payments_total', 'Payments by how they ended', 'state', ENDS);
    this.#paying = metrics.histogram(
      'laneware_payment_accepted_seconds',
      'Time from the code on the display to the acceptance',
      [],
      PAYING_BUCKETS_S,
    );
    this.#methods = metrics.counterOf(
      'laneware_payment_methods_total',
      'Accepted payments by how they were paid; unsaid: the bank does not say, unknown: in a word that this device does not know',
      'method',
      [...METHOD_NAMES, UNSAID],
    );
    this.#tooMany = metrics.counter(
      'laneware_bank_too_many_total',
      'Questions about payments that a bank refused as too many (429), by profile',
      ['profile'],
    );
    metrics.gauge('laneware_payments_late', 'Late payments that are not acknowledged', late);
    // the updater reads this gauge: it never restarts a device while a payment is waited for
    metrics.gauge(
      'laneware_payments_open',
      'Payments that somebody waits for: being registered, or shown and within their time',
      waiting,
    );
  }

  /** Counts an answer of the bank of a profile that the questions are too many. */
  countTooMany(profile: string): void {
    this.#tooMany.inc({ profile });
  }

  countAsked({ status }: NewPayment): void {
    if (status.state !== 'STATIC') this.#asked.inc();
  }

  /** Counts a shown code, also each time it is shown again. */
  countShown({ orderId, status }: NewPayment): void {
    if (status.state === 'STATIC' || this.#shownAt.has(orderId)) return;
    this.#shown.inc();
    this.#shownAt.set(orderId, this.#clock.monotonic());
  }

  countEnd(payment: PaymentRow): void {
    const end = this.#endOf(payment);
    if (end !== null) this.#ended(end);
    const shownAt = this.#shownAt.get(payment.orderId);
    this.#shownAt.delete(payment.orderId);
    if (end !== 'ACCEPTED') return;
    this.#methods(payment.paidBy?.method ?? UNSAID);
    if (shownAt !== undefined) this.#paying.observe((this.#clock.monotonic() - shownAt) / MS);
  }

  #endOf(payment: PaymentRow): End | null {
    const { state } = payment.status;
    if (state === 'CANCELED' && remainingMsOf(payment, this.#clock) <= 0) return 'EXPIRED';
    return ENDS.find((end) => end === state) ?? null;
  }
}
