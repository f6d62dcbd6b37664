/**
 * The banks that are in use: one for each profile, also for profiles that only payments still remember, and the bank of each
 * payment. The profile of a payment as it was lies sealed in the ledger; where the same merchant is still set up, the bank is
 * asked with what is set up now: a certificate that was renewed since would be refused, or lie elsewhere.
 */
import { FieldError } from '../../../drivers/lib/errors.ts';
import type { Sealer } from '../../store/sealer.ts';
import { terminalFailure } from '../failures.ts';
import type { PaymentRow } from '../ledger/payment-row.ts';
import {
  type Bank,
  BankError,
  type BankVerdict,
  type ClientCertificate,
  type OnlineBank,
  type RegisteredPayment,
  type Registration,
} from './bank.ts';
import { askBank, type CallLimits, callBank, registerWithRetries } from './bank-calls.ts';
import { type BankContext, type BankProfile, merchantOf, openBank } from './registry.ts';

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
  /** What it knows us by; null where it needs none. */
  readonly certificate: ClientCertificate | null;
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
}

export interface BankPoolOptions {
  readonly context: BankContext;
  /** Keeps the profile of a payment. */
  readonly sealer: Sealer;
  /** The profiles that are set up now, the one in use first. */
  readonly profiles: () => readonly BankProfile[];
}

/** A payment as far as its bank is to be found. */
type SealedPayment = Pick<PaymentRow, 'orderId' | 'profileSealed'>;

const UNTRIED: BankHealth = Object.freeze({ isOpen: false, openProblem: null, certificate: null, failures: null });

const newSlot = (): Slot => ({ opening: null, bank: null, openProblem: null, failures: null });
const keyOf = (profile: BankProfile): string => JSON.stringify(profile);
const purposeOf = (orderId: string): string => `payment/${orderId}`;

const cannotBeOpened = (cause: unknown): BankError =>
  new BankError('refused', `the bank profile of the payment cannot be opened: ${(cause as Error).message}`, { cause });

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
    const certificate = bank?.kind === 'online' ? (bank.certificate ?? null) : null;
    return { isOpen: bank !== null, openProblem, certificate, failures };
  }

  /** The profile of a payment, to be kept in the ledger. */
  seal(orderId: string, profile: BankProfile): string {
    return this.#options.sealer.seal(JSON.stringify(profile), purposeOf(orderId));
  }

  /** Whether a payment was made for whoever a profile pays; false also where that cannot be told any more. */
  isFor(payment: SealedPayment, profile: BankProfile): boolean {
    try {
      return this.#merchantOf(this.#profileOf(payment)) === this.#merchantOf(profile);
    } catch (error) {
      if (error instanceof BankError) return false;
      throw error;
    }
  }

  /**
   * Registers a payment at a bank that `open` has given, and keeps in mind whether that works: a till tells its cashier, and
   * nobody tells the technician.
   * @throws {BankError}
   */
  async register(bank: OnlineBank, payment: Registration, limits: CallLimits): Promise<RegisteredPayment> {
    const slot = [...this.#slots.values()].find((each) => each.bank === bank);
    try {
      const registered = await registerWithRetries(bank, payment, limits);
      if (slot !== undefined) slot.failures = null;
      return registered;
    } catch (error) {
      if (slot !== undefined && error instanceof BankError) {
        slot.failures = { payments: (slot.failures?.payments ?? 0) + 1, error };
      }
      throw error;
    }
  }

  /** @throws {BankError} also when the profile cannot be opened any more: the outcome is then unknown, never failed */
  async ask(payment: PaymentRow, limits: CallLimits): Promise<BankVerdict> {
    const { bankId, amount } = payment;
    if (bankId === null) return 'pending';
    return askBank(await this.#bankOf(payment), { bankId, amount }, limits);
  }

  /** Takes the code out of use; returns false where the bank cannot. @throws {BankError} */
  async cancel(payment: SealedPayment, bankId: string, limits: CallLimits): Promise<boolean> {
    const bank = await this.#bankOf(payment);
    const { cancel } = bank;
    if (cancel === undefined) return false;
    await callBank((signal) => cancel.call(bank, bankId, signal), limits);
    return true;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#slots.values()].map(closeSlot));
    this.#slots.clear();
  }

  async #fill(slot: Slot, profile: BankProfile): Promise<Bank> {
    try {
      slot.bank = await openBank(profile, this.#options.context);
      slot.openProblem = null;
      return slot.bank;
    } catch (error) {
      slot.opening = null;
      if (!(error instanceof FieldError)) throw error;
      slot.openProblem = `${error.field} ${error.message}`;
      throw terminalFailure(error);
    }
  }

  #merchantOf(profile: BankProfile): string {
    return merchantOf(profile, this.#options.context);
  }

  #profileOf({ orderId, profileSealed }: SealedPayment): BankProfile {
    try {
      return JSON.parse(this.#options.sealer.open(profileSealed, purposeOf(orderId))) as BankProfile;
    } catch (cause) {
      throw cannotBeOpened(cause);
    }
  }

  async #bankOf(payment: SealedPayment): Promise<OnlineBank> {
    const profile = this.#profileOf(payment);
    try {
      const bank = await this.#openCurrent(profile);
      if (bank.kind === 'online') return bank;
    } catch (cause) {
      throw cannotBeOpened(cause);
    }
    throw new BankError('refused', 'the payment belongs to a static code, of which no bank tells anything');
  }

  async #openCurrent(sealed: BankProfile): Promise<Bank> {
    const merchant = this.#merchantOf(sealed);
    const current = this.#options.profiles().find((profile) => this.#merchantOf(profile) === merchant);
    if (current === undefined) return this.open(sealed);
    // what is set up now may not work, and what was then may still do; where neither does, the latter says why
    return this.open(current).catch(() => this.open(sealed));
  }
}
