/**
 * Judges an unpacked backup and adapts it to this device: its secrets, its board and its history. This is the slow part of a
 * restore, and runs in a child process (`child-process.ts`).
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from '../../core/files/index.ts';
import { type Lost, lostBy } from './compare.ts';
import { requireDocuments, unreadableError } from './documents.ts';
import { type Databases, requireDatabases } from './forms.ts';
import { adaptToOtherBoard } from './other-board.ts';
import { beginOwnHistory } from './retained-money.ts';
import { areFitting, type Resealed, resealed, SEALED_DOCUMENTS } from './secrets.ts';

export interface JudgedBackup {
  readonly folder: string;
  readonly unpacked: string;
  readonly isOwn: boolean;
  /** Whether to skip the search for what the device would lose: its ledger may be damaged. */
  readonly isForced: boolean;
  readonly secrets: readonly Resealed[];
  /** Migrations of the features' databases. */
  readonly databases: Databases;
}

/** Opens the secrets that this machine has sealed, by their known texts: the child process has no key. */
function openerOf(secrets: readonly Resealed[]) {
  const texts = new Map(secrets.map(({ here, purpose, text }) => [`${purpose} ${here}`, text]));
  return {
    open(sealed: string, purpose: string): string {
      const text = texts.get(`${purpose} ${sealed}`);
      if (text === undefined) throw new StoreError('SEAL_BROKEN', 'the maker could not open it');
      return text;
    },
  };
}

/**
 * @throws {BackupError} `Damaged` where a secret does not fit the document, or the document is too deep or too long to
 * be written
 */
function reseal(path: string, name: string, secrets: readonly Resealed[]): void {
  if (!existsSync(path)) return;
  const document = readFileSync(path);
  if (!areFitting(name, document, secrets))
    throw unreadableError(name, new StoreError('SEAL_BROKEN', 'what is sealed in it is of another shape'));
  try {
    writeFileSync(path, resealed(document, secrets), { mode: 0o600, flush: true });
  } catch (error) {
    throw error instanceof RangeError ? unreadableError(name, error) : error;
  }
}

/** @returns what the device would lose @throws {BackupError} `Damaged`, `TooNew` @throws {Error} of SQLite */
export async function judge({ folder, unpacked, isOwn, isForced, secrets, databases }: JudgedBackup): Promise<Lost> {
  await requireDatabases(unpacked, databases);
  for (const name of SEALED_DOCUMENTS) reseal(join(unpacked, name), name, secrets);
  await requireDocuments(unpacked, openerOf(secrets)); // after resealing: as the device will read them
  const lost = isForced ? {} : lostBy(folder, unpacked);
  if (!isOwn) adaptToOtherBoard(unpacked);
  beginOwnHistory(unpacked); // not at the swap, which then needs no room on the disk
  return lost;
}
