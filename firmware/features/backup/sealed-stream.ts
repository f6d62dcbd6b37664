/**
 * A file that opens with a passphrase: a readable head, then pieces sealed by AES-256-GCM. Each nonce holds the place
 * of its piece and whether it is the last (the STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizár, CRYPTO
 * 2015), and each piece is bound to the head. So a piece that is changed, moved, left out, cut off or added is noticed.
 * In memory are two pieces and the chunk that was read.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import {
  ALGORITHM,
  type BackupFacts,
  damaged,
  deriveKey,
  makeHead,
  openHead,
  PIECE_BYTES,
  type PieceKey,
} from './sealed-head.ts';

export const MIN_PASSPHRASE = 10;
export const MAX_PASSPHRASE = 200;

const TAG_BYTES = 16;
const SEALED_PIECE_BYTES = PIECE_BYTES + TAG_BYTES;

interface Piece {
  readonly bytes: Buffer;
  /** Its index in the file, from 0. */
  readonly place: number;
  readonly isLast: boolean;
}

function nonceOf({ prefix }: PieceKey, { place, isLast }: Piece): Buffer {
  const counter = Buffer.alloc(5);
  counter.writeUInt32BE(place);
  counter.writeUInt8(Number(isLast), 4);
  return Buffer.concat([prefix, counter]);
}

function sealPiece(pieceKey: PieceKey, piece: Piece): Buffer {
  const cipher = createCipheriv(ALGORITHM, pieceKey.key, nonceOf(pieceKey, piece)).setAAD(pieceKey.bound);
  return Buffer.concat([cipher.update(piece.bytes), cipher.final(), cipher.getAuthTag()]);
}

/** @throws {BackupError} `Damaged` */
function openPiece(pieceKey: PieceKey, piece: Piece): Buffer {
  const end = piece.bytes.length - TAG_BYTES;
  if (end < 0) throw damaged('its end is missing');
  try {
    const decipher = createDecipheriv(ALGORITHM, pieceKey.key, nonceOf(pieceKey, piece))
      .setAAD(pieceKey.bound)
      .setAuthTag(piece.bytes.subarray(end));
    return Buffer.concat([decipher.update(piece.bytes.subarray(0, end)), decipher.final()]);
  } catch (cause) {
    throw damaged('it has been changed, or its end is missing', cause);
  }
}

/**
 * Cuts bytes into pieces of one length. The last piece is marked, may be shorter, and comes even where there are no
 * bytes.
 */
async function* inPieces(bytes: AsyncIterable<Uint8Array>, length: number): AsyncGenerator<Piece> {
  let chunk: Buffer = Buffer.alloc(0);
  let place = 0;
  for await (const more of bytes) {
    chunk = Buffer.concat([chunk, more]);
    for (; chunk.length > length; place++) {
      yield { bytes: chunk.subarray(0, length), place, isLast: false };
      chunk = chunk.subarray(length);
    }
  }
  yield { bytes: chunk, place, isLast: true };
}

/** Length of a sealed file, from the lengths of its head and of its content. */
function lengthOf(headBytes: number, plainBytes: number): number {
  const pieces = Math.max(1, Math.ceil(plainBytes / PIECE_BYTES));
  return headBytes + plainBytes + pieces * TAG_BYTES;
}

export interface SealedFile {
  /** Length of the whole file. */
  readonly bytes: number;
  readonly content: AsyncIterable<Buffer>;
}

/**
 * @param plainBytes number of bytes that `plain` gives
 * @param derive makes a key from a passphrase; a test passes one that it has made before
 */
export async function sealFile(
  passphrase: string,
  about: BackupFacts,
  {
    plain,
    plainBytes,
    derive = deriveKey,
  }: {
    readonly plain: AsyncIterable<Uint8Array>;
    readonly plainBytes: number;
    readonly derive?: typeof deriveKey;
  },
): Promise<SealedFile> {
  const { lines, pieceKey } = await makeHead(passphrase, about, derive);
  const content = async function* (): AsyncGenerator<Buffer> {
    yield lines;
    for await (const piece of inPieces(plain, PIECE_BYTES)) yield sealPiece(pieceKey, piece);
  };
  return { bytes: lengthOf(lines.length, plainBytes), content: content() };
}

interface OpenedFile {
  readonly about: BackupFacts;
  /** The content; it may be used only once all of it was read. @throws {BackupError} `Damaged` */
  readonly content: AsyncIterable<Buffer>;
}

async function* after(rest: Buffer, bytes: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield rest;
  for (let next = await bytes.next(); next.done !== true; next = await bytes.next()) yield next.value;
}

/** @param derive as in `sealFile` @throws {BackupError} `Damaged`, `TooNew`, `WrongPassphrase` */
export async function openSealedFile(
  passphrase: string,
  file: AsyncIterable<Uint8Array>,
  derive = deriveKey,
): Promise<OpenedFile> {
  const bytes = file[Symbol.asyncIterator]();
  const { about, pieceKey, rest } = await openHead(passphrase, bytes, derive);
  const content = async function* (): AsyncGenerator<Buffer> {
    for await (const piece of inPieces(after(rest, bytes), SEALED_PIECE_BYTES)) yield openPiece(pieceKey, piece);
  };
  return { about, content: content() };
}
