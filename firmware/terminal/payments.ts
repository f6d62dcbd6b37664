/** Payments: from the till's wish over the bank and the display to the outcome in the ledger. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { bankFailure, type CallLimits, registerWithRetries } from './bank-calls.ts';
import type { BankPool } from './bank-pool.ts';
import { BankError, type OnlineBank } from './banks/bank.ts';
import type { CustomerView } from './customer-view.ts';
import { displayFailure } from './display-errors.ts';
import { TerminalError } from './errors.ts';
import { Follower, type Pacing } from './follower.ts';
import type { Ledger, NewPayment, PaymentRow } from './ledger.ts';
import {
  advance,
  type DynamicStatus,
  isOpen,
  type PaymentEvent,
  type PaymentFault,
  type PaymentStanding,
  REGISTERING,
} from './payment.ts';
import type { PaymentBanks } from './payment-banks.ts';
import type { ActiveSettings } from './settings.ts';
import { storageFailure } from './storage-errors.ts';

/** How long the bank may take for a payment that another one is about to replace: a till waits meanwhile. */
const PREVIOUS_CHECK_MS = 3000;

export interface PaymentRequest {
  /** Kopecks. */
  readonly amount: number;
  readonly purpose: string | null;
  /** Minutes. */
  readonly ttl: number;
}

export interface PaymentsOptions {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly view: CustomerView;
  readonly pool: Pick<BankPool, 'open'>;
  readonly banks: PaymentBanks;
  readonly pacing: Pacing;
  readonly random?: () => number;
  readonly log: (message: string, details: Readonly<Record<string, unknown>>) => void;
  readonly onOutcome?: (state: PaymentStanding['state']) => void;
}

export interface LastStatus {
  readonly status: DynamicStatus;
  readonly fault: PaymentFault | null;
}

interface Flight {
  readonly key: string;
  readonly done: Promise<void>;
}

const faultOf = (error: TerminalError): PaymentFault => ({
  category: error.category,
  code: error.errorCode,
  message: error.message,
});

const RESTARTED: PaymentFault = faultOf(
  TerminalError.of(500, 'Internal', 'UnexpectedError', 'the device restarted before the code was shown'),
);

export class Payments {
  readonly #options: PaymentsOptions;
  readonly #follower: Follower;
  #flight: Flight | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  /** A call that failed before there was a row: the payment before it must not be taken for its outcome. */
  #unrecorded: PaymentFault | null = null;
  readonly #closing = new AbortController();

