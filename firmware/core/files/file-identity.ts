/** Tells whether a path still names the file that was opened there. */
import { statSync } from 'node:fs';

/** Device and inode of a file: no other file has both while this one is open. Null for none. */
export function identityOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev} ${found.ino}`;
}
