/**
 * The schema of `templates.db`.
 *
 * A row counts only if its batch is visible. So an import of ten thousand templates, or the deletion of all, takes
 * effect with one small commit, and after a power cut the device has either all of it or none; dropped rows are removed
 * afterwards. Crops are in another table than the vectors, so that a start reads a few megabytes and not hundreds.
 */
import type { Migration } from '../../core/store/index.ts';

export const TEMPLATE_MIGRATIONS: readonly Migration[] = [
  {
    schema: 6,
    readableFrom: '0.1.0',
    sql: `CREATE TABLE batches (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,               -- 'local': added one by one; 'import': landed by a package
      state TEXT NOT NULL               -- 'landing', 'visible', 'dropped'
    );
    INSERT INTO batches (kind, state) VALUES ('local', 'visible');
    CREATE TABLE templates (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      batch INTEGER NOT NULL REFERENCES batches (id),
      item TEXT NOT NULL,
      sid TEXT NOT NULL,
      origin TEXT NOT NULL,             -- serial number of the device that made it
      created_at INTEGER NOT NULL,      -- that device's wall clock, ms since 1970
      model TEXT NOT NULL,              -- identity of the model that made the vector
      vector BLOB NOT NULL              -- float32, little-endian, of length 1
    );
    CREATE UNIQUE INDEX templates_key ON templates (origin, sid, batch);
    CREATE INDEX templates_item ON templates (item, sid, origin, batch);
    CREATE INDEX templates_batch ON templates (batch);
    CREATE INDEX templates_model ON templates (model, batch);
    CREATE TABLE crops (
      template INTEGER PRIMARY KEY REFERENCES templates (id) ON DELETE CASCADE,
      sha256 BLOB NOT NULL,
      jpeg BLOB NOT NULL
    );
    CREATE TABLE facts (
      name TEXT PRIMARY KEY,            -- 'last_sid', 'last_moment' of this device's own templates
      value TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE tasks (
      kind TEXT PRIMARY KEY,            -- 'export' or 'import': the state of the latest one
      status INTEGER NOT NULL,
      msg TEXT NOT NULL,
      filename TEXT,
      counts TEXT                       -- as JSON
    ) WITHOUT ROWID;
    CREATE TABLE ranks (
      day TEXT NOT NULL,                -- YYYY-MM-DD, UTC
      item TEXT NOT NULL,               -- empty where none of the answered ones was right
      position INTEGER NOT NULL,        -- 1 to 5 where it stood; 0 further down or not at all
      count INTEGER NOT NULL,
      PRIMARY KEY (day, item, position)
    ) WITHOUT ROWID;
    -- of templates that are deleted for good in a whole store
    CREATE TABLE tombstones (
      origin TEXT NOT NULL,
      sid TEXT NOT NULL,
      item TEXT NOT NULL,
      own INTEGER NOT NULL,             -- 1: deleted on this device, which therefore sends it to the others
      PRIMARY KEY (origin, sid)
    ) WITHOUT ROWID;
    CREATE INDEX tombstones_item ON tombstones (item);
    -- what was confirmed as an item, and no template was made of
    CREATE TABLE confirmations (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      item TEXT NOT NULL,
      model TEXT NOT NULL,              -- identity of the model that made the vector
      vector BLOB NOT NULL              -- float32, little-endian, of length 1
    );
    CREATE INDEX confirmations_item ON confirmations (item, id);
    -- a deleted template says that something wrong was learned
    CREATE TRIGGER confirmations_go AFTER DELETE ON templates
      WHEN (SELECT state FROM batches WHERE id = OLD.batch) = 'visible'
    BEGIN
      DELETE FROM confirmations WHERE item = OLD.item;
    END;`,
  },
];

/**
 * Condition of the rows that count. The plus keeps SQLite from walking through the batches, one of which holds nearly
 * every row.
 */
export const VISIBLE = "+batch IN (SELECT id FROM batches WHERE state = 'visible')";

/**
 * Tables that are checked at each start. Crops have checksums, and reading all of them would take a card many seconds.
 */
export const CHECKED_TABLES: readonly string[] = [
  'batches',
  'templates',
  'facts',
  'tasks',
  'ranks',
  'tombstones',
  'confirmations',
];
