/**
 * The payments before, when another one is asked for: nobody is asked to pay twice for one sale. A sale is what its key names; where a
 * till knows no keys, it is an amount, a purpose and a profile. As long as a code of that may be paid it is shown again, or waited for;
 * what the bank does not report is unknown, never unpaid.
 */
import type { Clock } from '../../host/index.ts';
import type { BankVerdict } from '../banks/bank.ts';
import type { BankPool } from '../banks/bank-pool.ts';
import type { PaymentRow } from '../ledger/payment-row.ts';
import type { PaymentBook } from './book.ts';
import type { Dispatch } from './events.ts';
import type { Follower } from './follower.ts';
import type { Following } from './following.ts';
import { isHalfLeft, isLeft, isOpen, isUndecided, leftOf, mayBePaid } from './payment.ts';
import { PaidBefore, previousOpen, previousUnknown } from './payment-failures.ts';
import { isForSame, type Sale } from './sale.ts';
import type { Withdrawal } from './withdrawal.ts';

/** How long the bank may take to report all of them and to withdraw them: a till waits meanwhile. */
const CHECK_MS = 3000;
/** Questions at once: a bank gets no more connections from one profile. */
const AT_ONCE = 8;
/** Payments of other sales that are asked about before a code is shown; older ones are heard of in their turn. */
const MOST_OTHERS = 100;
/** How long after the end of its code a payment that the bank has not reported may be the sale that is asked for again. */
const AFTERMATH_MS = 60 * 60_000;
/** How soon to ask again about a payment that the customer is just confirming. */
const CONFIRMING_MS = 5000;

/** A payment that may have been paid unheard. */
interface Unsure {
  readonly orderId: string;
  /** Monotonic ms of the end of its ttl and grace. */
  readonly endsAt: number;
  readonly isSameSale: boolean;
}

export interface Settled {
  /** The payment whose code is to be shown once more, in place of a new one. */
  readonly again: PaymentRow | null;
  /** Other sales of which the bank does not say whether they were paid. */
  readonly unknown: readonly PaymentRow[];
  /** Other sales that the bank did not take out of use, and that may be paid. */
  readonly left: readonly PaymentRow[];
}

export interface EarlierPaymentsOptions {
  readonly clock: Clock;
  readonly graceMs: number;
  readonly book: Pick<PaymentBook, 'find' | 'last' | 'untold' | 'hasHeard'>;
  readonly follower: Pick<Follower, 'silenceAbout' | 'unsure'>;
  readonly following: Pick<Following, 'askNow'>;
  readonly dispatch: Dispatch;
  readonly banks: Pick<BankPool, 'isFor'>;
  readonly withdrawal: Pick<Withdrawal, 'withdraw'>;
}

/** Works through a list, several at once, until a common deadline; what is left over by then gets no time. */
async function inTime<T>(all: readonly T[], work: (one: T, leftMs: number) => Promise<void>): Promise<void> {
  const end = performance.now() + CHECK_MS;
  const queue = [...all];
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const leftMs = Math.ceil(end - performance.now());
      if (leftMs <= 0) return;
      await work(next, leftMs);
    }
  };
  await Promise.all(all.slice(0, AT_ONCE).map(worker));
}

export class EarlierPayments {
  readonly #options: EarlierPaymentsOptions;

  constructor(options: EarlierPaymentsOptions) {
    this.#options = options;
  }

  /** Whether a payment, by its order id, was asked for by a call for the same sale. */
  isSameSale(orderId: string, sale: Sale): boolean {
    const { book, banks } = this.#options;
    const { amount, purpose, profileName, profile } = sale;
    const payment = book.find(orderId);
    return (
      this.isOf(payment, sale) &&
      isForSame(payment, { amount, purpose, profile: profileName }) &&
      banks.isFor(payment, profile)
    );
  }

  /** Whether a payment may concern the till of a sale: a till that sees only its own payments gets nothing of the others. */
  isOf({ till }: PaymentRow, sale: Sale): boolean {
    return !sale.ownOnly || till === sale.till;
  }

  /**
   * Whether a payment, by its order id, stands for the sale of a call: its key says so. To a till without keys one for the same does,
   * unless a till has taken that back.
   */
  standsFor(orderId: string, sale: Sale): boolean {
    if (sale.key !== null) return orderId === sale.orderId;
    return !this.#find(orderId).status.cancelled && this.isSameSale(orderId, sale);
  }

  /** Whether a payment, of whose end nobody knows, is one for the same sale: the status can speak of it then. */
  isOpenSale({ orderId, status }: PaymentRow, sale: Sale): boolean {
    return isUndecided(status) && this.standsFor(orderId, sale);
  }

  /** Before a call waits for others, or for the bank: a restart meanwhile must not leave it with the payment before. */
  foresee(sale: Sale): void {
    const { book, dispatch } = this.#options;
    const last = book.last();
    if (last !== null && !this.isOpenSale(last, sale)) dispatch({ type: 'call-foreseen' });
  }

