/**
 * Prepares a restore: unpacks the backup into a separate folder, judges it, and makes it ready for the next start. The
 * whole backup is read before the device's data changes.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isNewer } from '../../../drivers/lib/version.ts';
import { requireRoom } from '../../core/files/index.ts';
import type { Sealer } from '../../core/secrets/index.ts';
import { BackupError } from './backup-error.ts';
import { isNothing, type Lost, lossInWords } from './compare.ts';
import type { Databases } from './forms.ts';
import type { JudgedBackup } from './judge.ts';
import { LENGTH_BYTES, MAX_MANIFEST_BYTES, type Manifest, manifestOf } from './make.ts';
import { boardOf } from './other-board.ts';
import type { BackupFacts } from './sealed-head.ts';
import { openSealedFile } from './sealed-stream.ts';
import { resealedHere } from './secrets.ts';
import { beforeOf, isReady, type Mark, makeReady, UNPACKING } from './swap.ts';

/** Bytes of the longest manifest that is parsed in this process: a longer one would block the event loop. */
const MOST_READ_HERE = 64 * 1024;

/** The work that a child process does. */
export interface BackupJudge {
  readonly readList: (text: Buffer) => Promise<Manifest>;
  readonly judge: (judging: JudgedBackup) => Promise<Lost>;
}

interface Unpacked {
  readonly about: BackupFacts;
  readonly manifest: Manifest;
  /** Whether this board made the backup. */
  readonly isOwn: boolean;
}

/** Reads given numbers of bytes from a stream of pieces of any length. */
class ByteReader {
  readonly #pieces: AsyncIterator<Buffer>;
  #buffered: Buffer = Buffer.alloc(0);

  constructor(pieces: AsyncIterable<Buffer>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** At least one byte and at most `most`; null at the end. */
  async readSome(most: number): Promise<Buffer | null> {
    while (this.#buffered.length === 0) {
      const { value, done } = await this.#pieces.next();
      if (done === true) return null;
      this.#buffered = value;
    }
    const piece = this.#buffered.subarray(0, most);
    this.#buffered = this.#buffered.subarray(piece.length);
    return piece;
  }

  async *readExactly(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0; ) {
      const piece = await this.readSome(left);
      if (piece === null) throw new BackupError('Damaged', 'the backup is shorter than its list says');
      left -= piece.length;
      yield piece;
    }
  }

  async readWhole(length: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of this.readExactly(length)) pieces.push(piece);
    return Buffer.concat(pieces);
  }
}

function requireJournalReadable({ version }: BackupFacts, own: string): void {
  if (!isNewer(version, own)) return;
  throw new BackupError(
    'TooNew',
    `the backup was made by release ${version}, and this device runs ${own}: update it, then put the backup back`,
    { parameters: { version, own } },
  );
}

/**
 * Opens a backup and writes its files into a folder.
 * @param into an empty folder
 * @throws {BackupError} `WrongPassphrase`, `Damaged`, `TooNew`
 * @throws the file system's error
 */
export async function unpack(
  { file, passphrase }: Pick<IncomingBackup, 'file' | 'passphrase'>,
  into: string,
  { sealer, version }: Pick<RestoringDevice, 'sealer' | 'version'>,
  readList: BackupJudge['readList'],
): Promise<Unpacked> {
  const { about, content } = await openSealedFile(passphrase, file);
  requireJournalReadable(about, version);
  const bytes = new ByteReader(content);
  const length = (await bytes.readWhole(LENGTH_BYTES)).readUInt32BE();
  if (length > MAX_MANIFEST_BYTES) throw new BackupError('Damaged', 'the list of the backup is too long');
  const list = await bytes.readWhole(length);
  const manifest = length > MOST_READ_HERE ? await readList(list) : manifestOf(list);
  // an upload in chunks announces no length
  requireRoom(
    into,
    manifest.files.reduce((sum, file) => sum + file.bytes, 0),
  );
  for (const { name, bytes: size } of manifest.files)
    await writeFile(join(into, name), bytes.readExactly(size), { flag: 'wx', mode: 0o600, flush: true });
  // reads up to the piece that is marked as the last: only then is the backup known to be complete
  if ((await bytes.readSome(1)) !== null) throw new BackupError('Damaged', 'the backup is longer than its list says');
  return { about, manifest, isOwn: manifest.board !== '' && manifest.board === boardOf(sealer) };
}

/** The device into which a backup is restored. */
export interface RestoringDevice {
  readonly folder: string;
  readonly sealer: Sealer;
  /** Version of the release that reads the backup. */
  readonly version: string;
  /** Migrations of the features' databases. */
  readonly databases: () => Promise<Databases>;
}

export interface IncomingBackup {
  readonly file: AsyncIterable<Uint8Array>;
  readonly passphrase: string;
  /** Whether to restore even where the device would lose newer payments or refunds. */
  readonly isForced: boolean;
}

function requireNothingLost(lost: Lost, madeAt: string, override: string): void {
  if (isNothing(lost)) return;
  throw new BackupError(
    'NewerPayments',
    `the device has ${lossInWords(lost)} that the backup of ${madeAt} does not know: nothing was changed. ${override} restores it anyway, and keeps what is there beside it`,
    { parameters: { newer: lost, madeAt } },
  );
}

/**
 * Prepares a restore; only the next start changes the device.
 * @param now wall clock, ms
 * @param override words by which a caller agrees to lose newer payments
 * @throws {BackupError}
 * @throws the file system's error, or SQLite's
 */
export async function prepareRestore(
  incoming: IncomingBackup,
  home: RestoringDevice,
  now: number,
  { readList, judge }: BackupJudge,
  override: string,
): Promise<Mark> {
  const { folder } = home;
  const { isForced } = incoming;
  if (isReady(folder)) throw new BackupError('Busy', 'a backup is to be put back already: the next start does it');
  const unpacked = join(folder, UNPACKING);
  rmSync(unpacked, { recursive: true, force: true });
  try {
    mkdirSync(unpacked, { mode: 0o700 });
    const { about, manifest, isOwn } = await unpack(incoming, unpacked, home, readList);
    const secrets = resealedHere(manifest.secrets, home.sealer);
    const databases = await home.databases();
    const lost = await judge({ folder, unpacked, isOwn, isForced, secrets, databases });
    requireNothingLost(lost, about.madeAt, override);
    const mark: Mark = {
      ...about,
      isOwn,
      isForced,
      unopened: manifest.unopened,
      at: now,
      before: beforeOf(now),
      files: manifest.files.map(({ name }) => name),
    };
    makeReady(folder, mark);
    return mark;
  } catch (error) {
    rmSync(unpacked, { recursive: true, force: true });
    throw error;
  }
}