  constructor(options: PaymentsOptions) {
    this.#options = options;
    this.#follower = new Follower({
      clock: options.clock,
      pacing: options.pacing,
      random: options.random ?? Math.random,
      ask: (payment, deadlineMs) => options.banks.ask(payment, this.#limits(deadlineMs)),
      apply: (orderId, event) => this.#apply(orderId, event),
      done: (orderId) => options.ledger.markWatched(orderId),
      log: options.log,
    });
  }

  /** Questions in a row that a bank has not answered. */
  get bankFailures(): number {
    return this.#follower.failures;
  }

  /** Takes up what the process before left: what nobody saw ends, what somebody may have seen is followed. */
  recover(): void {
    for (const payment of this.#options.ledger.followed()) this.#recoverOne(payment);
    this.#options.view.restore();
  }

  /** A full disk must not keep the device from starting: what cannot be ended now is ended at the next start. */
  #recoverOne(payment: PaymentRow): void {
    const { ledger, log } = this.#options;
    const { orderId } = payment;
    try {
      const standing = this.#apply(orderId, { type: 'restarted', fault: RESTARTED });
      if (standing.seen) this.#follower.follow({ ...payment, standing });
      else ledger.markWatched(orderId);
    } catch (error) {
      log('what a payment was left as cannot be recorded', { orderId, reason: String(error) });
    }
  }

  /** What `getDynamicQRStatus` answers. */
  status(): LastStatus {
    if (this.#unrecorded !== null) return { status: 'ERROR', fault: this.#unrecorded };
    const last = this.#options.ledger.last();
    return last === null
      ? { status: 'EMPTY', fault: null }
      : { status: last.standing.state, fault: last.standing.fault };
  }

  /**
   * Registers a payment and draws its code; settles after the last byte. An identical call in flight is joined, another
   * one waits for its turn.
   * @throws {TerminalError}
   */
  showQR(settings: ActiveSettings, request: PaymentRequest): Promise<void> {
    const key = JSON.stringify([settings.profileName, request.amount, request.purpose, request.ttl]);
    if (this.#flight?.key === key) return this.#flight.done;
    const done = this.#turn.then(() => this.#showQR(settings, request));
    const flight: Flight = { key, done };
    this.#flight = flight;
    this.#turn = done.then(
      () => this.#landed(flight),
      () => this.#landed(flight),
    );
    return done;
  }

  /** Ends what the bank is being asked, and asks no more; what is open stays so in the ledger. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#turn;
    this.#follower.close();
  }

  #limits(deadlineMs: number): CallLimits {
    return { deadlineMs, closing: this.#closing.signal };
  }

  #landed(flight: Flight): void {
    if (this.#flight === flight) this.#flight = null;
  }

  async #showQR(settings: ActiveSettings, request: PaymentRequest): Promise<void> {
    const takings = this.#options.view.takings;
    try {
      const bank = this.#options.pool.open(settings.profile);
      await this.#settlePrevious();
      if (bank.kind === 'static') await this.#showStatic(settings, request, bank.payload);
      else await this.#showDynamic(settings, request, bank, takings);
    } catch (error) {
      throw displayFailure(storageFailure(error));
    }
  }

  async #showStatic(settings: ActiveSettings, request: PaymentRequest, payload: string): Promise<void> {
    const payment = this.#record(settings, request, { ...REGISTERING, state: 'STATIC', seen: true }, payload);
    await this.#orFail(payment.orderId, () => this.#options.view.showPayment(payment, payload));
  }

  async #showDynamic(
    settings: ActiveSettings,
    request: PaymentRequest,
    bank: OnlineBank,
    takings: number,
  ): Promise<void> {
    const { ledger, view, pacing } = this.#options;
    const payment = this.#record(settings, request, REGISTERING, null);
    const { bankId, payload } = await this.#orFail(payment.orderId, async () => {
      await view.ready();
      return registerWithRetries(bank, { orderId: payment.orderId, ...request }, this.#limits(pacing.bankDeadlineMs));
    });
    if (takings !== view.takings) await this.#giveUp(payment, bankId);
    ledger.intendToShow(payment.orderId, bankId, payload);
    this.#follower.follow(this.#find(payment.orderId));
    await this.#orFail(payment.orderId, () => view.showPayment(payment, payload));
  }

  /** The display was cleared while the bank was asked: the code is never shown, so nobody can pay it. */
  async #giveUp(payment: NewPayment, bankId: string): Promise<never> {
    await this.#cancel(payment, bankId);
    return this.#orFail(payment.orderId, () => {
      throw TerminalError.of(
        400,
        'RequestParams',
        'InvalidRequest',
        'the display was cleared before the code was shown; the payment was given up',
      );
    });
  }

  /** Runs a step; its failure ends the payment, and is told in the terminal's words. */
  async #orFail<T>(orderId: string, step: () => Promise<T> | T): Promise<T> {
    try {
      return await step();
    } catch (cause) {
      const error = displayFailure(bankFailure(cause));
      if (error instanceof TerminalError) this.#apply(orderId, { type: 'failed', fault: faultOf(error) });
      throw error;
    }
  }

  #record(
    settings: ActiveSettings,
    request: PaymentRequest,
    standing: PaymentStanding,
    payload: string | null,
  ): NewPayment {
    const { clock, ledger, banks } = this.#options;
    const orderId = randomUUID();
    const previous = ledger.last();
    const payment: NewPayment = {
      orderId,
      createdAt: clock.wall(),
      bootId: clock.bootId,
      createdMono: clock.monotonic(),
      profile: settings.profileName,
      bank: settings.profile.bankName,
      profileSealed: banks.seal(orderId, settings.profile),
      ...request,
      standing,
    };
    try {
      ledger.insert(payment, payload);
    } catch (cause) {
      const error = storageFailure(cause);
      if (error instanceof TerminalError) this.#unrecorded = faultOf(error);
      throw error;
    }
    this.#unrecorded = null;
    if (previous !== null) this.#apply(previous.orderId, { type: 'superseded' });
    return payment;
  }

  /**
   * Looks at the payment that another one is about to replace.
   * @throws {TerminalError} PreviousPaid, once: the till must see that it was paid before it asks for more
   */
  async #settlePrevious(): Promise<void> {
    const previous = this.#options.ledger.last();
    if (previous === null || !isOpen(previous.standing) || previous.bankId === null) return;
    await this.#judge(previous);
    if (!isOpen(this.#find(previous.orderId).standing)) return;
    const outcome = await this.#cancel(previous, previous.bankId);
    if (outcome === 'withdrawn') this.#apply(previous.orderId, { type: 'withdrawn' });
    if (outcome === 'failed') await this.#judge(previous); // most likely because it has just been paid
  }

  async #judge(previous: PaymentRow): Promise<void> {
    const verdict = await this.#follower.askNow(previous, PREVIOUS_CHECK_MS);
    if (verdict === null) return;
    if (this.#apply(previous.orderId, { type: 'verdict', verdict }).state !== 'ACCEPTED') return;
    throw TerminalError.of(
      400,
      'Bank',
      'PreviousPaid',
      `the payment of ${previous.amount} kopecks before this one has been paid (getDynamicQRStatus says ACCEPTED); ask again if another payment is wanted`,
    );
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

  #find(orderId: string): PaymentRow {
    const payment = this.#options.ledger.find(orderId);
    if (payment === null) throw new Error(`payment ${orderId} is not in the ledger`);
    return payment;
  }

  /** Takes an event into the ledger first; only then it is shown to anybody. */
  #apply(orderId: string, event: PaymentEvent): PaymentStanding {
    const { ledger, clock, onOutcome, log, view } = this.#options;
    const payment = this.#find(orderId);
    const standing = advance(payment.standing, event);
    if (standing === payment.standing) return standing;
    const ended = standing.state !== payment.standing.state;
    ledger.setStanding(orderId, standing, ended ? clock.wall() : payment.endedAt);
    if (!ended) return standing;
    log('a payment has ended', { orderId, state: standing.state, amount: payment.amount, late: standing.late });
    onOutcome?.(standing.state);
    view.showOutcome(orderId, standing.state);
    return standing;
  }
}
