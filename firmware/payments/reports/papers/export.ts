/**
 * Writes payments as lines of CSV, and the ledger as a file of them, whole or not at all: only below the configured
 * folders, through no link, and over nothing but an earlier export.
 */

import { closeSync, lstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isCode } from '../../../../drivers/lib/errors.ts';
import { isoTime, isoTimeOrNull } from '../../../../drivers/lib/iso-time.ts';
import { freeBytes, makeFolder, syncFolder, temporaryFor } from '../../../core/files/index.ts';
import { type Cell, CSV_BOM, csvRow } from '../../../core/tables/index.ts';
import type { CheckedPayment, PaymentRow } from '../../model/payment-row.ts';
import { TerminalError } from '../../model/terminal-error.ts';
import { reportedBank } from '../../model/words.ts';
import type { Ledger } from '../../money/ledger.ts';
import { type AcceptedReport, ownPieces, reasonsIn } from './accepted-sheet.ts';
import type { ExportRoom } from './export-room.ts';
import { fileFailure } from './file-failure.ts';

/** The payment method; null until it is paid. */
const methodOf = ({ status, paidBy }: PaymentRow): string | null =>
  status.state === 'ACCEPTED' ? (paidBy?.method ?? 'unknown') : null;

const COLUMNS = [
  ['id', ({ id }) => id],
  ['created_at', ({ createdAt }) => isoTime(createdAt)],
  ['state', ({ status }) => status.state],
  ['amount_kopecks', ({ amount }) => amount],
  ['purpose', ({ purpose }) => purpose],
  ['profile', ({ profile }) => profile],
  ['bank', (payment) => reportedBank(payment)],
  ['order_id', ({ orderId }) => orderId],
  ['bank_id', ({ ref }) => ref?.id ?? null],
  ['payload', ({ payload }) => payload],
  ['ttl_minutes', ({ ttl }) => ttl],
  ['ended_at', ({ endedAt }) => isoTimeOrNull(endedAt)],
  ['late', ({ status }) => (status.late ? 'yes' : 'no')],
  ['error', ({ status }) => status.failure?.message ?? null],
  // added later, behind the others: programs may read columns by their place
  ['trxId', ({ trxId }) => trxId],
  ['paid_at', ({ paidAt }) => isoTimeOrNull(paidAt)],
  ['refunded', ({ refunded }) => refunded],
  ['note', ({ note }) => note],
  ['acknowledged_at', ({ acknowledgedAt }) => isoTimeOrNull(acknowledgedAt)],
  ['till', ({ till }) => till],
  ['reference', ({ sale }) => sale?.reference ?? null],
  ['cashier', ({ cashier }) => cashier],
  ['shift', ({ shift }) => shift],
  ['method', methodOf],
  ['method_word', ({ paidBy }) => paidBy?.word ?? null],
  ['why', ({ orderId, refunded }, refundsOf) => (refunded === 0 ? null : reasonsIn(refundsOf(orderId)))],
] as const satisfies readonly (readonly [
  name: string,
  value: (payment: PaymentRow, refundsOf: AcceptedReport['refundsOf']) => Cell,
])[];

const NAMES = COLUMNS.map(([name]) => name);
export const CSV_HEAD = CSV_BOM + csvRow(NAMES);
/** The beginning of every export, also of earlier releases. */
const CSV_START = CSV_BOM + csvRow(NAMES.slice(0, NAMES.indexOf('trxId'))).trimEnd();

type Column = (typeof COLUMNS)[number][0];

/** The cells of a lost or damaged payment: no figure that may differ from the real one. */
function cellsOfDamaged({ id, payment }: CheckedPayment): Partial<Record<Column, Cell>> {
  if (payment === null) return { id, error: 'LOST: this payment was in the ledger, and is not any more. Ask the bank' };
  const { orderId, ref, profile } = payment;
  const error = 'DAMAGED: the storage has changed this payment. Ask the bank what it was, and what became of it';
  return { id, order_id: orderId, bank_id: ref?.id ?? null, bank: reportedBank(payment), profile, error };
}

/** The line of a payment, with its line end. */
export function csvLine(checked: CheckedPayment, refundsOf: AcceptedReport['refundsOf']): string {
  const { payment, isDamaged } = checked;
  const damaged = payment === null || isDamaged ? cellsOfDamaged(checked) : null;
  const cells = COLUMNS.map(([name, value]) => {
    if (damaged !== null) return damaged[name] ?? null;
    return payment === null ? null : value(payment, refundsOf);
  });
  return csvRow(cells);
}

/** CSV of accepted payments only. */
export async function* acceptedCsv(accepted: AcceptedReport): AsyncGenerator<string> {
  yield CSV_HEAD;
  for await (const piece of ownPieces(accepted))
    yield piece.map((payment) => csvLine({ id: payment.id, payment, isDamaged: false }, accepted.refundsOf)).join('');
}

/** @param must the condition on the path, to be read after its name */
const badPath = (must: string): TerminalError => TerminalError.invalid('path', must);

const MIB = 1024 * 1024;
/** With less free the storage counts as full: a release and a day's payments must fit. */
const LEAST_FREE_BYTES = 200 * MIB;

