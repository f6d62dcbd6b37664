/**
 * The banks that are in use: one for each profile, also for profiles that only payments still remember, and the bank of each
 * payment, which is asked with what is known of its merchant now (`merchants.ts`).
 */
import { FieldError } from '../../../../drivers/lib/errors.ts';
import type { Sealer } from '../../../store/sealer.ts';
import { TerminalError } from '../../errors.ts';
import { terminalFailure } from '../../failures.ts';
import {
  type Bank,
  BankError,
  type BankRef,
  type BankReport,
  type CancelOutcome,
  type CashLink,
  type OnlineBank,
  type Order,
  type RefundOrder,
  type RefundReport,
} from '../bank.ts';
import { CertificateWatch, type WatchedCertificate } from '../certificate-watch.ts';
import { printedProblem } from '../payment-link.ts';
import { adapterOf, type BankContext, type BankProfile, openBank } from '../registry.ts';
import { askBank, type CallLimits, callBank } from './bank-calls.ts';
import type { Merchants } from './merchants.ts';
import { type KeepRef, type RegisteredPayment, registerWithRetries } from './registration.ts';

/** What has gone wrong since the last payment that was registered. */
export interface RegistrationFailures {
  /** Payments in a row. */
  readonly payments: number;
  /** Of the last one. */
  readonly error: BankError;
}

/** How it is with the bank of a profile, as far as it has been tried. */
export interface BankHealth {
  /** Whether it is open: payments can be registered, as far as the device can tell. */
  readonly isOpen: boolean;
  /** Why it could not be opened when that was tried last; null when it could. */
  readonly openProblem: string | null;
  /** Those that it cannot be asked without. */
  readonly certificates: readonly WatchedCertificate[];
  /** Null where the last registration worked, or there was none. */
  readonly failures: RegistrationFailures | null;
}

interface Slot {
  /** Null when it failed: the next call tries anew. */
  opening: Promise<Bank> | null;
  /** What has come of it. */
  bank: Bank | null;
  openProblem: string | null;
  failures: RegistrationFailures | null;
  readonly certificates: CertificateWatch;
}

export interface BankPoolOptions {
  readonly context: BankContext;
  readonly merchants: Pick<Merchants, 'of' | 'find'>;
  /** Opens the profiles that earlier releases sealed into each payment. */
  readonly sealer: Sealer;
}

/** A payment of the ledger as far as its bank is to be found. */
export interface BankedPayment {
  readonly orderId: string;
  /** Null where an earlier release sealed the whole profile. */
  readonly merchant: string | null;
  readonly profileSealed: string;
}

/** The same, as far as the bank knows it. */
export interface KnownPayment extends BankedPayment {
  /** Null where the bank has never heard of it. */
  readonly ref: BankRef | null;
  /** Kopecks. */
  readonly amount: number;
}

const UNTRIED: BankHealth = Object.freeze({ isOpen: false, openProblem: null, certificates: [], failures: null });

const newSlot = (): Slot => ({
  ...{ opening: null, bank: null, openProblem: null, failures: null },
  certificates: new CertificateWatch(),
});
const keyOf = (profile: BankProfile): string => JSON.stringify(profile);
const purposeOf = (orderId: string): string => `payment/${orderId}`;

const cannotBeOpened = (cause: unknown): BankError =>
  new BankError('refused', `the bank profile of the payment cannot be opened: ${(cause as Error).message}`, { cause });

/** Of a merchant whose credentials are lost, such as with the storage. */
const merchantUnknown = (merchant: string): BankError => {
  const [bank] = JSON.parse(merchant) as [string];
  return new BankError(
    'refused',
    `nothing is known any more of the merchant of the payment: send its profile of ${adapterOf(bank).name} once more with updateDriverSettings`,
  );
};

async function closeSlot({ opening }: Slot): Promise<void> {
  const bank = await opening?.catch(() => null); // what never opened holds nothing
  if (bank?.kind === 'online') await bank.close();
}

