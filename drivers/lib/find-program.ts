/** Finds a program by its name, also among the system's programs, which a person's PATH lacks. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Folders of Debian's system programs, such as `nats-server`: a person's PATH lacks them. */
const SYSTEM_DIRS = ['/usr/local/sbin', '/usr/sbin', '/sbin'];

/** A PATH that ends with the folders of the system's programs. */
export const completePath = (path = ''): string =>
  [...new Set([...path.split(delimiter).filter((folder) => folder !== ''), ...SYSTEM_DIRS])].join(delimiter);

/** The first of `names` that is an executable file on the PATH of `env`, as a full path; null when none is. */
export function findProgram(names: readonly string[], env: NodeJS.ProcessEnv): string | null {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const name of names) {
    const found = folders.map((folder) => join(folder, name)).find(isProgram);
    if (found !== undefined) return found;
  }
  return null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // not there, or not for us: the next folder may have it
  }
}
