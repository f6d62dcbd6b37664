/** The open banks: one for each profile, also for profiles that only payments still name. */
import { FieldError } from '../../drivers/lib/errors.ts';
import type { Bank, OnlineBank } from './bank.ts';
import { type BankError, UnopenedBank } from './bank-error.ts';
import { type BankListener, withTimedCalls } from './bank-figures.ts';
import type { WatchedCertificate } from './certificate-watch.ts';
import { type BankContext, type BankProfile, openBank } from './registry.ts';

/** Failures since the last registered payment. */
export interface RegistrationFailures {
  /** Failed payments in a row. */
  readonly payments: number;
  /** Error of the last payment. */
  readonly error: BankError;
}

/** The bank did not answer questions that only ask whether it answers. */
interface Silence {
  /** Unanswered questions in a row. */
  readonly times: number;
  /** Error of the last question. */
  readonly error: BankError;
}

/** Health of a profile's bank, by the calls made so far. */
export interface BankHealth {
  /** Whether it is open: payments can be registered, as far as the device knows. */
  readonly isOpen: boolean;
  /** Why the last opening failed; null where it worked. */
  readonly openProblem: string | null;
  /** Certificates that it cannot be asked without. */
  readonly certificates: readonly WatchedCertificate[];
  /** Failures of the last registrations; null where the last one worked, or there was none. */
  readonly failures: RegistrationFailures | null;
  /** The bank's refusal of the credentials; null where it last took them, or was not asked. */
  readonly unauthorized: BankError | null;
  /** The bank's silence; null where it last answered, or was not asked. */
  readonly silence: Silence | null;
  /** What is unusual in its last link; null for nothing, or no link. */
  readonly unusualLink: string | null;
  /** Whether the last question that only asks whether it answers reached it; null where there was none. */
  readonly isReached: boolean | null;
  /** Where it is called (`OnlineBank.address`); null where it is not open, or not called over HTTP. */
  readonly address: string | null;
}

/** The bank of one profile. */
export class Slot {
  /** The opening under way or done; null after a failure: the next call tries again. */
  opening: Promise<Bank> | null = null;
  /** The opened bank. */
  bank: Bank | null = null;
  openProblem: string | null = null;
  failures: RegistrationFailures | null = null;
  unauthorized: BankError | null = null;
  silence: Silence | null = null;
  unusualLink: string | null = null;
  isReached: boolean | null = null;
  /** Number of its last failure, counted over all profiles; 0 where the next attempt may work. */
  failedAt = 0;
  certificates: readonly WatchedCertificate[] = [];
}

const keyOf = (profile: BankProfile): string => JSON.stringify(profile);

async function closeSlot({ opening }: Slot): Promise<void> {
  const bank = await opening?.catch(() => null); // a bank that never opened has nothing to close
  if (bank?.kind === 'online') await bank.close();
}

export class OpenBanks {
  readonly #context: BankContext;
  readonly #onAnswer: BankListener;
  readonly #slots = new Map<string, Slot>();

  constructor(context: BankContext, onAnswer: BankListener = () => undefined) {
    this.#context = context;
    this.#onAnswer = onAnswer;
  }

  /** The slot for the bank of a profile. */
  slotOf(profile: BankProfile): Slot {
    const key = keyOf(profile);
    const slot = this.#slots.get(key) ?? new Slot();
    this.#slots.set(key, slot);
    return slot;
  }

  /** The slot of a bank; undefined where the bank was reopened or closed. */
  slotOfBank(bank: OnlineBank): Slot | undefined {
    return [...this.#slots.values()].find((each) => each.bank === bank);
  }

  /**
   * The bank of a profile, opened if needed.
   * @throws {UnopenedBank} the settings are wrong, not a call; the next call tries again
   */
  async open(profile: BankProfile): Promise<Bank> {
    const slot = this.slotOf(profile);
    slot.opening ??= this.#fill(slot, profile);
    try {
      return await slot.opening;
    } catch (cause) {
      if (!(cause instanceof FieldError)) throw cause;
      const message = `no payment can be registered: ${cause.field} ${cause.message}. Mend it, or send other settings with updateDriverSettings`;
      throw new UnopenedBank(message, { cause });
    }
  }

  /**
   * Reopens the bank of a profile, as its files may have changed. The old one stays in use if that fails; else it
   * closes after its calls under way.
   * @throws {FieldError} naming the field that the bank cannot be opened with
   */
  async renew(profile: BankProfile): Promise<void> {
    const key = keyOf(profile);
    const slot = new Slot();
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

  /** Closes the banks of all other profiles; they are reopened where a payment needs them. */
  async closeOthers(profile: BankProfile): Promise<void> {
    const others = [...this.#slots].filter(([key]) => key !== keyOf(profile));
    for (const [key] of others) this.#slots.delete(key);
    await Promise.all(others.map(([, slot]) => closeSlot(slot)));
  }

  health(profile: BankProfile): BankHealth {
    const slot = this.#slots.get(keyOf(profile)) ?? new Slot();
    const { bank, openProblem, failures, unauthorized, silence, unusualLink, certificates, isReached } = slot;
    const isOpen = bank !== null;
    const address = (bank?.kind === 'online' ? bank.address : null) ?? null;
    return { isOpen, openProblem, certificates, failures, unauthorized, silence, unusualLink, isReached, address };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#slots.values()].map(closeSlot));
    this.#slots.clear();
  }

  async #fill(slot: Slot, profile: BankProfile): Promise<Bank> {
    try {
      const onCertificates: BankContext['onCertificates'] = (files) => {
        slot.certificates = files;
      };
      const bank = await openBank(profile, { ...this.#context, onCertificates });
      slot.bank = withTimedCalls(bank, (...heard) => this.#onAnswer(profile.bankName, ...heard));
      slot.openProblem = null;
      return slot.bank;
    } catch (error) {
      slot.opening = null;
      if (error instanceof FieldError) slot.openProblem = `${error.field} ${error.message}`;
      throw error;
    }
  }
}
