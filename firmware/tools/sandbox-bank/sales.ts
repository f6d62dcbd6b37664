/**
 * The table of the sandbox bank's payments: a read returns the present state and stores a change that has happened by
 * itself.
 */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { transaction } from '../../core/files/index.ts';
import type { Clock } from '../../core/host/index.ts';
import {
  type Detail,
  type NewPayment,
  newSbpId,
  SandboxError,
  type SandboxPayment,
  type StoredState,
} from './payment.ts';
import { scriptOf } from './scripts.ts';

/** More payments than a till makes in a day of tests; each start deletes the oldest beyond this number. */
const MOST_SALES = 20_000;

type Row = Record<string, SQLOutputValue>;

const STATES: readonly StoredState[] = ['open', 'processing', 'paid', 'declined', 'cancelled'];
const textOrNull = (value: SQLOutputValue | undefined): string | null => (typeof value === 'string' ? value : null);
const isoTime = (value: SQLOutputValue | undefined): string => new Date(Number(value)).toISOString();
const storedState = (row: Row): StoredState => STATES.find((state) => state === row.state) ?? 'open';

const SALES = `SELECT sale.*, (SELECT coalesce(sum(amount), 0) FROM refund
  WHERE refund.sale = sale.seq AND refund.state <> 'declined') AS refunded FROM sale`;

export class Sales {
  readonly #db: DatabaseSync;
  readonly #clock: Clock;

  constructor(db: DatabaseSync, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    transaction(db, () => {
      db.prepare('DELETE FROM sale WHERE seq <= (SELECT max(seq) FROM sale) - ?').run(MOST_SALES);
      this.#adoptEarlierBoots();
    });
  }

  insert(qrcId: string, payment: NewPayment, link: string): void {
    const { dialect, merchant, orderId, amount, purpose, ttlMs, coded = true } = payment;
    const [wall, now] = [this.#clock.wall(), this.#clock.monotonic()];
    this.#db
      .prepare(
        `INSERT INTO sale (dialect, merchant, bank_id, qrc_id, order_id, amount, purpose, detail, link, coded,
          created_wall, expires_wall, since_wall, boot_id, expires_monotonic, since_monotonic)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        ...[dialect, merchant, payment.bankId ?? qrcId, qrcId, orderId, amount, purpose],
        ...[JSON.stringify(payment.detail ?? {}), link, coded ? 1 : 0],
        ...[wall, wall + ttlMs, wall, this.#clock.bootId, now + ttlMs, now],
      );
    if (coded && scriptOf(amount)?.isExpiredAtOnce) this.expire(qrcId);
  }

  markCoded(qrcId: string): void {
    const [wall, now] = [this.#clock.wall(), this.#clock.monotonic()];
    this.#db
      .prepare('UPDATE sale SET coded = 1, since_wall = ?, since_monotonic = ? WHERE qrc_id = ?')
      .run(wall, now, qrcId);
  }

  enter(qrcId: string, state: StoredState): SandboxPayment {
    const [wall, now] = [this.#clock.wall(), this.#clock.monotonic()];
    const paid = state === 'paid';
    this.#db
      .prepare(
        `UPDATE sale SET state = ?, since_wall = ?, since_monotonic = ?, charges = charges + ?,
          trx_id = coalesce(trx_id, ?), paid_wall = coalesce(paid_wall, ?) WHERE qrc_id = ?`,
      )
      .run(state, wall, now, paid ? 1 : 0, paid ? newSbpId('A6') : null, paid ? wall : null, qrcId);
    return this.known(qrcId);
  }

  expire(qrcId: string): void {
    const [wall, now] = [this.#clock.wall(), this.#clock.monotonic()];
    this.#db
      .prepare(
        'UPDATE sale SET expires_wall = min(expires_wall, ?), expires_monotonic = min(expires_monotonic, ?) WHERE qrc_id = ?',
      )
      .run(wall, now, qrcId);
  }

  /** @throws {SandboxError} `unknown` */
  known(qrcId: string): SandboxPayment {
    const payment = this.one('WHERE qrc_id = ?', qrcId);
    if (payment === null) throw new SandboxError('unknown', 'there is no such payment');
    return payment;
  }

  /** @param which SQL that selects it */
  one(which: string, ...values: (string | number)[]): SandboxPayment | null {
    const row = this.#db.prepare(`${SALES} ${which}`).get(...values);
    return row === undefined ? null : this.#read(row);
  }

  /** @param which SQL that selects them */
  all(which: string, ...values: (string | number)[]): SandboxPayment[] {
    return this.#db
      .prepare(`${SALES} ${which}`)
      .all(...values)
      .map((row) => this.#read(row));
  }

  /** Reads a payment in its present state; the first read after a change by itself stores that. */
  #read(row: Row): SandboxPayment {
    const stored = storedState(row);
    const leftMs = Number(row.expires_monotonic) - this.#clock.monotonic();
    const next = scriptOf(Number(row.amount))?.course?.({
      state: stored,
      coded: row.coded === 1,
      sinceMs: this.#clock.monotonic() - Number(row.since_monotonic),
      leftMs,
    });
    if (next !== undefined && next !== null && next !== stored) return this.enter(String(row.qrc_id), next);
    return {
      dialect: String(row.dialect),
      bankId: String(row.bank_id),
      qrcId: String(row.qrc_id),
      orderId: textOrNull(row.order_id),
      amount: Number(row.amount),
      purpose: textOrNull(row.purpose),
      state: stored === 'open' && leftMs <= 0 ? 'expired' : stored,
      charges: Number(row.charges),
      refunded: Number(row.refunded),
      link: String(row.link),
      coded: row.coded === 1,
      trxId: textOrNull(row.trx_id),
      paidAt: row.paid_wall === null ? null : isoTime(row.paid_wall),
      createdAt: isoTime(row.created_wall),
      expiresAt: isoTime(row.expires_wall),
      remainingMs: stored === 'open' ? Math.max(0, leftMs) : 0,
      detail: JSON.parse(String(row.detail)) as Detail,
    };
  }

  /**
   * Moves the payments of earlier boots to this boot's monotonic clock, which began anew. The wall clock says how much time
   * is left: at most the code's whole life, where that clock was set back meanwhile.
   */
  #adoptEarlierBoots(): void {
    this.#db
      .prepare(
        `UPDATE sale SET boot_id = :boot, since_monotonic = :monotonic - max(0, :wall - since_wall),
          expires_monotonic = :monotonic + max(0, min(expires_wall - :wall, expires_wall - created_wall))
          WHERE boot_id <> :boot`,
      )
      .run({ boot: this.#clock.bootId, monotonic: this.#clock.monotonic(), wall: this.#clock.wall() });
  }
}