  /**
   * Asks the bank about all that may have been paid unheard, and takes out of use what another payment is to replace.
   * @param isPresent whether the code of a payment is one that the profile has now: only such a one is shown again
   * @throws {PaidBefore} @throws {HeldBack} nothing has been taken out of use then but codes of this sale
   */
  async settle(sale: Sale, isPresent: (payment: PaymentRow) => boolean): Promise<Settled> {
    this.mustBeUnpaid(sale);
    const unsure = this.#unsure(sale);
    if (unsure.length > 0) this.foresee(sale);
    const told = await this.#ask(unsure);
    this.mustBeUnpaid(sale);
    const same = unsure.filter(({ isSameSale }) => isSameSale);
    const again = sale.key === null ? await this.#codeOf(same, told, isPresent) : null;
    const others = unsure.filter(({ orderId }) => orderId !== (again?.orderId ?? sale.orderId));
    await this.#withdraw(others.filter(({ orderId }) => isUndecided(this.#find(orderId).status)));
    this.mustBeUnpaid(sale);
    const open = others
      .filter(({ isSameSale }) => !isSameSale)
      .map(({ orderId }) => this.#find(orderId))
      .filter(({ status }) => isUndecided(status));
    const isUnknown = ({ orderId }: PaymentRow): boolean => (told.get(orderId) ?? null) === null;
    return { again, unknown: open.filter(isUnknown), left: open.filter((payment) => !isUnknown(payment)) };
  }

  /**
   * What a till has taken back was another customer's: it is late, and holds up nobody.
   * @throws {PaidBefore} naming all payments that the till does not know to be paid and that may be this sale, which no key names
   */
  mustBeUnpaid(sale: Sale): void {
    if (sale.key !== null) return;
    const unheard = this.#options.book
      .untold()
      .filter((payment) => this.isOf(payment, sale) && !payment.status.cancelled)
      .filter(({ orderId, till }) => till === sale.till || !this.#options.book.hasHeard(sale.till, orderId));
    const paid = unheard.filter((payment) => this.#mayBe(payment, sale));
    if (paid.length > 0) throw new PaidBefore(paid);
  }

  #find(orderId: string): PaymentRow {
    return this.#options.book.find(orderId);
  }

  /** While its code lived the customer stood there; later only the same amount is that sale, and another must not pass for paid. */
  #mayBe(payment: PaymentRow, { amount }: Sale): boolean {
    const { clock, graceMs } = this.#options;
    return payment.amount === amount || leftOf(payment, clock) + graceMs > 0;
  }

  /** Those of this sale, then the newest others. */
  #unsure(sale: Sale): Unsure[] {
    const { clock, follower } = this.#options;
    const recent = follower.unsure.filter(({ endsAt }) => clock.monotonic() < endsAt + AFTERMATH_MS).reverse();
    const mayBeSame = ({ payment }: { readonly payment: PaymentRow }): boolean =>
      payment.amount === sale.amount && this.standsFor(payment.orderId, sale);
    const same = recent.filter(mayBeSame).map((one) => ({ ...one, isSameSale: true }));
    const others = recent.filter((one) => !same.some(({ payment }) => payment === one.payment));
    return [...same, ...others.slice(0, MOST_OTHERS).map((one) => ({ ...one, isSameSale: false }))]
      .filter(({ payment }) => mayBePaid(this.#find(payment.orderId).status))
      .map(({ payment, ...one }) => ({ ...one, orderId: payment.orderId }));
  }

  /** What the bank says of each; those that it does not report in time are missing. */
  async #ask(payments: readonly Unsure[]): Promise<Map<string, BankVerdict | null>> {
    const told = new Map<string, BankVerdict | null>();
    await inTime(payments, async ({ orderId }, leftMs) => {
      const { verdict } = await this.#options.following.askNow(this.#find(orderId), leftMs);
      told.set(orderId, verdict);
    });
    return told;
  }

  /**
   * The payment of this sale whose code may be shown once more; null where none is in use any more.
   * @throws {HeldBack} where a code of it is in use, or may be, and cannot be shown again
   */
  async #codeOf(
    payments: readonly Unsure[],
    told: ReadonlyMap<string, BankVerdict | null>,
    isPresent: (payment: PaymentRow) => boolean,
  ): Promise<PaymentRow | null> {
    const inUse = payments.filter((payment) => this.#isInUse(payment, told.get(payment.orderId) ?? null));
    const rows = inUse.map(({ orderId }) => this.#find(orderId));
    const again = rows.find(
      (payment) => payment.payload !== null && isHalfLeft(payment, this.#options.clock) && isPresent(payment),
    );
    if (again !== undefined) return again;
    await this.#withdraw(inUse);
    const [left] = inUse.filter(({ orderId }) => mayBePaid(this.#find(orderId).status));
    if (left !== undefined) throw this.#openStill(left);
    return null;
  }

  /** @throws {HeldBack} where that is not known, and the code cannot be in the customer's hands for this call */
  #isInUse({ orderId, endsAt }: Unsure, verdict: BankVerdict | null): boolean {
    const payment = this.#find(orderId);
    if (!mayBePaid(payment.status)) return false;
    const isOver = this.#options.clock.monotonic() >= endsAt;
    const isEnded = !isUndecided(payment.status);
    if (verdict === null && (isOver || isEnded || isLeft(payment.status))) {
      const silence = this.#options.follower.silenceAbout(orderId)?.error;
      // the bank has ended it, and has no more to say of it: a refusal is no silence, and nobody can pay a dead code
      if (isEnded && (isOver || silence?.code === 'refused')) return false;
      throw previousUnknown(payment, silence?.message ?? 'there was no time to ask');
    }
    if (verdict === 'rejected' || verdict === 'canceled') return false;
    return verdict === 'processing' || !isOver || isOpen(payment.status);
  }

  #openStill({ orderId, endsAt }: Unsure): Error {
    const left = endsAt - this.#options.clock.monotonic();
    return previousOpen(this.#find(orderId), Math.ceil((left > 0 ? left : CONFIRMING_MS) / 1000));
  }

  /** Takes codes out of use at the bank; one that the bank does not take is followed to its end. */
  async #withdraw(payments: readonly Unsure[]): Promise<void> {
    const { clock, withdrawal } = this.#options;
    const alive = payments.filter(({ endsAt }) => clock.monotonic() < endsAt);
    await inTime(alive, async ({ orderId }, leftMs) => {
      await withdrawal.withdraw(this.#find(orderId), leftMs);
    });
  }
}
