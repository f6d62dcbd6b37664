/** The banks that are open: one for each profile, also for profiles that only payments still remember. */
import { FieldError } from '../../drivers/lib/errors.ts';
import type { Bank, BankError, OnlineBank } from './bank.ts';
import { CertificateWatch, type WatchedCertificate } from './certificate-watch.ts';
import { TerminalError } from './errors.ts';
import { terminalFailure } from './failures.ts';
import { type BankContext, type BankProfile, openBank } from './registry.ts';
import { type HearBank, timedBank } from './timed-bank.ts';

/** What has gone wrong since the last payment that was registered. */
export interface RegistrationFailures {
  /** Payments in a row. */
  readonly payments: number;
  /** Of the last one. */
  readonly error: BankError;
}

/** The bank did not answer when nothing but that was asked. */
export interface Silence {
  /** Questions in a row. */
  readonly times: number;
  /** Of the last one. */
  readonly error: BankError;
}

/** How it is with the bank of a profile, as far as it has been tried. */
export interface BankHealth {
  /** Whether it is open: payments can be registered, as far as the device knows. */
  readonly isOpen: boolean;
  /** Why it could not be opened when that was tried last; null when it could. */
  readonly openProblem: string | null;
  /** Those that it cannot be asked without. */
  readonly certificates: readonly WatchedCertificate[];
  /** Null where the last registration worked, or there was none. */
  readonly failures: RegistrationFailures | null;
  /** The bank's word that it does not take the profile's credentials; null where it took them last, or was not asked. */
  readonly unauthorized: BankError | null;
  /** Null where it answered last, or was not asked. */
  readonly silence: Silence | null;
  /** What is new in the form of the last link that it gave; null where nothing is, or it gave none. */
  readonly unusualLink: string | null;
}

/** The bank of one profile. */
export class Slot {
  /** Null when it failed: the next call tries again. */
  opening: Promise<Bank> | null = null;
  /** What has come of it. */
  bank: Bank | null = null;
  openProblem: string | null = null;
  failures: RegistrationFailures | null = null;
  unauthorized: BankError | null = null;
  silence: Silence | null = null;
  unusualLink: string | null = null;
  /** Which of the pool's attempts it was of no use to last; 0 where the next may work. */
  failedAt = 0;
  readonly certificates = new CertificateWatch();
}

const keyOf = (profile: BankProfile): string => JSON.stringify(profile);

async function closeSlot({ opening }: Slot): Promise<void> {
  const bank = await opening?.catch(() => null); // what never opened holds nothing
  if (bank?.kind === 'online') await bank.close();
}

export class OpenBanks {
  readonly #context: BankContext;
  readonly #hear: HearBank;
  readonly #slots = new Map<string, Slot>();

  constructor(context: BankContext, hear: HearBank = () => undefined) {
    this.#context = context;
    this.#hear = hear;
  }

  /** Where the bank of a profile is, or will be. */
  slotOf(profile: BankProfile): Slot {
    const key = keyOf(profile);
    const slot = this.#slots.get(key) ?? new Slot();
    this.#slots.set(key, slot);
    return slot;
  }

  /** Undefined for one that has been opened again, or closed. */
  slotOfBank(bank: OnlineBank): Slot | undefined {
    return [...this.#slots.values()].find((each) => each.bank === bank);
  }

  /**
   * The bank of a profile, opened where it is not open yet.
   * @throws {TerminalError} `IsNotConfigured`: the settings are at fault, and no call; the next call tries again
   */
  async open(profile: BankProfile): Promise<Bank> {
    const slot = this.slotOf(profile);
    slot.opening ??= this.#fill(slot, profile);
    try {
      return await slot.opening;
    } catch (cause) {
      if (!(cause instanceof FieldError)) throw cause;
      const message = `no payment can be registered: ${cause.field} ${cause.message}. Mend it, or send other settings with updateDriverSettings`;
      throw TerminalError.of('DriverSettings', 'IsNotConfigured', message, { cause });
    }
  }

  /**
   * Opens the bank of a profile again, since the files that it names may have changed. The one before stays in use when that
   * fails; else it ends with the calls that it is in.
   * @throws {TerminalError} 400 naming the field that the bank cannot be opened with
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
      throw terminalFailure(error);
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
    const slot = this.#slots.get(keyOf(profile)) ?? new Slot();
    const { bank, openProblem, failures, unauthorized, silence, unusualLink, certificates } = slot;
    const isOpen = bank !== null;
    return { isOpen, openProblem, certificates: certificates.all, failures, unauthorized, silence, unusualLink };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#slots.values()].map(closeSlot));
    this.#slots.clear();
  }

  async #fill(slot: Slot, profile: BankProfile): Promise<Bank> {
    try {
      const bank = await openBank(profile, { ...this.#context, certificates: slot.certificates });
      slot.bank = timedBank(bank, (...heard) => this.#hear(profile.bankName, ...heard));
      slot.openProblem = null;
      return slot.bank;
    } catch (error) {
      slot.opening = null;
      if (error instanceof FieldError) slot.openProblem = `${error.field} ${error.message}`;
      throw error;
    }
  }
}
