/**
 * Chooses among the profiles of one merchant to ask its bank. A stale secret, or a certificate that cannot be opened,
 * says nothing about a payment: the next profile is taken, and stays first as long as it works.
 */
import { type Bank, BankError, type OnlineBank } from './bank.ts';
import type { OpenBanks, Slot } from './open-banks.ts';
import type { BankProfile } from './registry.ts';

export const cannotBeOpened = (cause: unknown): BankError =>
  new BankError('refused', `the bank profile of the payment cannot be opened: ${(cause as Error).message}`, { cause });

function onlineOnly(bank: Bank): OnlineBank {
  if (bank.kind === 'online') return bank;
  throw new BankError('refused', 'the payment belongs to a static code, whose payments no bank reports');
}

export class UsableProfiles {
  readonly #banks: Pick<OpenBanks, 'open' | 'slotOf'>;
  #attempts = 0;

  constructor(banks: Pick<OpenBanks, 'open' | 'slotOf'>) {
    this.#banks = banks;
  }

  /**
   * The first bank that opens. Asks nothing.
   * @param profiles of one merchant, the best first
   * @throws {BankError} why the last one tried cannot be opened
   */
  opened(profiles: readonly BankProfile[]): Promise<OnlineBank> {
    return this.#first(profiles, async (bank) => bank);
  }

  /**
   * Asks with one profile after the other, until a bank takes the credentials.
   * @throws {BankError} the bank's word, or why the last one tried gave none
   */
  ask<T>(profiles: readonly BankProfile[], question: (bank: OnlineBank) => Promise<T>): Promise<T> {
    return this.#first(profiles, async (bank, slot) => {
      try {
        const answer = await question(bank);
        this.noteTaken(slot);
        return answer;
      } catch (error) {
        this.noteFailure(slot, error);
        throw error;
      }
    });
  }

  /** A bank has taken the credentials of a profile. */
  noteTaken(slot: Slot): void {
    slot.unauthorized = null;
    slot.silence = null;
    slot.failedAt = 0;
  }

  /**
   * Notes a failure: the bank refused the credentials; or it took them, as its error is about something else; or that
   * is unknown.
   */
  noteFailure(slot: Slot, error: unknown): void {
    if (!(error instanceof BankError)) return;
    if (error.isUnauthorized) {
      slot.unauthorized = error;
      this.#noteUseless(slot);
    } else if (error.code !== 'unreachable') {
      this.noteTaken(slot);
    }
  }

  #noteUseless(slot: Slot): void {
    this.#attempts += 1;
    slot.failedAt = this.#attempts;
  }

  /** Tries the profiles. Failed ones come last, one at a time: a bank may lock a login that fails too often. */
  async #first<T>(profiles: readonly BankProfile[], work: (bank: OnlineBank, slot: Slot) => Promise<T>): Promise<T> {
    const tried = profiles.map((profile) => ({ profile, slot: this.#banks.slotOf(profile) }));
    const [first, ...others] = tried.toSorted((a, b) => a.slot.failedAt - b.slot.failedAt);
    if (first === undefined) throw new RangeError('no profile of the merchant');
    const fresh = others.filter(({ slot }) => slot.failedAt === 0);
    let failure: BankError | null = null;
    for (const { profile, slot } of [first, ...fresh]) {
      const bank = await this.#open(profile, slot);
      try {
        if (!(bank instanceof BankError)) return await work(onlineOnly(bank), slot);
        failure = bank;
      } catch (error) {
        // this error decides, not what other questions found meanwhile: a call without an answer may have been heard
        if (!(error instanceof BankError && error.isUnauthorized)) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  async #open(profile: BankProfile, slot: Slot): Promise<Bank | BankError> {
    try {
      return await this.#banks.open(profile);
    } catch (cause) {
      this.#noteUseless(slot);
      return cannotBeOpened(cause);
    }
  }
}
