/** The tables of the ledger. */
import type { Migration } from '../../store/index.ts';

export const PAYMENTS_TABLE = { name: 'payments', key: 'order_id' } as const;

export const LEDGER_MIGRATIONS: readonly Migration[] = [
  {
    schema: 16,
    readableFrom: '0.1.0',
    sql: `CREATE TABLE payments (
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
      state TEXT NOT NULL,
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
      change_no INTEGER,                     -- number of the change that made the row what it is
      checksum TEXT,                         -- over all other columns
      bank_ref TEXT,                         -- JSON; bank_id is its id
      merchant TEXT,                         -- who is paid (Merchants)
      trx_id TEXT,                           -- the payment system's id of the transaction
      paid_at INTEGER,                       -- by the bank's clock, ms since 1970
      refunded INTEGER NOT NULL DEFAULT 0,   -- kopecks that have gone back
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
      receipt_at INTEGER                     -- wall clock, ms since 1970
    );
    -- a row that is changed by hand has no checksum
    CREATE TRIGGER payments_unchecked AFTER UPDATE ON payments
      WHEN OLD.checksum IS NOT NULL AND OLD.checksum <> 'damaged'
        AND NEW.checksum IS OLD.checksum AND NEW.change_no IS OLD.change_no
      BEGIN UPDATE payments SET checksum = NULL, change_no = NULL WHERE id = NEW.id; END;
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
    CREATE INDEX payments_unshifted ON payments (id) WHERE state = 'ACCEPTED' AND shift IS NULL;

    CREATE TABLE failed_call (
      only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
      after INTEGER NOT NULL,           -- place of the call before it: once there is a later one it counts no more
      category TEXT NOT NULL,
      code INTEGER NOT NULL,
      message TEXT NOT NULL
    );

    CREATE TABLE events (
      number INTEGER PRIMARY KEY, -- never given twice: above all that are kept, and above lost_to
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
];
