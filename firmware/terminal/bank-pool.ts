/** Banks that are in use: one for each profile, also for profiles that payments still remember after a change of settings. */
import type { Bank } from './banks/bank.ts';
import type { BankProfile } from './banks/profile.ts';
import { BankProfileError } from './banks/profile-error.ts';
import { type BankContext, openBank } from './banks/registry.ts';
import { TerminalError } from './errors.ts';

const keyOf = (profile: BankProfile): string => JSON.stringify(profile);

async function closeBank(bank: Bank | undefined): Promise<void> {
  if (bank?.kind === 'online') await bank.close();
}

export class BankPool {
  readonly #context: BankContext;
  readonly #banks = new Map<string, Bank>();

  constructor(context: BankContext) {
    this.#context = context;
  }

  /** The bank of a profile, opened where it is not open yet. @throws {TerminalError} 400 naming the field that keeps it shut */
  open(profile: BankProfile): Bank {
    return this.#banks.get(keyOf(profile)) ?? this.#openAnew(profile);
  }

  /**
   * Opens the bank of a profile anew, for the files that it names may have changed. The one before stays in use when that
   * fails; else it ends with the calls that it is in.
   * @throws {TerminalError} 400 naming the field that keeps the bank shut
   */
  async renew(profile: BankProfile): Promise<void> {
    const before = this.#banks.get(keyOf(profile));
    this.#openAnew(profile);
    await closeBank(before);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#banks.values()].map(closeBank));
    this.#banks.clear();
  }

  #openAnew(profile: BankProfile): Bank {
    try {
      const bank = openBank(profile, this.#context);
      this.#banks.set(keyOf(profile), bank);
      return bank;
    } catch (error) {
      if (!(error instanceof BankProfileError)) throw error;
      throw TerminalError.invalid(error.field, `cannot be used: ${error.message}`, { cause: error });
    }
  }
}
