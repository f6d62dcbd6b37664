/** Files that somebody names to a command. */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { readPlainFileIfAny } from '../../firmware/store/plain-file.ts';
import { ChainFailure, troubleWith } from './failures.ts';

/**
 * What lies in a file of JSON; undefined where there is none.
 * @param wrong what to do where it is no JSON; what the parser says of it quotes the file, which may hold secrets
 * @throws {ChainFailure}
 */
export function readNamedJson(path: string, maxBytes: number, wrong: string): unknown {
  const bytes = read(path, maxBytes);
  if (bytes === null) return undefined;
  try {
    return JSON.parse(bytes.toString());
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new ChainFailure(`${path}: it is no JSON: ${wrong}`, { cause });
  }
}

function read(path: string, maxBytes: number): Buffer | null {
  try {
    return readPlainFileIfAny(path, maxBytes);
  } catch (error) {
    throw new ChainFailure(troubleWith(path, error), { cause: error });
  }
}

/** Whether there is a file to be opened. @throws {ChainFailure} */
export function judgeNamed(path: string): void {
  try {
    if (statSync(path).isFile()) return;
  } catch (error) {
    throw new ChainFailure(troubleWith(path, error), { cause: error });
  }
  throw noFile(path);
}

const noFile = (path: string): ChainFailure => new ChainFailure(`${path} is a folder, or no plain file: name another`);

/** Before anything is done for a file that is written in the end. @throws {ChainFailure} */
export function judgeOut(path: string): void {
  const [there, folder] = [path, dirname(path)].map((each) => statSync(each, { throwIfNoEntry: false }));
  if (folder?.isDirectory() !== true) throw new ChainFailure(`there is no folder ${dirname(path)}: make it`);
  if (there !== undefined && !there.isFile()) throw noFile(path);
}
