/**
 * Shows the code of the last payment's receipt on the display, for a time or until the next sale. Payments come first: a receipt
 * is refused while a payment is open, and leaves the display before the next payment is made. It is in memory only, so that no
 * restart shows it again.
 */
import type { Picture } from '../../../drivers/display/contract.ts';
import { recorded } from '../../../drivers/lib/records.ts';
import type { Timekeeper } from '../../core/host/index.ts';
import { notAccepted, type PaymentRow, type Terminal } from '../../payments/index.ts';
import { RECEIPT_CODE_ERRORS } from './error-records.ts';

class ReceiptCodeError extends recorded('ReceiptCodes', RECEIPT_CODE_ERRORS) {}

export interface ReceiptAsked {
  /** Content of the code. */
  readonly payload: string;
  /** Words beside the code, where the display has room for them. */
  readonly words: string | null;
  readonly holdSeconds: number;
}

/** A receipt on the display. */
export interface ShownReceipt extends ReceiptAsked {
  /** Id of its payment. */
  readonly orderId: string;
  /** The words that the customer sees; null on a display that draws the code alone. */
  readonly shownWords: string | null;
  /** How much longer it is shown, milliseconds by the monotonic clock. */
  readonly leftMs: number;
  /** Whether the same receipt was on the display before the call. */
  readonly isAgain: boolean;
}

/** The receipt that was requested last. `drawn` resolves when it is drawn, to the time of its end, monotonic ms. */
interface Current extends ReceiptAsked {
  readonly orderId: string;
  readonly picture: Picture;
  readonly drawn: Promise<number>;
}

const MS_PER_SECOND = 1000;

const isSame = (current: Current, orderId: string, { payload, words, holdSeconds }: ReceiptAsked): boolean =>
  current.orderId === orderId &&
  current.payload === payload &&
  current.words === words &&
  current.holdSeconds === holdSeconds;

type ReceiptTerminal = Pick<Terminal, 'ledger' | 'onSale' | 'payments' | 'screen' | 'view'>;

export class ReceiptCode {
  readonly #terminal: ReceiptTerminal;
  readonly #clock: Pick<Timekeeper, 'after' | 'monotonic'>;
  readonly #stopListening: () => void;
  #current: Current | null = null;
  #cancelEnd: () => void = () => undefined;

  constructor(terminal: ReceiptTerminal, clock: Pick<Timekeeper, 'after' | 'monotonic'>) {
    this.#terminal = terminal;
    this.#clock = clock;
    this.#stopListening = terminal.onSale(() => this.#end());
  }

  /**
   * Shows the code of a payment's receipt; resolves when it is drawn. A repeated request changes nothing, not even its end; any
   * other request replaces the receipt.
   * @throws {ReceiptCodeError} `DisplayInUse`, `Passed`
   * @throws {TerminalError} `NotAccepted`; or where the display cannot draw: then it is not drawn later either
   */
  async show(payment: PaymentRow, asked: ReceiptAsked): Promise<ShownReceipt> {
    const { orderId } = payment;
    const { screen } = this.#terminal;
    this.#requireTurn(payment);
    const before = this.#current;
    const isAgain =
      before !== null &&
      isSame(before, orderId, asked) &&
      screen.picture === before.picture &&
      screen.displayState.name === 'ready';
    const current = isAgain ? before : this.#begin(orderId, asked);
    const end = await current.drawn;
    if (screen.picture !== current.picture)
      throw new ReceiptCodeError('DisplayInUse', 'something else came onto the display: the receipt is not shown');
    const shownWords = screen.kind === 'screen' ? asked.words : null;
    return { ...asked, orderId, shownWords, leftMs: Math.max(0, end - this.#clock.monotonic()), isAgain };
  }

  /** Removes the receipt of this payment from the display, if it is shown; a display that is lost is cleared when it is back. */
  removeReceipt(orderId: string): void {
    if (this.#current?.orderId === orderId) this.#end();
  }

  close(): void {
    this.#stopListening();
    this.#end();
  }

  /** Requires that no payment is open, and that this one is the last. @throws {ReceiptCodeError} @throws {TerminalError} */
  #requireTurn(payment: PaymentRow): void {
    const { ledger, payments, screen } = this.#terminal;
    if (payments.waiting > 0 || screen.payment !== null)
      throw new ReceiptCodeError('DisplayInUse', 'a payment is open, or its code is on the display: let it end first');
    const { state } = payment.status;
    if (state !== 'ACCEPTED' && state !== 'STATIC') throw notAccepted(payment, 'has a receipt');
    if (ledger.last()?.orderId !== payment.orderId)
      throw new ReceiptCodeError('Passed', 'another payment was asked for after this one: its receipt is not shown');
  }

  #begin(orderId: string, asked: ReceiptAsked): Current {
    const { view } = this.#terminal;
    const { payload, words, holdSeconds } = asked;
    const picture: Picture = Object.freeze({ kind: 'qr', payload, receipt: Object.freeze({ words }) });
    this.#cancelEnd();
    const holdMs = holdSeconds * MS_PER_SECOND;
    const drawn = view.showForTill(picture).then(() => this.#hold(picture, holdMs));
    this.#current = { ...asked, orderId, picture, drawn };
    return this.#current;
  }

  /** Begins the time of the receipt. @returns when it ends, monotonic ms */
  #hold(picture: Picture, holdMs: number): number {
    if (this.#current?.picture === picture) this.#cancelEnd = this.#clock.after(holdMs, () => this.#end());
    return this.#clock.monotonic() + holdMs;
  }

  #end(): void {
    this.#cancelEnd();
    const ended = this.#current;
    this.#current = null;
    if (ended !== null) this.#terminal.screen.removePicture(ended.picture);
  }
}
