/** Gazprombank (SBPGate). It takes no order id of the shop: a repeated registration is another code. */
import { Type } from 'typebox';
import { bankAdapter, checkedAddress, headerText, line, NOBODYS_CODE, plainAddress, WHOLE_RANGE } from '../adapter.ts';
import { BankId, idIn, maybe, reported } from '../answer-fields.ts';
import {
  BankError,
  type BankRef,
  type BankReport,
  type BankVerdict,
  bankMessage,
  type CancelOutcome,
  isRefused,
  type OnlineBank,
  type Order,
  type RefundOrder,
  type RefundReport,
  type Registering,
  refusedRefund,
  UNREPORTED,
} from '../bank.ts';
import { outcomeOf, unless } from '../bank-calls.ts';
import { readCertificates } from '../certificates.ts';
import { isTestAddress, type LinkRule, linkRuleOf } from '../payment-link.ts';
import { addressField, MUTUAL_TLS, PAUSE_FIELD } from '../profile-fields.ts';
import { kopecksOf } from '../roubles.ts';
import { ONE_PAYMENT } from '../sbp-link.ts';
import { GazprombankClient, type GazprombankClientOptions } from './gazprombank-client.ts';

const DEFAULT_URL = 'https://sbp.gazprombank.ru:9443';

/** The profile of Gazprombank: the payee, and the gateway's credentials. */
const GazprombankProfile = Type.Object(
  {
    bankName: Type.Literal('Gazprombank'),
    account: line(1, 128, 'the account that is paid to'),
    merchantId: line(1, 128, "the payment system's id of the point of sale, as MA0000084118"),
    login: Type.Optional(line(1, 128, "header login, the payment system's id of the company, as LA0000006784")),
    password: Type.Optional(line(1, 512, 'header password; a secret')),
    baseUrl: addressField(DEFAULT_URL),
    passphrase: Type.Optional(line(1, 512, 'opens the client certificate; a secret')),
    ...MUTUAL_TLS,
    ...PAUSE_FIELD,
  },
  { additionalProperties: false },
);

export const GAZPROMBANK = bankAdapter({
  name: 'Gazprombank',
  aliases: ['gpb', 'газпромбанк', 'гпб'],
  schema: GazprombankProfile,
  secretFields: ['password', 'passphrase'],
  capabilities: WHOLE_RANGE,
  settingsErrors: 'GazprombankSettings',
  merchant: ({ baseUrl = DEFAULT_URL, account, merchantId }) => [plainAddress(baseUrl), account, merchantId],
  isForTest: ([address]) => isTestAddress(address, GAZPROMBANK_TEST_HOSTS),
  trial: {
    untried: ['account', 'merchantId'],
    culprit: ({ isUnauthorized, status }, { password, certPath }) => {
      if (!isUnauthorized) return null;
      // a refusal before HTTP, or by a page of a server in front of the bank, is about the certificate
      if (status !== null && status !== 400 && password !== undefined) return 'password';
      return certPath === undefined ? 'pfxPath' : 'certPath';
    },
  },
  async open(profile, context) {
    const {
      bankName: _,
      baseUrl = DEFAULT_URL,
      passphrase = '',
      pfxPath,
      certPath,
      keyPath,
      caPath,
      ...rest
    } = profile;
    for (const field of ['login', 'password'] as const) headerText(field, rest[field] ?? '');
    const tls = await readCertificates({ passphrase, pfxPath, certPath, keyPath, caPath }, context);
    return new GazprombankBank({ ...rest, baseUrl: checkedAddress(baseUrl), tls, log: context.log });
  },
});

const Draft = Type.Object({ code: Type.Literal('000'), transactionId: BankId });
const DRAFT = { shape: Draft, otherwise: 'the bank prepared a refund without a usable transactionId' };

const Confirmed = Type.Object({ code: Type.Literal('000') });
const CONFIRMED = { shape: Confirmed, otherwise: 'the bank did not say that it confirms the refund' };

const Operation = Type.Object({
  code: Type.Literal('000'),
  status: Type.String(),
  transactionId: maybe(Type.String()),
});
const OPERATION = { shape: Operation, otherwise: 'the bank returned no state of the refund' };

/** State of an unconfirmed refund: nothing goes back yet. */
const UNCONFIRMED = 'DRAFT';
/** States that are known for sure. ERROR_CHECK and INCOMPLETE are missing: the bank does not know yet. */
const STATES: ReadonlyMap<string, RefundReport['state']> = new Map([
  ['PERFORMED', 'done'],
  ['CANCELLED', 'refused'],
  ['ERROR', 'refused'],
]);

