/** The ledger as a CSV file: RFC 4180 with a byte order mark, written whole or not at all. */
import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { messageOf } from '../../drivers/message-of.ts';
import { syncFolder } from '../store/durable-file.ts';
import { type ErrorMember, TerminalError } from './errors.ts';
import type { Ledger, PaymentRow } from './ledger.ts';

const BOM = '\uFEFF';
const END_OF_LINE = '\r\n';
/** Rows between two breaths of the event loop. */
const ROWS_A_CHUNK = 500;

const COLUMNS: readonly (readonly [name: string, value: (payment: PaymentRow) => string | number | null])[] = [
  ['id', ({ id }) => id],
  ['created_at', ({ createdAt }) => new Date(createdAt).toISOString()],
  ['state', ({ standing }) => standing.state],
  ['amount_kopecks', ({ amount }) => amount],
  ['purpose', ({ purpose }) => purpose],
  ['profile', ({ profile }) => profile],
  ['bank', ({ bank }) => bank],
  ['order_id', ({ orderId }) => orderId],
  ['bank_id', ({ bankId }) => bankId],
  ['payload', ({ payload }) => payload],
  ['ttl_minutes', ({ ttl }) => ttl],
  ['ended_at', ({ endedAt }) => (endedAt === null ? null : new Date(endedAt).toISOString())],
  ['late', ({ standing }) => (standing.late ? 'yes' : 'no')],
  ['error', ({ standing }) => standing.fault?.message ?? null],
];

const HEADER = COLUMNS.map(([name]) => name).join(',');

/** What a spreadsheet begins a cell at: its separator goes by the country, and ours is text to one that has another. */
const CELL_START = /(^|[;|\t\r\n])(?=[\s"]*[=+\-@\t\r＝＋－＠])/g;

/** A spreadsheet runs a cell that begins like a formula: an apostrophe makes it text. */
const defused = (text: string): string => text.replaceAll(CELL_START, "$1'");

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = defused(value);
  return /[",;|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const lineOf = (payment: PaymentRow): string =>
  COLUMNS.map(([, value]) => cell(value(payment))).join(',') + END_OF_LINE;

const badPath = (must: string): TerminalError => TerminalError.invalid('path', must);

const FILE_ERRORS: Readonly<Record<string, ErrorMember<'File'>>> = {
  ENOENT: 'OpenError',
  EACCES: 'PermissionsError',
  EPERM: 'PermissionsError',
  EROFS: 'PermissionsError',
  ENOSPC: 'ResourceError',
  EDQUOT: 'ResourceError',
  EMFILE: 'ResourceError',
};

function fileError(error: unknown): TerminalError {
  if (error instanceof TerminalError) return error;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return TerminalError.of(
    500,
    'File',
    FILE_ERRORS[code] ?? 'WriteError',
    `the export could not be written: ${messageOf(error)}`,
    { cause: error },
  );
}

const contains = (root: string, path: string): boolean => {
  const way = relative(root, path);
  return way !== '' && !isAbsolute(way) && way.split(sep)[0] !== '..';
};

/** True for a file that we wrote: only such a one is ever replaced. */
function isExport(path: string): boolean {
  const expected = Buffer.from(BOM + HEADER + END_OF_LINE);
  const start = Buffer.alloc(expected.length);
  const handle = openSync(path, 'r');
  try {
    readSync(handle, start, 0, start.length, 0);
  } finally {
    closeSync(handle);
  }
  return start.equals(expected);
}

function refuseWhatIsThere(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (stat.isSymbolicLink()) throw badPath(`leads through the symbolic link ${path}: name the file itself`);
  if (!stat.isFile()) throw badPath(`names ${path}, which is no file`);
  if (!isExport(path)) throw badPath(`names ${path}, which exists and is no earlier export: choose another name`);
}

/** A till on Windows sends paths of its own machine, which here would be strange names in the exports folder. */
const isWindowsPath = (path: string): boolean => /^[A-Za-z]:|\\/.test(path);

/** @throws {TerminalError} 400 when it leads through a link, 500 when it is not there */
function requireFolder(folder: string): void {
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) {
    const what = stat === undefined ? `the folder ${folder} does not exist` : `${folder} is no folder`;
    throw TerminalError.of(500, 'File', 'OpenError', `${what} on the device: create it, or give another path`);
  }
  if (realpathSync(folder) !== folder)
    throw badPath(`leads through a symbolic link in ${folder}: name the folder itself`);
}

export interface ExportPlaces {
  /** Where relative paths land. */
  readonly folder: string;
  /** Folders that may be written to; null: any. */
  readonly roots: readonly string[] | null;
}

/** @throws {TerminalError} 400 naming `path`, or 500 File */
export function exportTarget(path: string, { folder, roots }: ExportPlaces): string {
  if (path.includes('\0')) throw badPath('holds a zero character');
  if (process.platform !== 'win32' && isWindowsPath(path))
    throw badPath(
      `is "${path}", a path of Windows: give one on the device, as /media/usb/payments.csv; a plain name lands in ${folder}`,
    );
  if (!/[^/\\]\.csv$/i.test(path)) throw badPath('must end in .csv');
  const target = resolve(folder, path);
  if (!isAbsolute(path) && !contains(folder, target))
    throw badPath(`leaves ${folder}: use a plain name, or an absolute path`);
  const permitted = isAbsolute(path) ? roots : null;
  if (permitted !== null && !permitted.some((root) => contains(resolve(root), target))) {
    throw badPath(`is outside the folders that exports may be written to (${permitted.join(', ')})`);
  }
  const parent = dirname(target);
  if (parent === folder) mkdirSync(folder, { recursive: true, mode: 0o700 });
  requireFolder(parent);
  refuseWhatIsThere(target);
  return target;
}

async function writeRows(handle: number, ledger: Ledger): Promise<number> {
  let written = 0;
  writeSync(handle, BOM + HEADER + END_OF_LINE);
  for (
    let rows = ledger.after(0, ROWS_A_CHUNK);
    rows.length > 0;
    rows = ledger.after(rows.at(-1)?.id ?? Number.MAX_SAFE_INTEGER, ROWS_A_CHUNK)
  ) {
    writeSync(handle, rows.map(lineOf).join(''));
    written += rows.length;
    await breathe();
  }
  fsyncSync(handle);
  return written;
}

/**
 * Writes every payment to `path`; answers how many.
 * @throws {TerminalError}
 */
export async function exportToCsv(ledger: Ledger, path: string, places: ExportPlaces): Promise<number> {
  try {
    const target = exportTarget(path, places);
    const beside = join(dirname(target), `.${process.pid}-${Date.now()}.csv.tmp`);
    const handle = openSync(beside, 'wx', 0o600);
    try {
      const written = await writeRows(handle, ledger);
      renameSync(beside, target);
      syncFolder(dirname(target));
      return written;
    } finally {
      closeSync(handle);
      rmSync(beside, { force: true });
    }
  } catch (error) {
    throw fileError(error);
  }
}
