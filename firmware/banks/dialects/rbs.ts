/**
 * The RBS gateway (BPC), which several banks run under hosts of their own. Source: public clients, one of them generated from
 * the swagger of a bank; the bank's description of SBP. `register.do` makes an order, `sbp/c2b/qr/dynamic/get.do` its code.
 */
import { Type } from 'typebox';
import { BankId, OptionalValue } from '../answer-fields.ts';
import type { OnlineBank } from '../bank.ts';
import { BankError } from '../bank-error.ts';
import type { BankRef, BankReport, CancelOutcome, Order, Registering } from '../bank-payment.ts';
import type { RefundOrder, RefundReport } from '../bank-refund.ts';
import { DONE_ANSWER, type Form, reportsDone } from './rbs-api.ts';
import { type GatewayOptions, RbsGateway } from './rbs-gateway.ts';
import { RbsRefunds } from './rbs-refunds.ts';
import { agreed, qrVerdictOf, reportOf } from './rbs-states.ts';

export interface RbsOptions extends GatewayOptions {
  /** The payee of a code, where the login has several. */
  readonly payee?: Form;
}

const REGISTRATION = {
  shape: Type.Object({ orderId: BankId }),
  otherwise: 'the bank registered an order without a usable orderId',
};
/** State of a new code. */
const OPEN = 'STARTED';
const CODE = {
  shape: Type.Object({ qrId: BankId, payload: Type.String(), qrStatus: OptionalValue }),
  otherwise: 'the bank gave no usable code',
};
const QR_STATE = {
  shape: Type.Object({ qrStatus: OptionalValue, status: OptionalValue, transactionState: OptionalValue }),
  otherwise: 'the bank returned no state of the code',
};

export class Rbs extends RbsGateway implements OnlineBank {
  readonly #payee: Form;
  readonly #refunds = new RbsRefunds(this.api);

  constructor({ payee = {}, ...options }: RbsOptions) {
    super(options);
    this.#payee = payee;
  }

  async begin(order: Order, signal: AbortSignal): Promise<Registering> {
    const call = { path: 'register.do', form: this.registration(order) };
    const { orderId: id } = await this.api.call(call, REGISTRATION, signal);
    return { ref: { id }, code: null };
  }

  readonly code = async ({ id }: BankRef, { purpose }: Order, signal: AbortSignal): Promise<Registering> => {
    const form = { mdOrder: id, ...(purpose !== null && { paymentPurpose: purpose }), ...this.#payee };
    const call = { path: 'sbp/c2b/qr/dynamic/get.do', form };
    const { qrId, payload, qrStatus } = await this.api.call(call, CODE, signal);
    if ((qrStatus ?? OPEN) !== OPEN) throw new BankError('contradiction', 'the bank gave a code that is not open');
    // the gateway's id of the code is not the payment system's
    return { ref: { id, qrId }, code: { payload, linkId: null } };
  };

  /** Reads the state. The order is always read: a code may still be open, or unknown, when it has been paid. */
  async status(ref: BankRef, signal: AbortSignal): Promise<BankReport> {
    const code = await this.#qrVerdict(ref, signal);
    const report = reportOf(await this.api.orderOf(ref.id, signal));
    const verdict = code === null ? report.verdict : agreed(code, report.verdict);
    if (verdict === null) throw new BankError('contradiction', 'the bank calls the code paid and its order not');
    // some gateways do not return their id: then our number, which every order has, identifies it
    return { ...report, verdict, ids: report.ids.length === 0 ? [ref.id] : report.ids };
  }

  /** Cancels the code; where the gateway cannot, its order. */
  readonly cancel = (ref: BankRef, signal: AbortSignal): Promise<CancelOutcome> =>
    this.cancelled(ref, signal, () => this.#withdraw(ref, signal));

  readonly refund = (order: RefundOrder, signal: AbortSignal): Promise<RefundReport> =>
    this.#refunds.refund(order, signal);

  readonly findRefund = (order: RefundOrder, signal: AbortSignal): Promise<RefundReport | 'unreported' | null> =>
    this.#refunds.find(order, signal);

  /** The state of the code; null for an order without one. */
  async #qrVerdict({ id, qrId }: BankRef, signal: AbortSignal): Promise<ReturnType<typeof qrVerdictOf> | null> {
    if (qrId === undefined) return null;
    const form = { mdOrder: id, qrId };
    const { qrStatus, status, transactionState } = await this.api.callEither(
      { path: 'sbp/c2b/qr/status.do', form },
      { path: 'sbp/c2b/qr/dynamic/status.do', form },
      QR_STATE,
      signal,
    );
    const state = qrStatus ?? status;
    if (state === undefined && transactionState === undefined) throw new BankError('contradiction', QR_STATE.otherwise);
    return qrVerdictOf(state, transactionState);
  }

  async #withdraw({ id, qrId }: BankRef, signal: AbortSignal): Promise<boolean> {
    const decline = { path: 'decline.do', form: { orderId: id, ...this.api.merchant } };
    const reject = { path: 'sbp/c2b/qr/dynamic/reject.do', form: { mdOrder: id, qrId: qrId ?? '' } };
    const answer =
      qrId === undefined
        ? await this.api.call(decline, DONE_ANSWER, signal)
        : await this.api.callEither(reject, decline, DONE_ANSWER, signal);
    const { rejected } = answer; // only in the answer about a code
    if (rejected === undefined || rejected === null) return reportsDone(answer);
    return rejected === true || rejected === 'true';
  }
}
