/** Banks that are in use: one for each profile, also for profiles that payments still remember after a change of settings. */
import type { Bank } from './banks/bank.ts';
import type { BankProfile } from './banks/profile.ts';
import { BankProfileError } from './banks/profile-error.ts';
import { type BankContext, openBank } from './banks/registry.ts';
import { TerminalError } from './errors.ts';

const keyOf = (profile: BankProfile): string => JSON.stringify(profile);

async function closeBank(opening: Promise<Bank> | undefined): Promise<void> {
  const bank = await opening?.catch(() => null); // what never opened holds nothing
  if (bank?.kind === 'online') await bank.close();
}

export class BankPool {
  readonly #context: BankContext;
  readonly #banks = new Map<string, Promise<Bank>>();

  constructor(context: BankContext) {
    this.#context = context;
  }

  /**
   * The bank of a profile, opened where it is not open yet.
   * @throws {TerminalError} 400 naming the field that keeps it shut; the next call tries anew
   */
  open(profile: BankProfile): Promise<Bank> {
    const key = keyOf(profile);
    const known = this.#banks.get(key);
    if (known !== undefined) return known;
    const opening = this.#openAnew(profile);
    this.#banks.set(key, opening);
    opening.catch(() => {
      if (this.#banks.get(key) === opening) this.#banks.delete(key);
    });
    return opening;
  }

  /**
   * Opens the bank of a profile anew, for the files that it names may have changed. The one before stays in use when that
   * fails; else it ends with the calls that it is in.
   * @throws {TerminalError} 400 naming the field that keeps the bank shut
   */
  async renew(profile: BankProfile): Promise<void> {
    const key = keyOf(profile);
    const opening = this.#openAnew(profile);
    await opening;
    const before = this.#banks.get(key);
    this.#banks.set(key, opening);
    await closeBank(before);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#banks.values()].map(closeBank));
    this.#banks.clear();
  }

  async #openAnew(profile: BankProfile): Promise<Bank> {
    try {
      return await openBank(profile, this.#context);
    } catch (error) {
      if (!(error instanceof BankProfileError)) throw error;
      throw TerminalError.invalid(error.field, `cannot be used: ${error.message}`, { cause: error });
    }
  }
}
