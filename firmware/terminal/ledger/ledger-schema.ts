/** The table of the ledger, and how it came to be what it is. */
import type { Migration } from '../../store/index.ts';

export const PAYMENTS_TABLE = { name: 'payments', key: 'order_id' } as const;

export const LEDGER_MIGRATIONS: readonly Migration[] = [
  {
    adds: 'payments',
    readableFrom: '0.1.0',
    sql: `CREATE TABLE payments (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      order_id TEXT NOT NULL UNIQUE,
      created_at INTEGER NOT NULL,      -- wall clock, ms since 1970
      boot_id TEXT NOT NULL,            -- the boot that created_mono belongs to
      created_mono INTEGER NOT NULL,    -- monotonic clock, ms
      profile TEXT NOT NULL,
      bank TEXT NOT NULL,
      profile_sealed TEXT NOT NULL,     -- empty: merchant says who is paid
      amount INTEGER NOT NULL,          -- kopecks
      purpose TEXT,
      ttl INTEGER NOT NULL,             -- minutes
      bank_id TEXT,
      payload TEXT,
      state TEXT NOT NULL,
      seen INTEGER NOT NULL,            -- intent to show: set before the first byte
      drawn INTEGER NOT NULL DEFAULT 0, -- of rows from before: what is on the display lies in a file
      late INTEGER NOT NULL,
      superseded INTEGER NOT NULL,
      error_category TEXT,
      error_code INTEGER,
      error_message TEXT,
      ended_at INTEGER,                 -- wall clock of the last change of state
      watched INTEGER NOT NULL DEFAULT 0 -- renamed below: the bank is not asked any more
    );
    CREATE INDEX payments_followed ON payments (watched, state);`,
  },
  {
    adds: 'the order of the calls, what tills know, and indexes',
    readableFrom: '0.1.0',
    // the defaults, and the trigger, are for rows that the release before writes after this one was taken back
    sql: `ALTER TABLE payments ADD COLUMN called INTEGER;                       -- place among the calls: the last is the highest
    ALTER TABLE payments ADD COLUMN untold INTEGER NOT NULL DEFAULT 0;    -- accepted, and no till knows
    ALTER TABLE payments ADD COLUMN awaited INTEGER NOT NULL DEFAULT 1;   -- a till waits for its outcome
    ALTER TABLE payments ADD COLUMN withdrawn INTEGER NOT NULL DEFAULT 0; -- taken out of use at the bank
    UPDATE payments SET called = id;
    UPDATE payments SET untold = 1 WHERE late = 1;
    CREATE INDEX payments_called ON payments (called);
    CREATE INDEX payments_bank_id ON payments (bank_id);
    CREATE INDEX payments_payload ON payments (payload);
    CREATE INDEX payments_untold ON payments (untold) WHERE untold = 1;
    CREATE INDEX payments_late ON payments (ended_at) WHERE late = 1;
    CREATE TRIGGER payments_are_called AFTER INSERT ON payments WHEN NEW.called IS NULL BEGIN
      UPDATE payments SET called = (SELECT coalesce(max(called), 0) + 1 FROM payments) WHERE id = NEW.id;
    END;`,
  },
  {
    adds: 'checksums, and indexes that let no call read the whole ledger',
    readableFrom: '0.1.0',
    sql: `ALTER TABLE payments ADD COLUMN change_no INTEGER; -- number of the change that made the row what it is
    ALTER TABLE payments ADD COLUMN checksum TEXT;     -- over all other columns
    CREATE INDEX payments_changed ON payments (change_no);
    -- a release that knows of no checksums writes rows that have none
    CREATE TRIGGER payments_unchecked AFTER UPDATE ON payments
      WHEN OLD.checksum IS NOT NULL AND OLD.checksum <> 'damaged'
        AND NEW.checksum IS OLD.checksum AND NEW.change_no IS OLD.change_no
      BEGIN UPDATE payments SET checksum = NULL, change_no = NULL WHERE id = NEW.id; END;
    DROP INDEX payments_followed;
    CREATE INDEX payments_open ON payments (id) WHERE watched = 0;
    CREATE INDEX payments_moment ON payments (max(created_at, coalesce(ended_at, 0)));`,
  },
  {
    adds: 'the failure of a call that has no payment of its own',
    readableFrom: '0.1.0',
    sql: `CREATE TABLE failed_call (
      only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
      after INTEGER NOT NULL,           -- place of the call before it: once there is a later one it counts no more
      category TEXT NOT NULL,
      code INTEGER NOT NULL,
      message TEXT NOT NULL
    );`,
  },
  {
    adds: 'the name of a column that says what it means',
    // taking a name away is against the rule: nothing had been released that knows the former one
    readableFrom: '0.1.0',
    sql: 'ALTER TABLE payments RENAME COLUMN watched TO settled;',
  },
  {
    adds: 'what banks know a payment by, who was paid, and what became of the money',
    readableFrom: '0.1.0',
    sql: `ALTER TABLE payments ADD COLUMN bank_ref TEXT;                     -- JSON; bank_id is its id
    ALTER TABLE payments ADD COLUMN merchant TEXT;                     -- in place of the sealed profile
    ALTER TABLE payments ADD COLUMN trx_id TEXT;                       -- the payment system's id of the transaction
    ALTER TABLE payments ADD COLUMN paid_at INTEGER;                   -- by the bank's clock, ms since 1970
    ALTER TABLE payments ADD COLUMN refunded INTEGER NOT NULL DEFAULT 0; -- kopecks that have gone back
    CREATE INDEX payments_trx_id ON payments (trx_id);
    CREATE INDEX payments_created_at ON payments (created_at);`,
  },
  {
    adds: 'what a person has noted of a late payment, and indexes by which payments are found and summed up',
    readableFrom: '0.1.0',
    sql: `ALTER TABLE payments ADD COLUMN note TEXT;               -- who has looked into it, and what came of that
    ALTER TABLE payments ADD COLUMN acknowledged_at INTEGER; -- wall clock, ms since 1970
    CREATE INDEX payments_amount ON payments (amount);
    CREATE INDEX payments_taken ON payments (coalesce(paid_at, ended_at)) WHERE state = 'ACCEPTED';`,
  },
  {
    adds: 'who has asked for a payment, and the key that a till has named its sale by',
    readableFrom: '0.1.0',
    sql: `ALTER TABLE payments ADD COLUMN till TEXT;      -- name of the credential; null where none was asked for
    ALTER TABLE payments ADD COLUMN sale_key TEXT;  -- Idempotency-Key, kept for ever
    ALTER TABLE payments ADD COLUMN sale_body TEXT; -- SHA-256 of what it was sent with
    CREATE INDEX payments_sale_key ON payments (sale_key) WHERE sale_key IS NOT NULL;`,
  },
  {
    adds: 'events for tills, written with the change that they report',
    readableFrom: '0.1.0',
    sql: `CREATE TABLE events (
        number INTEGER PRIMARY KEY AUTOINCREMENT, -- never given twice
        at INTEGER NOT NULL,      -- wall clock, ms since 1970
        boot_id TEXT NOT NULL,    -- the boot that mono belongs to
        mono INTEGER NOT NULL,    -- monotonic clock, ms
        type TEXT NOT NULL,
        order_id TEXT NOT NULL,
        body TEXT NOT NULL        -- JSON: the payment, and the refund where it is about one
      );
      CREATE TABLE events_kept (
        only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
        lost_to INTEGER NOT NULL  -- no event up to this number is kept
      );
      -- a ledger that had no events has lost none; one that is made anew has no payments at this moment
      INSERT INTO events_kept SELECT 1, 0 WHERE EXISTS (SELECT 1 FROM payments);`,
  },
  {
    adds: 'whether a till has taken a payment back',
    readableFrom: '0.1.0',
    sql: 'ALTER TABLE payments ADD COLUMN cancelled INTEGER NOT NULL DEFAULT 0;',
  },
  {
    adds: 'what a till calls a sale',
    readableFrom: '0.1.0',
    sql: `ALTER TABLE payments ADD COLUMN reference TEXT; -- as the number of a receipt
    CREATE INDEX payments_reference ON payments (reference) WHERE reference IS NOT NULL;`,
  },
  {
    adds: 'indexes that cost a sale nothing where a payment lacks what they hold, in place of those that a sale does not need',
    readableFrom: '0.1.0',
    sql: `DROP INDEX payments_amount;
    DROP INDEX payments_moment;
    DROP INDEX payments_bank_id;
    DROP INDEX payments_payload;
    DROP INDEX payments_trx_id;
    CREATE INDEX payments_bank_id ON payments (bank_id) WHERE bank_id IS NOT NULL;
    CREATE INDEX payments_payload ON payments (payload) WHERE payload IS NOT NULL;
    CREATE INDEX payments_trx_id ON payments (trx_id) WHERE trx_id IS NOT NULL;`,
  },
  {
    adds: 'events whose numbers SQLite does not count a second time',
    readableFrom: '0.1.0',
    // two columns, and the trigger, are for events that the release before writes after this one was taken back
    sql: `ALTER TABLE events RENAME TO counted_events;
    CREATE TABLE events (
      number INTEGER PRIMARY KEY, -- never given twice: above all that are kept, and above lost_to
      at INTEGER NOT NULL,        -- wall clock, ms since 1970
      boot_id TEXT,               -- written no more
      mono INTEGER,               -- written no more
      type TEXT NOT NULL,
      order_id TEXT NOT NULL,
      body TEXT NOT NULL          -- JSON: the payment, and the refund where it is about one
    );
    INSERT INTO events SELECT * FROM counted_events;
    DROP TABLE counted_events;
    CREATE TRIGGER events_rise BEFORE INSERT ON events WHEN NEW.number <= (SELECT max(number) FROM events) BEGIN
      INSERT INTO events SELECT max(number) + 1, NEW.at, NULL, NULL, NEW.type, NEW.order_id, NEW.body FROM events;
      SELECT RAISE(IGNORE);
    END;`,
  },
  {
    adds: 'the shifts in which a payment was asked for and accepted, and who sat at the till',
    readableFrom: '0.1.0',
    sql: `ALTER TABLE payments ADD COLUMN asked_shift INTEGER; -- number of the shift that was open when it was asked for
    ALTER TABLE payments ADD COLUMN shift INTEGER;       -- the same when its acceptance was written; never another one
    ALTER TABLE payments ADD COLUMN cashier TEXT;        -- as the till said, or the role that was signed in
    CREATE INDEX payments_unshifted ON payments (id) WHERE state = 'ACCEPTED' AND shift IS NULL;`,
  },
  {
    adds: 'who has paid, and when a till has printed the receipt',
    readableFrom: '0.1.0',
    // the index costs a sale nothing: a row gets into it when its receipt is printed
    sql: `ALTER TABLE payments ADD COLUMN payer_bank TEXT;
    ALTER TABLE payments ADD COLUMN payer_phone TEXT;   -- its last digits alone
    ALTER TABLE payments ADD COLUMN receipt_at INTEGER; -- wall clock, ms since 1970
    CREATE INDEX payments_receipt ON payments (till) WHERE receipt_at IS NOT NULL;`,
  },
];
