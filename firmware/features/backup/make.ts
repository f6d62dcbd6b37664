/**
 * Makes a backup of a device's folder, while the device runs or not. The manifest stands in front of the files, sealed
 * like them: it lists their lengths, and holds the opened secrets.
 */
import { createReadStream, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Type, { type Static } from 'typebox';
import { parseStrictJson } from '../../../drivers/lib/strict-json.ts';
import { MAX_DOCUMENT_BYTES } from '../../core/files/index.ts';
import { fits } from '../../core/schema/index.ts';
import type { Sealer } from '../../core/secrets/index.ts';
import { BackupError } from './backup-error.ts';
import { DOCUMENTS, NAMES, WORK_PREFIX } from './contents.ts';
import { boardOf } from './other-board.ts';
import type { BackupFacts } from './sealed-head.ts';
import { type SealedFile, sealFile } from './sealed-stream.ts';
import { openSecrets, Secret } from './secrets.ts';

/** Largest manifest; two hundred merchants with a certificate each take a few MiB. */
export const MAX_MANIFEST_BYTES = 16 * 1024 * 1024;
const MAX_DEPTH = 8;
/** Many times the secrets of any shop. */
const MOST_SECRETS = 10_000;
/** Size of the field with the manifest's length, which stands before it. */
export const LENGTH_BYTES = 4;

const Manifest = Type.Object({
  /** Name of the board that made the backup (`boardOf`): the board recognises its own backups by it. */
  board: Type.String(),
  files: Type.Array(Type.Object({ name: Type.Enum([...NAMES]), bytes: Type.Integer({ minimum: 0 }) }), {
    minItems: 1,
    maxItems: NAMES.length,
  }),
  secrets: Type.Array(Secret, { maxItems: MOST_SECRETS }),
  unopened: Type.Integer({ minimum: 0 }),
});
export type Manifest = Readonly<Static<typeof Manifest>>;

export function encoded(manifest: Manifest): Buffer {
  const text = Buffer.from(JSON.stringify(manifest));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, text]);
}

/** @throws {BackupError} `Damaged` */
export function manifestOf(text: Buffer): Manifest {
  let manifest: unknown;
  try {
    manifest = parseStrictJson(text, MAX_DEPTH);
  } catch (cause) {
    throw new BackupError('Damaged', 'the list of the backup cannot be read', { cause });
  }
  if (!fits(Manifest, manifest)) throw new BackupError('Damaged', 'the list of the backup is not that of this release');
  const names = manifest.files.map(({ name }) => name);
  if (new Set(names).size !== names.length) throw new BackupError('Damaged', 'the list of the backup has a file twice');
  const large = manifest.files.find(
    ({ name, bytes }) => DOCUMENTS.some((document) => document === name) && bytes > MAX_DOCUMENT_BYTES,
  );
  if (large !== undefined)
    throw new BackupError(
      'Damaged',
      `${large.name} of the backup has ${large.bytes} bytes, and no device has more than ${MAX_DOCUMENT_BYTES}: take another backup`,
      { parameters: { file: large.name } },
    );
  return manifest;
}

export interface Made extends SealedFile, Disposable {
  readonly about: BackupFacts;
  readonly files: readonly string[];
  /** Number of secrets that could not be opened: only a machine with the right key can use them. */
  readonly unopened: number;
  /** Names of the documents that are damaged in both copies: the backup lacks them. */
  readonly damaged: readonly string[];
}

async function* contentOf(manifest: Buffer, paths: readonly string[]): AsyncGenerator<Buffer> {
  yield manifest;
  for (const path of paths) yield* createReadStream(path) as AsyncIterable<Buffer>;
}

/**
 * Copies the files and seals them as one stream. The copies stay until the result is disposed of.
 * @param sealer key of the folder's machine; null where it cannot be read
 * @param copy `copyInto`, or `copyInChild` in a child process; returns the names of the documents left out
 * @throws what `copy` throws
 */
export async function makeBackup(
  folder: string,
  sealer: Sealer | null,
  passphrase: string,
  about: BackupFacts,
  copy: (folder: string, into: string) => Promise<readonly string[]>,
): Promise<Made> {
  const work = mkdtempSync(join(folder, WORK_PREFIX));
  const dispose = (): void => rmSync(work, { recursive: true, force: true });
  try {
    const damaged = await copy(folder, work);
    const files = NAMES.filter((name) => existsSync(join(work, name))).map((name) => ({
      name,
      bytes: statSync(join(work, name)).size,
    }));
    const places = new Map(files.map(({ name }) => [name, join(work, name)]));
    const { secrets, unopened } = openSecrets(places, sealer);
    const manifest = encoded({ board: boardOf(sealer), files, secrets: [...secrets], unopened });
    const bytes = files.reduce((sum, file) => sum + file.bytes, manifest.length);
    const sealing = await sealFile(passphrase, about, {
      plain: contentOf(manifest, [...places.values()]),
      plainBytes: bytes,
    });
    return { ...sealing, about, files: files.map(({ name }) => name), unopened, damaged, [Symbol.dispose]: dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}
