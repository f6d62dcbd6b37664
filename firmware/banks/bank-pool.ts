/** Asks the open banks, and finds that of each payment, with the present credentials of its merchant (`merchants.ts`). */
import { recorded } from '../../drivers/lib/records.ts';
import type { Clock } from '../core/host/index.ts';
import type { CashLink, FoundPayment, OnlineBank } from './bank.ts';
import { type CallLimits, callBank, nullWhere, verified, withPlausibleTime } from './bank-calls.ts';
import { BankError, isRefused } from './bank-error.ts';
import type { BankRef, BankReport, CancelOutcome, Order } from './bank-payment.ts';
import type { RefundOrder, RefundReport } from './bank-refund.ts';
import { BANK_ERRORS } from './error-records.ts';
import type { MadeWith, Merchants } from './merchants.ts';
import { cannotBeOpened, UsableProfiles } from './merchants.ts';
import type { OpenBanks } from './open-banks.ts';
import { printedProblem, unusualForm } from './payment-link.ts';
import {
  findOrder,
  type KnownOrder,
  type RecordRef,
  type RegisteredPayment,
  registerWithRetries,
} from './registration.ts';
import { adapterOf, type BankProfile, bankByName } from './registry.ts';

/** The fields of a payment that find its bank. */
interface BankedPayment {
  readonly orderId: string;
  /** Name of the profile that it was made with. */
  readonly profile: string;
  /** The payee; null where its row is damaged. */
  readonly merchant: string | null;
}

/** A payment, as far as its bank knows it. */
export interface KnownPayment extends BankedPayment {
  /** The bank's reference; null where the bank has never heard of it. */
  readonly ref: BankRef | null;
  /** Kopecks. */
  readonly amount: number;
  /** Wall clock, ms since 1970. */
  readonly createdAt: number;
}

/** Whether the bank was reached, though it did not do what it was asked: a refusal is an answer, and so is a page that says "not now". */
const hasAnswered = ({ code, isUnauthorized, status }: BankError): boolean =>
  code !== 'unreachable' || isUnauthorized || status !== null;

/** The error for a merchant whose credentials are lost, such as with the storage. */
const merchantUnknown = (merchant: string): BankError => {
  const [bank] = JSON.parse(merchant) as [string];
  return new BankError(
    'refused',
    `the merchant of the payment is no longer known: send its profile of ${adapterOf(bank).name} again with updateDriverSettings`,
  );
};

/** A request that is not sent, as the bank has no such function. */
export class BankRefusal extends recorded('Bank', BANK_ERRORS) {}

export class BankPool {
  /** The open banks, one for each profile. */
  readonly opened: OpenBanks;
  readonly #clock: Pick<Clock, 'wall'>;
  readonly #merchants: Pick<Merchants, 'of' | 'find'>;
  readonly #profiles: UsableProfiles;
  readonly #log: (message: string) => void;

  /** @param log gets what is unusual in a report; nobody when left out */
  constructor(
    opened: OpenBanks,
    clock: Pick<Clock, 'wall'>,
    merchants: Pick<Merchants, 'of' | 'find'>,
    log: (message: string) => void = () => undefined,
  ) {
    this.opened = opened;
    this.#clock = clock;
    this.#merchants = merchants;
    this.#profiles = new UsableProfiles(opened);
    this.#log = log;
  }

  /** Names the payee of a profile, for the ledger. */
  merchantOf(profile: BankProfile): string {
    return this.#merchants.of(profile);
  }

  /** Whether a payment was made for the payee of a profile; false also where that is unknown. */
  isFor({ merchant }: BankedPayment, profile: BankProfile): boolean {
    return merchant === this.merchantOf(profile);
  }

