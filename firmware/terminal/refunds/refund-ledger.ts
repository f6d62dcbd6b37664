/**
 * The ledger of refunds. Each refund is durable before it is sent to the bank, and after each step. It has its own file
 * beside the ledger of payments, because the journal and the copies of a checked table belong to one table.
 */
import type { EventType } from '../../config/index.ts';
import { CheckedTable, type Migration, type Row, type Values } from '../../store/index.ts';
import { type BookPlace, ChangeWatch, CheckedBook } from '../ledger/checked-book.ts';
import type { LocalDay } from '../reports/local-day.ts';
import { isEventType, refundEvent } from '../webhooks/event-types.ts';
import {
  type Decision,
  type NewRefund,
  type Refund,
  type RefundProgress,
  type RefundState,
  refundOf,
  storedTillId,
} from './refund.ts';

export const REFUNDS_TABLE = { name: 'refunds', key: 'refund_id' } as const;

export const REFUND_MIGRATIONS: readonly Migration[] = [
  {
    schema: 5,
    readableFrom: '0.1.0',
    sql: `CREATE TABLE refunds (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      refund_id TEXT NOT NULL UNIQUE,   -- ours, which is sent to the bank
      till_id TEXT NOT NULL UNIQUE,     -- the till's (storedTillId)
      order_id TEXT NOT NULL,           -- of the payment
      profile TEXT NOT NULL,
      bank TEXT NOT NULL,
      amount INTEGER NOT NULL,          -- kopecks
      refunded_before INTEGER NOT NULL, -- kopecks that had gone back before
      created_at INTEGER NOT NULL,      -- wall clock, ms since 1970
      state TEXT NOT NULL,
      bank_refund_id TEXT,
      reason TEXT,
      ended_at INTEGER,                 -- wall clock of the end
      change_no INTEGER,                -- number of the change that made the row what it is
      checksum TEXT,                    -- over all other columns
      decided TEXT,                     -- done or refused, by a person
      decided_at INTEGER,               -- wall clock
      note TEXT,                        -- of that person
      told TEXT,                        -- the state that the bank has reported, where a person has decided
      told_at INTEGER,                  -- wall clock of the end that the bank reported after that
      unannounced TEXT,                 -- types of events that are not in the outbox yet, as refund.created,refund.done; null for none
      giver TEXT,                       -- name of the till, or cashier, to whose daily limit it counts; null where no limit is
      shift INTEGER,                    -- number of the shift that was open when it was done; never another one
      till TEXT,                        -- name of the credential that asked for it
      cashier TEXT,                     -- as the till said, or the role that was signed in
      answered_by TEXT                  -- whose PIN answered for more than the limit
    );
    CREATE INDEX refunds_order_id ON refunds (order_id);
    CREATE INDEX refunds_changed ON refunds (change_no);
    CREATE INDEX refunds_undecided ON refunds (id) WHERE state NOT IN ('done', 'refused');
    CREATE INDEX refunds_done ON refunds (ended_at) WHERE state = 'done';
    CREATE INDEX refunds_decided ON refunds (id) WHERE decided IS NOT NULL;
    CREATE INDEX refunds_unannounced ON refunds (id) WHERE unannounced IS NOT NULL;
    CREATE INDEX refunds_given ON refunds (giver, created_at) WHERE giver IS NOT NULL;
    CREATE INDEX refunds_unshifted ON refunds (id) WHERE state = 'done' AND shift IS NULL;`,
  },
];

/** A refund, and the types of its events that are not in the outbox yet. */
export interface Unannounced {
  readonly refund: Refund;
  readonly types: readonly EventType[];
}

export class RefundLedger extends CheckedBook {
  #onAnnounced: () => void = () => undefined;
  #openShift: () => number | null = () => null;
  /** Reports each refund that has changed, by its id here. */
  readonly changes = new ChangeWatch();

  static open(place: BookPlace): RefundLedger {
    const ledger = new RefundLedger(
      CheckedTable.open({ ...place, migrations: REFUND_MIGRATIONS, shape: REFUNDS_TABLE }),
    );
    if (ledger.isOpen) ledger.isOpened();
    return ledger;
  }

