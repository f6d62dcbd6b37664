/** Reads the books of a rehearsal: a lane's by its own calls, the bank's, and the bank's registry as its file. */
import { type Entry, type LaneBook, type Outside, sumOf } from './books.ts';
import type { RehearsedLane } from './lane.ts';
import type { Shop } from './shop.ts';

const DAY_MS = 86_400_000;
const ALL = 10_000;
/** Most days that one list of payments has. */
const LISTED_DAYS = 30;

export const outsideOf = (shop: Shop): Outside => ({ bank: shop.bank.payments.list(ALL), sales: shop.sales });

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

/** The registry of the bank, as its file: what was paid. @param lost as in {@link disagreements} */
export function registryOf(shop: Shop, lost: ReadonlySet<string>): string {
  const paid = shop.bank.payments
    .list(ALL)
    .filter(({ state, orderId }) => state === 'paid' && !lost.has(orderId ?? ''));
  const lines = paid.map(({ orderId, amount }) => `${orderId},${(amount / 100).toFixed(2)}`);
  return `order,amount\n${lines.join('\n')}\n`;
}
