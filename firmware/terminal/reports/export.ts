/** The ledger as a CSV file, written whole or not at all. */
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isCode } from '../../../drivers/lib/errors.ts';
import { syncFolder, temporaryFor } from '../../store/index.ts';
import { fileFailure } from '../failures.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { CSV_HEAD, csvLine } from './csv.ts';
import { badPath, type ExportPlaces, exportTarget } from './export-path.ts';

/** Rows between two breaths of the event loop: a few milliseconds' worth. */
const ROWS_A_CHUNK = 100;

async function writeRows(file: FileHandle, ledger: Ledger): Promise<number> {
  let written = 0;
  await file.appendFile(CSV_HEAD);
  for (let last = 0; ; ) {
    const rows = ledger.checked(last, ROWS_A_CHUNK);
    const end = rows.at(-1);
    if (end === undefined) break;
    last = end.id;
    await file.appendFile(rows.map(csvLine).join(''));
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
