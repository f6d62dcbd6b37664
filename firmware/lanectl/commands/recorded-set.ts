/**
 * A folder of labelled looks: `dataset.json` says who may use it, `looks.jsonl` has a line for each picture of
 * `pictures/`. Nothing is written outside the folder, and each file is either whole or missing. `models/evaluate.ts`
 * reads it, too.
 */

import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { CommandFailure, misuse } from '../../core/cli/index.ts';
import { writeFailure } from '../../core/files/write-failure.ts';

export const LOOKS = 'looks.jsonl';
const [TERMS, PICTURES] = ['dataset.json', 'pictures'] as const;
/** Names of pictures that this file makes, below the folder. */
const PICTURE = /^pictures\/[0-9a-f-]{36}\.jpg$/;

interface Look {
  readonly picture: string;
  readonly item: string;
  /** How the item lies there, other than plainly. */
  readonly conditions: readonly string[];
}

function isLook(value: unknown): value is Look {
  const { picture, item, conditions } = (value ?? {}) as Partial<Record<keyof Look, unknown>>;
  return typeof picture === 'string' && PICTURE.test(picture) && typeof item === 'string' && Array.isArray(conditions);
}

export const isRecordedSet = (folder: string): boolean => existsSync(join(folder, LOOKS));

const linesIn = (folder: string): string[] =>
  isRecordedSet(folder) ? readFileSync(join(folder, LOOKS), 'utf8').split('\n').filter(Boolean) : [];

/** @throws {CommandFailure} naming a line of another form */
export function readLooks(folder: string): Look[] {
  return linesIn(folder).map((line, at) => {
    try {
      const look: unknown = JSON.parse(line);
      if (isLook(look)) return look;
      throw new SyntaxError('it is not a look');
    } catch (cause) {
      throw misuse('File', `${join(folder, LOOKS)}, line ${at + 1}: ${messageOf(cause)}`, cause);
    }
  });
}

/** Refuses links in the folder. @throws {CommandFailure} where a recording would be written elsewhere */
export function refuseLinks(folder: string): void {
  for (const name of ['.', TERMS, LOOKS, PICTURES])
    if (lstatSync(join(folder, name), { throwIfNoEntry: false })?.isSymbolicLink() === true)
      throw misuse('File', `${join(folder, name)} is a link: name a folder with its own files`);
}

function put(path: string, data: string | Uint8Array): void {
  const beside = `${path}.part`;
  rmSync(beside, { force: true }); // left by a killed process, or a link
  try {
    writeFileSync(beside, data, { flag: 'wx', flush: true });
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

function writing(folder: string, work: () => void): void {
  try {
    work();
  } catch (cause) {
    const failure = writeFailure(cause);
    if (failure === null) throw cause;
    const why = failure === 'full' ? 'no space left' : messageOf(cause);
    throw new CommandFailure('failed', `${folder} cannot be written: ${why}`, {}, cause);
  }
}

export const isAgreed = (folder: string): boolean => existsSync(join(folder, TERMS));

/** Writes the accepted terms. @throws {CommandFailure} `failed` */
export function agree(folder: string, terms: object): void {
  writing(folder, () => {
    mkdirSync(join(folder, PICTURES), { recursive: true });
    put(join(folder, TERMS), `${JSON.stringify(terms, null, 2)}\n`);
  });
}

/** Adds a picture and its line: both are on the disk when it returns, or neither. @throws {CommandFailure} `failed` */
export function addLook<T extends object>(folder: string, look: T, jpeg: Uint8Array): T & { readonly picture: string } {
  const made = { picture: `${PICTURES}/${randomUUID()}.jpg`, ...look };
  writing(folder, () => {
    try {
      put(join(folder, made.picture), jpeg);
      put(join(folder, LOOKS), `${[...linesIn(folder), JSON.stringify(made)].join('\n')}\n`);
    } catch (error) {
      rmSync(join(folder, made.picture), { force: true });
      throw error;
    }
  });
  return made;
}
