/**
 * A file that opens with a passphrase: a readable head, then pieces sealed by AES-256-GCM. Each nonce holds the place
 * of its piece and whether it is the last (the STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizár, CRYPTO
 * 2015), and each piece is bound to the head. So a piece that is changed, moved, left out, cut off or added is noticed.
 * No more than two pieces are in memory.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  randomBytes,
  type ScryptOptions,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';
import { promisify } from 'node:util';
import Type, { type Static } from 'typebox';
import { jsonFitting } from '../../core/schema/index.ts';
import { BackupError } from './backup-error.ts';

export const MIN_PASSPHRASE = 10;
export const MAX_PASSPHRASE = 200;

const FORMAT = 1;
const MAGIC = 'LANEWARE BACKUP';
const FIRST_LINE = /^LANEWARE BACKUP (\d{1,9})\n/;
/** Most bytes of the two lines of the head. */
const MAX_HEAD_BYTES = 4096;

/**
 * One guess at a file's passphrase costs 32 MiB and a third of a second on a desktop: a cost that OWASP recommends, and
 * that a small board's memory allows.
 */
const COST = Object.freeze({ N: 2 ** 15, r: 8, p: 3 });
const SCRYPT_MEMORY = 64 * 1024 * 1024;
const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
/** Size of the check value, which distinguishes a wrong passphrase from a damaged file. */
const CHECK_BYTES = 16;
const SALT_BYTES = 16;
const PREFIX_BYTES = 7;
const TAG_BYTES = 16;
const PIECE_BYTES = 64 * 1024;
const SEALED_BYTES = PIECE_BYTES + TAG_BYTES;

const About = Type.Object({
  /** Version of the release that made the backup. */
  version: Type.String({ maxLength: 64 }),
  device: Type.String({ maxLength: 256 }),
  madeAt: Type.String({ maxLength: 64 }),
});
/** Who made the backup, and when; readable without the passphrase. */
export type About = Readonly<Static<typeof About>>;

const Head = Type.Object({
  ...About.properties,
  kdf: Type.Object({
    name: Type.Literal('scrypt'),
    N: Type.Literal(COST.N),
    r: Type.Literal(COST.r),
    p: Type.Literal(COST.p),
  }),
  cipher: Type.Literal(ALGORITHM),
  pieceBytes: Type.Literal(PIECE_BYTES),
  salt: Type.String({ maxLength: 64 }),
  prefix: Type.String({ maxLength: 64 }),
  check: Type.String({ maxLength: 64 }),
});

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

export interface Derived {
  readonly key: Buffer;
  readonly check: Buffer;
}

export async function keyOf(passphrase: string, salt: Buffer): Promise<Derived> {
  // without NFC, the same letters typed on another system could be other bytes
  const bytes = await derive(passphrase.normalize('NFC'), salt, KEY_BYTES + CHECK_BYTES, {
    ...COST,
    maxmem: SCRYPT_MEMORY,
  });
  return { key: bytes.subarray(0, KEY_BYTES), check: bytes.subarray(KEY_BYTES) };
}

interface Seal {
  readonly key: Buffer;
  readonly prefix: Buffer;
  /** Digest of the head, to which each piece is bound. */
  readonly bound: Buffer;
}

function nonceOf({ prefix }: Seal, place: number, isLast: boolean): Buffer {
  const counter = Buffer.alloc(5);
  counter.writeUInt32BE(place);
  counter.writeUInt8(Number(isLast), 4);
  return Buffer.concat([prefix, counter]);
}

function sealed(seal: Seal, piece: Buffer, place: number, isLast: boolean): Buffer {
  const cipher = createCipheriv(ALGORITHM, seal.key, nonceOf(seal, place, isLast)).setAAD(seal.bound);
  return Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]);
}

const damaged = (why: string, cause?: unknown): BackupError =>
  new BackupError('Damaged', `the file is no whole backup: ${why}`, cause === undefined ? {} : { cause });

function opened(seal: Seal, piece: Buffer, place: number, isLast: boolean): Buffer {
  const end = piece.length - TAG_BYTES;
  if (end < 0) throw damaged('its end is missing');
  try {
    const decipher = createDecipheriv(ALGORITHM, seal.key, nonceOf(seal, place, isLast))
      .setAAD(seal.bound)
      .setAuthTag(piece.subarray(end));
    return Buffer.concat([decipher.update(piece.subarray(0, end)), decipher.final()]);
  } catch (cause) {
    throw damaged('it has been changed, or its end is missing', cause);
  }
}

/**
 * Cuts bytes into pieces of one length. The last piece is marked, may be shorter, and comes even where there are no
 * bytes.
 */
async function* inPieces(
  bytes: AsyncIterable<Uint8Array>,
  length: number,
): AsyncGenerator<{ readonly piece: Buffer; readonly place: number; readonly isLast: boolean }> {
  let chunk: Buffer = Buffer.alloc(0);
  let place = 0;
  for await (const more of bytes) {
    chunk = Buffer.concat([chunk, more]);
    for (; chunk.length > length; place++) {
      yield { piece: chunk.subarray(0, length), place, isLast: false };
      chunk = chunk.subarray(length);
    }
  }
  yield { piece: chunk, place, isLast: true };
}