/**
 * Refunds at Gazprombank take two steps: a draft is prepared, then confirmed. The draft's id is stored in between, so
 * that a confirmation whose answer was lost is looked up, and nothing is confirmed twice. A draft whose id was not stored
 * does nothing.
 */
class GazprombankRefunds {
  readonly #client: GazprombankClient;

  constructor(client: GazprombankClient) {
    this.#client = client;
  }

  /**
   * Prepares the draft, which is pending; the next call, with its id, confirms it. If the bank refuses the draft, the
   * refund is refused, even where an earlier draft was lost: only a draft with a stored id is ever confirmed, so nothing
   * goes back by that one.
   * @param trxId of the payment
   * @throws {BankError}
   */
  async refund(order: RefundOrder, trxId: string, signal: AbortSignal): Promise<RefundReport> {
    const body = { transactionId: trxId, amount: String(order.amount), currency: 'RUB' };
    const call = { method: 'POST', path: '/merchant/transfer/return/prepare', body } as const;
    try {
      const { transactionId } = await this.#client.call(call, DRAFT, signal);
      return { state: 'pending', bankRefundId: transactionId, reason: null };
    } catch (error) {
      if (isRefused(error)) return refusedRefund(bankMessage(error));
      throw error;
    }
  }

  /** Confirms a draft, and returns its state. @throws {BankError} */
  async goOn(bankRefundId: string, signal: AbortSignal): Promise<RefundReport> {
    const status = await this.#status(bankRefundId, signal);
    if (status !== UNCONFIRMED) return this.#report(bankRefundId, status);
    const refusal = await this.#confirm(bankRefundId, signal);
    const after = await this.#status(bankRefundId, signal);
    if (after !== UNCONFIRMED || refusal === null) return this.#report(bankRefundId, after);
    // an earlier confirmation may be on its way: although this one is refused, money may go back
    throw new BankError('unreachable', `the bank has not confirmed the refund yet: ${bankMessage(refusal)}`);
  }

  /** Returns the state of a refund, and confirms nothing; null for a draft. @throws {BankError} */
  async find(bankRefundId: string, signal: AbortSignal): Promise<RefundReport | null> {
    const status = await this.#status(bankRefundId, signal);
    return status === UNCONFIRMED ? null : this.#report(bankRefundId, status);
  }

  async #confirm(transactionId: string, signal: AbortSignal): Promise<BankError | null> {
    const path = '/merchant/transfer/return/confirm';
    const call = { method: 'POST', path, body: { transactionId }, isOnce: true } as const;
    try {
      await this.#client.call(call, CONFIRMED, signal);
      return null;
    } catch (error) {
      if (isRefused(error)) return error;
      throw error;
    }
  }

  async #status(transactionId: string, signal: AbortSignal): Promise<string> {
    const call = { method: 'POST', path: '/operation/info', body: { transactionId } } as const;
    const operation = await this.#client.call(call, OPERATION, signal);
    if (operation.transactionId != null && operation.transactionId !== transactionId) {
      throw new BankError('contradiction', 'the bank returned the state of another refund');
    }
    return operation.status;
  }

  #report(bankRefundId: string, status: string): RefundReport {
    const state = STATES.get(status) ?? 'pending';
    return { state, bankRefundId, reason: state === 'refused' ? `the bank ended the refund as ${status}` : null };
  }
}

export interface GazprombankOptions extends GazprombankClientOptions {
  readonly account: string;
  readonly merchantId: string;
}

/** Test contour of the bank. Source: the till of Crystals. */
export const GAZPROMBANK_TEST_HOSTS = /^195\.225\.38\.125$/;

const Registration = Type.Object({
  code: Type.Literal('000'),
  data: Type.Object({ qrcId: BankId, payload: Type.String() }),
});
const REGISTRATION = {
  shape: Registration,
  otherwise: 'the bank registered a payment without a usable qrcId and payload',
};

const Blocked = Type.Object({ code: Type.Literal('000') });
const BLOCKED = { shape: Blocked, otherwise: 'the bank did not say that the code is blocked' };

const VERDICTS: ReadonlyMap<string, BankVerdict> = new Map([
  ['NOT_STARTED', 'pending'],
  ['RECEIVED', 'processing'],
  ['IN_PROGRESS', 'processing'],
  ['ACCEPTED', 'accepted'],
  ['REJECTED', 'rejected'],
]);

