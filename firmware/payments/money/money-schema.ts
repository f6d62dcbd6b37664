/** The tables of the book of money. Rules of money are rules of the schema: what breaks one is not written (more: `money.ts`). */
import { BOOK_SCHEMA, changesSchema, type TableShape } from '../../core/book/index.ts';
import type { Migration } from '../../core/files/index.ts';

/** In the order in which a commit writes them: a refund is done once its payment counts it. */
export const MONEY_TABLES: readonly TableShape[] = Object.freeze([
  // a lost mark that a till has read an acceptance does no harm: the acceptance is reported again
  { name: 'payments', key: 'order_id', repeatable: ['untold'] },
  { name: 'refunds', key: 'refund_id', repeatable: [] },
  { name: 'shifts', key: 'number', repeatable: [] },
]);

export const MONEY_MIGRATIONS: readonly Migration[] = [
  {
    schema: 1,
    readableFrom: 1,
    sql: `${BOOK_SCHEMA}
    CREATE TABLE payments (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      order_id TEXT NOT NULL UNIQUE,
      created_at INTEGER NOT NULL,           -- wall clock, ms since 1970
      boot_id TEXT NOT NULL,                 -- the boot that created_mono belongs to
      created_mono INTEGER NOT NULL,         -- monotonic clock, ms
      profile TEXT NOT NULL,
      bank TEXT NOT NULL,
      amount INTEGER NOT NULL,               -- kopecks
      purpose TEXT,
      ttl INTEGER NOT NULL,                  -- minutes
      bank_id TEXT,
      payload TEXT,
      state TEXT NOT NULL CHECK (state IN ('PENDING', 'STATIC', 'ACCEPTED', 'REJECTED', 'CANCELED', 'ERROR')),
      seen INTEGER NOT NULL,                 -- intent to show: set before the first byte
      late INTEGER NOT NULL,
      superseded INTEGER NOT NULL,
      error_category TEXT,
      error_code INTEGER,
      error_message TEXT,
      ended_at INTEGER,                      -- wall clock of the last change of state
      settled INTEGER NOT NULL DEFAULT 0,    -- the bank is not asked any more
      called INTEGER,                        -- place among the calls: the last is the highest
      untold INTEGER NOT NULL DEFAULT 0,     -- accepted, and no till knows
      awaited INTEGER NOT NULL DEFAULT 1,    -- a till waits for its outcome
      withdrawn INTEGER NOT NULL DEFAULT 0,  -- taken out of use at the bank
      cancelled INTEGER NOT NULL DEFAULT 0,  -- a till has taken it back
      change_no INTEGER NOT NULL,            -- number of the commit that made the row what it is
      checksum TEXT NOT NULL,                -- over all other columns
      bank_ref TEXT,                         -- JSON; bank_id is its id
      merchant TEXT,                         -- who is paid (Merchants)
      trx_id TEXT,                           -- the payment system's id of the transaction
      paid_at INTEGER,                       -- by the bank's clock, ms since 1970
      refunded INTEGER NOT NULL DEFAULT 0 CHECK (refunded BETWEEN 0 AND amount), -- kopecks that have gone back
      note TEXT,                             -- who has looked into it, and what came of that
      acknowledged_at INTEGER,               -- wall clock, ms since 1970
      till TEXT,                             -- name of the credential; null where none was asked for
      cashier TEXT,                          -- as the till said, or the role that was signed in
      sale_key TEXT,                         -- Idempotency-Key, kept for ever
      sale_body TEXT,                        -- SHA-256 of what it was sent with
      reference TEXT,                        -- what a till calls the sale, as the number of a receipt
      asked_shift INTEGER,                   -- number of the shift that was open when it was asked for
      shift INTEGER,                         -- the same when its acceptance was written; never another one
      payer_bank TEXT,
      payer_phone TEXT,                      -- its last digits alone
      receipt_at INTEGER,                    -- wall clock, ms since 1970
      method TEXT,                           -- how it was paid; null where its bank has not said
      method_word TEXT                       -- the bank's own word for it
    );
    -- a commit writes the payment first: the refund still counts as done then, as a person had wrongly said
    CREATE TRIGGER payments_never_unpaid BEFORE UPDATE OF state, refunded ON payments
      WHEN (OLD.state = 'ACCEPTED' AND NEW.state <> 'ACCEPTED') OR (NEW.refunded < OLD.refunded AND NOT EXISTS (
        SELECT 1 FROM refunds WHERE order_id = OLD.order_id AND amount = OLD.refunded - NEW.refunded
          AND state = 'done' AND decided = 'done' AND told IS NOT 'done'))
      BEGIN SELECT RAISE(ABORT, 'a paid payment stays paid, and what has gone back stays counted'); END;
    CREATE INDEX payments_called ON payments (called);
    CREATE INDEX payments_changed ON payments (change_no);
    CREATE INDEX payments_created_at ON payments (created_at);
    CREATE INDEX payments_open ON payments (id) WHERE settled = 0;
    -- these cost a sale nothing as long as it lacks what they hold
    CREATE INDEX payments_bank_id ON payments (bank_id) WHERE bank_id IS NOT NULL;
    CREATE INDEX payments_payload ON payments (payload) WHERE payload IS NOT NULL;
    CREATE INDEX payments_trx_id ON payments (trx_id) WHERE trx_id IS NOT NULL;
    CREATE INDEX payments_sale_key ON payments (sale_key) WHERE sale_key IS NOT NULL;
    CREATE INDEX payments_reference ON payments (reference) WHERE reference IS NOT NULL;
    CREATE INDEX payments_receipt ON payments (till) WHERE receipt_at IS NOT NULL;
    CREATE INDEX payments_untold ON payments (untold) WHERE untold = 1;
    CREATE INDEX payments_late ON payments (ended_at) WHERE late = 1;
    CREATE INDEX payments_taken ON payments (coalesce(paid_at, ended_at)) WHERE state = 'ACCEPTED';

    CREATE TABLE refunds (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      refund_id TEXT NOT NULL UNIQUE,   -- ours, which is sent to the bank
      till_id TEXT NOT NULL UNIQUE,     -- the till's (storedTillId)
      order_id TEXT NOT NULL,           -- of the payment
      profile TEXT NOT NULL,
      bank TEXT NOT NULL,
      amount INTEGER NOT NULL CHECK (amount > 0), -- kopecks
      refunded_before INTEGER NOT NULL, -- kopecks that had gone back before
      created_at INTEGER NOT NULL,      -- wall clock, ms since 1970
      state TEXT NOT NULL CHECK (state IN ('asked', 'sent', 'unknown', 'pending', 'done', 'refused')),
      bank_refund_id TEXT,
      reason TEXT,
      ended_at INTEGER,                 -- wall clock of the end
      change_no INTEGER NOT NULL,       -- number of the commit that made the row what it is
      checksum TEXT NOT NULL,           -- over all other columns
      decided TEXT,                     -- done or refused, by a person; elsewhere: another board's, never sent from here
      decided_at INTEGER,               -- wall clock
      note TEXT,                        -- of that person
      told TEXT,                        -- the state that the bank has reported, where a person has decided
      told_at INTEGER,                  -- wall clock of the end that the bank reported after that
      giver TEXT,                       -- name of the till, or cashier, to whose daily limit it counts; null where no limit is
      shift INTEGER,                    -- number of the shift that was open when it was done; never another one
      till TEXT,                        -- name of the credential that asked for it
      cashier TEXT,                     -- as the till said, or the role that was signed in
      answered_by TEXT,                 -- whose PIN answered for more than the limit
      method TEXT,                      -- how it has gone back; null before, and where nothing says
      method_word TEXT,                 -- the bank's own word for it
      trx_id TEXT,                      -- id of the operation by which it has gone back
      why TEXT                          -- it goes back, in the words of who has asked for it
    );
    -- where a bank says more than was paid, the payment counts all of itself
    CREATE TRIGGER refunds_within_payment AFTER UPDATE OF state ON refunds WHEN NEW.state = 'done' AND EXISTS (
        SELECT 1 FROM payments WHERE payments.order_id = NEW.order_id AND refunded < payments.amount
          AND refunded < (SELECT sum(amount) FROM refunds WHERE order_id = NEW.order_id AND state = 'done'))
      BEGIN SELECT RAISE(ABORT, 'the refunds that are done are more than the payment counts as gone back'); END;
    CREATE INDEX refunds_order_id ON refunds (order_id);
    CREATE INDEX refunds_changed ON refunds (change_no);
    CREATE INDEX refunds_undecided ON refunds (id) WHERE state NOT IN ('done', 'refused');
    CREATE INDEX refunds_done ON refunds (ended_at) WHERE state = 'done';
    CREATE INDEX refunds_decided ON refunds (id) WHERE decided IS NOT NULL;
    CREATE INDEX refunds_given ON refunds (giver, created_at) WHERE giver IS NOT NULL;
    CREATE INDEX refunds_shift ON refunds (shift) WHERE shift IS NOT NULL;
    CREATE INDEX refunds_trx_id ON refunds (trx_id) WHERE trx_id IS NOT NULL;
    CREATE INDEX refunds_bank_refund_id ON refunds (bank_refund_id) WHERE bank_refund_id IS NOT NULL;

    CREATE TABLE shifts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      number INTEGER NOT NULL UNIQUE,
      opened_at INTEGER NOT NULL,      -- wall clock, ms since 1970
      since_change INTEGER NOT NULL,   -- last commit before it was opened: its rows have changed since
      closed_at INTEGER,               -- wall clock; null while it is open
      close_key TEXT,                  -- Idempotency-Key; null where the device has closed it by itself
      till TEXT,                       -- name of the credential that has closed it
      cashier TEXT,                    -- who sat there
      report TEXT,                     -- JSON, never changed
      has_returned INTEGER NOT NULL DEFAULT 0, -- whether banks have given money back in it without a refund of ours
      change_no INTEGER NOT NULL,      -- number of the commit that made the row what it is
      checksum TEXT NOT NULL           -- over all other columns
    );
    CREATE TRIGGER shifts_closed BEFORE UPDATE ON shifts WHEN OLD.closed_at IS NOT NULL
      BEGIN SELECT RAISE(ABORT, 'a closed shift never changes'); END;
    CREATE INDEX shifts_changed ON shifts (change_no);
    CREATE INDEX shifts_key ON shifts (close_key) WHERE close_key IS NOT NULL;
    CREATE INDEX shifts_returned ON shifts (id) WHERE has_returned = 1;

    CREATE TABLE failed_call (
      only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
      after INTEGER NOT NULL,           -- place of the call before it: once there is a later one it counts no more
      category TEXT NOT NULL,
      code INTEGER NOT NULL,
      message TEXT NOT NULL
    );

    CREATE TABLE events (
      number INTEGER PRIMARY KEY, -- never given twice (book.last_event)
      at INTEGER NOT NULL,        -- wall clock, ms since 1970
      type TEXT NOT NULL,
      order_id TEXT NOT NULL,
      body TEXT NOT NULL          -- JSON: the payment, and the refund where it is about one
    );
    CREATE TABLE events_kept (
      only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
      lost_to INTEGER NOT NULL  -- no event up to this number is kept
    );`,
  },
  {
    schema: 2,
    readableFrom: 1,
    // what `/health` asks for: a busy shop has hundreds of thousands of payments, and a handful of these
    sql: `CREATE INDEX payments_returned ON payments (coalesce(paid_at, ended_at)) WHERE refunded > 0;
    CREATE INDEX payments_paid_again ON payments (created_at) WHERE instr(bank_ref, '"paidAgain"') > 0;`,
  },
  {
    schema: 3,
    // a row that the previous release writes is in no list of changes: it is copied from the journal once
    readableFrom: 1,
    sql: MONEY_TABLES.map(
      ({ name }) => `${changesSchema(name)}
    INSERT INTO ${name}_changes SELECT change_no, id FROM ${name};
    DROP INDEX ${name}_changed;`,
    ).join('\n'),
  },
];
