/** Lanes of a store with ledgers of their own, and a registry of what they have sold, as their bank has it. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { PaidBy } from '../../firmware/banks/method.ts';
import { REGISTERING } from '../../firmware/payments/model/payment.ts';
import { NOBODY } from '../../firmware/payments/model/refund.ts';
import type { Ledger } from '../../firmware/payments/money/ledger.ts';
import { Money } from '../../firmware/payments/money/money.ts';
import type { RefundLedger } from '../../firmware/payments/money/refund-ledger.ts';
import type { LanePayments } from '../../firmware/payments/reports/lanes/lane-payments.ts';
import { LaneFeed, type LanePlace } from '../../firmware/payments/reports/lanes/lane-records.ts';
import { newPayment } from './ledger-rig.ts';

export const MORNING = Date.parse('2026-11-20T09:00:00Z');
export const COLUMNS = { order: 'order', bank: 'code', transaction: 'rrn', refund: 'refund', amount: 'amount' };
const HEAD = 'order;code;rrn;refund;amount';

export interface SoldOptions {
  /** The bank's name of it alone stands in the registry. */
  readonly by?: 'order' | 'code' | 'rrn';
  readonly state?: 'ACCEPTED' | 'REJECTED' | 'PENDING';
  readonly merchant?: string;
  readonly paidBy?: PaidBy;
}

export class TestLane implements Disposable {
  readonly serial: string;
  readonly folder: string;
  readonly ledger: Ledger;
  readonly refunds: RefundLedger;
  readonly feed: LaneFeed;
  /** Its lines of the bank's registry. */
  readonly lines: string[] = [];
  sold = 0;
  returned = 0;
  #count = 0;
  readonly #money: Money;

  constructor(serial: string, folder: string, restoredAt = 0, now = (): number => MORNING) {
    this.serial = serial;
    this.folder = folder;
    this.#money = Money.open({ path: join(folder, `${serial}.db`), secondFolder: null, now });
    this.ledger = this.#money.payments;
    this.refunds = this.#money.refunds;
    this.feed = new LaneFeed({ ledger: this.ledger, refunds: this.refunds, restoredAt });
  }

  /** @returns its order id */
  sell(kopecks: number, { by = 'order', state = 'ACCEPTED', merchant = 'm', paidBy }: SoldOptions = {}): string {
    const n = this.#count++;
    const orderId = randomUUID();
    const [bankId, rrn] = [`${this.serial}-code-${n}`, `${this.serial}-rrn-${n}`];
    const made = { orderId, createdAt: MORNING + n, createdMono: n, merchant, amount: kopecks, purpose: 'Apples' };
    this.ledger.insert({ ...newPayment(n), ...made });
    this.ledger.recordRef(orderId, { id: bankId });
    this.ledger.intendToShow(orderId, `https://qr.nspk.ru/${bankId}?type=02`);
    const transaction = { trxId: rrn, paidAt: MORNING + n, refunded: 0, payer: null, paidBy: paidBy ?? null };
    this.ledger.setStatus(orderId, { ...REGISTERING, seen: true, state }, MORNING + n, transaction);
    if (state !== 'ACCEPTED') return orderId;
    const cell = (name: string, text: string): string => (name === by ? text : '');
    this.lines.push(
      [cell('order', orderId), cell('code', bankId), cell('rrn', rrn), '', (kopecks / 100).toFixed(2)].join(';'),
    );
    this.sold += kopecks;
    return orderId;
  }

  /**
   * @param by what names it in the registry: our order id and the bank's id of it, or its own operation alone
   * @returns the id of its operation
   */
  refund(orderId: string, kopecks: number, by: 'order' | 'rrn' = 'order'): string {
    const refundId = randomUUID();
    const trxId = `${this.serial.toLowerCase()}-back-${refundId}`;
    this.refunds.insert({
      ...{ refundId, tillId: `till ${refundId}`, orderId, profile: 'main', bank: 'CFT', amount: kopecks },
      ...{ refundedBefore: 0, createdAt: MORNING, refundedBy: null, requester: NOBODY },
    });
    const refunded = (this.ledger.find(orderId)?.refunded ?? 0) + kopecks;
    this.ledger.setTransaction(orderId, { trxId: null, paidAt: null, refunded, payer: null, paidBy: null });
    const ids = { bankRefundId: `B${refundId}`, way: { paidBy: null, trxId } };
    this.refunds.record(refundId, { ...ids, state: 'done', reason: null, endedAt: MORNING + 1000 });
    const names = by === 'order' ? [orderId, '', '', ids.bankRefundId] : ['', '', trxId, ''];
    this.lines.push([...names, (-kopecks / 100).toFixed(2)].join(';'));
    this.returned += kopecks;
    return trxId;
  }

  close(): void {
    this.#money.book.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

export const registryOf = (lanes: readonly TestLane[]): Buffer =>
  Buffer.from(`${[HEAD, ...lanes.flatMap(({ lines }) => lines)].join('\n')}\n`);

/**
 * Sends what a master lacks, as the reporter does.
 * @param isLost whether the answer to a request does not come: the lane knows nothing then, and asks for the place
 * @returns how many records were sent
 */
export async function send(lane: TestLane, master: LanePayments, isLost: () => boolean = () => false): Promise<number> {
  let count = 0;
  for (let place: LanePlace | null = null; ; ) {
    const batch = JSON.parse(JSON.stringify(await lane.feed.read(place)));
    count += batch.payments.length + batch.refunds.length;
    const answer = master.store(lane.serial, batch);
    place = isLost() ? null : answer;
    if (place !== null && batch.isAll && JSON.stringify(answer) === JSON.stringify(batch.to)) return count;
  }
}
