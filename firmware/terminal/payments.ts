/** Payments: from the till's wish over the bank and the display to the outcome in the ledger. */
import type { Clock } from '../clock.ts';
import type { LogLine } from '../log.ts';
import { Turns } from '../turns.ts';
import { type CallLimits, registerWithRetries } from './bank-calls.ts';
import type { BankPool } from './bank-pool.ts';
import { BankError, type OnlineBank, type RegisteredPayment } from './banks/bank.ts';
import type { CustomerView } from './customer-view.ts';
import { expiryOf, Follower, type Pacing, type Unanswered } from './follower.ts';
import type { Ledger, NewPayment, PaymentRow } from './ledger.ts';
import { isOpen, mayBePaid, type PaymentStanding, REGISTERING } from './payment.ts';
import type { PaymentBanks } from './payment-banks.ts';
import { type LastStatus, PaymentBook, type PaymentRequest } from './payment-book.ts';
import { cleared, faultOf, isPreviousPaid, paymentFailure, previousPaid, RESTARTED } from './payment-faults.ts';
import type { ActiveSettings } from './settings-document.ts';

/** How long the bank may take for a payment that another one is about to replace: a till waits meanwhile. */
const PREVIOUS_CHECK_MS = 3000;

export interface PaymentsOptions {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly view: CustomerView;
  readonly pool: Pick<BankPool, 'open'>;
  readonly banks: PaymentBanks;
  readonly pacing: Pacing;
  readonly random?: () => number;
  readonly log: LogLine;
  readonly onOutcome?: (state: PaymentStanding['state']) => void;
}

/** A showQR as the till has sent it. */
interface Wish {
  readonly settings: ActiveSettings;
  readonly request: PaymentRequest;
  /** How often the till had cleared the display by then: a code that it asked for before is not drawn after. */
  readonly clearings: number;
}

interface Flight {
  readonly key: string;
  readonly done: Promise<void>;
}

export class Payments {
  readonly #options: PaymentsOptions;
  readonly #book: PaymentBook;
  readonly #follower: Follower;
  #flight: Flight | null = null;
  readonly #turns = new Turns();
  readonly #closing = new AbortController();

