/** Temporary folders of helpers: a suite that uses them says `after(removeFolders)`. */
import { type TemporaryFolder, temporaryFolder } from '../support.ts';

const folders: TemporaryFolder[] = [];

export function tempFolder(): string {
  const folder = temporaryFolder();
  folders.push(folder);
  return folder.path;
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) folder[Symbol.dispose]();
}
