/** Where an export may be written: below the folders of the configuration, through no link, over nothing but an earlier export. */
import { closeSync, lstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { makeFolder } from '../../store/index.ts';
import { TerminalError } from '../errors.ts';
import { CSV_HEAD } from './csv.ts';

/** @param must what is wanted of the path, to be read after its name */
export const badPath = (must: string): TerminalError => TerminalError.invalid('path', must);

const contains = (root: string, path: string): boolean => {
  const way = relative(root, path);
  return way !== '' && !isAbsolute(way) && way.split(sep)[0] !== '..';
};

/** True for a file that we wrote: only such a one is ever replaced. */
function isExport(path: string): boolean {
  const expected = Buffer.from(CSV_HEAD);
  const start = Buffer.alloc(expected.length);
  const handle = openSync(path, 'r');
  try {
    readSync(handle, start, 0, start.length, 0);
  } finally {
    closeSync(handle);
  }
  return start.equals(expected);
}

function refuseWhatIsThere(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (stat.isSymbolicLink()) throw badPath(`leads through the symbolic link ${path}: name the file itself`);
  if (!stat.isFile()) throw badPath(`names ${path}, which is not a file`);
  if (!isExport(path)) throw badPath(`names ${path}, which exists and is not an earlier export: choose another name`);
}

/** A till on Windows sends paths of its own machine, which here would be strange names in the exports folder. */
const isWindowsPath = (path: string): boolean => /^[A-Za-z]:|\\/.test(path);

/** @throws {TerminalError} 400 when it leads through a link, 500 when it is not there */
function requireFolder(folder: string): void {
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) {
    const what = stat === undefined ? `the folder ${folder} does not exist` : `${folder} is not a folder`;
    throw TerminalError.of('File', 'OpenError', `${what} on the device: create it, or give another path`);
  }
  if (realpathSync(folder) !== folder)
    throw badPath(`leads through a symbolic link in ${folder}: name the folder itself`);
}

export interface ExportPlaces {
  /** Where relative paths land. */
  readonly folder: string;
  /** Folders that may be written to; null: any. */
  readonly roots: readonly string[] | null;
}

/** @throws {TerminalError} 400 naming `path`, or 500 File */
export function exportTarget(path: string, { folder, roots }: ExportPlaces): string {
  if (path.includes('\0')) throw badPath('holds a zero character');
  if (process.platform !== 'win32' && isWindowsPath(path))
    throw badPath(
      `is "${path}", a path of Windows: give one on the device, as /media/usb/payments.csv; a plain name lands in ${folder}`,
    );
  if (!/[^/\\]\.csv$/i.test(path)) throw badPath('must end in .csv');
  const target = resolve(folder, path);
  if (!isAbsolute(path) && !contains(folder, target))
    throw badPath(`leaves ${folder}: use a plain name, or an absolute path`);
  const permitted = isAbsolute(path) ? roots : null;
  if (permitted !== null && !permitted.some((root) => contains(resolve(root), target))) {
    throw badPath(`is outside the folders that exports may be written to (${permitted.join(', ')})`);
  }
  const parent = dirname(target);
  if (parent === folder) makeFolder(folder);
  requireFolder(parent);
  refuseWhatIsThere(target);
  return target;
}
