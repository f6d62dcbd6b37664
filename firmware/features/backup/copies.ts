/** Copies the files of a backup from a folder while the device runs: each database at one moment. */
import { copyFileSync, existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freeBytes, MAX_DOCUMENT_BYTES, openFile, readKept } from '../../core/store/index.ts';
import { DATABASES, DOCUMENTS, NAMES } from './contents.ts';

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

/** @throws {Error} with the code of a full disk, before anything is written */
export function requireRoom(folder: string, bytes: number): void {
  const free = freeBytes(folder);
  if (free >= bytes + LEAST_LEFT_BYTES) return;
  const mib = (n: number): number => Math.ceil(n / (1024 * 1024));
  const what = `${mib(bytes + LEAST_LEFT_BYTES)} MiB are needed in ${folder}, and ${mib(free)} are free`;
  throw Object.assign(new Error(what), { code: 'ENOSPC', syscall: 'write' });
}

/**
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
