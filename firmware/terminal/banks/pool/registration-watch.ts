/** Notices when a bank registers no payments any more: a till tells its cashier, and nobody tells the technician. */
import { BankError, type OnlineBank, type RegisteredPayment, type Registration } from '../bank.ts';

/** What has gone wrong since the last payment that was registered. */
export interface Failing {
  /** Payments in a row. */
  readonly payments: number;
  /** Of the last one. */
  readonly error: BankError;
}

export class RegistrationWatch {
  #failing: (Failing & { readonly orderId: string }) | null = null;

  /** Null when the last registration worked, or there was none. */
  get failing(): Failing | null {
    return this.#failing;
  }

  /** The same bank, and what it registers is noticed. */
  watch(bank: OnlineBank): OnlineBank {
    const { certificate = null, cancel } = bank;
    return {
      kind: 'online',
      certificate,
      register: (payment, signal) => this.#register(bank, payment, signal),
      status: (bankId, signal) => bank.status(bankId, signal),
      ...(cancel && { cancel: (bankId: string, signal: AbortSignal) => cancel.call(bank, bankId, signal) }),
      close: () => bank.close(),
    };
  }

  async #register(bank: OnlineBank, payment: Registration, signal: AbortSignal): Promise<RegisteredPayment> {
    try {
      const registered = await bank.register(payment, signal);
      this.#failing = null;
      return registered;
    } catch (error) {
      if (error instanceof BankError) this.#note(payment.orderId, error);
      throw error;
    }
  }

  /** One payment may be tried several times. */
  #note(orderId: string, error: BankError): void {
    const { payments = 0, orderId: last = null } = this.#failing ?? {};
    this.#failing = { orderId, payments: orderId === last ? payments : payments + 1, error };
  }
}
