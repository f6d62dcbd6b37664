/** The folder of what lies there for a moment. */
import { accessSync, constants } from 'node:fs';
import { tmpdir } from 'node:os';

/** In memory where the system has such a folder, to spare the memory card. */
export function scratchFolder(): string {
  for (const folder of [process.env.RUNTIME_DIRECTORY, '/dev/shm']) {
    if (folder !== undefined && isWritable(folder)) return folder;
  }
  return tmpdir();
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false; // not here, or not ours: the next one
  }
}
