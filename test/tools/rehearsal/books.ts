/** What must agree when the weeks are over: the tills, the ledgers, the shifts, the master's book, and the bank's. */
import type { SandboxPayment } from '../../../firmware/sandbox-bank/payment.ts';
import type { RehearsedLane } from './lane.ts';
import type { Shop, TillSale } from './shop.ts';

const DAY_MS = 86_400_000;
const ALL = 10_000;
/** Most days that one list of payments has. */
const LISTED_DAYS = 30;

/** A payment as a ledger has it. */
interface Entry {
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

export const outsideOf = (shop: Shop): Outside => ({ bank: shop.bank.payments.list(ALL), sales: shop.sales });

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

/** By its own calls. */
export async function readBook(lane: RehearsedLane): Promise<LaneBook> {
  const now = await lane.now();
  const [from, to] = [now - LISTED_DAYS * DAY_MS, now + DAY_MS].map((moment) =>
    new Date(moment).toISOString().slice(0, 10),
  );
  const entries: Entry[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = `/v1/payments?from=${from}&to=${to}&limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const { payments, cursor: next } = await lane.must('terminal', page);
    entries.push(...payments);
    cursor = next;
  }
  const { shifts } = await lane.must('terminal', '/v1/shifts?limit=100');
  const current = await lane.must('terminal', '/v1/shifts/current');
  const totals: { accepted: { sum: number }; refunds: { sum: number } }[] = [...shifts, current].map(
    ({ totals }) => totals,
  );
  return {
    serial: lane.serial,
    entries,
    shifts: {
      count: shifts.length,
      accepted: sumOf(totals.map(({ accepted }) => accepted.sum)),
      refunds: sumOf(totals.map(({ refunds }) => refunds.sum)),
    },
  };
}

/**
 * Every disagreement, as a sentence; none where all is well.
 * @param lost payments that were on a card that died: the bank has them, and no ledger
 */
export function disagreements(
  { bank, sales }: Outside,
  books: readonly LaneBook[],
  lost: ReadonlySet<string>,
): string[] {
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

function disagreementOf(
  { id, key, state }: TillSale,
  entries: Map<string, Entry>,
  lost: ReadonlySet<string>,
): string[] {
  if (id === null || lost.has(id)) return [];
  const entry = entries.get(id);
  if (entry === undefined) return [`${key}: the till had ${state}, and the ledger has nothing`];
  return state !== 'PENDING' && entry.state !== state
    ? [`${key}: the till had ${state}, the ledger ${entry.state}`]
    : [];
}

/** The registry of the bank, as its file: what was paid. @param lost as in {@link disagreements} */
export function registryOf(shop: Shop, lost: ReadonlySet<string>): string {
  const paid = shop.bank.payments
    .list(ALL)
    .filter(({ state, orderId }) => state === 'paid' && !lost.has(orderId ?? ''));
  const lines = paid.map(({ orderId, amount }) => `${orderId},${(amount / 100).toFixed(2)}`);
  return `order,amount\n${lines.join('\n')}\n`;
}
