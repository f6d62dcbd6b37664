/** What must agree when the weeks are over: the tills, the ledgers, the shifts, the master's book, and the bank's. */
import type { SandboxPayment } from '../../../firmware/tools/sandbox-bank/payment.ts';

/** What becomes of a sale. `late`: the customer pays when the code is over; `never`: he goes away. */
export type Kind = 'paid' | 'declined' | 'late' | 'never';

/** A sale as its till remembers it. */
export interface TillSale {
  readonly key: string;
  readonly serial: string;
  readonly amount: number;
  readonly kind: Kind;
  /** Of the payment; null where the lane refused it. */
  readonly id: string | null;
  /** The last state that the till has seen; PENDING where it gave up. */
  readonly state: string;
  /** Kopecks that the till gave back. */
  readonly refunded: number;
}

/** A payment as a ledger has it. */
export interface Entry {
  readonly id: string;
  readonly state: string;
  readonly amount: number;
  readonly refunded: number;
  readonly late: boolean;
}

export interface LaneBook {
  readonly serial: string;
  readonly entries: readonly Entry[];
  /** Kopecks, of all shifts together. */
  readonly shifts: { readonly count: number; readonly accepted: number; readonly refunds: number };
}

/** What the lanes are compared with. */
export interface Outside {
  readonly bank: readonly Pick<SandboxPayment, 'orderId' | 'state' | 'amount' | 'charges' | 'refunded'>[];
  readonly sales: readonly TillSale[];
}

export const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

/**
 * Every disagreement, as a sentence; none where all is well.
 * @param lost payments that were on a card that died: the bank has them, and no ledger
 */
export function disagreements({ bank, sales }: Outside, books: readonly LaneBook[], lost: ReadonlySet<string>) {
  const found: string[] = [];
  const atBank = new Map(bank.map((each) => [each.orderId ?? '', each]));
  const entries = new Map(books.flatMap((book) => book.entries.map((entry) => [entry.id, entry])));
  for (const [id, { state, amount, charges, refunded }] of atBank) {
    const entry = entries.get(id);
    if (charges > 1) found.push(`${id} was charged ${charges} times`);
    if (lost.has(id)) continue;
    if (state === 'paid' && entry?.state !== 'ACCEPTED')
      found.push(`${id} is paid, and ${entry?.state ?? 'not known'} here`);
    if (entry !== undefined && entry.amount !== amount)
      found.push(`${id}: ${amount} at the bank, ${entry.amount} here`);
    if (entry !== undefined && entry.refunded !== refunded)
      found.push(`${id}: ${refunded} refunded at the bank, ${entry.refunded} here`);
  }
  for (const { id, state } of entries.values()) {
    if (state === 'ACCEPTED' && atBank.get(id)?.state !== 'paid')
      found.push(`${id} is accepted here, and not at the bank`);
    if (state === 'PENDING') found.push(`${id} is still open`);
  }
  found.push(...sales.flatMap((sale) => disagreementOf(sale, entries, lost)));
  for (const { serial, entries: own, shifts } of books) {
    const accepted = sumOf(own.filter(({ state }) => state === 'ACCEPTED').map(({ amount }) => amount));
    const refunds = sumOf(own.map(({ refunded }) => refunded));
    if (accepted !== shifts.accepted) found.push(`${serial}: ${accepted} accepted, ${shifts.accepted} by its shifts`);
    if (refunds !== shifts.refunds) found.push(`${serial}: ${refunds} refunded, ${shifts.refunds} by its shifts`);
  }
  return found;
}

function disagreementOf({ id, key, state }: TillSale, entries: Map<string, Entry>, lost: ReadonlySet<string>) {
  if (id === null || lost.has(id)) return [];
  const entry = entries.get(id);
  if (entry === undefined) return [`${key}: the till had ${state}, and the ledger has nothing`];
  return state !== 'PENDING' && entry.state !== state
    ? [`${key}: the till had ${state}, the ledger ${entry.state}`]
    : [];
}
