/**
 * Asks about the earlier payments, and withdraws them, when another one is requested, so that no customer pays twice for
 * one sale. A sale is named by its key; for a till without keys it is an amount, a purpose and a profile. As long as a
 * code of the sale may be paid, that code is shown again, or the call is refused. A payment that the bank does not report
 * is unknown, never unpaid.
 */
import type { BankVerdict } from '../../../banks/index.ts';
import { hasHalfRemaining, isAbandoned, isOpen, isUndecided, mayBePaid, remainingMsOf } from '../../model/payment.ts';
import { PaidBefore, previousOpen, previousUnknown } from '../../model/payment-failures.ts';
import { isForSame, type PaymentRow } from '../../model/payment-row.ts';
import type { PaymentDeps } from '../outcome/deps.ts';
import type { Follower } from '../outcome/follower.ts';
import type { OutcomeRecorder } from '../outcome/outcome-recorder.ts';
import type { Withdrawal } from '../outcome/withdrawal.ts';
import type { Sale } from './sale.ts';

/** How long banks may take to report all earlier payments, and again to withdraw them. A till waits meanwhile. */
const CHECK_MS = 3000;
/** Requests at once: a profile opens no more connections to its bank. */
const AT_ONCE = 8;
/** Payments of other sales that are asked about before a code is shown. Older ones are polled in their turn. */
const MOST_OTHERS = 100;
/** How long after its code expired a payment that the bank has not reported may still be the same sale. */
const AFTERMATH_MS = 60 * 60_000;
/** Pause before another question about a payment that the customer is confirming. */
const CONFIRMING_MS = 5000;

/** A payment that may have been paid without the bank having reported it. */
interface Unsure {
  readonly orderId: string;
  /** Monotonic ms of the end of its ttl and grace. */
  readonly endsAt: number;
  readonly isSameSale: boolean;
}

/** The earlier payments, after their banks were asked. */
export interface FoundEarlier {
  /** The payment whose code is to be shown again, in place of a new one. */
  readonly again: PaymentRow | null;
  /** Payments of other sales that the bank does not report. */
  readonly unknown: readonly PaymentRow[];
  /** Payments of other sales that the bank did not withdraw, and that may be paid. */
  readonly stillOpen: readonly PaymentRow[];
}

/** Works through a list, several at once, until a common deadline. What is not begun by then is skipped. */
async function inTime<T>(items: readonly T[], work: (entry: T, leftMs: number) => Promise<void>): Promise<void> {
  const end = performance.now() + CHECK_MS;
  const queue = [...items];
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const leftMs = Math.ceil(end - performance.now());
      if (leftMs <= 0) return;
      await work(next, leftMs);
    }
  };
  await Promise.all(items.slice(0, AT_ONCE).map(worker));
}

export class EarlierPayments {
  readonly #deps: PaymentDeps;
  readonly #follower: Follower;
  readonly #recorder: OutcomeRecorder;
  readonly #withdrawal: Withdrawal;

  constructor(deps: PaymentDeps, follower: Follower, recorder: OutcomeRecorder, withdrawal: Withdrawal) {
    this.#deps = deps;
    this.#follower = follower;
    this.#recorder = recorder;
    this.#withdrawal = withdrawal;
  }

  /** Whether a payment, by its order id, was asked for by a call for the same sale. */
  isSameSale(orderId: string, sale: Sale): boolean {
    const { book, banks } = this.#deps;
    const { amount, purpose, profileName, profile } = sale;
    const payment = book.find(orderId);
    return (
      this.isOf(payment, sale) &&
      isForSame(payment, { amount, purpose, profile: profileName }) &&
      banks.isFor(payment, profile)
    );
  }

  /** Whether a payment may concern the till of a sale: some tills see only their own payments. */
  isOf({ till }: PaymentRow, sale: Sale): boolean {
    return !sale.ownOnly || till === sale.till;
  }

