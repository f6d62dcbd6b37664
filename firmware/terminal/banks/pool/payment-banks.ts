/**
 * The bank of each payment. Its profile as it was lies sealed in the ledger; where the same merchant is still set up, the
 * bank is asked with what is set up now: a certificate that was renewed since would be refused, or lie elsewhere.
 */
import type { Sealer } from '../../../store/sealer.ts';
import type { PaymentRow } from '../../ledger/ledger.ts';
import { type Bank, BankError, type BankVerdict, type OnlineBank } from '../bank.ts';
import type { BankProfile } from '../registry.ts';
import { askBank, type CallLimits, callBank } from './bank-calls.ts';
import type { BankPool } from './bank-pool.ts';

const purposeOf = (orderId: string): string => `payment/${orderId}`;

const cannotBeOpened = (cause: unknown): BankError =>
  new BankError('refused', `the bank profile of the payment cannot be opened: ${(cause as Error).message}`, { cause });

export interface Merchants {
  /** Whom a profile pays: the same for two profiles that pay the same. */
  nameOf(profile: BankProfile): string;
  /** The profile of the same merchant as it is set up now; null where it is no more. */
  currentOf(profile: BankProfile): BankProfile | null;
}

export class PaymentBanks {
  readonly #pool: Pick<BankPool, 'open'>;
  readonly #sealer: Sealer;
  readonly #merchants: Merchants;

  constructor(pool: Pick<BankPool, 'open'>, sealer: Sealer, merchants: Merchants) {
    this.#pool = pool;
    this.#sealer = sealer;
    this.#merchants = merchants;
  }

  seal(orderId: string, profile: BankProfile): string {
    return this.#sealer.seal(JSON.stringify(profile), purposeOf(orderId));
  }

  /** Whether a payment was made for whoever a profile pays; false also where that cannot be told any more. */
  isFor(payment: Pick<PaymentRow, 'orderId' | 'profileSealed'>, profile: BankProfile): boolean {
    try {
      return this.#merchants.nameOf(this.#profileOf(payment)) === this.#merchants.nameOf(profile);
    } catch (error) {
      if (error instanceof BankError) return false;
      throw error;
    }
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

  async #bankOf(payment: Pick<PaymentRow, 'orderId' | 'profileSealed'>): Promise<OnlineBank> {
    const profile = this.#profileOf(payment);
    try {
      const bank = await this.#open(profile);
      if (bank.kind === 'online') return bank;
    } catch (cause) {
      throw cannotBeOpened(cause);
    }
    throw new BankError('refused', 'the payment belongs to a static code, of which no bank tells anything');
  }

  async #open(sealed: BankProfile): Promise<Bank> {
    const current = this.#merchants.currentOf(sealed);
    if (current === null) return this.#pool.open(sealed);
    // what is set up now may not work, and what was then may still do; where neither does, the latter says why
    return this.#pool.open(current).catch(() => this.#pool.open(sealed));
  }

  #profileOf({ orderId, profileSealed }: Pick<PaymentRow, 'orderId' | 'profileSealed'>): BankProfile {
    try {
      return JSON.parse(this.#sealer.open(profileSealed, purposeOf(orderId))) as BankProfile;
    } catch (cause) {
      throw cannotBeOpened(cause);
    }
  }
}