export class BankPool {
  readonly #options: BankPoolOptions;
  readonly #slots = new Map<string, Slot>();

  constructor(options: BankPoolOptions) {
    this.#options = options;
  }

  /**
   * The bank of a profile, opened where it is not open yet.
   * @throws {TerminalError} 400 naming the field that it cannot be opened with; the next call tries anew
   */
  open(profile: BankProfile): Promise<Bank> {
    const key = keyOf(profile);
    const slot = this.#slots.get(key) ?? newSlot();
    this.#slots.set(key, slot);
    slot.opening ??= this.#fill(slot, profile);
    return slot.opening;
  }

  /**
   * Opens the bank of a profile anew, for the files that it names may have changed. The one before stays in use when that
   * fails; else it ends with the calls that it is in.
   * @throws {TerminalError} 400 naming the field that the bank cannot be opened with
   */
  async renew(profile: BankProfile): Promise<void> {
    const key = keyOf(profile);
    const slot = newSlot();
    slot.opening = this.#fill(slot, profile);
    const before = this.#slots.get(key);
    try {
      await slot.opening;
    } catch (error) {
      if (before !== undefined) before.openProblem = slot.openProblem;
      throw error;
    }
    this.#slots.set(key, slot);
    if (before !== undefined) await closeSlot(before);
  }

