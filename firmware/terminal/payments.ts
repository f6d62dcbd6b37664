/** Payments: from the till's wish over the bank and the display to the outcome in the ledger. */
import { randomUUID } from 'node:crypto';
import type { Picture } from '../../drivers/display/contract.ts';
import type { Clock } from '../clock.ts';
import type { Sealer } from '../store/sealer.ts';
import { after } from '../timer.ts';
import { bankFailure, callBank, registerWithRetries } from './bank-calls.ts';
import type { BankPool } from './bank-pool.ts';
import type { BankVerdict, OnlineBank, RegisteredPayment } from './banks/bank.ts';
import type { BankProfile } from './banks/profile.ts';
import { displayFailure } from './display-errors.ts';
import { TerminalError } from './errors.ts';
import { expiryOf, Follower, type Pacing } from './follower.ts';
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
import type { Outcome, Presenter } from './presenter.ts';
import type { ActiveSettings } from './settings.ts';
import { storageFailure } from './storage-errors.ts';

/** How long the payment before may take to be asked about when another one is wanted. */
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
  readonly presenter: Presenter;
  readonly banks: BankPool;
  readonly sealer: Sealer;
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

const OUTCOMES: Partial<Record<PaymentStanding['state'], Outcome>> = {
  ACCEPTED: 'success',
  REJECTED: 'failure',
  CANCELED: 'failure',
  ERROR: 'failure',
};

const sealPurpose = (orderId: string): string => `payment/${orderId}`;

const faultOf = (error: TerminalError): PaymentFault => ({
  category: error.category,
  code: error.errorCode,
  message: error.message,
});

export class Payments {
  readonly #options: PaymentsOptions;
  readonly #follower: Follower;
  #flight: Flight | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  /** Raised by whatever takes codes off the display: a registration that is under way then must not be drawn any more. */
  #clearings = 0;
  /** The payment whose outcome the customer waits for at the display. */
  #watchedByCustomer: string | null = null;
  #endOfTtl: (() => void) | null = null;
  /** A call that failed before there was a row: the payment before it must not be taken for its outcome. */
  #unrecorded: PaymentFault | null = null;

  constructor(options: PaymentsOptions) {
    this.#options = options;
    this.#follower = new Follower({
      clock: options.clock,
      pacing: options.pacing,
      random: options.random ?? Math.random,
      ask: (payment, deadlineMs) => this.#ask(payment, deadlineMs),
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
    const { ledger } = this.#options;
    const fault = { category: 'Internal', code: 1, message: 'the device restarted before the code was shown' };
    for (const payment of ledger.followed()) {
      const standing = this.#apply(payment.orderId, { type: 'restarted', fault });
      if (standing.seen) this.#follower.follow({ ...payment, standing });
      else ledger.markWatched(payment.orderId);
    }
    this.#restoreDisplay();
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

  /** The till takes whatever is shown off the display; an open payment goes on being followed. @throws {TerminalError} */
  async clearScreen(): Promise<void> {
    this.#takeOff();
    await this.#drawn(this.#options.presenter.blank());
  }

  /** @throws {TerminalError} */
  async showInfoQR(payload: string): Promise<void> {
    this.#takeOff();
    await this.#drawn(this.#options.presenter.showForTill({ kind: 'qr', payload }));
  }

  /** @throws {TerminalError} */
  async showSymbol(symbol: Outcome): Promise<void> {
    this.#takeOff();
    await this.#drawn(this.#flash(symbol));
  }

  /** Draws the code of the open payment once more, or whatever is shown. @throws {TerminalError} */
  async redraw(): Promise<void> {
    const { ledger, presenter, clock } = this.#options;
    const last = ledger.last();
    const payable =
      last !== null &&
      (isOpen(last.standing) || last.standing.state === 'STATIC') &&
      clock.monotonic() < expiryOf(last, clock);
    if (!payable || last.payload === null) return this.#drawn(presenter.redraw());
    await this.#drawn(presenter.showPayment(last.orderId, pictureOf(last, last.payload)));
    this.#onDisplay(last);
  }

  /** Stops asking and waiting; what is open stays so in the ledger. */
  async close(): Promise<void> {
    this.#follower.close();
    this.#endOfTtl?.();
    await this.#turn;
    this.#follower.close();
  }

  #landed(flight: Flight): void {
    if (this.#flight === flight) this.#flight = null;
  }

  async #showQR(settings: ActiveSettings, request: PaymentRequest): Promise<void> {
    const clearings = this.#clearings;
    try {
      const bank = this.#options.banks.open(settings.profile);
      await this.#settlePrevious();
      if (bank.kind === 'static') await this.#showStatic(settings, request, bank.payload);
      else await this.#showDynamic(settings, request, bank, clearings);
      this.#unrecorded = null;
    } catch (error) {
      throw displayFailure(storageFailure(error));
    }
  }

