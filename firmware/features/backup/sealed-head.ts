/** The readable head of a backup: two lines, of which the second says how its key is derived from the passphrase. */
import { createHash, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import Type, { type Static } from 'typebox';
import { jsonFitting } from '../../core/schema/index.ts';
import { BackupError } from './backup-error.ts';

const FORMAT = 1;
const MAGIC = 'LANEWARE BACKUP';
const FIRST_LINE = new RegExp(`^${MAGIC} (\\d{1,9})\n`);
/** Most bytes of the two lines of the head. */
const MAX_HEAD_BYTES = 4096;

/**
 * One guess at a file's passphrase costs 32 MiB and a third of a second on a desktop: a cost that OWASP recommends, and
 * that a small board's memory allows.
 */
const COST = Object.freeze({ N: 2 ** 15, r: 8, p: 3 });
const SCRYPT_MEMORY = 64 * 1024 * 1024;
const SALT_BYTES = 16;
const PREFIX_BYTES = 7;
const KEY_BYTES = 32;
/** Size of the check value, which distinguishes a wrong passphrase from a damaged file. */
const CHECK_BYTES = 16;
/** Cipher of the pieces. */
export const ALGORITHM = 'aes-256-gcm';
/** Content of a piece. */
export const PIECE_BYTES = 64 * 1024;

const BackupFacts = Type.Object({
  /** Version of the release that made the backup. */
  version: Type.String({ maxLength: 64 }),
  device: Type.String({ maxLength: 256 }),
  madeAt: Type.String({ maxLength: 64 }),
});
/** Who made the backup, and when; readable without the passphrase. */
export type BackupFacts = Readonly<Static<typeof BackupFacts>>;

const Head = Type.Object({
  ...BackupFacts.properties,
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

const scryptKey = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

export interface DerivedKey {
  readonly key: Buffer;
  /** Written into the head: it distinguishes a wrong passphrase from a damaged file. */
  readonly check: Buffer;
}

/** The key of a passphrase, slowly on purpose. @param salt of the file */
export async function deriveKey(passphrase: string, salt: Buffer): Promise<DerivedKey> {
  // without NFC, the same letters typed on another system could be other bytes
  const bytes = await scryptKey(passphrase.normalize('NFC'), salt, KEY_BYTES + CHECK_BYTES, {
    ...COST,
    maxmem: SCRYPT_MEMORY,
  });
  return { key: bytes.subarray(0, KEY_BYTES), check: bytes.subarray(KEY_BYTES) };
}

export const damaged = (why: string, cause?: unknown): BackupError =>
  new BackupError('Damaged', `the file is no whole backup: ${why}`, cause === undefined ? {} : { cause });

/** What seals the pieces of one file. */
export interface PieceKey {
  readonly key: Buffer;
  readonly prefix: Buffer;
  /** Digest of the head, to which each piece is bound. */
  readonly bound: Buffer;
}

const pieceKey = (key: Buffer, prefix: Buffer, lines: Buffer): PieceKey => ({
  key,
  prefix,
  bound: createHash('sha256').update(lines).digest(),
});

/** Makes the head of a new file. @returns its two lines, and what seals the pieces after them */
export async function makeHead(
  passphrase: string,
  { version, device, madeAt }: BackupFacts,
  derive: typeof deriveKey,
): Promise<{ readonly lines: Buffer; readonly pieceKey: PieceKey }> {
  const salt = randomBytes(SALT_BYTES);
  const prefix = randomBytes(PREFIX_BYTES);
  const { key, check } = await derive(passphrase, salt);
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
  return { lines, pieceKey: pieceKey(key, prefix, lines) };
}

interface ReadLines {
  /** The two lines of the head. */
  readonly lines: Buffer;
  /** Bytes after the head that were read with it. */
  readonly rest: Buffer;
}

/** @throws {BackupError} `Damaged`, `TooNew` */
async function readHeadLines(bytes: AsyncIterator<Uint8Array>): Promise<ReadLines> {
  let chunk: Buffer = Buffer.alloc(0);
  for (;;) {
    const first = chunk.indexOf('\n');
    const second = first < 0 ? -1 : chunk.indexOf('\n', first + 1);
    if (first < 0) requireBeginning(chunk);
    else requireKnownFormat(chunk.subarray(0, first + 1).toString('latin1'));
    if (second >= 0) return { lines: chunk.subarray(0, second + 1), rest: chunk.subarray(second + 1) };
    if (chunk.length > MAX_HEAD_BYTES) throw damaged('it does not begin like one');
    const { value, done } = await bytes.next();
    if (done === true) throw damaged('it ends before it has begun');
    chunk = Buffer.concat([chunk, value]);
  }
}

/** @param chunk without a whole first line */
function requireBeginning(chunk: Buffer): void {
  if (!MAGIC.startsWith(chunk.subarray(0, MAGIC.length).toString('latin1')))
    throw damaged('it does not begin like one');
}

/** @param line the first, with its line feed @throws {BackupError} `Damaged`, `TooNew` */
function requireKnownFormat(line: string): void {
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
function parseHead(lines: Buffer): Static<typeof Head> {
  const head = jsonFitting(Head, lines.subarray(lines.indexOf('\n') + 1).toString());
  if (head !== null) return head;
  throw damaged('its head has been changed');
}

export interface OpenedHead {
  readonly about: BackupFacts;
  readonly pieceKey: PieceKey;
  /** Bytes after the head that were read with it. */
  readonly rest: Buffer;
}

/** Reads the head of a file. @throws {BackupError} `Damaged`, `TooNew`, `WrongPassphrase` */
export async function openHead(
  passphrase: string,
  bytes: AsyncIterator<Uint8Array>,
  derive: typeof deriveKey,
): Promise<OpenedHead> {
  const { lines, rest } = await readHeadLines(bytes);
  const { version, device, madeAt, ...head } = parseHead(lines);
  const { key, check } = await derive(passphrase, Buffer.from(head.salt, 'base64'));
  const known = Buffer.from(head.check, 'base64');
  if (known.length !== CHECK_BYTES || !timingSafeEqual(known, check))
    throw new BackupError('WrongPassphrase', 'the backup does not open with this passphrase: nothing was changed');
  const prefix = Buffer.from(head.prefix, 'base64');
  if (prefix.length !== PREFIX_BYTES) throw damaged('its head has been changed');
  return { about: { version, device, madeAt }, pieceKey: pieceKey(key, prefix, lines), rest };
}
