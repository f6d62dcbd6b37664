/** The sandbox bank's refunds. */
import { randomUUID } from 'node:crypto';
import type { SQLOutputValue } from 'node:sqlite';
import { transaction } from '../../core/files/index.ts';
import type { SandboxPayment } from './payment.ts';
import { SandboxError } from './payment.ts';
import type { SandboxPayments } from './payments.ts';
import { refundIsDone, scriptOf } from './scripts.ts';

export interface SandboxRefund {
  /** The till's id of the refund, or the bank's where the till names none. */
  readonly refundId: string;
  /** The bank's id of the refund. */
  readonly bankId: string;
  /** The id of the paid code. */
  readonly qrcId: string;
  /** Kopecks. */
  readonly amount: number;
  readonly state: 'pending' | 'done' | 'declined';
  readonly createdAt: string;
}

const REFUNDS = 'SELECT refund.*, sale.qrc_id FROM refund JOIN sale ON sale.seq = refund.sale';

export class SandboxRefunds {
  readonly #payments: SandboxPayments;

  constructor(payments: SandboxPayments) {
    this.#payments = payments;
  }

  /**
   * Gives money back, or finds the refund of the same id for this payment.
   * @param refundId the till's id; a new one each time where it is null
   * @throws {SandboxError} `not-paid`, `too-much`, `order-differs` where the id belongs to another amount
   */
  refund({ qrcId }: SandboxPayment, amount: number, refundId: string | null): SandboxRefund {
    const { db, clock } = this.#payments;
    return transaction(db, () => {
      const known = refundId === null ? null : this.find(qrcId, refundId);
      if (known !== null) {
        if (known.amount !== amount)
          throw new SandboxError('order-differs', 'this refund id stands for another amount');
        return known;
      }
      const payment = this.#payments.find(qrcId);
      if (payment?.state !== 'paid') throw new SandboxError('not-paid', 'the payment has not been paid');
      if (amount > payment.amount - payment.refunded) {
        throw new SandboxError('too-much', 'more than what is left of the payment');
      }
      const bankId = randomUUID();
      db.prepare(
        `INSERT INTO refund (sale, refund_id, bank_id, amount, state, created_wall, boot_id, since_monotonic)
          SELECT seq, ?, ?, ?, ?, ?, ?, ? FROM sale WHERE qrc_id = ?`,
      ).run(
        ...[refundId ?? bankId, bankId, amount, scriptOf(payment.amount)?.refund ?? 'done'],
        ...[clock.wall(), clock.bootId, clock.monotonic(), qrcId],
      );
      return this.byBankId(bankId) as SandboxRefund;
    });
  }

  /** A refund by the till's id. */
  find(qrcId: string, refundId: string): SandboxRefund | null {
    return this.#one('qrc_id = ? AND refund_id = ?', qrcId, refundId);
  }

  /** A refund by the bank's id. */
  byBankId(bankId: string): SandboxRefund | null {
    return this.#one('refund.bank_id = ?', bankId);
  }

  /** The refunds of one payment, oldest first. */
  of(qrcId: string): SandboxRefund[] {
    const sql = `${REFUNDS} WHERE qrc_id = ? ORDER BY refund.seq`;
    return this.#payments.db
      .prepare(sql)
      .all(qrcId)
      .map((row) => this.#read(row));
  }

  #one(where: string, ...values: string[]): SandboxRefund | null {
    const row = this.#payments.db.prepare(`${REFUNDS} WHERE ${where}`).get(...values);
    return row === undefined ? null : this.#read(row);
  }

  #read(row: Record<string, SQLOutputValue>): SandboxRefund {
    return {
      refundId: String(row.refund_id),
      bankId: String(row.bank_id),
      qrcId: String(row.qrc_id),
      amount: Number(row.amount),
      state: this.#stateOf(row),
      createdAt: new Date(Number(row.created_wall)).toISOString(),
    };
  }

  #stateOf(row: Record<string, SQLOutputValue>): SandboxRefund['state'] {
    if (row.state !== 'pending') return row.state === 'done' ? 'done' : 'declined';
    const { clock } = this.#payments;
    const sameBoot = row.boot_id === clock.bootId;
    const sinceMs = sameBoot
      ? clock.monotonic() - Number(row.since_monotonic)
      : clock.wall() - Number(row.created_wall);
    return refundIsDone(sinceMs) ? 'done' : 'pending';
  }
}
