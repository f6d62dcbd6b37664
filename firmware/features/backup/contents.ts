/** What of a device's folder a backup holds. A test goes through everything that a device keeps, and has the list of what stays. */

/** Where copies lie while they are read; what a process has left of them goes with the next start. */
export const WORK_PREFIX = '.backup-';

export interface CountedTable {
  readonly table: string;
  readonly key: string;
}

export interface Database {
  readonly name: string;
  /** Tables whose rows are changes that must not be lost, each with the column that identifies them. */
  readonly counted: readonly CountedTable[];
}

/** In the order in which they are copied. What addresses got is older than the events, so that each is sent again rather than never. */
export const DATABASES: readonly Database[] = [
  { name: 'webhooks.db', counted: [] },
  {
    name: 'money.db',
    counted: [
      { table: 'shifts', key: 'number' },
      { table: 'payments', key: 'order_id' },
      { table: 'refunds', key: 'refund_id' },
    ],
  },
  { name: 'lanes.db', counted: [] },
  { name: 'templates.db', counted: [] },
  { name: 'items.db', counted: [] },
  { name: 'sandbox.db', counted: [] },
];

/** What releases before the book of money kept in its place; the start takes it over. */
export const EARLIER: readonly string[] = ['ledger.db', 'refunds.db', 'shifts.db'];

export const DOCUMENTS: readonly string[] = [
  'settings.json',
  'merchants.json',
  'certificates.json',
  'recognition.json',
  'extra-info.json',
  'shop.json',
  'empty-tray.bin',
];

/** How far a board has sent its events: no other board takes that over, and its own counts other events than a backup's. */
export const OF_ONE_BOARD: readonly string[] = ['webhooks.db', 'chain-payments.json'];

/** What lies beside a file and belongs to it: logs of SQLite, the journal of the book of money, the document before. */
export const isBeside = (name: string, file: string): boolean =>
  name !== file && (name.startsWith(`${file}-`) || name.startsWith(`${file}.`) || isOfTable(name, file));

const isOfTable = (name: string, file: string): boolean => {
  const table = file.endsWith('.db') ? file.slice(0, -'.db'.length) : null;
  return table !== null && name.startsWith(`${table}.journal`);
};

/** The only names that a backup may have files under. */
export const NAMES: readonly string[] = [...DATABASES.map(({ name }) => name), ...EARLIER, ...DOCUMENTS];
