/** Writes and restores backup files on this machine, and converts their errors to those of a command. */

import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isCode, messageOf } from '../../../drivers/lib/errors.ts';
import { CommandFailure, DATA, misuse, unreadableReason } from '../../core/cli/index.ts';
import { isOfStorage, lockDataDir, StoreError, syncFolder } from '../../core/files/index.ts';
import { openCredential, openSealer, type Sealer } from '../../core/secrets/index.ts';
import {
  BackupError,
  childJudge,
  copyInto,
  finishRestore,
  type LastRestore,
  MIN_PASSPHRASE,
  makeBackup,
  prepareRestore,
  type RestoringDevice,
} from './index.ts';

/** The folder from which systemd takes the key of an installed device; only root can read it. */
const CREDENTIALS = '/etc/credstore';

/** The device whose data is backed up, and its machine's key. */
interface Source {
  readonly folder: string;
  readonly sealer: Sealer | null;
  readonly version: string;
  readonly device: string;
}

/** Reads the key, which only root can read, before the process gives up root's rights. */
export const credentialOf = (folder: string): Sealer | null =>
  process.getuid?.() === 0 && folder === DATA ? openCredential(CREDENTIALS) : null;

/** @returns null where the device has a key that this user may not read */
export function sealerOf(folder: string, credential: Sealer | null): Sealer | null {
  if (credential !== null) return credential;
  const key = join(folder, 'secret.key');
  return existsSync(key) ? openSealer(key, undefined) : null;
}

export interface Written {
  readonly madeAt: string;
  readonly version: string;
  readonly files: readonly string[];
  readonly unopened: number;
  readonly damaged: readonly string[];
}

const notKept = (place: string, error: unknown): CommandFailure =>
  new CommandFailure('failed', `${place} could not be read or written: ${messageOf(error)}`, {}, error);

/**
 * Converts the errors of `work`.
 * @param place what a storage error is about: the backup file, or the device's folder @throws {CommandFailure}
 */
async function orFailure<T>(file: string, place: string, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BackupError) {
      const isRefusal = error.code === 'NewerPayments' || error.code === 'TooNew';
      const details = { code: error.code, ...error.parameters };
      throw new CommandFailure(isRefusal ? 'refused' : 'failed', `${file}: ${error.message}`, details, error);
    }
    if (isCode(error, 'ABORT_ERR')) throw new CommandFailure('interrupted', 'interrupted: no backup was made');
    throw isOfStorage(error) ? notKept(place, error) : error;
  }
}

/**
 * Writes a backup; an existing file is replaced once the new one is complete and on the disk.
 * @param signal aborted by Ctrl-C
 * @throws {CommandFailure} where the ledger is missing or damaged, or the file cannot be written
 */
export async function writeBackup(
  file: string,
  source: Source,
  passphrase: string,
  signal: AbortSignal,
): Promise<Written> {
  const { folder } = source;
  if (passphrase.length < MIN_PASSPHRASE)
    throw misuse('Value', `the passphrase needs ${MIN_PASSPHRASE} characters or more`);
  if (!existsSync(join(folder, 'money.db')))
    throw misuse(
      'File',
      `${folder} is not a device’s data folder: it has no money.db (name another with --data; a device prints its own when it starts)`,
    );
  const target = resolve(file);
  // the new file replaces the old one: a device file (/dev/sdb1, /dev/null) would be lost
  if (file === '' || (existsSync(target) && !statSync(target).isFile()))
    throw misuse('File', `"${file}" cannot hold a backup: name a new or an existing file`);
  return await orFailure(file, file, () => write(file, target, source, passphrase, signal));
}

async function write(
  file: string,
  target: string,
  { folder, sealer, ...about }: Source,
  passphrase: string,
  signal: AbortSignal,
): Promise<Written> {
  const temporary = mkdtempSync(join(dirname(target), '.lanectl-backup-'));
  const clear = (): void => rmSync(temporary, { recursive: true, force: true });
  process.once('exit', clear); // a second Ctrl-C ends the process at once
  const madeAt = new Date().toISOString();
  try {
    using made = await orFailure(file, folder, () =>
      makeBackup(folder, sealer, passphrase, { ...about, madeAt }, copyInto),
    );
    const written = join(temporary, basename(target));
    await pipeline(made.content, createWriteStream(written, { flags: 'wx', mode: 0o600 }), { signal });
    await using handle = await open(written, 'r+');
    await handle.sync();
    renameSync(written, target);
    syncFolder(dirname(target));
    return { madeAt, version: about.version, files: made.files, unopened: made.unopened, damaged: made.damaged };
  } finally {
    process.off('exit', clear);
    clear();
  }
}

/** @throws {CommandFailure} where the file is missing or unreadable */
export function openBackup(file: string): AsyncIterable<Uint8Array> {
  try {
    return contentOf(file, openSync(file, 'r'));
  } catch (error) {
    const what = isCode(error, 'ENOENT') ? `there is no ${file}` : `${file} cannot be read: ${unreadableReason(error)}`;
    throw misuse('File', what, error);
  }
}

async function* contentOf(file: string, fd: number): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file, { fd }) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw isOfStorage(error) ? notKept(file, error) : error;
  }
}

/** `before`: the folder that holds the previous data; null where there was none. */
type Restored = Omit<LastRestore, 'before'> & { readonly before: string | null };

/**
 * Restores a backup while the device is stopped.
 * @param incoming its `file` comes from {@link openBackup}, which opens it before root's rights are given up
 * @param home its `sealer` is null where the key is in its folder
 * @param onEarlier called with the result of an earlier requested restore, which is carried out first
 * @throws {CommandFailure} where the device runs, the backup is not whole, or it is older than what the device has
 */
export async function restoreFile(
  file: string,
  incoming: Parameters<typeof prepareRestore>[0],
  home: Omit<Source, 'device'> & Pick<RestoringDevice, 'databases'>,
  onEarlier: (last: LastRestore) => void,
): Promise<Restored> {
  const dataDir = locked(home.folder);
  const folder = dataDir.path;
  try {
    const earlier = await orFailure(file, folder, () => finishRestore(folder));
    if (earlier !== null) onEarlier(earlier);
    const mark = await orFailure(file, folder, () => {
      const sealer = home.sealer ?? openSealer(join(folder, 'secret.key'), undefined);
      return prepareRestore(incoming, { ...home, folder, sealer }, Date.now(), childJudge(), '--over-newer-payments');
    });
    const done = await orFailure(file, folder, () => finishRestore(folder));
    const before = join(folder, mark.before);
    const isEmpty = readdirSync(before).length === 0;
    if (isEmpty) rmSync(before, { recursive: true });
    return { ...mark, lost: done?.lost ?? null, before: isEmpty ? null : before };
  } finally {
    dataDir.release();
  }
}

function locked(folder: string): ReturnType<typeof lockDataDir> {
  try {
    return lockDataDir(folder);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new CommandFailure('refused', `${error.message}: stop the device before you restore a backup`, {}, error);
  }
}