  /**
   * Registers a payment at an opened bank, and records whether it worked: the cashier sees a failure at the
   * till, the technician only in `/health`.
   * @param recordRef records the bank's reference of the payment, after each step
   * @throws {BankError} and the errors of `recordRef`
   */
  async register(bank: OnlineBank, order: Order, recordRef: RecordRef, limits: CallLimits): Promise<RegisteredPayment> {
    const slot = this.opened.slotOfBank(bank);
    const registered = await this.#watched(slot, registerWithRetries(bank, order, recordRef, limits));
    if (slot !== undefined) {
      slot.failures = null;
      slot.unusualLink = bank.printed ? null : unusualForm(registered.payload, bank.linkRule);
      this.#profiles.recordAccepted(slot);
    }
    return registered;
  }

  /**
   * Asks the bank of a profile something harmless, and records whether it answers. A bank that has refused the
   * credentials is not asked: it may lock a login that fails too often.
   * @returns false where it does not answer
   * @throws {UnopenedBank}
   */
  async tryOut(profile: BankProfile, limits: CallLimits): Promise<boolean> {
    const bank = await this.opened.open(profile);
    const { tryOut = null } = bank.kind === 'online' ? bank : {};
    const slot = this.opened.slotOf(profile);
    if (slot.unauthorized !== null) slot.isReached = true; // a refusal that a sale has met is an answer, too
    if (tryOut === null || slot.unauthorized !== null) return true;
    try {
      await callBank(tryOut, limits);
      slot.isReached = true;
      this.#profiles.recordAccepted(slot);
    } catch (error) {
      if (!(error instanceof BankError)) throw error;
      slot.isReached = hasAnswered(error);
      this.#profiles.recordFailure(slot, error);
      if (error.code === 'unreachable' && !error.isUnauthorized) {
        slot.silence = { times: (slot.silence?.times ?? 0) + 1, error };
        return false;
      }
    }
    if (slot.failures?.error.code === 'unreachable') slot.failures = null;
    return true;
  }

  /**
   * Looks for an order that an opened bank may have taken before this device lost it from its ledger; null
   * where the bank has none, or cannot look for one. A failure counts as one of `register`.
   * @throws {BankError} where the bank does not report, or reports another amount
   */
  findOrder(bank: OnlineBank, order: Order, limits: CallLimits): Promise<KnownOrder | null> {
    return this.#watched(this.opened.slotOfBank(bank), findOrder(bank, order, limits));
  }

  /** Whether the bank of a payment can report its state, even where this device has lost the bank's reference to it. */
  isAnswering({ ref, bank }: Pick<KnownPayment, 'ref'> & { readonly bank: string }): boolean {
    return ref !== null || bankByName(bank)?.capabilities.findsOrders === true;
  }

  /**
   * Looks for the order of a payment of which the device has nothing else; null where the bank has none, or cannot look
   * for one.
   * @throws {BankError} as `ask`
   */
  async find(payment: KnownPayment, limits: CallLimits): Promise<FoundPayment | null> {
    const { orderId, amount } = payment;
    const found = await this.#ask(payment, limits, async (bank, signal) => bank.find?.({ orderId, amount }, signal));
    return found ? { ref: found.ref, report: this.#verified(payment, found.ref, found.report) } : null;
  }

  /**
   * The bank's report; null where the bank has never heard of the payment.
   * @throws {BankError} also when the profile can no longer be opened: the outcome is then unknown, never failed
   */
  async ask(payment: KnownPayment, limits: CallLimits): Promise<BankReport | null> {
    const { ref } = payment;
    if (ref === null) return null;
    const report = await this.#ask(payment, limits, (bank, signal) => bank.status(ref, signal));
    return this.#verified(payment, ref, report);
  }

  /** Takes the code out of use. @throws {BankError} where the bank does not answer */
  async cancel(payment: KnownPayment, limits: CallLimits): Promise<CancelOutcome> {
    const { ref } = payment;
    if (ref === null) return 'not-possible';
    return this.#ask(payment, limits, async (bank, signal) => (await bank.cancel?.(ref, signal)) ?? 'not-possible');
  }

  /** Whether the bank of a payment gives money back through its interface. @throws {BankError} where it cannot be opened */
  async canRefund(payment: BankedPayment): Promise<boolean> {
    return (await this.#profiles.opened(this.#profilesOf(payment))).refund !== undefined;
  }

  /** Gives money back. @throws {BankError} `refused` also where the bank cannot */
  refund(payment: BankedPayment, order: RefundOrder, limits: CallLimits): Promise<RefundReport> {
    return this.#ask(payment, limits, async (bank, signal) => {
      if (bank.refund === undefined)
        throw new BankError('refused', 'the bank gives no money back through its interface');
      return bank.refund(order, signal);
    });
  }

