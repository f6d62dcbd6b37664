/**
 * The bank of each payment. Its profile as it was lies sealed in the ledger; where the same merchant is still set up, the
 * bank is asked with what is set up now: a certificate that was renewed since would be refused, or lie elsewhere.
 */
import type { Sealer } from '../store/sealer.ts';
import { askBank, type CallLimits, callBank } from './bank-calls.ts';
import type { BankPool } from './bank-pool.ts';
import { type Bank, BankError, type BankVerdict, type OnlineBank } from './banks/bank.ts';
import type { BankProfile } from './banks/profile.ts';
import type { PaymentRow } from './ledger.ts';

const purposeOf = (orderId: string): string => `payment/${orderId}`;

export class PaymentBanks {
  readonly #pool: Pick<BankPool, 'open'>;
  readonly #sealer: Sealer;
  readonly #currentOf: (profile: BankProfile) => BankProfile | null;

  /** @param currentOf the profile of the same merchant as it is set up now; null where it is no more */
  constructor(pool: Pick<BankPool, 'open'>, sealer: Sealer, currentOf: (profile: BankProfile) => BankProfile | null) {
    this.#pool = pool;
    this.#sealer = sealer;
    this.#currentOf = currentOf;
  }

  seal(orderId: string, profile: BankProfile): string {
    return this.#sealer.seal(JSON.stringify(profile), purposeOf(orderId));
  }

  /** @throws {BankError} also when the profile cannot be opened any more: the outcome is then unknown, never failed */
  async ask(payment: PaymentRow, limits: CallLimits): Promise<BankVerdict> {
    const { bankId, amount } = payment;
    if (bankId === null) return 'pending';
    return askBank(await this.#bankOf(payment), { bankId, amount }, limits);
  }

  /** Takes the code out of use; false where the bank cannot. @throws {BankError} */
  async cancel(
    payment: Pick<PaymentRow, 'orderId' | 'profileSealed'>,
    bankId: string,
    limits: CallLimits,
  ): Promise<boolean> {
    const bank = await this.#bankOf(payment);
    const { cancel } = bank;
    if (cancel === undefined) return false;
    await callBank((signal) => cancel.call(bank, bankId, signal), limits);
    return true;
  }

  async #bankOf({ orderId, profileSealed }: Pick<PaymentRow, 'orderId' | 'profileSealed'>): Promise<OnlineBank> {
    try {
      const bank = await this.#open(JSON.parse(this.#sealer.open(profileSealed, purposeOf(orderId))) as BankProfile);
      if (bank.kind === 'online') return bank;
    } catch (cause) {
      throw new BankError('refused', `the bank profile of the payment cannot be opened: ${(cause as Error).message}`, {
        cause,
      });
    }
    throw new BankError('refused', 'the payment belongs to a static code, of which no bank tells anything');
  }

  async #open(sealed: BankProfile): Promise<Bank> {
    const current = this.#currentOf(sealed);
    if (current === null) return this.#pool.open(sealed);
    // what is set up now may not work, and what was then may still do; where neither does, the latter says why
    return this.#pool.open(current).catch(() => this.#pool.open(sealed));
  }
}
