/** Writes a device's answer to a file: it is whole under its name, or absent. */
import { realpathSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { CommandFailure, misuse } from './exit-codes.ts';

/** The body in pieces, as it arrives. @throws {CommandFailure} `unreachable` where the connection breaks off */
export async function* bodyOf({ body }: Response): AsyncGenerator<Uint8Array> {
  try {
    if (body !== null) yield* body;
  } catch (cause) {
    throw new CommandFailure('unreachable', `the connection is lost: ${messageOf(cause)}`, {}, cause);
  }
}

/** Writes the answer to a file, which is closed when this settles: an abandoned stream may create its file later. */
async function writeWhole(answer: Response, path: string, mode: number): Promise<void> {
  await using file = await open(path, 'w', mode);
  await file.writeFile(bodyOf(answer));
  await file.sync();
}

/**
 * Writes an answer to a file. An existing file is replaced when the new one is whole and `judge` accepts it.
 * @param judge gets the temporary path of the whole answer; where it throws, the existing file stays
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