  /** Reads the state of a refund that was under way. @throws {BankError} */
  refundStatus(payment: BankedPayment, order: RefundOrder, limits: CallLimits): Promise<RefundReport> {
    const again = { ...order, isRepeated: true };
    return this.#ask(payment, limits, async (bank, signal) => {
      const report = bank.refundStatus?.(again, signal) ?? bank.refund?.(again, signal);
      if (report === undefined) throw new BankError('refused', 'the bank reports no refunds');
      return report;
    });
  }

  /**
   * Reads the bank's report on a refund, and never makes it.
   * @param isTaken whether the bank has answered that it accepts the refund
   * @returns `nothing` where the bank has nothing of it, `unreported` where it cannot be asked about one refund
   * @throws {BankError}
   */
  findRefund(
    payment: BankedPayment,
    order: RefundOrder,
    isTaken: boolean,
    limits: CallLimits,
  ): Promise<RefundReport | 'nothing' | 'unreported'> {
    return this.#ask(payment, limits, async (bank, signal) => {
      if (bank.findRefund !== undefined) return (await bank.findRefund(order, signal)) ?? 'nothing';
      if (!isTaken || bank.refundStatus === undefined) return 'unreported';
      return (await nullWhere(isRefused, bank.refundStatus(order, signal))) ?? 'nothing';
    });
  }

  /** Has the bank of a profile make a code to be printed; a wrong link is not returned. @throws {BankError | BankRefusal | UnopenedBank} */
  async createCashLink(profile: BankProfile, description: string, deadlineMs: number): Promise<CashLink> {
    const bank = await this.opened.open(profile);
    const links = bank.kind === 'online' ? bank.cashLinks : undefined;
    if (bank.kind !== 'online' || links === undefined) {
      throw new BankRefusal('NoCashLinks', `${profile.bankName} makes no codes to print (cash links)`);
    }
    const link = await links.create(description, AbortSignal.timeout(deadlineMs));
    const problem = printedProblem(link.payload, bank.linkRule);
    if (problem !== null) throw new BankError('contradiction', `the bank gave ${problem}; it is not to be printed`);
    return link;
  }

  /** @throws {BankError} `contradiction` */
  #verified({ orderId, amount, createdAt }: KnownPayment, ref: BankRef, report: BankReport): BankReport {
    const times = { orderId, createdAt, now: this.#clock.wall() };
    return withPlausibleTime(verified(report, { ref, orderId, amount }), times, this.#log);
  }

  async #watched<T>(slot: ReturnType<OpenBanks['slotOfBank']>, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (slot !== undefined && error instanceof BankError) {
        slot.failures = { payments: (slot.failures?.payments ?? 0) + 1, error };
        this.#profiles.recordFailure(slot, error);
      }
      throw error;
    }
  }

  /** @throws {BankError} where the payee of the payment is no longer known */
  #profilesOf({ merchant, profile }: BankedPayment): readonly BankProfile[] {
    if (merchant === null) throw cannotBeOpened(new Error('its row in the ledger is damaged'));
    const profiles = this.#find({ merchant, profile });
    if (profiles.length === 0) throw merchantUnknown(merchant);
    return [...new Map(profiles.map((profile) => [JSON.stringify(profile), profile])).values()];
  }

  #find(payment: MadeWith): readonly BankProfile[] {
    try {
      return this.#merchants.find(payment);
    } catch (cause) {
      throw cannotBeOpened(cause);
    }
  }

  async #ask<T>(
    payment: BankedPayment,
    limits: CallLimits,
    question: (bank: OnlineBank, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const profiles = this.#profilesOf(payment);
    return callBank((signal) => this.#profiles.ask(profiles, (bank) => question(bank, signal)), limits);
  }
}
