/** A bank that can be asked for an order, even one that it did not register. */
import { type BankRef, type BankReport, UNREPORTED } from '../../firmware/banks/bank-payment.ts';
import { TestBank } from './harness.ts';

export class OrderBank extends TestBank {
  /** What it reports of the order; null where it has none, an Error is thrown. */
  order: Partial<BankReport> | Error | null = null;
  lookUps = 0;
  /** Its id of each; one that follows from the order where it is null. */
  knownAs: string | null = null;

  override find: NonNullable<TestBank['find']> = async ({ orderId, amount }) => {
    this.lookUps += 1;
    const ref = { id: this.knownAs ?? `bank-${orderId}` };
    const report = this.#reportOf(ref.id, { amounts: [amount], orderIds: [orderId] });
    return report && { ref, report };
  };

  override async status(ref: BankRef): Promise<BankReport> {
    return this.#reportOf(ref.id) ?? super.status(ref);
  }

  #reportOf(id: string, named: Partial<BankReport> = {}): BankReport | null {
    const { order } = this;
    if (order instanceof Error) throw order;
    return order === null ? null : { ...UNREPORTED, verdict: 'pending', ids: [id], ...named, ...order };
  }
}