  constructor(options: PaymentsOptions) {
    this.#options = options;
    this.#book = new PaymentBook({ ...options, onEnd: (payment) => this.#tellEnd(payment) });
    this.#follower = new Follower({
      clock: options.clock,
      pacing: options.pacing,
      random: options.random ?? Math.random,
      ask: (payment, deadlineMs) => options.banks.ask(payment, this.#limits(deadlineMs)),
      apply: (orderId, event) => this.#book.apply(orderId, event),
      done: (orderId) => options.ledger.markSettled(orderId),
      log: options.log,
    });
  }

  /** What the bank's last answers told nothing of. */
  get unanswered(): Unanswered[] {
    return this.#follower.unanswered;
  }

  /** How many payments somebody waits for: a till for the code, or a customer for the bank's word within ttl and grace. */
  get waiting(): number {
    const shown = this.#follower.inTime.filter((orderId) => {
      const { standing } = this.#book.find(orderId);
      return isOpen(standing) && !standing.superseded;
    });
    return Math.max(shown.length, this.#flight === null ? 0 : 1);
  }

  /** Takes up what the process before left: what nobody saw ends, what somebody may have seen is followed. */
  recover(): void {
    for (const payment of this.#options.ledger.followed()) this.#recoverOne(payment);
    this.#options.view.restore();
  }

  /** A full disk must not keep the device from starting. */
  #recoverOne(payment: PaymentRow): void {
    const { ledger, log } = this.#options;
    const { orderId, standing } = payment;
    if (standing.seen) {
      this.#follower.follow(payment);
      return;
    }
    try {
      if (this.#book.fail(orderId, { type: 'restarted', fault: RESTARTED })) ledger.markSettled(orderId);
    } catch (error) {
      log('what a payment was left as cannot be recorded', { orderId, reason: String(error) });
    }
  }

  /** What `getDynamicQRStatus` answers. */
  status(): LastStatus {
    return this.#book.status();
  }

  /**
   * Registers a payment and draws its code; settles after the last byte. An identical call in flight is joined, another
   * one waits for its turn.
   * @throws {TerminalError}
   */
  showQR(settings: ActiveSettings, request: PaymentRequest): Promise<void> {
    const { clearings } = this.#options.view;
    const key = JSON.stringify([clearings, settings.profileName, request.amount, request.purpose, request.ttl]);
    if (this.#flight?.key === key) return this.#flight.done;
    const done = this.#turns.run(() => this.#showQR({ settings, request, clearings }));
    const flight: Flight = { key, done };
    const landed = (): void => {
      if (this.#flight === flight) this.#flight = null;
    };
    this.#flight = flight;
    void done.then(landed, landed);
    return done;
  }

  /** Ends what the bank is being asked, and asks no more; what is open stays so in the ledger. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#turns.idle();
    this.#follower.close();
  }

  #limits(deadlineMs: number): CallLimits {
    return { deadlineMs, closing: this.#closing.signal };
  }

  async #showQR(wish: Wish): Promise<void> {
    this.#book.catchUp();
    let previous: PaymentRow | null = null;
    try {
      const bank = await this.#options.pool.open(wish.settings.profile);
      if (this.#isWanted(wish)) previous = await this.#settlePrevious(wish.request);
      if (previous !== null) await this.#giveWay(wish, previous);
      if (bank.kind === 'static') await this.#showStatic(wish, bank.payload);
      else await this.#showDynamic(wish, bank, previous);
    } catch (error) {
      this.#book.miss(error);
      if (previous !== null && isPreviousPaid(error)) this.#tellPaid(previous);
      throw paymentFailure(error);
    }
  }

  /** @throws {TerminalError} PreviousPaid; the status speaks of the one before, or of this one that gave way to it */
  async #giveWay({ settings, request }: Wish, previous: PaymentRow): Promise<void> {
    if (this.#book.isLast(previous)) this.#mustBeUnpaid(previous);
    if (!this.#isPaid(previous)) return;
    const payment = this.#book.enter(settings, request, REGISTERING, null);
    await this.#orFail(payment, () => this.#mustBeUnpaid(previous));
  }

  /** The customer sees it too, where the display is free. */
  #tellPaid({ orderId }: PaymentRow): void {
    this.#book.tell(orderId);
    this.#options.view.showPaid(orderId);
  }

  async #showStatic(wish: Wish, payload: string): Promise<void> {
    const standing: PaymentStanding = { ...REGISTERING, state: 'STATIC', seen: true };
    const payment = this.#book.enter(wish.settings, wish.request, standing, payload);
    await this.#orFail(payment, () => {
      this.#mustBeWanted(wish);
      return this.#options.view.showPayment(payment, payload);
    });
  }

  async #showDynamic(wish: Wish, bank: OnlineBank, previous: PaymentRow | null): Promise<void> {
    const { view, pacing } = this.#options;
    const { settings, request } = wish;
    const payment = this.#book.enter(settings, request, REGISTERING, null);
    await this.#orFail(payment, async () => {
      await view.ready();
      this.#mustBeWanted(wish);
      const order = { orderId: payment.orderId, ...request };
      const registered = await registerWithRetries(bank, order, this.#limits(pacing.bankDeadlineMs));
      await this.#intendToShow(payment, registered, wish, previous);
      this.#follower.follow(this.#book.find(payment.orderId));
      await view.showPayment(payment, registered.payload);
    });
  }

  /** The last moment to give a payment up: its code is taken out of use at the bank, and nobody has seen it. */
  async #intendToShow(
    payment: NewPayment,
    { bankId, payload }: RegisteredPayment,
    wish: Wish,
    previous: PaymentRow | null,
  ): Promise<void> {
    try {
      this.#mustBeWanted(wish);
      if (previous !== null) this.#mustBeUnpaid(previous);
      this.#options.ledger.intendToShow(payment.orderId, bankId, payload);
    } catch (error) {
      await this.#cancel(payment, bankId);
      throw error;
    }
  }

  #isWanted({ clearings }: Wish): boolean {
    return clearings === this.#options.view.clearings;
  }

  /** @throws {TerminalError} */
  #mustBeWanted(wish: Wish): void {
    if (!this.#isWanted(wish)) throw cleared();
  }

  #isPaid({ orderId }: PaymentRow): boolean {
    return this.#book.find(orderId).standing.state === 'ACCEPTED';
  }

  /** @throws {TerminalError} PreviousPaid: the customer is not asked to pay twice */
  #mustBeUnpaid(previous: PaymentRow): void {
    if (this.#isPaid(previous)) throw previousPaid(previous);
  }

  /** Runs the steps of a payment; a failure ends it, and is told in the terminal's words. */
  async #orFail({ orderId }: NewPayment, steps: () => Promise<void> | void): Promise<void> {
    try {
      await steps();
    } catch (cause) {
      const error = paymentFailure(cause);
      this.#book.fail(orderId, { type: 'failed', fault: faultOf(error) });
      throw error;
    }
  }

  /**
   * Looks at the payment that another one is about to replace; its code comes off the display first.
   * @returns it, if it may turn out paid without the till knowing
   */
  async #settlePrevious(request: PaymentRequest): Promise<PaymentRow | null> {
    this.#options.view.makeWay();
    const previous = this.#book.lastSeen();
    if (previous === null || previous.bankId === null) return null;
    if (this.#book.isUntold(previous)) return this.#mayBeSameSale(previous, request) ? previous : null;
    if (previous.settled || !mayBePaid(previous.standing)) return null;
    await this.#judge(previous);
    if (!mayBePaid(this.#book.find(previous.orderId).standing)) return previous;
    const outcome = await this.#cancel(previous, previous.bankId);
    if (outcome === 'withdrawn') this.#book.apply(previous.orderId, { type: 'withdrawn' });
    if (outcome === 'failed') await this.#judge(previous); // most likely because it has just been paid
    return previous;
  }

  /** Within its ttl the customer still stands there; later only the same amount is that sale, and another must not pass for paid. */
  #mayBeSameSale(previous: PaymentRow, { amount }: PaymentRequest): boolean {
    const { clock } = this.#options;
    return previous.amount === amount || clock.monotonic() < expiryOf(previous, clock);
  }

  async #judge(previous: PaymentRow): Promise<void> {
    const verdict = await this.#follower.askNow(previous, PREVIOUS_CHECK_MS);
    if (verdict !== null) this.#book.apply(previous.orderId, { type: 'verdict', verdict });
  }

  /** Asks the bank to take a code out of use; where it does not, the payment is followed to its end. */
  async #cancel(payment: NewPayment, bankId: string): Promise<'withdrawn' | 'unsupported' | 'failed'> {
    try {
      const withdrawn = await this.#options.banks.cancel(payment, bankId, this.#limits(PREVIOUS_CHECK_MS));
      return withdrawn ? 'withdrawn' : 'unsupported';
    } catch (error) {
      if (!(error instanceof BankError)) throw error;
      this.#options.log('the bank did not cancel a payment; it is followed to its end', {
        orderId: payment.orderId,
        reason: error.message,
      });
      return 'failed';
    }
  }

  #tellEnd({ orderId, amount, standing: { state, late } }: PaymentRow): void {
    const { log, onOutcome, view } = this.#options;
    log('a payment has ended', { orderId, state, amount, late });
    onOutcome?.(state);
    view.showOutcome(orderId, state);
  }
}