const contains = (root: string, path: string): boolean => {
  const steps = relative(root, path);
  return steps !== '' && !isAbsolute(steps) && steps.split(sep)[0] !== '..';
};

/** Whether a file is an export of this program: nothing else is ever replaced. */
function isExport(path: string): boolean {
  const start = Buffer.alloc(Buffer.byteLength(CSV_START) + 1);
  const handle = openSync(path, 'r');
  try {
    readSync(handle, start, 0, start.length, 0);
  } finally {
    closeSync(handle);
  }
  return [',', '\r'].some((next) => start.equals(Buffer.from(CSV_START + next)));
}

function refuseForeignFile(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (stat.isSymbolicLink()) throw badPath(`leads through the symbolic link ${path}: name the file itself`);
  if (!stat.isFile()) throw badPath(`names ${path}, which is not a file`);
  if (!isExport(path)) throw badPath(`names ${path}, which exists and is not an earlier export: choose another name`);
}

/** A till on Windows sends paths of its own machine, which here would be strange names in the exports folder. */
const isWindowsPath = (path: string): boolean => /^[A-Za-z]:|\\/.test(path);

/** @throws {TerminalError} 400 when the folder is behind a link, 500 when it does not exist */
function requireFolder(folder: string): void {
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) {
    const what = stat === undefined ? `the folder ${folder} does not exist` : `${folder} is not a folder`;
    throw TerminalError.of('File', 'OpenError', `${what} on the device: create it, or give another path`);
  }
  if (realpathSync(folder) !== folder)
    throw badPath(`leads through a symbolic link in ${folder}: name the folder itself`);
}

interface ExportPlaces {
  /** The folder for relative paths. */
  readonly folder: string;
  /** The room of that folder. */
  readonly room: ExportRoom;
  /** Folders that may be written to; null: any. */
  readonly roots: readonly string[] | null;
}

/** @throws {TerminalError} 400 naming `path`, or 500 File */
function exportTarget(path: string, { folder, roots }: ExportPlaces): string {
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
  refuseForeignFile(target);
  return target;
}

/** Refuses an export that leaves the device's own medium too little room: a till may export under a new name each time. */
function requireRoom(target: string, { folder }: ExportPlaces): void {
  const [targetFolder, deviceFolder] = [dirname(target), dirname(folder)];
  if (statSync(targetFolder).dev !== statSync(deviceFolder).dev || freeBytes(targetFolder) >= LEAST_FREE_BYTES) return;
  const what = `less than ${LEAST_FREE_BYTES / MIB} MiB are free on the device: delete earlier exports`;
  throw Object.assign(new Error(what), { code: 'ENOSPC' });
}

/** Rows written in one turn of the event loop: a few milliseconds. */
const ROWS_A_CHUNK = 100;

interface ExportedBooks extends Pick<AcceptedReport, 'refundsOf'> {
  readonly ledger: Pick<Ledger, 'checked'>;
  readonly care: { whenRestored<T>(read: () => T): Promise<T> };
}

/** @param reserve called before each piece, with its bytes; throws where the piece has no room */
async function writeRows(
  file: FileHandle,
  { ledger, care, refundsOf }: ExportedBooks,
  reserve: (bytes: number) => void,
): Promise<number> {
  let written = 0;
  const append = async (text: string): Promise<void> => {
    const bytes = Buffer.from(text);
    reserve(bytes.length); // before each piece, as several exports may run at once
    await file.appendFile(bytes);
  };
  await append(CSV_HEAD);
  for (let last = 0; ; ) {
    const from = last;
    const rows = await care.whenRestored(() => ledger.checked(from, ROWS_A_CHUNK));
    const end = rows.at(-1);
    if (end === undefined) break;
    last = end.id;
    await append(rows.map((row) => csvLine(row, refundsOf)).join(''));
    written += rows.length;
  }
  await file.sync();
  return written;
}

/** Writes the rows to a file beside the target, which then replaces the target. */
async function writeWhole(books: ExportedBooks, target: string, reserve: (bytes: number) => void): Promise<number> {
  const temporary = temporaryFor(join(dirname(target), `.${Date.now()}.csv`));
  const file = await open(temporary, 'wx', 0o600);
  try {
    const written = await writeRows(file, books, reserve);
    await rename(temporary, target);
    syncFolder(dirname(target));
    return written;
  } finally {
    await file.close();
    await rm(temporary, { force: true });
  }
}

/**
 * Writes every payment to `path`; returns how many.
 * @param compare checks the book for damage that a single row does not show
 * @throws {TerminalError}
 */
export async function exportToCsv(
  books: ExportedBooks,
  path: string,
  places: ExportPlaces,
  compare: () => Promise<void>,
): Promise<number> {
  try {
    const target = exportTarget(path, places);
    requireRoom(target, places);
    await compare();
    const onDisk = (): void => requireRoom(target, places);
    if (!contains(places.folder, target)) return await writeWhole(books, target, onDisk);
    return await places.room.while((reserve) =>
      writeWhole(books, target, (bytes) => {
        onDisk();
        reserve(bytes);
      }),
    );
  } catch (error) {
    if (isCode(error, 'ENAMETOOLONG')) throw badPath('is longer than names of files may be: give a shorter one');
    throw fileFailure(error, 'the export');
  }
}
