/** A card whose root is never written to: what its first program (scripts/read-only/root.sh) has found at this start. */
import type { Reason } from '../../../drivers/lib/records.ts';
import { reasonOf } from './reason-records.ts';
import { type SystemFiles, settingIn } from './system-files.ts';

const STATE = '/run/laneware-root/state';
const REPAIRED =
  'the file system of the data partition was damaged and is mended, perhaps with a loss: compare what was sold with the bank, make a backup, think of replacing the card, then: sudo rm /run/laneware-root/data/repaired';
const WRITABLE =
  'the root can be written to: when the system is maintained, take laneware.root=writable out of cmdline.txt and restart the board';

/** Whether the system can be written to; null on a board with an ordinary root. */
export function isRootWritable(files: SystemFiles): boolean | null {
  const root = settingIn('root', files.text(STATE));
  return root === '' ? null : root === 'writable';
}

/** What is wrong and what to do; empty when all is well, and on a board with an ordinary root. */
export function rootReasons(files: SystemFiles): Reason[] {
  const state = files.text(STATE);
  const why = settingIn('why', state);
  switch (settingIn('data', state)) {
    case 'absent': {
      const sentence = `nothing can be kept and no payment be taken, for the data partition is not in use: ${why}`;
      return [reasonOf('root-absent', { detail: why }, sentence)];
    }
    case 'repaired':
      return [reasonOf('root-repaired', {}, REPAIRED)];
    default:
  }
  if (why !== '') return [reasonOf('root-troubled', { detail: why }, why)];
  return settingIn('root', state) === 'writable' ? [reasonOf('root-writable', {}, WRITABLE)] : [];
}
