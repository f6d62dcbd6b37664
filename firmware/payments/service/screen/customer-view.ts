/** Shows codes and outcomes of payments to the customer, and records the shown code: a restart restores that one alone. */

import type { Picture } from '../../../../drivers/display/contract.ts';
import type { LogLine, Timekeeper } from '../../../core/host/index.ts';
import { type DynamicStatus, isOpen, type PaymentState, remainingMsOf } from '../../model/payment.ts';
import { isGivenBack } from '../../model/payment-failures.ts';
import { isForSame, type NewPayment, type PaymentRow } from '../../model/payment-row.ts';
import { TerminalError } from '../../model/terminal-error.ts';
import type { Ledger } from '../../money/ledger.ts';
import { drawingFailure } from './display-failure.ts';
import type { Outcome, Screen } from './screen.ts';
import type { ShownCode } from './shown-code.ts';

/** Counts each code that is on the display. */
interface ShownFigures {
  countShown(payment: NewPayment): void;
}

const WAITING: Picture = Object.freeze({ kind: 'status', status: 'waiting' });

const OUTCOMES: Partial<Record<DynamicStatus, Outcome>> = {
  ACCEPTED: 'success',
  REJECTED: 'failure',
  CANCELED: 'failure',
  ERROR: 'failure',
};

/** The symbol of a state on the display; null for states that show a code. */
export const symbolOf = (state: DynamicStatus): Outcome | null => OUTCOMES[state] ?? null;

function pictureOf({ amount, purpose }: Pick<NewPayment, 'amount' | 'purpose'>, payload: string): Picture {
  return { kind: 'qr', payload, amount, ...(purpose === null ? {} : { purpose }) };
}

/** Whether a customer may still pay by the code of this payment. */
const isPayable = (payment: NewPayment, clock: Timekeeper): boolean =>
  (isOpen(payment.status) || payment.status.state === 'STATIC') &&
  !payment.status.cancelled &&
  remainingMsOf(payment, clock) > 0;

export class CustomerView {
  readonly #ledger: Ledger;
  readonly #screen: Screen;
  readonly #shownCode: ShownCode;
  readonly #clock: Timekeeper;
  readonly #figures: ShownFigures;
  readonly #log: LogLine;
  #clearings = 0;
  /** The payment whose outcome the customer waits for at the display. */
  #waitingFor: string | null = null;
  #endOfTtl: (() => void) | null = null;

  constructor(
    ledger: Ledger,
    screen: Screen,
    shownCode: ShownCode,
    clock: Timekeeper,
    figures: ShownFigures,
    log: LogLine,
  ) {
    this.#ledger = ledger;
    this.#screen = screen;
    this.#shownCode = shownCode;
    this.#clock = clock;
    this.#figures = figures;
    this.#log = log;
  }

  /** How often the till has cleared the display: a code that was requested before a clearing is not drawn after it. */
  get clearings(): number {
    return this.#clearings;
  }

  /** The order id of the payment whose code is on the display, or null. */
  get shown(): string | null {
    return this.#screen.payment;
  }

  /** The payment of the last call, if its code may be drawn again. */
  get drawable(): PaymentRow | null {
    const last = this.#ledger.isOpen ? this.#ledger.last() : null;
    return last !== null && last.payload !== null && isPayable(last, this.#clock) ? last : null;
  }

  /** Draws the code of a payment; settles after its last byte. @throws {TerminalError} its cause is a `DisplayError` */
  async showCode(payment: NewPayment, payload: string): Promise<void> {
    await this.#drawn(this.#drawAndCount(payment, payload), 'the code');
  }

  async #drawAndCount(payment: NewPayment, payload: string): Promise<void> {
    await this.#screen.drawCode(payment.orderId, pictureOf(payment, payload));
    this.#onShown(payment);
    this.#figures.countShown(payment);
  }