  /** From now on refunds are done in this shift. @param openShift its number; null where that cannot be read */
  countedIn(openShift: () => number | null): void {
    this.#openShift = openShift;
  }

  /** Enters a refund before it is sent to the bank. @param till that has asked for its payment */
  insert(refund: NewRefund, till: string | null): Refund {
    const { refundId, tillId, orderId, profile, bank, amount, refundedBefore, createdAt, giver, asker } = refund;
    return this.#commit(refundId, () => {
      this.table.add(refundId, {
        ...{ refund_id: refundId, till_id: storedTillId(tillId, till), order_id: orderId, profile, bank, amount },
        ...{ refunded_before: refundedBefore, created_at: createdAt, giver, state: 'asked' },
        ...{ till: asker.till, cashier: asker.cashier, answered_by: asker.answeredBy },
      });
      return null;
    });
  }

  /** Records the state of a refund. */
  keep(refundId: string, { state, bankRefundId, reason, endedAt }: RefundProgress): Refund {
    return this.#change(refundId, () => ({ state, bank_refund_id: bankRefundId, reason, ended_at: endedAt }));
  }

  /** Records the decision of a person. Where the refund has ended, its state stays. */
  decide(refundId: string, { outcome, note, at }: Decision): Refund {
    return this.#change(refundId, ({ state, told, endedAt }) => ({
      ...{ told: told ?? state, decided: outcome, decided_at: at, note },
      ...(endedAt === null ? { state: outcome, ended_at: at } : {}),
    }));
  }

  /** Records the bank's report on a refund that a person had decided. Money that counts as gone back stays counted. */
  hear(refundId: string, { state, bankRefundId, reason, endedAt }: RefundProgress): Refund {
    return this.#change(refundId, (before) => ({
      ...{ told: state, told_at: endedAt, bank_refund_id: bankRefundId, reason },
      ...(state === 'done' && before.state !== 'done' ? { state, ended_at: endedAt } : {}),
    }));
  }

  /** Refunds with events that are not in the outbox yet, oldest first. */
  unannounced(limit: number): Unannounced[] {
    const sql = 'SELECT * FROM refunds WHERE unannounced IS NOT NULL ORDER BY id LIMIT :limit';
    return this.table.all(sql, { limit }).map((row) => ({
      refund: refundOf(row),
      types: String(row.unannounced).split(',').filter(isEventType),
    }));
  }

  /** Records that the events of a refund are in the outbox of the payments' ledger. */
  isAnnounced(refundId: string): void {
    this.table.change(() => this.table.set(refundId, { unannounced: null }));
  }

  /** @param listener called after each commit that has events for the outbox; it never throws */
  onAnnounced(listener: () => void): void {
    this.#onAnnounced = listener;
  }

  /** Kopecks that a giver with a limit has refunded between two moments, ms since 1970; undecided refunds count too. */
  givenBy(giver: string, { from, to }: Pick<LocalDay, 'from' | 'to'>): number {
    const sql = `SELECT coalesce(sum(amount), 0) AS kopecks FROM refunds
      WHERE giver = :giver AND created_at >= :from AND created_at < :to AND state <> 'refused'`;
    return Number(this.table.all(sql, { giver, from, to })[0]?.kopecks);
  }

  /** @throws {Error} where there is none */
  get(refundId: string): Refund {
    const [refund] = this.#many('refund_id = :refundId', { refundId });
    return refund ?? missing(refundId);
  }

  /** @param till that has asked for the payment */
  ofTill(tillId: string, till: string | null): Refund | null {
    return this.#many('till_id = :tillId', { tillId: storedTillId(tillId, till) })[0] ?? null;
  }

  /** Those of one payment, oldest first. */
  of(orderId: string): Refund[] {
    return this.#many('order_id = :orderId ORDER BY id', { orderId });
  }

  /** Those that were done from one moment, ms since 1970, to another. */
  doneBetween(from: number, to: number): Refund[] {
    return this.#many("state = 'done' AND ended_at >= :from AND ended_at < :to", { from, to });
  }

  /** Those that were done in a shift. @param since number of a change: they have changed after it */
  doneIn(shift: number, since: number): Refund[] {
    return this.#many("+state = 'done' AND shift = :shift AND change_no > :since ORDER BY id", { shift, since });
  }

  /** Order ids of the payments whose refunds have changed since. */
  changedSince(since: number): string[] {
    const sql = 'SELECT DISTINCT order_id FROM refunds WHERE change_no > :since';
    return this.table.all(sql, { since }).map(({ order_id }) => String(order_id));
  }

  /** The last shift that any refund names. @param since number of a change: only those that have changed after it */
  lastShift(since = 0): number {
    return Number(this.table.get('SELECT max(shift) AS n FROM refunds WHERE change_no > :since', { since })?.n ?? 0);
  }

  /** Refunds that were done without a shift count in the one that is open. */
  adopt(): void {
    const found = this.#many("state = 'done' AND shift IS NULL", {});
    const shift = this.#openShift();
    if (found.length === 0) return;
    this.table.change(() => {
      for (const { refundId } of found) this.table.set(refundId, { shift });
    });
  }

  /** The next refunds by the number of their last change, for the master of the store. */
  changedAfter(change: number, limit: number): { readonly change: number; readonly refund: Refund }[] {
    // a damaged row may have any number
    const which = 'change_no > :change AND change_no <= :head ORDER BY change_no LIMIT :limit';
    return this.table
      .all(`SELECT * FROM refunds WHERE ${which}`, { change, head: this.table.head, limit })
      .map((row) => ({ change: Number(row.change_no), refund: refundOf(row) }));
  }

  /** Oldest first. */
  undecided(limit: number): Refund[] {
    return this.#many("state NOT IN ('done', 'refused') ORDER BY id LIMIT :limit", { limit });
  }

  /**
   * Those that a person has decided and whose end the bank has not reported. Newest first: an old one delays no other.
   */
  unreported(limit: number): Refund[] {
    return this.#many("decided IS NOT NULL AND told NOT IN ('done', 'refused') ORDER BY id DESC LIMIT :limit", {
      limit,
    });
  }

  /** Refunds on which the bank has reported the opposite of an earlier decision of a person. Oldest first. */
  contradicted(limit: number): Refund[] {
    return this.#many('decided IS NOT NULL AND told_at >= decided_at AND told <> decided ORDER BY id LIMIT :limit', {
      limit,
    });
  }

  /** @param become returns the new values of columns */
  #change(refundId: string, become: (before: Refund) => Values): Refund {
    return this.#commit(refundId, () => {
      const before = refundOf(this.#row(refundId));
      this.table.set(refundId, become(before));
      return before.state;
    });
  }

  /** Marks the event of the change in the same commit. @param write returns the state before; null for a new refund */
  #commit(refundId: string, write: () => RefundState | null): Refund {
    let type: EventType | null = null;
    this.table.change(() => {
      const before = write();
      const row = this.#row(refundId);
      const { state } = refundOf(row);
      type = refundEvent(before, state);
      if (type === 'refund.done') this.table.set(refundId, { shift: this.#openShift() });
      const marked = row.unannounced ?? null;
      if (type !== null) this.table.set(refundId, { unannounced: marked === null ? type : `${marked},${type}` });
    });
    this.changes.notify([refundId]);
    if (type !== null) this.#onAnnounced();
    return this.get(refundId);
  }

  protected override isOpened(): void {
    this.verifyNewest();
  }

  /** The row as it is within the current transaction. @throws {Error} where there is none */
  #row(refundId: string): Row {
    return this.table.row(refundId) ?? missing(refundId);
  }

  #many(which: string, values: Values): Refund[] {
    return this.table.all(`SELECT * FROM refunds WHERE ${which}`, values).map(refundOf);
  }
}

function missing(refundId: string): never {
  throw new Error(`refund ${refundId} is not in the ledger`);
}
