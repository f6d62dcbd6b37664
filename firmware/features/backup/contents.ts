/**
 * The files of a device's folder that a backup holds, copied while the device runs: each database at one moment. A test
 * goes through all files of a device, and lists the others.
 */
import { copyFileSync, existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freeBytes, MAX_DOCUMENT_BYTES, openFile, readKept } from '../../core/store/index.ts';

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

export const DOCUMENTS: readonly string[] = [
  'settings.json',
  'merchants.json',
  'certificates.json',
  'recognition.json',
  'extra-info.json',
  'shop.json',
  'empty-tray.bin',
];

/** How far a board has sent its events: useless to another board, and in a backup older than the board's own files. */
export const OF_ONE_BOARD: readonly string[] = ['webhooks.db', 'chain-payments.json'];

const isOfTable = (name: string, file: string): boolean => {
  const table = file.endsWith('.db') ? file.slice(0, -'.db'.length) : null;
  return table !== null && name.startsWith(`${table}.journal`);
};

/** Whether a file belongs to another one: SQLite's logs, the journal of the book of money, the previous document. */
export const isBeside = (name: string, file: string): boolean =>
  name !== file && (name.startsWith(`${file}-`) || name.startsWith(`${file}.`) || isOfTable(name, file));

/** The only file names that a backup may have. */
export const NAMES: readonly string[] = [...DATABASES.map(({ name }) => name), ...DOCUMENTS];

/** How long to wait for a device that is busy with a large import. */
const BUSY_MS = 30_000;
/** Free space that the device must keep while there is a copy. */
const LEAST_LEFT_BYTES = 64 * 1024 * 1024;

/** Copies a database as it is at this moment, its log included; other processes continue to read and write. */
function copyDatabase(from: string, to: string): void {
  using db = openFile(from, { timeout: BUSY_MS });
  db.prepare('VACUUM INTO ?').run(to);
  using copy = openFile(to);
  const verdict = copy.prepare('PRAGMA quick_check(1)').get()?.quick_check;
  if (verdict !== 'ok') throw new Error(`${from} is damaged: ${String(verdict)}`);
}

/** First bytes of a learned tray. */
const TRAY = 'LWT2';

function requireWhole(bytes: Buffer, name: string): void {
  if (name.endsWith('.json')) JSON.parse(bytes.toString());
  else if (bytes.toString('latin1', 0, TRAY.length) !== TRAY) throw new Error('it is no learned tray of this release');
}

/**
 * Copies a document from whichever of its two copies is whole; where none is, copies the damaged one, for a person to
 * inspect.
 */
function copyDocument(from: string, to: string): void {
  const content = readKept(from, MAX_DOCUMENT_BYTES, (bytes) => requireWhole(bytes, from));
  if (content !== null) writeFileSync(to, content, { mode: 0o600 });
  else if (existsSync(from)) copyFileSync(from, to);
}

/** Refuses a copy without room for it. @throws {Error} with the code of a full disk, before anything is written */
export function requireRoom(folder: string, bytes: number): void {
  const free = freeBytes(folder);
  if (free >= bytes + LEAST_LEFT_BYTES) return;
  const mib = (n: number): number => Math.ceil(n / (1024 * 1024));
  const what = `${mib(bytes + LEAST_LEFT_BYTES)} MiB are needed in ${folder}, and ${mib(free)} are free`;
  throw Object.assign(new Error(what), { code: 'ENOSPC', syscall: 'write' });
}

/**
 * Copies the files of a backup.
 * @param into an empty folder on the same disk as `folder`
 * @throws the file system's error, or SQLite's @throws {Error} where a database is damaged
 */
export function copyInto(folder: string, into: string): void {
  const present = NAMES.filter((name) => existsSync(join(folder, name)));
  requireRoom(
    folder,
    present.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0),
  );
  for (const { name } of DATABASES) if (present.includes(name)) copyDatabase(join(folder, name), join(into, name));
  for (const name of DOCUMENTS) copyDocument(join(folder, name), join(into, name));
}
