/** The ledger as a CSV file: RFC 4180 with a byte order mark, written whole or not at all. */
import { closeSync, lstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isCode } from '../../../drivers/lib/errors.ts';
import { temporaryFor } from '../../store/durable-file.ts';
import { makeFolder } from '../../store/set-aside.ts';
import { syncFolder } from '../../store/sync-folder.ts';
import { TerminalError } from '../errors.ts';
import { fileFailure } from '../failures.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CheckedPayment, PaymentRow } from '../ledger/payment-row.ts';

const BOM = '\uFEFF';
const END_OF_LINE = '\r\n';
/** Rows between two breaths of the event loop: a few milliseconds' worth. */
const ROWS_A_CHUNK = 100;

type Cell = string | number | null;

const COLUMNS = [
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
] as const satisfies readonly (readonly [name: string, value: (payment: PaymentRow) => Cell])[];

const HEADER = COLUMNS.map(([name]) => name).join(',');

/** What a spreadsheet begins a cell at: its separator goes by the country, and ours is text to one that has another. */
const CELL_START = /(^|[;|\t\r\n])(?=[\s"]*[=+\-@\t\r＝＋－＠])/g;

/** A spreadsheet runs a cell that begins like a formula: an apostrophe makes it text. */
const defused = (text: string): string => text.replaceAll(CELL_START, "$1'");

function cell(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = defused(value);
  return /[",;|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

type Column = (typeof COLUMNS)[number][0];

/** What is known of a payment that is lost, or whose row is damaged: no figure that may be another than it was. */
function cellsOfDamaged({ id, payment }: CheckedPayment): Partial<Record<Column, Cell>> {
  if (payment === null) return { id, error: 'LOST: this payment was in the ledger, and is not any more. Ask the bank' };
  const { orderId, bankId, bank, profile } = payment;
  const error = 'DAMAGED: the storage has changed this payment. Ask the bank what it was, and what became of it';
  return { id, order_id: orderId, bank_id: bankId, bank, profile, error };
}

function lineOf(checked: CheckedPayment): string {
  const { payment, isDamaged } = checked;
  const damaged = payment === null || isDamaged ? cellsOfDamaged(checked) : null;
  const cells = COLUMNS.map(([name, value]) => {
    if (damaged !== null) return damaged[name] ?? null;
    return payment === null ? null : value(payment);
  });
  return cells.map(cell).join(',') + END_OF_LINE;
}

const badPath = (must: string): TerminalError => TerminalError.invalid('path', must);

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
  if (parent === folder) makeFolder(folder);
  requireFolder(parent);
  refuseWhatIsThere(target);
  return target;
}

async function writeRows(file: FileHandle, ledger: Ledger): Promise<number> {
  let written = 0;
  await file.appendFile(BOM + HEADER + END_OF_LINE);
  for (let last = 0; ; ) {
    const rows = ledger.checked(last, ROWS_A_CHUNK);
    const end = rows.at(-1);
    if (end === undefined) break;
    last = end.id;
    await file.appendFile(rows.map(lineOf).join(''));
    written += rows.length;
  }
  await file.sync();
  return written;
}

/**
 * Writes every payment to `path`; returns how many.
 * @param compare looks for damage that a row alone does not show
 * @throws {TerminalError}
 */
export async function exportToCsv(
  ledger: Ledger,
  path: string,
  places: ExportPlaces,
  compare: () => Promise<void>,
): Promise<number> {
  try {
    const target = exportTarget(path, places);
    await compare();
    const beside = temporaryFor(join(dirname(target), `.${Date.now()}.csv`));
    const file = await open(beside, 'wx', 0o600);
    try {
      const written = await writeRows(file, ledger);
      await rename(beside, target);
      syncFolder(dirname(target));
      return written;
    } finally {
      await file.close();
      await rm(beside, { force: true });
    }
  } catch (error) {
    if (isCode(error, 'ENAMETOOLONG')) throw badPath('is longer than names of files may be: give a shorter one');
    throw fileFailure(error, 'the export');
  }
}
