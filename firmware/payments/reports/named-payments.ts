/** Which payment of the ledgers a line of a registry names, and which of its refunds. */
import type { BankNumbers, ComparedPayment, ComparedRefund, ReconciledBooks } from './reconciled-books.ts';
import type { RegistryEntry } from './registry-entries.ts';

/** Banks write ids of others in letters of their own. */
export const folded = (id: string): string => id.normalize('NFC').toLowerCase();
/** As it stands, then in other letters. */
const spellingsOf = (id: string): Set<string> => new Set([id, id.toUpperCase(), id.toLowerCase()]);

/** What a line names; one that is neither a sale nor a refund may be about either. */
type Names = Pick<RegistryEntry, 'order' | 'bank' | 'transaction'> & Partial<Pick<RegistryEntry, 'isRefund'>>;

export class NamedPayments {
  readonly #books: readonly ReconciledBooks[];

  constructor(books: readonly ReconciledBooks[]) {
    this.#books = books;
  }

  /**
   * Finds the payment of a line by our order id where the line has one, else by a transaction, which may be that of its refund, or
   * by a code, that only one payment has. The code does not count where the order id names another payment, nor where it is
   * printed and many payments have it.
   */
  paymentOf({ order, bank, transaction, isRefund = true }: Names): ComparedPayment | null {
    if (order !== null) return this.find(order);
    return (
      this.#only((trxId) => ({ trxId }), transaction) ??
      (isRefund ? this.#refundedBy(transaction) : null) ??
      this.#only((qrcId) => ({ qrcId }), bank)
    );
  }

  find(order: string): ComparedPayment | null {
    for (const id of spellingsOf(order))
      for (const books of this.#books) {
        const payment = books.find(id);
        if (payment !== null) return payment;
      }
    return null;
  }

  /**
   * The refunds that a line may mean, which are done: by an id or an operation where that is ours or one that the bank gave, else
   * by its amount. Of a refund without an id of the bank, the line's may be it.
   */
  refundsMeant({ refund: id, transaction, amount }: RegistryEntry, payment: ComparedPayment): ComparedRefund[] {
    const all = this.#books.flatMap((books) => books.refundsOf(payment));
    const names = [id, transaction].filter((name) => name !== null).map(folded);
    const isNamed = ({ refundId, bankRefundId, trxId }: ComparedRefund): boolean =>
      [refundId, bankRefundId, trxId].some((each) => each !== null && names.includes(folded(each)));
    const named = all.filter(isNamed);
    const isAlike = (each: ComparedRefund): boolean =>
      each.amount === amount && (id === null || each.bankRefundId === null);
    return (named.length > 0 ? named : all.filter(isAlike)).filter(({ state }) => state === 'done');
  }

  #only(numberOf: (id: string) => BankNumbers, written: string | null): ComparedPayment | null {
    for (const id of written === null ? [] : spellingsOf(written)) {
      const payments = this.#books.flatMap((books) => books.search(numberOf(id), 2));
      if (payments.length > 0) return payments.length === 1 ? (payments[0] ?? null) : null;
    }
    return null;
  }

  #refundedBy(operation: string | null): ComparedPayment | null {
    for (const id of operation === null ? [] : spellingsOf(operation)) {
      const [order, ...others] = new Set(this.#books.flatMap((books) => books.ordersRefundedBy(id, 2)));
      if (order !== undefined) return others.length === 0 ? this.find(order) : null;
    }
    return null;
  }
}
