/** A user without rights, whom only root can play. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { messageOf } from '../drivers/lib/errors.ts';

export const NOBODY = 65_534;
export const IS_ROOT = process.geteuid?.() === 0;
const PROGRAM = fileURLToPath(new URL('../firmware/main.ts', import.meta.url));

/** Does some work as a user without rights; where the tests do not run as root their own user is one. */
export async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  if (!IS_ROOT) return await work();
  process.setegid?.(NOBODY);
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
  }
}

/** What keeps that user from the device's own program, as in a clone below /root; null: nothing. */
export const keepsNobodyOut = (): Promise<string | null> =>
  asNobody(() => readFile(PROGRAM)).then(() => null, messageOf);
