/**
 * The master's copy of the payments and refunds of the store's other lanes, for reconciliation only. The place up to which
 * a lane has sent is written with its records: a broken transfer continues from there, and a new master gets everything
 * again. The records stay when a lane leaves the store.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { storedMethod } from '../../../banks/index.ts';
import type { Row, Values } from '../../../core/book/index.ts';
import {
  EVENT_LOOP_WAIT_MS,
  lastSetAside,
  OwnFile,
  openDatabase,
  transaction,
  writeFailure,
} from '../../../core/files/index.ts';
import { columnNumber, columnText, storedStateOf } from '../../model/payment-row.ts';
import { REFUND_STATES } from '../../model/refund.ts';
import { searchOf } from '../../money/payment-search.ts';
import type { BankNumbers, ComparedPayment, ComparedRefund, ReconciledBooks } from './compared-books.ts';
import { FIRST_PLACE, isSamePlace, type LaneBatch, type LanePlace } from './lane-records.ts';
import { LANE_MIGRATIONS } from './lane-schema.ts';

const MIB = 1024 * 1024;
/** Bytes stored per lane: as many as it sells in ten years. So no broken or foreign device fills the disk. */
const MOST_BYTES = 512 * MIB;

/** The master refuses further records of a lane; the message is for the lane's technician. */
export class LaneRefusal extends Error {
  override readonly name = 'LaneRefusal';
}

/** A lane reports each minute: after this silence its records may be incomplete. */
const SILENT_AFTER_MS = 3 * 60_000;

const PUT_PAYMENT = `INSERT INTO payments (lane, number, order_id, profile, amount, state, error_category, error_code, bank_id,
    payload, trx_id, at, refunded, test, method)
  VALUES (:lane, :number, :orderId, :profile, :amount, :state, :category, :code, :bankId, :payload, :trxId, :at, :refunded, :test, :method)
  ON CONFLICT (order_id, lane) DO UPDATE SET number = excluded.number, profile = excluded.profile, amount = excluded.amount,
    state = excluded.state, error_category = excluded.error_category, error_code = excluded.error_code,
    bank_id = excluded.bank_id, payload = excluded.payload, trx_id = excluded.trx_id, at = excluded.at,
    refunded = excluded.refunded, test = excluded.test, method = excluded.method`;
const PUT_REFUND = `INSERT INTO refunds (lane, number, refund_id, till_id, order_id, profile, amount, state, bank_refund_id, trx_id,
    at)
  VALUES (:lane, :number, :refundId, :tillId, :orderId, :profile, :amount, :state, :bankRefundId, :trxId, :at)
  ON CONFLICT (refund_id, lane) DO UPDATE SET number = excluded.number, till_id = excluded.till_id,
    order_id = excluded.order_id, profile = excluded.profile, amount = excluded.amount, state = excluded.state,
    bank_refund_id = excluded.bank_refund_id, trx_id = excluded.trx_id, at = excluded.at`;
const PUT_LANE = `INSERT INTO lanes VALUES (:lane, :ledger, :payments, :refunds, :reportedAt)
  ON CONFLICT (lane) DO UPDATE SET ledger = excluded.ledger, payments = excluded.payments, refunds = excluded.refunds,
    reported_at = coalesce(excluded.reported_at, reported_at)`;
const PUT_HISTORY = 'INSERT OR REPLACE INTO histories VALUES (:lane, :commit, :hash)';

/*
 * A board that restores another's backup, or gets another serial number, sends the same payments again. The first record
 * counts. But a payment that is not accepted, of a lane that has left the store, ranks behind the others. Refunds that
 * lanes of the store have sent for a payment of such a lane count as its own; no other lane's refunds count for a lane
 * that belongs to the store.
 */
const IN_STORE = '(SELECT value FROM json_each(:inStore))';
const isLeftOpen = (row: string): string => `(${row}.state <> 'ACCEPTED' AND ${row}.lane NOT IN ${IN_STORE})`;
const ranked = (row: string): string => `(${isLeftOpen(row)}, ${row}.id)`;
const FIRST_OF_ORDER = `NOT EXISTS (SELECT 1 FROM payments AS other
  WHERE other.order_id = payments.order_id AND ${ranked('other')} < ${ranked('payments')})`;
const FIRST_ACCEPTED = `NOT EXISTS (SELECT 1 FROM payments AS other
  WHERE other.order_id = payments.order_id AND other.id < payments.id AND other.state = 'ACCEPTED' AND other.amount = payments.amount)`;
const NO_DONE_BEFORE = `NOT EXISTS (SELECT 1 FROM refunds AS other
  WHERE other.refund_id = refunds.refund_id AND other.rowid < refunds.rowid AND other.state = 'done' AND other.amount = refunds.amount`;
const OF_LANE_OR_HEIRS = `(lane = :lane OR (:lane NOT IN ${IN_STORE} AND lane IN ${IN_STORE}))`;