export class GazprombankBank implements OnlineBank {
  readonly kind = 'online';
  readonly address: string;
  readonly linkRule: LinkRule;
  readonly #client: GazprombankClient;
  readonly #refunds: GazprombankRefunds;
  readonly #merchant: { readonly account: string; readonly merchantId: string };

  constructor({ account, merchantId, ...client }: GazprombankOptions) {
    this.address = client.baseUrl;
    this.linkRule = linkRuleOf(client.baseUrl, GAZPROMBANK_TEST_HOSTS);
    this.#merchant = { account, merchantId };
    this.#client = new GazprombankClient(client);
    this.#refunds = new GazprombankRefunds(this.#client);
  }

  async begin({ amount, purpose, ttl }: Order, signal: AbortSignal): Promise<Registering> {
    const body = {
      ...this.#merchant,
      templateVersion: '01',
      qrcType: ONE_PAYMENT,
      amount: String(amount),
      currency: 'RUB',
      ...(purpose !== null && { paymentPurpose: purpose }),
      qrTtl: String(ttl),
    };
    const call = { method: 'POST', path: '/merchant/qrc-data', body } as const;
    const { qrcId, payload } = (await this.#client.call(call, REGISTRATION, signal)).data;
    return { ref: { id: qrcId }, code: { payload, linkId: qrcId } };
  }

  /**
   * Reads the state. The bank repeats no order, and mostly no amount: then only the id of the code can be compared.
   * @throws {BankError}
   */
  async status({ id }: BankRef, signal: AbortSignal): Promise<BankReport> {
    const states = await this.#client.states(id, signal);
    const [state] = states;
    if (state?.status == null && state?.qrcId === id) throw this.#client.unknownCode(state);
    for (const each of states) this.#client.requireGood(each);
    if (states.some(({ status, trxId }) => status !== state?.status || idIn(trxId) !== idIn(state?.trxId)))
      throw new BankError('contradiction', 'the bank returned two states of one code');
    return {
      ...UNREPORTED,
      verdict: VERDICTS.get(state?.status ?? '') ?? 'processing',
      ids: states.map(({ qrcId }) => qrcId),
      amounts: states.flatMap(({ amount }) => reported(amount)).map(kopecksOf),
      currencies: states.flatMap(({ currency }) => reported(currency)).map(String),
      trxId: idIn(state?.trxId),
    };
  }

  /** Cancels a code. Any code but success leaves open whether it can still be paid. @throws {BankError} */
  async cancel(ref: BankRef, signal: AbortSignal): Promise<CancelOutcome> {
    const call = { method: 'POST', path: '/merchant/qrc-block', body: { qrcId: ref.id } } as const;
    if ((await unless(isRefused, this.#client.call(call, BLOCKED, signal))) !== null) return 'withdrawn';
    const outcome = outcomeOf(await this.status(ref, signal), ref);
    return outcome === 'already-paid' ? outcome : 'not-possible';
  }

  async refund(refund: RefundOrder, signal: AbortSignal): Promise<RefundReport> {
    if (refund.bankRefundId !== null) return this.refundStatus(refund, signal);
    const trxId = refund.trxId ?? (await this.status(refund.ref, signal)).trxId;
    if (trxId === null)
      throw new BankError('refused', 'the bank has reported no transaction of the payment to be refunded');
    return this.#refunds.refund(refund, trxId, signal);
  }

  async refundStatus({ bankRefundId }: RefundOrder, signal: AbortSignal): Promise<RefundReport> {
    if (bankRefundId === null) throw new BankError('refused', 'the refund has not been prepared at the bank');
    return this.#refunds.goOn(bankRefundId, signal);
  }

  /** Looks for a refund by the bank's id; without the id the bank cannot be asked. @throws {BankError} */
  async findRefund({ bankRefundId }: RefundOrder, signal: AbortSignal): Promise<RefundReport | 'unreported' | null> {
    return bankRefundId === null ? 'unreported' : this.#refunds.find(bankRefundId, signal);
  }

  /** Asks for the state of a code that does not exist: the error comes inside a success. */
  readonly tryOut = async (signal: AbortSignal): Promise<void> => {
    await this.#client.states(NOBODYS_CODE, signal);
  };

  async close(): Promise<void> {
    this.#client.close();
  }
}
