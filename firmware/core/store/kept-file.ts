/**
 * A small file that the device keeps: two equal copies, each numbered and with a checksum, so that a card which damages one of them
 * loses nothing. One is written after the other, and both before a write has succeeded: a power cut between them leaves two whole
 * copies, of which the newer counts.
 */
import { hash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { type PendingFile, putInPlace, writeBeside } from './durable-file.ts';
import { isStoreError } from './errors.ts';
import { readPlainFileIfAny } from './plain-file.ts';
import { isThere, setAside } from './set-aside.ts';
import { whereItCan } from './write-failure.ts';

const HEAD = /^laneware-kept-1 (\d{1,15}) ([\w-]{43})\n/;
/** Of the longest head, bytes. */
const MAX_HEAD_BYTES = 80;

/**
 * - `unsure`: what was written last is damaged and this was written before, or it is unknown whether it is what was written last
 * - `lost`: there is something, and nothing of it can be used
 */
export type Found = 'absent' | 'good' | 'unsure' | 'lost';

/** One of the two, as it lies there. */
interface Copy<T> {
  /** What it says of itself, damaged or not; 0 for one without a head, null where it is unreadable. */
  readonly number: number | null;
  /** The checksum that its head names; null where it is unreadable. */
  readonly sum: string | null;
  /** Null where it is not there, or not whole. */
  readonly whole: { readonly bytes: Buffer; readonly value: T } | null;
  /** What is wrong with it; null where nothing is, and where it is not there. */
  readonly problem: string | null;
}

/** What the bytes say. @throws what is wrong with them: nothing may pass that begins with a damaged head */
export type Reader<T> = (bytes: Buffer) => T;

const copyOf = (path: string): string => `${path}.copy`;

const sumOf = (number: number, bytes: Uint8Array): string =>
  hash('sha256', Buffer.concat([Buffer.from(`${number} `), bytes]), 'base64url');

const framed = (number: number, bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`laneware-kept-1 ${number} ${sumOf(number, bytes)}\n`), bytes]);

/** A file of a person has no head and no checksum: only its reader can validate it. */
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
    const { bytes, isSound, ...said } = unframed(file);
    sum = said.sum;
    if (said.number > 0) number = said.number;
    if (!isSound) return { number, sum, whole: null, problem: 'its checksum is another one' };
    const value = read(bytes);
    return { number: said.number, sum, whole: { bytes, value }, problem: null };
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

/** Of those that are whole the newest; where both have the same number they are the same. */
function newest<T>(inPlace: Copy<T>, beside: Copy<T>): Copy<T> | null {
  // without a head: put there by a person, after what lies beside was written
  if (inPlace.whole !== null && inPlace.number === 0) return inPlace;
  const whole = [inPlace, beside].filter((copy) => copy.whole !== null);
  return whole.sort((one, other) => (other.number ?? 0) - (one.number ?? 0))[0] ?? null;
}

/** Whether the other one was written later, or is another where neither has a number. */
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

/** What a file of this kind holds, for readers that do not write it; null where there is nothing that can be used. Never fails. */
export const readKept = <T>(path: string, maxBytes: number, read: Reader<T>): Buffer | null =>
  readBoth(path, maxBytes, read).chosen?.whole?.bytes ?? null;

export class KeptFile<T> {
  readonly found: Found;
  /** What was wrong at start where it was not `good`. */
  readonly problem: string | null;
  /** What was read at start; null where there was nothing. */
  readonly value: T | null;
  readonly #path: string;
  #number: number;

  /** Never fails on damage: see `found`. What was damaged is made whole again, unless it is `unsure`. */
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

  /**
   * Durable, in both copies, when it returns.
   * @throws the file system's error; where the disk is full nothing has changed
   */
  write(content: string | Uint8Array): void {
    const number = this.#number + 1;
    const file = framed(number, typeof content === 'string' ? Buffer.from(content) : content);
    // room for both is had before either is changed
    const pending: PendingFile[] = [];
    try {
      for (const path of [this.#path, copyOf(this.#path)]) pending.push(writeBeside(path, file));
      this.#number = number;
      for (const each of pending) putInPlace(each);
    } finally {
      for (const { beside } of pending) rmSync(beside, { force: true });
    }
  }

  /** @throws the file system's error */
  remove(): void {
    for (const path of [copyOf(this.#path), this.#path]) rmSync(path, { force: true, recursive: true });
  }

  /** A file that a person may have edited is kept aside. */
  #mend(bytes: Buffer, inPlace: Copy<T>): void {
    if (inPlace.whole?.bytes.equals(bytes) && inPlace.number === 0) {
      // it stays as the person wrote it
      this.#number += 1;
      putInPlace(writeBeside(copyOf(this.#path), framed(this.#number, bytes)));
      return;
    }
    if (inPlace.problem !== null && isThere(this.#path)) setAside(this.#path, Date.now());
    this.write(bytes);
  }
}