  /** Removes the code of a payment that another one is about to replace: no customer may begin to pay it any more. */
  removeCode(): void {
    if (this.#screen.payment === null) return;
    this.#forgetCode();
    this.#toIdle();
  }

  /** @throws {TerminalError} */
  async clear(): Promise<void> {
    this.#countClearing();
    await this.#drawn(this.#screen.blank());
  }

  /** @throws {TerminalError} */
  async showInfo(payload: string): Promise<void> {
    await this.showForTill({ kind: 'qr', payload });
  }

  /** @throws {TerminalError} */
  async showForTill(picture: Picture): Promise<void> {
    this.#countClearing();
    await this.#drawn(this.#screen.drawForTill(picture));
  }

  /** @throws {TerminalError} */
  async showSymbol(symbol: Outcome): Promise<void> {
    this.#countClearing();
    await this.#drawn(this.#flash(symbol, 'till'));
  }

  /**
   * Draws the code of the last payment again, where it is in this state and may still be paid. Otherwise the customer
   * is asked to wait, or sees an empty display where a fixed code was requested.
   * @throws {TerminalError}
   */
  async redraw(state: 'PENDING' | 'STATIC'): Promise<void> {
    const last = this.drawable;
    if (last?.payload && last.status.state === state) return this.#drawn(this.#drawAndCount(last, last.payload));
    this.#forgetCode();
    await this.#drawn(state === 'PENDING' ? this.#screen.drawForTill(WAITING) : this.#screen.blank());
  }

  /**
   * Shows the end of a payment to the customer who waits for it; on an idle display an acceptance in any case.
   * @returns whether it is shown
   */
  showEnd(payment: PaymentRow): boolean {
    const { orderId, status } = payment;
    if (isGivenBack(status)) {
      if (this.#screen.payment === orderId) this.removeCode(); // it was paid and refunded: there is no symbol for that
      return false;
    }
    if (status.withdrawn && this.#screen.payment === orderId) this.removeCode(); // another code follows: nothing has failed
    if (status.state === 'ACCEPTED') this.#endRivalCode(payment);
    return this.#showOutcome(orderId, status.state);
  }

  /** Shows the outcome to the customer who paid while another payment was under way, once the display is free. */
  showPaid(orderId: string): void {
    if (this.#screen.isIdle) this.#showResult(orderId, 'success');
  }

  /** Restores the code that was on the display when a process of this boot ended, if it may still be paid. */
  restore(): void {
    const last = this.drawable;
    if (!last?.payload || !this.#shownCode.was(last.orderId)) return;
    this.#screen.restore(last.orderId, pictureOf(last, last.payload));
    this.#onShown(last);
  }

  close(): void {
    this.#endOfTtl?.();
  }

  /** Removes another code of a sale that was paid, so that the customer does not pay twice. */
  #endRivalCode(paid: PaymentRow): void {
    if (this.#screen.payment === null || this.#screen.payment === paid.orderId) return;
    const shown = this.#ledger.find(this.#screen.payment);
    if (shown === null || !isForSame(shown, paid)) return;
    this.removeCode();
    this.showPaid(paid.orderId);
  }

  #showOutcome(orderId: string, state: PaymentState): boolean {
    const symbol = symbolOf(state);
    if (symbol === null || this.#ledger.last()?.orderId !== orderId) return false;
    const waitedFor = this.#screen.isIdle && (state === 'ACCEPTED' || this.#waitingFor === orderId);
    if (this.#screen.payment !== orderId && !waitedFor) return false;
    this.#waitingFor = null;
    this.#showResult(orderId, symbol);
    return true;
  }

  /** Saves the shown code for a restart, a moment later, so that the till is answered at once. */
  #onShown(payment: NewPayment): void {
    this.#waitingFor = payment.orderId;
    this.#endOfTtl?.();
    this.#endOfTtl = this.#clock.after(remainingMsOf(payment, this.#clock), () => {
      if (this.#screen.payment === payment.orderId) this.#toIdle();
    });
    setImmediate(() => {
      if (this.#screen.payment === payment.orderId) this.#trySaving(() => this.#shownCode.save(payment.orderId));
    });
  }

  #countClearing(): void {
    this.#clearings += 1;
    this.#forgetCode();
  }

  /** Records that no code is shown, before anything is drawn: a removed code must not come back after a restart. */
  #forgetCode(): void {
    this.#waitingFor = null;
    this.#endOfTtl?.();
    if (this.#screen.payment !== null) this.#trySaving(() => this.#shownCode.forget());
  }

  #showResult(orderId: string, symbol: Outcome): void {
    this.#flash(symbol, 'outcome').catch((error: unknown) =>
      this.#log('the outcome could not be shown', { orderId, reason: String(error) }),
    );
  }

  #flash(symbol: Outcome, owner: 'outcome' | 'till'): Promise<void> {
    return this.#screen.flash(symbol, owner, () => this.#toIdle());
  }

  #toIdle(): void {
    this.#screen
      .clear()
      .catch((error: unknown) => this.#log('the display could not be cleared', { reason: String(error) }));
  }

  /** Saves what is on the display. It only helps after a restart, so its failure does not fail the payment. */
  #trySaving(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#log('what is on the display could not be noted', { reason: String(error) });
    }
  }

  /** Waits for a display that is being connected. @throws {TerminalError} no code can be drawn; its cause is a `DisplayError` */
  async requireDisplay(): Promise<void> {
    await this.#drawn(this.#screen.ready(), 'the code');
  }

  /** Why nothing can be drawn; null where drawing works. Waits for a display that is being connected. */
  async displayProblem(): Promise<TerminalError | null> {
    try {
      await this.#drawn(this.#screen.ready());
      return null;
    } catch (error) {
      if (error instanceof TerminalError) return error;
      throw error;
    }
  }

  async #drawn(drawing: Promise<void>, drawn = 'the picture'): Promise<void> {
    try {
      await drawing;
    } catch (error) {
      throw drawingFailure(error, drawn);
    }
  }
}
