/**
 * Reads and writes a folder of labelled pictures: `dataset.json` has the terms of its use, `looks.jsonl` a line (a
 * look) for each picture in `pictures/`. Nothing is written outside the folder, and each file is complete or missing.
 * `models/evaluate.ts` reads such folders, too.
 */

import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { CommandFailure, misuse } from '../../core/cli/index.ts';
import { writeFailure } from '../../core/files/write-failure.ts';

export const LOOKS = 'looks.jsonl';
const [TERMS, PICTURES] = ['dataset.json', 'pictures'] as const;
/** Form of the pictures' paths in the folder. */
const PICTURE = /^pictures\/[0-9a-f-]{36}\.jpg$/;

interface Look {
  readonly picture: string;
  readonly item: string;
  /** Conditions of the picture, other than an item that lies plainly on the tray. */
  readonly conditions: readonly string[];
}

function isLook(value: unknown): value is Look {
  const { picture, item, conditions } = (value ?? {}) as Partial<Record<keyof Look, unknown>>;
  return typeof picture === 'string' && PICTURE.test(picture) && typeof item === 'string' && Array.isArray(conditions);
}

export const isRecordedSet = (folder: string): boolean => existsSync(join(folder, LOOKS));

const linesIn = (folder: string): string[] =>
  isRecordedSet(folder) ? readFileSync(join(folder, LOOKS), 'utf8').split('\n').filter(Boolean) : [];

/** Reads all looks. @throws {CommandFailure} that names a line of another form */
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

/** Refuses a folder with links, by which files would be written elsewhere. @throws {CommandFailure} */
export function refuseLinks(folder: string): void {
  for (const name of ['.', TERMS, LOOKS, PICTURES])
    if (lstatSync(join(folder, name), { throwIfNoEntry: false })?.isSymbolicLink() === true)
      throw misuse('File', `${join(folder, name)} is a link: name a folder with its own files`);
}

function put(path: string, data: string | Uint8Array): void {
  const beside = `${path}.part`;
  rmSync(beside, { force: true }); // a rest of a killed process, or a link
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

/**
 * Adds a picture and its line: when it returns, both are on the disk; when it throws, neither.
 * @throws {CommandFailure} `failed`
 */
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