  /** Gives back the banks of all other profiles; they are opened again where a payment needs them. */
  async keepOnly(profile: BankProfile): Promise<void> {
    const others = [...this.#slots].filter(([key]) => key !== keyOf(profile));
    for (const [key] of others) this.#slots.delete(key);
    await Promise.all(others.map(([, slot]) => closeSlot(slot)));
  }

  health(profile: BankProfile): BankHealth {
    const slot = this.#slots.get(keyOf(profile));
    if (slot === undefined) return UNTRIED;
    const { bank, openProblem, failures } = slot;
    return { isOpen: bank !== null, openProblem, certificates: slot.certificates.all, failures };
  }

  /** Names who is paid by a profile, to be kept in the ledger. */
  merchantOf(profile: BankProfile): string {
    return this.#options.merchants.of(profile);
  }

  /** Whether a payment was made for whoever a profile pays; false also where that cannot be told any more. */
  isFor(payment: BankedPayment, profile: BankProfile): boolean {
    try {
      return this.#merchantOf(payment) === this.merchantOf(profile);
    } catch (error) {
      if (error instanceof BankError) return false;
      throw error;
    }
  }

  /**
   * Registers a payment at a bank that `open` has given, and keeps in mind whether that works: a till tells its cashier, and
   * nobody tells the technician.
   * @param keep is given what the bank knows the payment by, after each step
   * @throws {BankError} and whatever `keep` throws
   */
  async register(bank: OnlineBank, order: Order, keep: KeepRef, limits: CallLimits): Promise<RegisteredPayment> {
    const slot = [...this.#slots.values()].find((each) => each.bank === bank);
    try {
      const registered = await registerWithRetries(bank, order, keep, limits);
      if (slot !== undefined) slot.failures = null;
      return registered;
    } catch (error) {
      if (slot !== undefined && error instanceof BankError) {
        slot.failures = { payments: (slot.failures?.payments ?? 0) + 1, error };
      }
      throw error;
    }
  }

  /**
   * Returns what the bank says; null where it has never heard of the payment.
   * @throws {BankError} also when the profile cannot be opened any more: the outcome is then unknown, never failed
   */
  async ask(payment: KnownPayment, limits: CallLimits): Promise<BankReport | null> {
    const { ref, orderId, amount } = payment;
    if (ref === null) return null;
    return askBank(await this.#bankOf(payment), { ref, orderId, amount }, limits);
  }

  /** Takes the code out of use. @throws {BankError} where the bank does not tell */
  async cancel(payment: KnownPayment, limits: CallLimits): Promise<CancelOutcome> {
    const { ref } = payment;
    if (ref === null) return 'not-possible';
    const bank = await this.#bankOf(payment);
    const { cancel } = bank;
    if (cancel === undefined) return 'not-possible';
    return callBank((signal) => cancel.call(bank, ref, signal), limits);
  }

  /** Whether the bank of a payment gives money back through its interface. @throws {BankError} where it cannot be opened */
  async canRefund(payment: BankedPayment): Promise<boolean> {
    return (await this.#bankOf(payment)).refund !== undefined;
  }

  /** Gives money back. @throws {BankError} `refused` also where the bank cannot */
  async refund(payment: BankedPayment, order: RefundOrder, limits: CallLimits): Promise<RefundReport> {
    const bank = await this.#bankOf(payment);
    const { refund } = bank;
    if (refund === undefined) throw new BankError('refused', 'the bank gives no money back through its interface');
    return callBank((signal) => refund.call(bank, order, signal), limits);
  }

  /** Tells what has become of a refund that was under way. @throws {BankError} */
  async refundStatus(payment: BankedPayment, order: RefundOrder, limits: CallLimits): Promise<RefundReport> {
    const bank = await this.#bankOf(payment);
    const ask = bank.refundStatus ?? bank.refund;
    if (ask === undefined) throw new BankError('refused', 'the bank tells of no refunds');
    return callBank((signal) => ask.call(bank, { ...order, isRepeated: true }, signal), limits);
  }

  /** Has the bank of a profile make a code to be printed; the link is right, or nobody gets it. @throws {BankError | TerminalError} */
  async createCashLink(profile: BankProfile, description: string, deadlineMs: number): Promise<CashLink> {
    const bank = await this.open(profile);
    const links = bank.kind === 'online' ? bank.cashLinks : undefined;
    if (bank.kind !== 'online' || links === undefined) {
      throw TerminalError.of(400, 'Bank', 'NoCashLinks', `${profile.bankName} makes no codes to print (cash links)`);
    }
    const made = await links.create(description, AbortSignal.timeout(deadlineMs));
    const problem = printedProblem(made.payload, bank.linkRule);
    if (problem !== null) throw new BankError('contradiction', `the bank gave ${problem}; it is not to be printed`);
    return made;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#slots.values()].map(closeSlot));
    this.#slots.clear();
  }

  async #fill(slot: Slot, profile: BankProfile): Promise<Bank> {
    try {
      slot.bank = await openBank(profile, { ...this.#options.context, certificates: slot.certificates });
      slot.openProblem = null;
      return slot.bank;
    } catch (error) {
      slot.opening = null;
      if (!(error instanceof FieldError)) throw error;
      slot.openProblem = `${error.field} ${error.message}`;
      throw terminalFailure(error);
    }
  }

  /** @throws {BankError} where an earlier release sealed it, and it cannot be opened any more */
  #merchantOf(payment: BankedPayment): string {
    return payment.merchant ?? this.merchantOf(this.#sealedProfileOf(payment));
  }

  #sealedProfileOf({ orderId, profileSealed }: BankedPayment): BankProfile {
    try {
      return JSON.parse(this.#options.sealer.open(profileSealed, purposeOf(orderId))) as BankProfile;
    } catch (cause) {
      throw cannotBeOpened(cause);
    }
  }

  async #bankOf(payment: BankedPayment): Promise<OnlineBank> {
    try {
      const bank = await this.#openFor(payment);
      if (bank.kind === 'online') return bank;
    } catch (cause) {
      throw cause instanceof BankError ? cause : cannotBeOpened(cause);
    }
    throw new BankError('refused', 'the payment belongs to a static code, of which no bank tells anything');
  }

  /** Whatever was tried last says why none can be opened. */
  async #openFor(payment: BankedPayment): Promise<Bank> {
    const merchant = this.#merchantOf(payment);
    const sealed = payment.merchant === null ? [this.#sealedProfileOf(payment)] : [];
    const [first, ...others] = [...this.#options.merchants.find(merchant), ...sealed];
    if (first === undefined) throw merchantUnknown(merchant);
    return others.reduce((before, profile) => before.catch(() => this.open(profile)), this.open(first));
  }
}