  /**
   * Whether a payment, by its order id, is one for the sale of a call: by its key, or for a till without keys by the
   * same contents, unless a till has cancelled it.
   */
  standsFor(orderId: string, sale: Sale): boolean {
    if (sale.key !== null) return orderId === sale.orderId;
    return !this.#find(orderId).status.cancelled && this.isSameSale(orderId, sale);
  }

  /** Whether a payment is one for the same sale and its end is unknown: the status may report it then. */
  isOpenSale({ orderId, status }: PaymentRow, sale: Sale): boolean {
    return isUndecided(status) && this.standsFor(orderId, sale);
  }

  /** Before a call waits: should the process restart meanwhile, the status must not report the previous payment. */
  expectRestart(sale: Sale): void {
    const { callBook } = this.#deps;
    const last = callBook.last();
    if (last !== null && !this.isOpenSale(last, sale)) callBook.expectRestart();
  }

  /**
   * Asks the bank about all payments that may have been paid, and withdraws those that another payment is to replace.
   * @param isPresent whether the code of a payment is one that the profile has now: only such a code is shown again
   * @throws {PaidBefore} @throws {BlockedByEarlier} only codes of this sale have been withdrawn then
   */
  async askAndWithdraw(sale: Sale, isPresent: (payment: PaymentRow) => boolean): Promise<FoundEarlier> {
    this.assertUnpaid(sale);
    const unsure = this.#unsure(sale);
    if (unsure.length > 0) this.expectRestart(sale);
    const verdicts = await this.#ask(unsure);
    this.assertUnpaid(sale);
    const same = unsure.filter(({ isSameSale }) => isSameSale);
    const again = sale.key === null ? await this.#codeOf(same, verdicts, isPresent) : null;
    const others = unsure.filter(({ orderId }) => orderId !== (again?.orderId ?? sale.orderId));
    await this.#withdraw(others.filter(({ orderId }) => isUndecided(this.#find(orderId).status)));
    this.assertUnpaid(sale);
    const open = others
      .filter(({ isSameSale }) => !isSameSale)
      .map(({ orderId }) => this.#find(orderId))
      .filter(({ status }) => isUndecided(status));
    const isUnknown = ({ orderId }: PaymentRow): boolean => (verdicts.get(orderId) ?? null) === null;
    return { again, unknown: open.filter(isUnknown), stillOpen: open.filter((payment) => !isUnknown(payment)) };
  }

  /**
   * A payment that a till has cancelled belonged to another customer: its acceptance is late, and refuses no call.
   * @throws {PaidBefore} for a sale without a key, with all payments that may be this sale and that the till does not
   * know to be paid
   */
  assertUnpaid(sale: Sale): void {
    if (sale.key !== null) return;
    const { book, callBook } = this.#deps;
    const unreported = book
      .unreported()
      .filter((payment) => this.isOf(payment, sale) && !payment.status.cancelled)
      .filter(({ orderId, till }) => till === sale.till || !callBook.isDeliveredTo(sale.till, orderId));
    const paid = unreported.filter((payment) => this.#mayBe(payment, sale));
    if (paid.length > 0) throw new PaidBefore(paid);
  }

  #find(orderId: string): PaymentRow {
    return this.#deps.book.find(orderId);
  }

  /** Until its code expires any payment may be this sale, as the customer is there; later only one of its amount. */
  #mayBe(payment: PaymentRow, { amount }: Sale): boolean {
    const { clock, pacing } = this.#deps;
    return payment.amount === amount || remainingMsOf(payment, clock) + pacing.graceMs > 0;
  }

