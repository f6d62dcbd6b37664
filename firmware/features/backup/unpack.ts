/** Opens a backup into a folder of its own: all of it is read, and judged, before anything of a device is touched. */
import { readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isNewer } from '../../../drivers/lib/version.ts';
import type { Sealer } from '../../core/store/index.ts';
import { BackupError } from './backup-error.ts';
import { boardOf } from './foreign.ts';
import { LENGTH_BYTES, MAX_MANIFEST_BYTES, type Manifest, manifestOf } from './manifest.ts';
import { type About, open } from './sealed-stream.ts';
import { resealed, SEALED_DOCUMENTS } from './secrets.ts';

interface Unpacked {
  readonly about: About;
  readonly manifest: Manifest;
  /** Whether this board has made it. */
  readonly isOwn: boolean;
}

interface UnpackOptions {
  readonly file: AsyncIterable<Uint8Array>;
  readonly passphrase: string;
  /** An empty folder. */
  readonly into: string;
  /** Of the machine that it is for. */
  readonly sealer: Sealer;
  /** Release that reads it. */
  readonly version: string;
}

/** Takes so many bytes at a time of what comes in pieces of any length. */
class Taking {
  readonly #pieces: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);

  constructor(pieces: AsyncIterable<Buffer>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** At least one byte and at most so many; null at the end. */
  async some(most: number): Promise<Buffer | null> {
    while (this.#held.length === 0) {
      const { value, done } = await this.#pieces.next();
      if (done === true) return null;
      this.#held = value;
    }
    const taken = this.#held.subarray(0, most);
    this.#held = this.#held.subarray(taken.length);
    return taken;
  }

  async *exactly(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0; ) {
      const piece = await this.some(left);
      if (piece === null) throw new BackupError('Damaged', 'the backup is shorter than its list says');
      left -= piece.length;
      yield piece;
    }
  }

  async whole(length: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of this.exactly(length)) pieces.push(piece);
    return Buffer.concat(pieces);
  }
}

const sealHere = (path: string, { secrets }: Manifest, sealer: Sealer): void =>
  writeFileSync(path, resealed(readFileSync(path), secrets, sealer), { mode: 0o600, flush: true });

function mustBeKnown({ version }: About, own: string): void {
  if (!isNewer(version, own)) return;
  throw new BackupError(
    'TooNew',
    `the backup was made by release ${version}, and this device runs ${own}: update it, then put the backup back`,
    { parameters: { version, own } },
  );
}

/** @throws {BackupError} `WrongPassphrase`, `Damaged`, `TooNew` @throws the file system's error */
export async function unpack({ file, passphrase, into, sealer, version }: UnpackOptions): Promise<Unpacked> {
  const { about, content } = await open(passphrase, file);
  mustBeKnown(about, version);
  const bytes = new Taking(content);
  const length = (await bytes.whole(LENGTH_BYTES)).readUInt32BE();
  if (length > MAX_MANIFEST_BYTES) throw new BackupError('Damaged', 'the list of the backup is too long');
  const manifest = manifestOf(await bytes.whole(length));
  for (const { name, bytes: size } of manifest.files)
    await writeFile(join(into, name), bytes.exactly(size), { flag: 'wx', mode: 0o600, flush: true });
  // the last piece is marked as the last: only now is the backup known to be whole
  if ((await bytes.some(1)) !== null) throw new BackupError('Damaged', 'the backup is longer than its list says');
  for (const { name } of manifest.files.filter((each) => SEALED_DOCUMENTS.includes(each.name)))
    sealHere(join(into, name), manifest, sealer);
  return { about, manifest, isOwn: manifest.board !== '' && manifest.board === boardOf(sealer) };
}
