/** What a device answers, as a file: whole under its name, or not there. */
import { realpathSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { CommandFailure, misuse } from './exit-codes.ts';

/** As it comes. @throws {CommandFailure} `unreachable` where the connection breaks off */
export async function* bodyOf({ body }: Response): AsyncGenerator<Uint8Array> {
  try {
    if (body !== null) yield* body;
  } catch (cause) {
    throw new CommandFailure('unreachable', `the connection is lost: ${messageOf(cause)}`, {}, cause);
  }
}

/** Closed when it settles: a stream that is given up may make its file after that. */
async function writeWhole(answer: Response, path: string, mode: number): Promise<void> {
  await using file = await open(path, 'w', mode);
  await file.writeFile(bodyOf(answer));
  await file.sync();
}

/**
 * A file that is there is replaced when the new one is whole and judged.
 * @param judge is given the name under which it is written
 * @throws {CommandFailure} `failed` where it cannot be written, `unreachable` where the answer breaks off
 */
export async function writeAnswer<T>(
  answer: Response,
  file: string,
  { mode, judge }: { readonly mode: number; readonly judge: (written: string) => Promise<T> },
): Promise<T> {
  const before = statSync(file, { throwIfNoEntry: false });
  if (before?.isFile() === false) throw misuse('File', `"${file}" cannot be replaced: name a new or an existing file`);
  const target = before === undefined ? file : realpathSync(file);
  const beside = `${target}.part`;
  try {
    await writeWhole(answer, beside, mode).catch((cause: unknown) => {
      if (cause instanceof CommandFailure) throw cause;
      throw new CommandFailure('failed', `${file} could not be written: ${messageOf(cause)}`, {}, cause);
    });
    const judged = await judge(beside);
    await rename(beside, target);
    return judged;
  } finally {
    await rm(beside, { force: true });
  }
}