function paymentOf(row: Row): ComparedPayment {
  const category = columnText(row.error_category);
  return {
    lane: String(row.lane),
    rowId: Number(row.id),
    id: Number(row.number),
    orderId: String(row.order_id),
    profile: String(row.profile),
    amount: Number(row.amount),
    refunded: Number(row.refunded),
    createdAt: null,
    at: columnNumber(row.at),
    isTest: row.test === 1,
    method: storedMethod(columnText(row.method), null)?.method ?? null,
    status: {
      state: storedStateOf(row),
      failure: category === null ? null : { category, code: Number(row.error_code), message: '' },
    },
  };
}

const refundOf = (row: Row): ComparedRefund => ({
  lane: String(row.lane),
  id: Number(row.number),
  refundId: String(row.refund_id),
  tillId: String(row.till_id),
  orderId: String(row.order_id),
  profile: String(row.profile),
  amount: Number(row.amount),
  state: REFUND_STATES.find((state) => state === row.state) ?? 'unknown',
  bankRefundId: columnText(row.bank_refund_id),
  trxId: columnText(row.trx_id),
  createdAt: null,
  at: columnNumber(row.at),
});

/** Prepares a statement that ignores unknown fields: a lane of a later release may add some. */
function prepareInsert(db: DatabaseSync, sql: string): StatementSync {
  const statement = db.prepare(sql);
  statement.setAllowUnknownNamedParameters(true);
  return statement;
}

export interface LanePaymentsOptions {
  readonly path: string;
  readonly clock: { wall(): number; monotonic(): number };
  /** {@link MOST_BYTES} when left out. */
  readonly mostBytes?: number;
}

/** When the records of a lane were last complete. */
export interface LaneReport {
  readonly lane: string;
  /** When the lane had nothing left to send: wall clock, ms since 1970; null: never. */
  readonly at: number | null;
  /** Whether that was just now. */
  readonly isNow: boolean;
}

export class LanePayments implements ReconciledBooks {
  readonly #options: LanePaymentsOptions;
  #opened: { readonly db: DatabaseSync; readonly file: OwnFile } | null = null;
  /** Whether the file is damaged: it is then checked as a whole, and set aside. */
  #isDamaged = false;
  #inStore: () => readonly string[] = () => [];
  /** When each lane last had nothing left to send, by both clocks. */
  readonly #lastReports = new Map<string, { readonly wall: number; readonly monotonic: number }>();

  constructor(options: LanePaymentsOptions) {
    this.#options = options;
  }

  /** @param devices gives the serial numbers of the devices that belong to the store now */
  belongTo(devices: () => readonly string[]): void {
    this.#inStore = devices;
  }

