/** Makes a backup of a device's folder, while the device runs or not: each database as it was at one moment. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { syncFolder } from '../../store/sync-folder.ts';
import { isOfStorage } from '../../store/write-failure.ts';
import { CommandFailure } from '../exit-codes.ts';
import { DATABASES, DOCUMENTS, MANIFEST } from './contents.ts';

/** A device that is at work on a large import is waited for. */
const BUSY_MS = 30_000;

export interface Manifest {
  readonly format: 1;
  readonly version: string;
  readonly madeAt: string;
  readonly files: readonly { readonly name: string; readonly sha256: string }[];
}

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** A database as it is at this moment, with what only its log holds yet; other processes go on reading and writing. */
function copyDatabase(from: string, to: string): void {
  const db = new DatabaseSync(from);
  try {
    db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    db.prepare('VACUUM INTO ?').run(to);
  } finally {
    db.close();
  }
  const copy = new DatabaseSync(to);
  try {
    const verdict = copy.prepare('PRAGMA quick_check(1)').get()?.quick_check;
    if (verdict !== 'ok') throw new CommandFailure('failed', `${from} is damaged: ${String(verdict)}`);
  } finally {
    copy.close();
  }
}

/**
 * Writes a backup; a file that is there is replaced when the new one is whole.
 * @param folder of the device
 * @throws {CommandFailure} where there is no ledger, or it is damaged, or the file cannot be written
 */
export async function makeBackup(folder: string, file: string, about: Pick<Manifest, 'version'>): Promise<Manifest> {
  if (!existsSync(join(folder, 'ledger.db')))
    throw new CommandFailure(
      'usage',
      `${folder} is no folder of a device: it holds no ledger.db (--data names another; a device prints its own when it starts)`,
    );
  const target = resolve(file);
  // the new file takes its place, and of a device (/dev/sdb1, /dev/null) nothing would be left
  if (file === '' || (existsSync(target) && !statSync(target).isFile()))
    throw new CommandFailure(
      'usage',
      `"${file}" is no file that a backup can be written to: name a new one, or one that is there`,
    );
  try {
    return await writeBackup(folder, target, about);
  } catch (error) {
    if (error instanceof CommandFailure || !isOfStorage(error)) throw error;
    throw new CommandFailure('failed', `${file} could not be written: ${messageOf(error)}`, {}, error);
  }
}

async function writeBackup(folder: string, target: string, about: Pick<Manifest, 'version'>): Promise<Manifest> {
  const work = mkdtempSync(join(dirname(target), '.lanectl-backup-'));
  try {
    const parts: { readonly name: string; readonly path: string }[] = [];
    for (const { name } of DATABASES) {
      if (!existsSync(join(folder, name))) continue;
      copyDatabase(join(folder, name), join(work, name));
      parts.push({ name, path: join(work, name) });
    }
    for (const name of DOCUMENTS) if (existsSync(join(folder, name))) parts.push({ name, path: join(folder, name) });
    const zip = new ZipFile();
    const written = join(work, basename(target));
    const saved = pipeline(zip.outputStream, createWriteStream(written, { flags: 'wx', mode: 0o600 }));
    const files: Manifest['files'][number][] = [];
    for (const { name, path } of parts) {
      files.push({ name, sha256: await sha256Of(path) });
      zip.addFile(path, name, { mtime: statSync(path).mtime });
    }
    const manifest: Manifest = { format: 1, ...about, madeAt: new Date().toISOString(), files };
    zip.addBuffer(Buffer.from(JSON.stringify(manifest, null, 2)), MANIFEST);
    zip.end();
    await saved;
    await using handle = await open(written, 'r+');
    await handle.sync();
    renameSync(written, target);
    syncFolder(dirname(target));
    return manifest;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
