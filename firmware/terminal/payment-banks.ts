/** The bank of each payment, as it was when the payment was made: its profile lies sealed in the ledger. */
import type { Sealer } from '../store/sealer.ts';
import { askBank, type CallLimits, callBank } from './bank-calls.ts';
import type { BankPool } from './bank-pool.ts';
import { BankError, type BankVerdict, type OnlineBank } from './banks/bank.ts';
import type { BankProfile } from './banks/profile.ts';
import type { PaymentRow } from './ledger.ts';

const purposeOf = (orderId: string): string => `payment/${orderId}`;

export class PaymentBanks {
  readonly #pool: Pick<BankPool, 'open'>;
  readonly #sealer: Sealer;

  constructor(pool: Pick<BankPool, 'open'>, sealer: Sealer) {
    this.#pool = pool;
    this.#sealer = sealer;
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
      const profile = JSON.parse(this.#sealer.open(profileSealed, purposeOf(orderId))) as BankProfile;
      const bank = await this.#pool.open(profile);
      if (bank.kind === 'online') return bank;
    } catch (cause) {
      throw new BankError('refused', `the bank profile of the payment cannot be opened: ${(cause as Error).message}`, {
        cause,
      });
    }
    throw new BankError('refused', 'the payment belongs to a static code, of which no bank tells anything');
  }
}
