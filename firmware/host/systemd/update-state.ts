/** Whether an update is on its way, read from the state that `scripts/ota.sh` keeps on disk. */
import { readFileSync } from 'node:fs';
import { isCode } from '../../../drivers/lib/errors.ts';

export const UPDATE_STATE_FILE = '/var/lib/laneware-update/state';

/**
 * True from the first byte of a download until the update is kept or undone. An updater that was killed leaves its
 * state behind until it has recovered, and so it counts as running.
 */
export function isUpdating(file: string): boolean {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false; // never updated
    throw error;
  }
  const state = /^state=(.*)$/m.exec(text)?.[1];
  return state !== 'idle';
}
