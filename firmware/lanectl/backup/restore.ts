/** Puts a backup back in the place of what a device has; what was there is kept beside it. */
import {
  createWriteStream,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import Type from 'typebox';
import { openPromise, type ZipFile } from 'yauzl';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { takeDataDir } from '../../store/data-dir.ts';
import { StoreError } from '../../store/errors.ts';
import { fits } from '../../store/schema.ts';
import { syncFolder } from '../../store/sync-folder.ts';
import { CommandFailure } from '../exit-codes.ts';
import { DATABASES, type Database, DOCUMENTS, isBeside, MANIFEST } from './contents.ts';
import { type Manifest, sha256Of } from './make.ts';

const NAMES: readonly string[] = [...DATABASES.map(({ name }) => name), ...DOCUMENTS];
const MAX_MANIFEST_BYTES = 64 * 1024;

const ManifestSchema = Type.Object({
  format: Type.Literal(1),
  version: Type.String(),
  madeAt: Type.String(),
  files: Type.Array(Type.Object({ name: Type.Enum([...NAMES]), sha256: Type.String() }), { minItems: 1 }),
});

export interface Restored {
  readonly manifest: Manifest;
  /** Where what was there lies now; null where nothing was. */
  readonly before: string | null;
}

const damaged = (file: string, why: string, cause?: unknown): CommandFailure =>
  new CommandFailure('failed', `${file} is no whole backup: ${why}`, {}, cause);

/** Unpacks what a backup may hold, and nothing else, into a folder. */
async function unpack(zip: ZipFile, folder: string): Promise<void> {
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName !== MANIFEST && !NAMES.includes(entry.fileName))
      throw new Error(`it holds "${entry.fileName}", which is no part of one`);
    if (entry.fileName === MANIFEST && entry.uncompressedSize > MAX_MANIFEST_BYTES)
      throw new Error('its list is too long');
    const path = join(folder, entry.fileName);
    await pipeline(
      await zip.openReadStreamPromise(entry),
      createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
    );
  }
}

/** @throws {CommandFailure} where a backup is cut short, changed, or none */
async function readBackup(file: string, folder: string): Promise<Manifest> {
  let zip: ZipFile | null = null;
  try {
    zip = await openPromise(file, { lazyEntries: true, autoClose: false, strictFileNames: true });
    await unpack(zip, folder);
    const manifest: unknown = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8'));
    if (!fits(ManifestSchema, manifest)) throw new Error('its list is not that of a backup of this release');
    for (const { name, sha256 } of manifest.files)
      if ((await sha256Of(join(folder, name))) !== sha256) throw new Error(`${name} has been changed`);
    for (const { name, counted } of DATABASES) checkDatabase(join(folder, name), name, counted);
    return manifest;
  } catch (error) {
    throw damaged(file, messageOf(error), error);
  } finally {
    zip?.close();
  }
}

/** A list may be right about what is none of a device's. @throws where a database lacks the table that it is kept for */
function checkDatabase(path: string, name: string, counted: Database['counted']): void {
  if (!existsSync(path)) return;
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    if (counted === null) db.prepare('SELECT count(*) FROM sqlite_schema').get();
    else db.prepare(`SELECT ${counted.key}, change_no FROM ${counted.table} LIMIT 1`).get();
  } catch (cause) {
    throw new Error(`${name} is none of a device: ${messageOf(cause)}`, { cause });
  } finally {
    db.close();
  }
}

/** Rows of the present database that the backup does not know, or knows as they were before. */
function newerRows(present: string, backup: string, { table, key }: NonNullable<Database['counted']>): number {
  const db = new DatabaseSync(present);
  try {
    db.prepare('ATTACH ? AS backup').run(backup);
    const sql = `SELECT count(*) AS count FROM main.${table} AS now WHERE NOT EXISTS (
      SELECT 1 FROM backup.${table} AS then_ WHERE then_.${key} = now.${key} AND then_.change_no >= now.change_no)`;
    return Number(db.prepare(sql).get()?.count);
  } finally {
    db.close();
  }
}

/** What would be lost of the present payments and refunds, in words; null for nothing. */
function wouldLose(folder: string, unpacked: string): string | null {
  const lost: string[] = [];
  for (const { name, counted } of DATABASES) {
    const present = join(folder, name);
    if (counted === null || !existsSync(present)) continue;
    if (!existsSync(join(unpacked, name))) lost.push(`all ${counted.table} (the backup has none)`);
    else {
      const rows = newerRows(present, join(unpacked, name), counted);
      if (rows > 0) lost.push(`${rows} ${rows === 1 ? counted.table.replace(/s$/, '') : counted.table}`);
    }
  }
  return lost.length === 0 ? null : lost.join(' and ');
}

/** Brings what only the log of a database holds into the database itself, so that it is whole without the log. */
function settle(path: string): void {
  const db = new DatabaseSync(path);
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
}

/**
 * Puts one file in its place. What lies beside the present one goes first: journals and copies know what is newer, and the
 * device would put it back. At each moment a whole file is there, whenever the power goes.
 */
function replace(folder: string, name: string, made: string, before: string): void {
  const present = join(folder, name);
  if (existsSync(present)) {
    if (name.endsWith('.db')) settle(present);
    linkSync(present, join(before, name));
  }
  for (const beside of readdirSync(folder).filter((each) => isBeside(each, name)))
    renameSync(join(folder, beside), join(before, beside));
  renameSync(made, present);
}

/**
 * @param isForced put it back also where newer payments or refunds would be lost from the device's view
 * @throws {CommandFailure} where the device runs, the backup is not whole, or it is older than what the device has
 */
export async function restoreBackup(folder: string, file: string, isForced: boolean): Promise<Restored> {
  const dataDir = take(folder);
  const unpacked = join(dataDir.path, '.lanectl-restore');
  try {
    rmSync(unpacked, { recursive: true, force: true });
    mkdirSync(unpacked, { mode: 0o700 });
    const manifest = await readBackup(file, unpacked);
    const lost = wouldLose(dataDir.path, unpacked);
    if (lost !== null && !isForced)
      throw new CommandFailure(
        'refused',
        `the device has ${lost} that the backup of ${manifest.madeAt} does not know: nothing was changed. --over-newer-payments puts it back all the same, and keeps what is there beside it`,
      );
    const before = join(dataDir.path, `before-restore-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`);
    mkdirSync(before, { mode: 0o700 });
    for (const { name } of manifest.files) replace(dataDir.path, name, join(unpacked, name), before);
    syncFolder(before);
    syncFolder(dataDir.path);
    const isEmpty = readdirSync(before).length === 0;
    if (isEmpty) rmSync(before, { recursive: true });
    return { manifest, before: isEmpty ? null : before };
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
    dataDir.release();
  }
}

function take(folder: string): ReturnType<typeof takeDataDir> {
  try {
    return takeDataDir(folder);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new CommandFailure('refused', `${error.message}: stop the device before a backup is put back`, {}, error);
  }
}