  async #showStatic(settings: ActiveSettings, request: PaymentRequest, payload: string): Promise<void> {
    const payment = this.#record(settings, request, { ...REGISTERING, state: 'STATIC', seen: true }, payload);
    await this.#draw(payment, payload);
  }

  async #showDynamic(
    settings: ActiveSettings,
    request: PaymentRequest,
    bank: OnlineBank,
    clearings: number,
  ): Promise<void> {
    const { ledger, presenter, pacing } = this.#options;
    const payment = this.#record(settings, request, REGISTERING, null);
    const registered = await this.#orFail(payment.orderId, async () => {
      presenter.requireReady();
      return registerWithRetries(bank, { orderId: payment.orderId, ...request }, pacing.bankDeadlineMs);
    });
    if (clearings !== this.#clearings) await this.#giveUp(payment.orderId, bank, registered);
    ledger.intendToShow(payment.orderId, registered.bankId, registered.payload);
    const row = ledger.find(payment.orderId);
    if (row === null) throw new Error(`payment ${payment.orderId} is not in the ledger`);
    this.#follower.follow(row);
    await this.#draw(payment, registered.payload);
  }

  /** A payment of which the code was never shown: nobody can pay it. */
  async #giveUp(orderId: string, bank: OnlineBank, { bankId }: RegisteredPayment): Promise<never> {
    await this.#cancelAtBank(bank, bankId);
    return this.#orFail(orderId, () => {
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

  async #draw(payment: NewPayment, payload: string): Promise<void> {
    const picture = pictureOf(payment, payload);
    await this.#orFail(payment.orderId, () => this.#options.presenter.showPayment(payment.orderId, picture));
    this.#onDisplay(payment);
  }

  /** The till is told only now; the note for a restart need not be waited for. */
  #onDisplay(payment: NewPayment): void {
    const { ledger, presenter, clock } = this.#options;
    this.#watchedByCustomer = payment.orderId;
    this.#endOfTtl?.();
    this.#endOfTtl = after(payment.createdMono + payment.ttl * 60_000 - clock.monotonic(), () => {
      if (presenter.payment === payment.orderId) this.#toIdle();
    });
    setImmediate(() => {
      if (presenter.payment === payment.orderId)
        this.#unlessStorageFails('the display could not be noted', () => ledger.setDrawn(payment.orderId, true));
    });
  }

  #record(
    settings: ActiveSettings,
    request: PaymentRequest,
    standing: PaymentStanding,
    payload: string | null,
  ): NewPayment {
    const { clock, ledger, sealer } = this.#options;
    const orderId = randomUUID();
    const previous = ledger.last();
    const payment: NewPayment = {
      orderId,
      createdAt: clock.wall(),
      bootId: clock.bootId,
      createdMono: clock.monotonic(),
      profile: settings.profileName,
      bank: settings.profile.bankName,
      profileSealed: sealer.seal(JSON.stringify(settings.profile), sealPurpose(orderId)),
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
    if (previous === null || !isOpen(previous.standing) || !previous.standing.seen || previous.bankId === null) return;
    await this.#judge(previous);
    if (!this.#isStillOpen(previous.orderId)) return;
    const bank = this.#bankOf(previous);
    if (bank.cancel === undefined) return;
    if (await this.#cancelAtBank(bank, previous.bankId)) this.#apply(previous.orderId, { type: 'withdrawn' });
    else await this.#judge(previous);
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

  #isStillOpen(orderId: string): boolean {
    const now = this.#options.ledger.find(orderId);
    return now !== null && isOpen(now.standing);
  }

  /** True when the bank took the code out of use. */
  async #cancelAtBank(bank: OnlineBank, bankId: string): Promise<boolean> {
    const { cancel } = bank;
    if (cancel === undefined) return false;
    try {
      await callBank((signal) => cancel.call(bank, bankId, signal), PREVIOUS_CHECK_MS);
      return true;
    } catch (error) {
      this.#options.log('the bank did not cancel a payment; it is followed to its end', {
        bankId,
        reason: String(error),
      });
      return false;
    }
  }

  #bankOf(payment: PaymentRow): OnlineBank {
    const profile = JSON.parse(
      this.#options.sealer.open(payment.profileSealed, sealPurpose(payment.orderId)),
    ) as BankProfile;
    const bank = this.#options.banks.open(profile);
    if (bank.kind !== 'online') throw new Error(`payment ${payment.orderId} belongs to a static code`);
    return bank;
  }

  #ask(payment: PaymentRow, deadlineMs: number): Promise<BankVerdict> {
    const { bankId } = payment;
    if (bankId === null) return Promise.resolve('pending');
    const bank = this.#bankOf(payment);
    return callBank((signal) => bank.status(bankId, signal), deadlineMs);
  }

  /** Takes an event into the ledger first; only then it is shown to anybody. */
  #apply(orderId: string, event: PaymentEvent): PaymentStanding {
    const { ledger, clock, onOutcome, log } = this.#options;
    const payment = ledger.find(orderId);
    if (payment === null) throw new Error(`payment ${orderId} is not in the ledger`);
    const standing = advance(payment.standing, event);
    if (standing === payment.standing) return standing;
    const ended = standing.state !== payment.standing.state;
    ledger.setStanding(orderId, standing, ended ? clock.wall() : payment.endedAt);
    if (!ended) return standing;
    log('a payment has ended', { orderId, state: standing.state, amount: payment.amount, late: standing.late });
    onOutcome?.(standing.state);
    this.#showOutcome(orderId, standing);
    return standing;
  }

  /** Shows the outcome only to the customer who waits for it, or on an idle display an acceptance. */
  #showOutcome(orderId: string, { state }: PaymentStanding): void {
    const { presenter, ledger } = this.#options;
    const symbol = OUTCOMES[state];
    if (symbol === undefined || ledger.last()?.orderId !== orderId) return;
    const onDisplay = presenter.payment === orderId;
    const waitedFor = presenter.isIdle && (state === 'ACCEPTED' || this.#watchedByCustomer === orderId);
    if (!onDisplay && !waitedFor) return;
    this.#watchedByCustomer = null;
    this.#flash(symbol).catch((error: unknown) =>
      this.#options.log('the outcome could not be shown', { orderId, reason: String(error) }),
    );
  }

  #flash(symbol: Outcome): Promise<void> {
    return this.#options.presenter.flash(symbol, 'till', () => this.#toIdle());
  }

  #toIdle(): void {
    this.#options.presenter
      .clear()
      .catch((error: unknown) => this.#options.log('the display could not be cleared', { reason: String(error) }));
  }

  /** Durable before anything is drawn: a code that the till took off must not come back with a restart. */
  #takeOff(): void {
    this.#clearings += 1;
    const { presenter, ledger } = this.#options;
    const orderId = presenter.payment;
    this.#watchedByCustomer = null;
    this.#endOfTtl?.();
    if (orderId !== null)
      this.#unlessStorageFails('the display could not be noted', () => ledger.setDrawn(orderId, false));
  }

  #unlessStorageFails(message: string, write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#options.log(message, { reason: String(error) });
    }
  }

  async #drawn(drawing: Promise<void>): Promise<void> {
    try {
      await drawing;
    } catch (error) {
      throw displayFailure(error);
    }
  }

  #restoreDisplay(): void {
    const { ledger, clock, presenter } = this.#options;
    const last = ledger.last();
    if (last === null || last.payload === null || !last.drawn || last.bootId !== clock.bootId) return;
    const payable = isOpen(last.standing) || last.standing.state === 'STATIC';
    if (!payable || clock.monotonic() >= expiryOf(last, clock)) return;
    presenter.restore(last.orderId, pictureOf(last, last.payload));
    this.#onDisplay(last);
  }
}

function pictureOf({ amount, purpose }: Pick<NewPayment, 'amount' | 'purpose'>, payload: string): Picture {
  return { kind: 'qr', payload, amount, ...(purpose === null ? {} : { purpose }) };
}
