/** What a backup says of itself, under its seal: before its files, with their lengths. */
import Type, { type Static } from 'typebox';
import { parseStrictJson } from '../../../drivers/lib/strict-json.ts';
import { fits } from '../../core/store/index.ts';
import { BackupError } from './backup-error.ts';
import { NAMES } from './contents.ts';
import { Secret } from './secrets.ts';

/** Two hundred merchants with a certificate each are a few. */
export const MAX_MANIFEST_BYTES = 16 * 1024 * 1024;
const MAX_DEPTH = 8;
/** Of the number that is its length. */
export const LENGTH_BYTES = 4;

const Manifest = Type.Object({
  /** Shows whether the board that reads it is the one that wrote it. */
  board: Type.String(),
  files: Type.Array(Type.Object({ name: Type.Enum([...NAMES]), bytes: Type.Integer({ minimum: 0 }) }), {
    minItems: 1,
    maxItems: NAMES.length,
  }),
  secrets: Type.Array(Secret),
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
  return manifest;
}
