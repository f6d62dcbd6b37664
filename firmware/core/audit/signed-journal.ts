/**
 * The journal for an inspector: lines of JSON, first a head, then entries, then the device's signature over all lines
 * before it. A file that was cut or changed does not match its signature.
 */
import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { CodedError } from '../../../drivers/lib/errors.ts';
import { fits } from '../schema/index.ts';

const Head = Type.Object({
  kind: Type.Literal('journal'),
  format: Type.Literal(1),
  device: Type.String(),
  version: Type.String(),
  from: Type.String({ description: 'first moment of the period, UTC' }),
  to: Type.String({ description: 'first moment after it' }),
  timeZone: Type.String(),
  madeAt: Type.String(),
  publicKey: Type.String({ description: 'of the device: PEM' }),
});
export type JournalHead = Static<typeof Head>;

const Entry = Type.Object({ kind: Type.String({ minLength: 1 }) });
/** One payment, shift or line of the audit trail, under its `kind`. */
export type JournalEntry = Static<typeof Entry> & Readonly<Record<string, unknown>>;

const Signature = Type.Object({
  kind: Type.Literal('signature'),
  lines: Type.Integer({ description: 'before this one' }),
  sha256: Type.String(),
  signature: Type.String({ description: 'base64' }),
});

/**
 * - `format`: the file is no such journal
 * - `cut`: the signature, and so the end of the file, is missing
 * - `changed`: the lines are not those that the device signed
 */
type JournalErrorCode = 'format' | 'cut' | 'changed';

export class JournalError extends CodedError<JournalErrorCode> {}

export interface CheckedJournal {
  readonly head: JournalHead;
  /** Entries by their kind. */
  readonly counts: Readonly<Record<string, number>>;
  /** SHA-256 of the public key. */
  readonly fingerprint: string;
}

/** The text that the device signs. */
const signedText = (sha256: string): Buffer => Buffer.from(`laneware journal 1\n${sha256}\n`);

function isSignatureOf(sha256: string, publicKey: KeyObject, signature: string): boolean {
  const bytes = Buffer.from(signature, 'base64');
  const isExact = bytes.toString('base64') === signature; // spare bits of its last letter could be changed
  return isExact && verify(null, signedText(sha256), publicKey, bytes);
}

/** SHA-256 of a public key in the form that people compare: `AB:CD:…`. */
export const keyFingerprint = (publicKey: KeyObject): string =>
  createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .toUpperCase()
    .replaceAll(/..(?=.)/g, '$&:');

/** The lines of the file, each with its line break. */
export async function* signedLines(
  about: Omit<JournalHead, 'kind' | 'format' | 'publicKey'>,
  entries: AsyncIterable<JournalEntry>,
  privateKey: KeyObject,
): AsyncGenerator<string> {
  const hash = createHash('sha256');
  let lines = 0;
  const line = (value: JournalEntry | JournalHead): string => {
    const text = `${JSON.stringify(value)}\n`;
    hash.update(text);
    lines += 1;
    return text;
  };
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString();
  yield line({ kind: 'journal', format: 1, ...about, publicKey });
  for await (const entry of entries) yield line(entry);
  const sha256 = hash.digest('hex');
  const signature = sign(null, signedText(sha256), privateKey).toString('base64');
  yield `${JSON.stringify({ kind: 'signature', lines, sha256, signature } satisfies Static<typeof Signature>)}\n`;
}

function readLine(text: string, number: number): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (number === 1) throw new JournalError('format', 'it is no journal of a device');
    throw new JournalError('changed', `line ${number} is not as the device wrote it`, { cause });
  }
}

/** Checks a file from its lines, in order, without their line breaks. */
export class JournalCheck {
  readonly #hash = createHash('sha256');
  readonly #counts = new Map<string, number>();
  #lines = 0;
  #head: JournalHead | null = null;
  #signature: Static<typeof Signature> | null = null;

  /** @throws {JournalError} */
  add(text: string): void {
    const number = this.#lines + 1;
    if (this.#signature !== null) throw new JournalError('changed', `line ${number + 1} stands behind the signature`);
    const value = readLine(text, number);
    if (fits(Signature, value)) {
      this.#signature = value;
      return;
    }
    this.#hash.update(`${text}\n`);
    this.#lines = number;
    if (number === 1) {
      if (!fits(Head, value))
        throw new JournalError('format', 'it is no journal of a device, or one of a later release');
      this.#head = value;
      return;
    }
    if (!fits(Entry, value)) throw new JournalError('changed', `line ${number} is not as the device wrote it`);
    this.#counts.set(value.kind, (this.#counts.get(value.kind) ?? 0) + 1);
  }

  /** @throws {JournalError} */
  finish(): CheckedJournal {
    const head = this.#head;
    if (head === null) throw new JournalError('format', 'it is no journal of a device');
    const signature = this.#signature;
    if (signature === null) throw new JournalError('cut', `it ends after line ${this.#lines}, without a signature`);
    const sha256 = this.#hash.digest('hex');
    if (signature.lines !== this.#lines || signature.sha256 !== sha256)
      throw new JournalError('changed', 'it was changed after the device had signed it');
    const key = keyIn(head.publicKey);
    if (!isSignatureOf(sha256, key, signature.signature))
      throw new JournalError('changed', 'the signature is not by the key that the file names');
    return { head, counts: Object.fromEntries(this.#counts), fingerprint: keyFingerprint(key) };
  }
}

/** @param publicKey PEM @throws {JournalError} */
function keyIn(publicKey: string): KeyObject {
  try {
    return createPublicKey(publicKey);
  } catch (cause) {
    throw new JournalError('changed', 'the public key in it is damaged', { cause });
  }
}
