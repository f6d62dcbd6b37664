/** Banks that are in use: one for each profile, also for profiles that payments still remember after a change of settings. */
import type { Bank } from './banks/bank.ts';
import type { BankProfile } from './banks/profile.ts';
import { BankProfileError } from './banks/profile-error.ts';
import { type BankContext, openBank } from './banks/registry.ts';
import { TerminalError } from './errors.ts';

export class BankPool {
  readonly #context: BankContext;
  readonly #banks = new Map<string, Bank>();

  constructor(context: BankContext) {
    this.#context = context;
  }

  /** @throws {TerminalError} 400 naming the field that keeps the bank shut */
  open(profile: BankProfile): Bank {
    const key = JSON.stringify(profile);
    const known = this.#banks.get(key);
    if (known !== undefined) return known;
    try {
      const bank = openBank(profile, this.#context);
      this.#banks.set(key, bank);
      return bank;
    } catch (error) {
      if (!(error instanceof BankProfileError)) throw error;
      throw TerminalError.of(400, 'RequestParams', 'InvalidField', `${error.field}: ${error.message}`, {
        cause: error,
      });
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#banks.values()].map((bank) => (bank.kind === 'online' ? bank.close() : undefined)));
    this.#banks.clear();
  }
}
