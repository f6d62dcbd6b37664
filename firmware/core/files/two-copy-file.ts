/**
 * A small file in two equal copies, each with a number and a checksum, so that a card which damages one loses nothing.
 * The copies are written one after the other, both before a write succeeds: a power cut in between leaves two whole copies,
 * of which the newer counts. State documents are such files, of JSON.
 */
import { hash } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { Static, TSchema } from 'typebox';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { problemsWith, sentence } from '../schema/index.ts';
import { type PendingFile, renameIntoPlace, writeBeside } from './durable-file.ts';
import { isStoreError } from './errors.ts';
import { readPlainFileIfAny } from './plain-file.ts';
import { pathExists, setAside } from './set-aside.ts';
import { whereItCan } from './write-failure.ts';

const HEAD = /^laneware-kept-1 (\d{1,15}) ([\w-]{43})\n/;
/** Bytes of the longest head. */
const MAX_HEAD_BYTES = 80;

/**
 * - `unsure`: the newest copy is damaged and this is the older one, or it is unknown which copy is the newest
 * - `lost`: there is a file, and no copy of it can be used
 */
type Found = 'absent' | 'good' | 'unsure' | 'lost';

/** One of the two copies on the disk. */
interface Copy<T> {
  /** Its stated number, damaged or not; 0 without a head, null where unreadable. */
  readonly number: number | null;
  /** The checksum in its head; null where unreadable. */
  readonly sum: string | null;
  /** The content; null for a missing or damaged copy. */
  readonly whole: { readonly bytes: Buffer; readonly value: T } | null;
  /** The problem of the copy; null for none, and for a missing one. */
  readonly problem: string | null;
}

/** Reads the bytes of a copy. @throws what is wrong with them; bytes that begin with a damaged head must fail */
type Reader<T> = (bytes: Buffer) => T;

const copyOf = (path: string): string => `${path}.copy`;

const sumOf = (number: number, bytes: Uint8Array): string =>
  hash('sha256', Buffer.concat([Buffer.from(`${number} `), bytes]), 'base64url');

const framed = (number: number, bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`laneware-kept-1 ${number} ${sumOf(number, bytes)}\n`), bytes]);

/** Splits a file into head and content. A person's file has no head and no checksum: only its reader can check it. */
function unframed(file: Buffer): {
  readonly number: number;
  readonly sum: string | null;
  readonly bytes: Buffer;
  readonly isSound: boolean;
} {
  const [head, digits, sum = null] = HEAD.exec(file.toString('latin1', 0, MAX_HEAD_BYTES)) ?? [];
  if (head === undefined) return { number: 0, sum, bytes: file, isSound: true };
  const [number, bytes] = [Number(digits), file.subarray(head.length)];
  return { number, sum, bytes, isSound: sum === sumOf(number, bytes) };
}

function readCopy<T>(path: string, maxBytes: number, read: Reader<T>): Copy<T> {
  let [number, sum]: [number | null, string | null] = [null, null];
  try {
    const file = readPlainFileIfAny(path, maxBytes + MAX_HEAD_BYTES);
    if (file === null) return { number, sum, whole: null, problem: null };
    const { bytes, isSound, ...head } = unframed(file);
    sum = head.sum;
    if (head.number > 0) number = head.number;
    if (!isSound) return { number, sum, whole: null, problem: 'its checksum is another one' };
    const value = read(bytes);
    return { number: head.number, sum, whole: { bytes, value }, problem: null };
  } catch (error) {
    const it = isStoreError(error, 'NOT_PLAIN', 'TOO_LARGE') ? 'it ' : '';
    return { number, sum, whole: null, problem: it + messageOf(error) };
  }
}

interface Reading<T> {
  readonly found: Found;
  readonly chosen: Copy<T> | null;
  readonly problem: string | null;
  readonly inPlace: Copy<T>;
  readonly beside: Copy<T>;
}

/** The newest whole copy; with equal numbers both are the same. */
function newest<T>(inPlace: Copy<T>, beside: Copy<T>): Copy<T> | null {
  // without a head: a person put it there, after the copy beside it was written
  if (inPlace.whole !== null && inPlace.number === 0) return inPlace;
  const whole = [inPlace, beside].filter((copy) => copy.whole !== null);
  return whole.sort((one, other) => (other.number ?? 0) - (one.number ?? 0))[0] ?? null;
}

/** Whether the other copy was written later, or differs where neither has a number. */
function isOlder<T>(chosen: Copy<T>, other: Copy<T>): boolean {
  // the checksum covers the number, too: equal ones were written together, even if the digits are damaged now
  if (chosen.sum !== null && chosen.sum === other.sum) return false;
  if (chosen.number !== 0) return (other.number ?? 0) > (chosen.number ?? 0);
  return other.whole !== null && chosen.whole?.bytes.equals(other.whole.bytes) === false;
}

function readBoth<T>(path: string, maxBytes: number, read: Reader<T>): Reading<T> {
  const [inPlace, beside] = [path, copyOf(path)].map((each) => readCopy(each, maxBytes, read)) as [Copy<T>, Copy<T>];
  const problem = inPlace.problem ?? beside.problem;
  const chosen = newest(inPlace, beside);
  if (chosen !== null) {
    const other = chosen === inPlace ? beside : inPlace;
    const found = isOlder(chosen, other) ? 'unsure' : 'good';
    return {
      found,
      chosen,
      inPlace,
      beside,
      problem: found === 'good' ? null : (problem ?? 'somebody else has written it'),
    };
  }
  return { found: problem === null ? 'absent' : 'lost', chosen: null, inPlace, beside, problem };
}

