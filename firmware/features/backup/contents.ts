/** Names the files of a device's data folder that a backup holds. A test lists all other files of a device. */
/** Folder of copies while they are read; the next start removes remains. */
export const WORK_PREFIX = '.backup-';

export interface CountedTable {
  readonly table: string;
  readonly key: string;
}

interface Database {
  readonly name: string;
  /** Tables whose rows must not be lost, each with the column that identifies them. */
  readonly counted: readonly CountedTable[];
}

/**
 * The databases in the order of copying. The state of deliveries is copied before the events, so that an event is sent
 * again rather than never.
 */
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

export const DOCUMENTS = [
  'settings.json',
  'merchants.json',
  'certificates.json',
  'recognition.json',
  'extra-info.json',
  'shop.json',
  'voice.json',
  'empty-tray.bin',
] as const;
export type DocumentName = (typeof DOCUMENTS)[number];

/** Files that record how far a board has sent its events: they are useless to another board. */
export const OF_ONE_BOARD: readonly string[] = ['webhooks.db', 'chain-payments.json'];

const isOfTable = (name: string, file: string): boolean => {
  const table = file.endsWith('.db') ? file.slice(0, -'.db'.length) : null;
  return table !== null && name.startsWith(`${table}.journal`);
};

/** Whether `name` belongs to `file`: SQLite's logs, the journal of the book of money, the previous copy of a document. */
export const isBeside = (name: string, file: string): boolean =>
  name !== file && (name.startsWith(`${file}-`) || name.startsWith(`${file}.`) || isOfTable(name, file));

/** The only file names that a backup may have. */
export const NAMES: readonly string[] = [...DATABASES.map(({ name }) => name), ...DOCUMENTS];
