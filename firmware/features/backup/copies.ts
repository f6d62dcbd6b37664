/**
 * Copies a device's files for a backup while it runs: each database as of one moment, each document from an undamaged
 * copy.
 */
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_DOCUMENT_BYTES, openFile, readTwoCopyFile, requireRoom, StoreError } from '../../core/files/index.ts';
import { DATABASES, DOCUMENTS, type DocumentName, NAMES } from './contents.ts';
import { loadReader } from './documents.ts';

/** How long to wait for a device that is busy with a large import. */
const BUSY_MS = 30_000;

/** Copies a database as it is now, its write-ahead log included; other processes continue to read and write. */
function copyDatabase(from: string, to: string): void {
  using db = openFile(from, { timeout: BUSY_MS });
  db.prepare('VACUUM INTO ?').run(to);
  using copy = openFile(to);
  const verdict = copy.prepare('PRAGMA quick_check(1)').get()?.quick_check;
  if (verdict !== 'ok') throw new Error(`${from} is damaged: ${String(verdict)}`);
}

/** An opener that opens nothing: only the form of a document is checked, and its secrets stay sealed. */
const KEYLESS = {
  open(): never {
    throw new StoreError('SEAL_BROKEN', 'it is copied as it is sealed');
  },
};

/**
 * Copies a document from the undamaged one of its two copies.
 * @returns false where the document is there, but both are damaged
 */
async function copyDocument(from: string, to: string, name: DocumentName): Promise<boolean> {
  const read = await loadReader(name, KEYLESS);
  const content = readTwoCopyFile(from, MAX_DOCUMENT_BYTES, read);
  if (content !== null) writeFileSync(to, content, { mode: 0o600 });
  return content !== null || !existsSync(from);
}

/**
 * Copies the files that a backup holds.
 * @param into an empty folder on the same disk as `folder`
 * @returns names of the documents that are damaged in both copies: they are left out
 * @throws the file system's error, or SQLite's @throws {Error} where a database is damaged
 */
export async function copyInto(folder: string, into: string): Promise<string[]> {
  const present = NAMES.filter((name) => existsSync(join(folder, name)));
  requireRoom(
    folder,
    present.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0),
  );
  for (const { name } of DATABASES) if (present.includes(name)) copyDatabase(join(folder, name), join(into, name));
  const damaged: string[] = [];
  for (const name of DOCUMENTS)
    if (!(await copyDocument(join(folder, name), join(into, name), name))) damaged.push(name);
  return damaged;
}