  /** The payments of this sale, then the newest others. */
  #unsure(sale: Sale): Unsure[] {
    const { clock } = this.#deps;
    const recent = this.#follower.unsure.filter(({ endsAt }) => clock.monotonic() < endsAt + AFTERMATH_MS).reverse();
    const mayBeSame = ({ payment }: { readonly payment: PaymentRow }): boolean =>
      payment.amount === sale.amount && this.standsFor(payment.orderId, sale);
    const same = recent.filter(mayBeSame).map((entry) => ({ ...entry, isSameSale: true }));
    const others = recent.filter((entry) => !same.some(({ payment }) => payment === entry.payment));
    return [...same, ...others.slice(0, MOST_OTHERS).map((entry) => ({ ...entry, isSameSale: false }))]
      .filter(({ payment }) => mayBePaid(this.#find(payment.orderId).status))
      .map(({ payment, ...entry }) => ({ ...entry, orderId: payment.orderId }));
  }

  /** The bank's verdict on each payment; null for no answer. Payments for whose question no time was left are missing. */
  async #ask(payments: readonly Unsure[]): Promise<Map<string, BankVerdict | null>> {
    const verdicts = new Map<string, BankVerdict | null>();
    await inTime(payments, async ({ orderId }, leftMs) => {
      const { verdict } = await this.#recorder.askNow(this.#find(orderId), leftMs);
      verdicts.set(orderId, verdict);
    });
    return verdicts;
  }

  /**
   * The payment of this sale whose code may be shown again; null where none is in use any more.
   * @throws {BlockedByEarlier} where a code of it is in use, or may be, and cannot be shown again
   */
  async #codeOf(
    payments: readonly Unsure[],
    verdicts: ReadonlyMap<string, BankVerdict | null>,
    isPresent: (payment: PaymentRow) => boolean,
  ): Promise<PaymentRow | null> {
    const inUse = payments.filter((payment) => this.#isInUse(payment, verdicts.get(payment.orderId) ?? null));
    const rows = inUse.map(({ orderId }) => this.#find(orderId));
    const again = rows.find(
      (payment) => payment.payload !== null && hasHalfRemaining(payment, this.#deps.clock) && isPresent(payment),
    );
    if (again !== undefined) return again;
    await this.#withdraw(inUse);
    const [stillOpen] = inUse.filter(({ orderId }) => mayBePaid(this.#find(orderId).status));
    if (stillOpen !== undefined) throw this.#stillOpenError(stillOpen);
    return null;
  }

  /**
   * Whether the code may be paid. @throws {BlockedByEarlier} where that is unknown, and the code cannot be shown again for this
   * call
   */
  #isInUse({ orderId, endsAt }: Unsure, verdict: BankVerdict | null): boolean {
    const payment = this.#find(orderId);
    if (!mayBePaid(payment.status)) return false;
    const isOver = this.#deps.clock.monotonic() >= endsAt;
    const isEnded = !isUndecided(payment.status);
    if (verdict === null && (isOver || isEnded || isAbandoned(payment.status))) {
      const silence = this.#follower.silenceAbout(orderId)?.error;
      // the bank has ended it and refuses to report it now: that is an answer, and an ended code cannot be paid
      if (isEnded && (isOver || silence?.code === 'refused')) return false;
      throw previousUnknown(payment, silence?.message ?? 'there was no time to ask');
    }
    if (verdict === 'rejected' || verdict === 'canceled') return false;
    return verdict === 'processing' || !isOver || isOpen(payment.status);
  }

  #stillOpenError({ orderId, endsAt }: Unsure): Error {
    const remainingMs = endsAt - this.#deps.clock.monotonic();
    return previousOpen(this.#find(orderId), Math.ceil((remainingMs > 0 ? remainingMs : CONFIRMING_MS) / 1000));
  }

  /** Takes codes out of use at the bank. One that the bank does not withdraw is followed to its end. */
  async #withdraw(payments: readonly Unsure[]): Promise<void> {
    const { clock } = this.#deps;
    const alive = payments.filter(({ endsAt }) => clock.monotonic() < endsAt);
    await inTime(alive, async ({ orderId }, leftMs) => {
      await this.#withdrawal.withdraw(this.#find(orderId), leftMs);
    });
  }
}
