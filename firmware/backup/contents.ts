/** What of a device's folder a backup holds. A test goes through everything that a device keeps, and has the list of what stays. */

/** Where copies lie while they are read; what a process has left of them goes with the next start. */
export const WORK_PREFIX = '.backup-';

export interface Database {
  readonly name: string;
  /** Tables whose rows are changes that must not be lost, each with the column that identifies them. */
  readonly counted: { readonly table: string; readonly key: string } | null;
}

/**
 * In the order in which they are copied. What addresses got is older than the events, so that each is sent again rather than
 * never; a refund is written down before the payment that it changes. A shift is
 * closed after all that it counts: payments of the next one may be there before it is.
 */
export const DATABASES: readonly Database[] = [
  { name: 'webhooks.db', counted: null },
  { name: 'shifts.db', counted: { table: 'shifts', key: 'number' } },
  { name: 'ledger.db', counted: { table: 'payments', key: 'order_id' } },
  { name: 'refunds.db', counted: { table: 'refunds', key: 'refund_id' } },
  { name: 'lanes.db', counted: null },
  { name: 'templates.db', counted: null },
  { name: 'items.db', counted: null },
  { name: 'sandbox.db', counted: null },
];

export const DOCUMENTS: readonly string[] = [
  'settings.json',
  'merchants.json',
  'certificates.json',
  'recognition.json',
  'extra-info.json',
  'empty-tray.bin',
];

/** The last numbers that the books of a board had: others follow a restore. */
export const OF_THE_BOOKS = 'last-numbers.json';

/** How far a board has sent its events: no other board takes that over, and its own counts other events than a backup's. */
export const OF_ONE_BOARD: readonly string[] = ['webhooks.db', 'chain-payments.json'];

/** What lies beside a file and belongs to it: logs of SQLite, journals and copies of tables, the document before. */
export const isBeside = (name: string, file: string): boolean =>
  name !== file && (name.startsWith(`${file}-`) || name.startsWith(`${file}.`) || isOfTable(name, file));

const isOfTable = (name: string, file: string): boolean => {
  const table = file.endsWith('.db') ? file.slice(0, -'.db'.length) : null;
  return table !== null && (name.startsWith(`${table}.journal`) || name.startsWith(`${table}.copy.db`));
};

/** The only names that a backup may have files under. */
export const NAMES: readonly string[] = [...DATABASES.map(({ name }) => name), ...DOCUMENTS];
