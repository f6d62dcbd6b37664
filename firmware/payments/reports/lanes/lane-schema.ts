/** The schema of the file of the other lanes' payments. Triggers count the bytes of each lane. */
import type { Migration } from '../../../core/files/index.ts';

/** Bytes of a record beside its texts: numbers, and its entries in the indexes. */
const BYTES_BESIDE = 100;
const bytesOf = (row: string, texts: readonly string[]): string =>
  `(${BYTES_BESIDE} + octet_length(concat(${texts.map((text) => row + text).join(', ')})))`;

const COUNTED = {
  payments: ['order_id', 'profile', 'state', 'error_category', 'bank_id', 'payload', 'trx_id', 'method'],
  refunds: ['refund_id', 'till_id', 'order_id', 'profile', 'state', 'bank_refund_id', 'trx_id'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Triggers that count the bytes of rows added and changed. */
const triggersOf = ([table, texts]: readonly [string, readonly string[]]): string => `
  CREATE TRIGGER ${table}_added AFTER INSERT ON ${table} BEGIN
    INSERT INTO sizes VALUES (NEW.lane, ${bytesOf('NEW.', texts)})
      ON CONFLICT (lane) DO UPDATE SET bytes = bytes + excluded.bytes;
  END;
  CREATE TRIGGER ${table}_changed AFTER UPDATE ON ${table} BEGIN
    UPDATE sizes SET bytes = bytes + ${bytesOf('NEW.', texts)} - ${bytesOf('OLD.', texts)} WHERE lane = NEW.lane;
  END;`;

export const LANE_MIGRATIONS: readonly Migration[] = [
  {
    schema: 1,
    readableFrom: 1,
    sql: `CREATE TABLE lanes (
      lane TEXT PRIMARY KEY,       -- serial number
      ledger TEXT NOT NULL,
      payments INTEGER NOT NULL,   -- numbers of the changes up to which it is here
      refunds INTEGER NOT NULL,
      reported_at INTEGER          -- wall clock of the master, ms since 1970: nothing was left to send then
    );
    CREATE TABLE payments (
      id INTEGER PRIMARY KEY,
      lane TEXT NOT NULL,
      number INTEGER NOT NULL,     -- of the lane's ledger
      order_id TEXT NOT NULL,
      profile TEXT NOT NULL,
      amount INTEGER NOT NULL,     -- kopecks
      state TEXT NOT NULL,
      error_category TEXT,
      error_code INTEGER,
      bank_id TEXT,
      payload TEXT,
      trx_id TEXT,
      at INTEGER,                  -- when it was accepted, or ended, ms since 1970
      refunded INTEGER NOT NULL,
      test INTEGER NOT NULL,       -- whether no money moves
      method TEXT,                 -- how it was paid; null where its bank has not said
      UNIQUE (order_id, lane)
    );
    CREATE INDEX payments_taken ON payments (at, id) WHERE state = 'ACCEPTED';
    CREATE INDEX payments_bank_id ON payments (bank_id) WHERE bank_id IS NOT NULL;
    CREATE INDEX payments_payload ON payments (payload) WHERE payload IS NOT NULL;
    CREATE INDEX payments_trx_id ON payments (trx_id) WHERE trx_id IS NOT NULL;
    CREATE TABLE refunds (
      lane TEXT NOT NULL,
      number INTEGER NOT NULL,
      refund_id TEXT NOT NULL,
      till_id TEXT NOT NULL,
      order_id TEXT NOT NULL,
      profile TEXT NOT NULL,
      amount INTEGER NOT NULL,
      state TEXT NOT NULL,
      bank_refund_id TEXT,
      at INTEGER,
      trx_id TEXT,                 -- id of its own operation
      UNIQUE (refund_id, lane)
    );
    CREATE INDEX refunds_order_id ON refunds (order_id, lane);
    CREATE INDEX refunds_done ON refunds (at) WHERE state = 'done';
    CREATE INDEX refunds_trx_id ON refunds (trx_id) WHERE trx_id IS NOT NULL;
    CREATE INDEX refunds_bank_refund_id ON refunds (bank_refund_id) WHERE bank_refund_id IS NOT NULL;
    CREATE TABLE sizes (
      lane TEXT PRIMARY KEY,
      bytes INTEGER NOT NULL
    );${Object.entries(COUNTED).map(triggersOf).join('')}`,
  },
  {
    schema: 2,
    readableFrom: 1,
    sql: `CREATE TABLE histories (
      lane TEXT PRIMARY KEY,
      commit_no INTEGER NOT NULL, -- a commit of the lane's book, not before the changes that are here
      hash TEXT NOT NULL          -- of that book up to it
    );`,
  },
];
