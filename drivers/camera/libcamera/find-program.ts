import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Why there is no camera, and what to do. Both programs of a driver are in the same package, under its new name or its old. */
export const notInstalled = (programs: readonly string[]): string =>
  `neither ${programs.join(' nor ')} is installed: install the package rpicam-apps`;

/** The same of a program that is there and gives no picture. */
export const unplugged = (reason: string): string => `${reason}: check the cable of the camera`;

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