/** Length of a sealed file, from the lengths of its head and of its content. */
function lengthOf(headBytes: number, plainBytes: number): number {
  const pieces = Math.max(1, Math.ceil(plainBytes / PIECE_BYTES));
  return headBytes + plainBytes + pieces * TAG_BYTES;
}

export interface Sealing {
  /** Length of the whole file. */
  readonly bytes: number;
  readonly content: AsyncIterable<Buffer>;
}

/**
 * @param plainBytes number of bytes that `plain` gives
 * @param toKey makes a key from a passphrase, slowly on purpose
 */
export async function seal(
  passphrase: string,
  { version, device, madeAt }: About,
  plain: AsyncIterable<Uint8Array>,
  plainBytes: number,
  toKey = keyOf,
): Promise<Sealing> {
  const salt = randomBytes(SALT_BYTES);
  const prefix = randomBytes(PREFIX_BYTES);
  const { key, check } = await toKey(passphrase, salt);
  const head = {
    version,
    device,
    madeAt,
    kdf: { name: 'scrypt', ...COST },
    cipher: ALGORITHM,
    pieceBytes: PIECE_BYTES,
    salt: salt.toString('base64'),
    prefix: prefix.toString('base64'),
    check: check.toString('base64'),
  };
  const lines = Buffer.from(`${MAGIC} ${FORMAT}\n${JSON.stringify(head)}\n`);
  const seal = { key, prefix, bound: createHash('sha256').update(lines).digest() };
  const content = async function* (): AsyncGenerator<Buffer> {
    yield lines;
    for await (const { piece, place, isLast } of inPieces(plain, PIECE_BYTES)) yield sealed(seal, piece, place, isLast);
  };
  return { bytes: lengthOf(lines.length, plainBytes), content: content() };
}

interface Begun {
  /** The two lines of the head. */
  readonly lines: Buffer;
  /** Bytes after the head that were read with it. */
  readonly rest: Buffer;
}

/** @throws {BackupError} `Damaged`, `TooNew` */
async function readHead(bytes: AsyncIterator<Uint8Array>): Promise<Begun> {
  let chunk: Buffer = Buffer.alloc(0);
  for (;;) {
    const first = chunk.indexOf('\n');
    const second = first < 0 ? -1 : chunk.indexOf('\n', first + 1);
    requireBeginning(chunk, first);
    if (second >= 0) return { lines: chunk.subarray(0, second + 1), rest: chunk.subarray(second + 1) };
    if (chunk.length > MAX_HEAD_BYTES) throw damaged('it does not begin like one');
    const { value, done } = await bytes.next();
    if (done === true) throw damaged('it ends before it has begun');
    chunk = Buffer.concat([chunk, value]);
  }
}

/** @param end position of the line feed of the head's first line; below 0 while it has not come */
function requireBeginning(chunk: Buffer, end: number): void {
  const line = chunk.subarray(0, end < 0 ? MAGIC.length : end + 1).toString('latin1');
  if (end < 0) {
    if (!MAGIC.startsWith(line)) throw damaged('it does not begin like one');
    return;
  }
  const format = FIRST_LINE.exec(line)?.[1];
  if (format === undefined) throw damaged('it does not begin like one');
  if (Number(format) > FORMAT)
    throw new BackupError(
      'TooNew',
      `the backup has format ${format}, which a later release has written: update this device, then put it back`,
      { parameters: { format: Number(format) } },
    );
  if (Number(format) !== FORMAT) throw damaged(`there is no format ${format}`);
}

/** @throws {BackupError} `Damaged` */
function headOf(lines: Buffer): Static<typeof Head> {
  const head = jsonFitting(Head, lines.subarray(lines.indexOf('\n') + 1).toString());
  if (head !== null) return head;
  throw damaged('its head has been changed');
}

interface Opening {
  readonly about: About;
  /** The content; it may be used only once all of it was read. @throws {BackupError} `Damaged` */
  readonly content: AsyncIterable<Buffer>;
}

async function* after(rest: Buffer, bytes: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield rest;
  for (let next = await bytes.next(); next.done !== true; next = await bytes.next()) yield next.value;
}

/** @param toKey as in `seal` @throws {BackupError} `Damaged`, `TooNew`, `WrongPassphrase` */
export async function open(passphrase: string, file: AsyncIterable<Uint8Array>, toKey = keyOf): Promise<Opening> {
  const bytes = file[Symbol.asyncIterator]();
  const { lines, rest } = await readHead(bytes);
  const { version, device, madeAt, ...head } = headOf(lines);
  const { key, check } = await toKey(passphrase, Buffer.from(head.salt, 'base64'));
  const known = Buffer.from(head.check, 'base64');
  if (known.length !== CHECK_BYTES || !timingSafeEqual(known, check))
    throw new BackupError('WrongPassphrase', 'the backup does not open with this passphrase: nothing was changed');
  const seal = {
    key,
    prefix: Buffer.from(head.prefix, 'base64'),
    bound: createHash('sha256').update(lines).digest(),
  };
  if (seal.prefix.length !== PREFIX_BYTES) throw damaged('its head has been changed');
  const content = async function* (): AsyncGenerator<Buffer> {
    for await (const { piece, place, isLast } of inPieces(after(rest, bytes), SEALED_BYTES))
      yield opened(seal, piece, place, isLast);
  };
  return { about: { version, device, madeAt }, content: content() };
}