  /**
   * Stores a batch of a lane, whole or not at all.
   * @param lane serial number, as the message server names it
   * @returns how far the lane's ledgers are stored here: the lane continues from there
   * @throws {Error} of SQLite; nothing is stored then
   * @throws {LaneRefusal} where more is stored of the lane than any lane sells
   */
  store(lane: string, { ledger, after, to, isAll, payments, refunds }: LaneBatch): LanePlace {
    return this.#with((db) => {
      const known = this.#placeOf(db, lane, ledger);
      if (after === null || after.payments > known.payments || after.refunds > known.refunds) return known;
      const { clock } = this.#options;
      const wall = clock.wall();
      if (payments.length + refunds.length > 0 || !isSamePlace(to, known))
        transaction(db, () => {
          const [putPayment, putRefund] = [prepareInsert(db, PUT_PAYMENT), prepareInsert(db, PUT_REFUND)];
          for (const { failure, test, ...payment } of payments) {
            const failed = { category: failure?.category ?? null, code: failure?.code ?? null };
            putPayment.run({ ...payment, test: Number(test), ...failed, lane });
          }
          for (const refund of refunds) putRefund.run({ ...refund, lane });
          const place = { payments: to.payments, refunds: to.refunds };
          db.prepare(PUT_LANE).run({ ...place, lane, ledger, reportedAt: isAll ? wall : null });
          db.prepare(PUT_HISTORY).run({ lane, commit: to.commit, hash: to.hash });
          this.#requireRoom(db, lane);
        });
      // in memory alone: a report of each lane in each minute is not worth a write
      if (isAll) this.#lastReports.set(lane, { wall, monotonic: clock.monotonic() });
      return to;
    });
  }

  /** The file that was damaged and set aside last, until a person moves it away; null for none. */
  get setAside(): string | null {
    return lastSetAside(this.#options.path);
  }

  /** Lanes that have reported, including lanes that left the store. */
  reports(): LaneReport[] {
    const known = this.#all('SELECT lane, reported_at FROM lanes').map(
      (row) => [String(row.lane), columnNumber(row.reported_at)] as const,
    );
    const lanes = new Map([...known, ...[...this.#lastReports].map(([lane, { wall }]) => [lane, wall] as const)]);
    const now = this.#options.clock.monotonic();
    return [...lanes].map(([lane, at]) => {
      const lastReport = this.#lastReports.get(lane);
      return { lane, at, isNow: lastReport !== undefined && now - lastReport.monotonic < SILENT_AFTER_MS };
    });
  }

  find(orderId: string): ComparedPayment | null {
    const sql = `SELECT * FROM payments WHERE order_id = :orderId AND ${FIRST_OF_ORDER}`;
    const [row] = this.#all(sql, { orderId, ...this.#storeValues });
    return row === undefined ? null : paymentOf(row);
  }

  search(wanted: BankNumbers, limit: number): ComparedPayment[] {
    const { conditions, values } = searchOf(wanted);
    const sql = `SELECT * FROM payments WHERE ${[...conditions, FIRST_OF_ORDER].join(' AND ')} LIMIT ${limit}`;
    return this.#all(sql, { ...values, ...this.#storeValues }).map(paymentOf);
  }

  acceptedBetween(from: number, to: number, limit: number, after: ComparedPayment | null): ComparedPayment[] {
    const condition = `state = 'ACCEPTED' AND at >= :from AND at < :to AND (at > :from OR id > :rowId) AND ${FIRST_ACCEPTED}`;
    const values = { from: after?.at ?? from, to, rowId: after?.rowId ?? 0, limit };
    return this.#all(`SELECT * FROM payments WHERE ${condition} ORDER BY at, id LIMIT :limit`, values).map(paymentOf);
  }

  ordersRefundedBy(operation: string, limit: number): string[] {
    const condition = 'trx_id = :operation OR bank_refund_id = :operation';
    const sql = `SELECT DISTINCT order_id FROM refunds WHERE ${condition} LIMIT :limit`;
    return this.#all(sql, { operation, limit }).map(({ order_id }) => String(order_id));
  }

  refundsOf({ orderId, lane }: ComparedPayment): ComparedRefund[] {
    const condition = `order_id = :orderId AND ${OF_LANE_OR_HEIRS} AND ${NO_DONE_BEFORE} AND other.lane NOT IN ${IN_STORE})`;
    const sql = `SELECT * FROM refunds WHERE ${condition} ORDER BY number`;
    return this.#all(sql, { orderId, lane, ...this.#storeValues }).map(refundOf);
  }

  refundsDoneBetween(from: number, to: number): ComparedRefund[] {
    const condition = `state = 'done' AND at >= :from AND at < :to AND ${NO_DONE_BEFORE})`;
    return this.#all(`SELECT * FROM refunds WHERE ${condition} ORDER BY lane, number`, { from, to }).map(refundOf);
  }

  close(): void {
    this.#opened?.db.close();
    this.#opened = null;
  }

  get #storeValues(): Values {
    return { inStore: JSON.stringify(this.#inStore()) };
  }

  #requireRoom(db: DatabaseSync, lane: string): void {
    const { mostBytes = MOST_BYTES } = this.#options;
    const bytes = Number(db.prepare('SELECT bytes FROM sizes WHERE lane = :lane').get({ lane })?.bytes ?? 0);
    if (bytes <= mostBytes) return;
    const most = Math.round(mostBytes / MIB);
    throw new LaneRefusal(`of one lane the master keeps ${most} MiB of payments, and lane ${lane} sends more`);
  }

  #placeOf(db: DatabaseSync, lane: string, ledger: string): LanePlace {
    const row = db.prepare('SELECT * FROM lanes JOIN histories USING (lane) WHERE lane = :lane').get({ lane });
    if (row === undefined || row.ledger !== ledger) return FIRST_PLACE;
    const { payments, refunds, commit_no, hash } = row;
    return { payments: Number(payments), refunds: Number(refunds), commit: Number(commit_no), hash: String(hash) };
  }

  #all(sql: string, values: Values = {}): Row[] {
    return this.#with((db) => db.prepare(sql).all(values));
  }

  #with<T>(work: (db: DatabaseSync) => T): T {
    try {
      return work(this.#open());
    } catch (error) {
      if (writeFailure(error) === 'damaged') {
        this.close();
        this.#isDamaged = true;
      }
      throw error;
    }
  }

  /** Opens the file when the first lane reports: a device that is no master has none. */
  #open(): DatabaseSync {
    if (this.#opened?.file.isInPlace === false) this.close();
    if (this.#opened === null) {
      const { path, clock } = this.#options;
      const checked = this.#isDamaged ? null : ['lanes'];
      const { db } = openDatabase(path, LANE_MIGRATIONS, clock.wall(), checked, EVENT_LOOP_WAIT_MS);
      this.#opened = { db, file: new OwnFile(path) };
      this.#isDamaged = false;
      this.#lastReports.clear(); // another file may have replaced it, and may lack the records that lanes had sent
    }
    return this.#opened.db;
  }
}
