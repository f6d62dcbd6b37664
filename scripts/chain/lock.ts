/** One command at a time changes a folder of keys: two would each write what the other does not know of. */
import { pause } from '../../drivers/lib/async.ts';
import { type DataDir, holderOf, takeDataDir } from '../../firmware/store/data-dir.ts';
import { isStoreError } from '../../firmware/store/errors.ts';
import { ChainFailure } from './failures.ts';
import { KeyFolder } from './keys.ts';
import { renewLeaves } from './renewal.ts';

/** Longer than a command takes with a hub that answers slowly. */
const WAIT_MS = 60_000;
const LOOK_AGAIN_MS = 100;

export const warn = (line: string): void => void process.stderr.write(`chain: ${line}\n`);

/**
 * Changes the keys, or what lies at the hub because of them: one command at a time. What is due at the hub is done after it.
 * @throws {ChainFailure}
 */
export async function changing<T>(path: string, work: (folder: KeyFolder) => Promise<T>): Promise<T> {
  return await changingKeys(path, async (folder) => {
    const done = await work(folder);
    await renewLeaves(folder);
    return done;
  });
}

/** The same without a hub. @throws {ChainFailure} */
export async function changingKeys<T>(path: string, work: (folder: KeyFolder) => Promise<T>): Promise<T> {
  KeyFolder.open(path); // else the lock would make the folder
  return await withLock(path, () => work(KeyFolder.open(path)), warn);
}

/**
 * Waits for its turn. The lock is the kernel's, and goes with the process that has it.
 * @param say called once, when it begins to wait
 * @throws {ChainFailure} where it is not its turn in `waitMs`
 */
export async function withLock<T>(
  path: string,
  work: () => Promise<T>,
  say: (line: string) => void,
  waitMs = WAIT_MS,
): Promise<T> {
  const lock = await taken(path, say, waitMs);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

async function taken(path: string, say: (line: string) => void, waitMs: number): Promise<DataDir> {
  const end = performance.now() + waitMs;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return takeDataDir(path);
    } catch (error) {
      if (!isStoreError(error, 'DATA_DIR_BUSY', 'DATA_DIR_UNUSABLE')) throw error;
      if (error.code === 'DATA_DIR_UNUSABLE') throw new ChainFailure(`${path} cannot be used`, { cause: error });
      const holder = holderOf(path);
      const who = holder === null ? 'another command' : `another command (pid ${holder})`;
      if (performance.now() >= end)
        throw new ChainFailure(`${who} is at work on ${path} and does not end: end it, and try again`, {
          cause: error,
        });
      if (isFirst) say(`${who} is at work on ${path}: waiting for it`);
    }
    await pause(LOOK_AGAIN_MS);
  }
}