/** The content of such a file, for readers that do not write it; null for nothing usable. Never fails. */
export const readTwoCopyFile = <T>(path: string, maxBytes: number, read: Reader<T>): Buffer | null =>
  readBoth(path, maxBytes, read).chosen?.whole?.bytes ?? null;

export class TwoCopyFile<T> {
  readonly found: Found;
  /** The problem at start; null where the file was `good`. */
  readonly problem: string | null;
  /** The content read at start; null for none. */
  readonly value: T | null;
  readonly #path: string;
  #number: number;

  /** Opens the file. Never fails on damage: see `found`. Damaged copies are restored, unless the file is `unsure`. */
  constructor(path: string, maxBytes: number, read: Reader<T>) {
    const { found, problem, chosen, inPlace, beside } = readBoth(path, maxBytes, read);
    this.found = found;
    this.problem = problem;
    this.value = chosen?.whole?.value ?? null;
    this.#path = path;
    this.#number = Math.max(inPlace.number ?? 0, beside.number ?? 0);
    const isEqual =
      inPlace.whole !== null && beside.whole !== null && (inPlace.number === beside.number || chosen?.number === 0);
    if (found !== 'good' || !chosen?.whole || isEqual) return;
    const { bytes } = chosen.whole;
    whereItCan(() => this.#mend(bytes, inPlace));
  }

  /** Writes both copies, durably. @throws the file system's error; on a full disk nothing has changed */
  write(content: string | Uint8Array): void {
    const number = this.#number + 1;
    const file = framed(number, typeof content === 'string' ? Buffer.from(content) : content);
    // room for both copies is taken before either is changed
    const pending: PendingFile[] = [];
    try {
      for (const path of [this.#path, copyOf(this.#path)]) pending.push(writeBeside(path, file));
      this.#number = number;
      for (const each of pending) renameIntoPlace(each);
    } finally {
      for (const { beside } of pending) rmSync(beside, { force: true });
    }
  }

  /** @throws the file system's error */
  remove(): void {
    for (const path of [copyOf(this.#path), this.#path]) rmSync(path, { force: true, recursive: true });
  }

  /** Makes both copies whole. A damaged file that a person may have edited is set aside. */
  #mend(bytes: Buffer, inPlace: Copy<T>): void {
    if (inPlace.whole?.bytes.equals(bytes) && inPlace.number === 0) {
      // the file stays as the person wrote it; only the copy beside it is written
      this.#number += 1;
      renameIntoPlace(writeBeside(copyOf(this.#path), framed(this.#number, bytes)));
      return;
    }
    if (inPlace.problem !== null && pathExists(this.#path)) setAside(this.#path, Date.now());
    this.write(bytes);
  }
}

/** Largest document: many times the size of any of the device's. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** Why a document of the right shape cannot be used; null where it can. */
type Judge<T> = (document: T) => string | null;

/** Reads the bytes of a state document. @param judge checks what the schema cannot */
export const documentReader =
  <S extends TSchema>(schema: S, judge: Judge<Static<S>> = () => null): Reader<Static<S>> =>
  (bytes) => {
    const document: unknown = JSON.parse(bytes.toString());
    const [misfit] = problemsWith(schema, document);
    const problem = misfit ? sentence(misfit, 'the document') : judge(document as Static<S>);
    if (problem !== null) throw new Error(problem);
    return document as Static<S>;
  };

/** A small state document: a {@link TwoCopyFile} of JSON. */
export class JsonStore<T> {
  readonly found: Found;
  /** The problem of the file; null for none. */
  readonly problem: string | null;
  readonly #file: TwoCopyFile<T>;
  #value: T;

  private constructor(file: TwoCopyFile<T>, empty: T) {
    this.found = file.found;
    this.problem = file.problem;
    this.#file = file;
    this.#value = file.value ?? empty;
  }

  /**
   * Opens a document. Never fails on damage: `empty` is used where no copy can be used, and `found` says so.
   * @param judge checks what the schema cannot
   */
  static open<S extends TSchema>(
    path: string,
    schema: S,
    empty: Static<S>,
    judge: Judge<Static<S>> = () => null,
  ): JsonStore<Static<S>> {
    return new JsonStore<Static<S>>(new TwoCopyFile(path, MAX_DOCUMENT_BYTES, documentReader(schema, judge)), empty);
  }

  get value(): Readonly<T> {
    return this.#value;
  }

  /** Writes a document, then makes it the current one. @throws the file system's error: the current one stays then */
  write(document: T): void {
    const text = `${JSON.stringify(document, null, 2)}\n`;
    // the next start would count a larger one as damaged
    if (Buffer.byteLength(text) > MAX_DOCUMENT_BYTES)
      throw Object.assign(new Error(`EFBIG: the document is larger than ${MAX_DOCUMENT_BYTES} bytes`), {
        code: 'EFBIG',
        syscall: 'write',
      });
    this.#file.write(text);
    this.#value = structuredClone(document);
  }

  /** Removes the file; the present document stays until the next start. @throws the file system's error */
  remove(): void {
    this.#file.remove();
  }
}
