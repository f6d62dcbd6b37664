/**
 * One file of a journal: a line for each change, with the row after it. Each line carries the checksum of the row and
 * one over all lines so far, so that a line which was changed, lost or added shows. Behind the last line there are zeros:
 * room that was taken before, so that a line costs one write of the disk and none of the file system's own.
 */
import { hash } from 'node:crypto';
import { readPlainFileIfAny } from '../plain-file.ts';
import { checksumOf, type Version, valuesOf } from './row.ts';

/** A file that has grown longer is not read: it would take the memory of the device. */
export const MAX_JOURNAL_BYTES = 64 * 1024 * 1024;

const KIND = 'laneware-journal-1';

/** What a file begins with. */
interface JournalHeader {
  /** Of the table: no other's journal may be taken for this one's. */
  readonly tableId: number;
  /** Number of the last change before this file. */
  readonly after: number;
  /** Checksum over all lines of the files before. */
  readonly chain: string;
}

export interface JournalReading {
  /** Null where the first line is damaged, or there is no file. */
  readonly header: JournalHeader | null;
  /** Lines that are as they were written, oldest first. */
  readonly versions: readonly Version[];
  /** Whether anything else is there than what was written; a line that was cut short at the end is no damage. */
  readonly damaged: boolean;
  /** Bytes up to where the next line belongs. */
  readonly end: number;
  /** Checksum over all lines so far. */
  readonly chain: string;
}

const chained = (before: string, what: string): string => hash('sha256', `${before} ${what}`, 'base64url');

export function headerLine({ tableId, after, chain }: JournalHeader): string {
  const header = `${KIND} ${tableId} ${after} ${chain}`;
  return `${header} ${chained('', header)}\n`;
}

/** Lines for some changes, and the checksum over all lines up to them. */
export function linesFor(
  versions: readonly Version[],
  before: string,
): { readonly text: string; readonly chain: string } {
  let chain = before;
  let text = '';
  for (const { checksum, text: row } of versions) {
    chain = chained(chain, checksum);
    text += `${chain} ${checksum} ${row}\n`;
  }
  return { text, chain };
}

function headerOf(line: string): JournalHeader | null {
  const [kind, tableId, after, chain, sum] = line.split(' ');
  if (kind !== KIND || chain === undefined || sum !== chained('', `${kind} ${tableId} ${after} ${chain}`)) return null;
  return { tableId: Number(tableId), after: Number(after), chain };
}

interface Line {
  readonly chain: string;
  readonly version: Version;
}

function lineOf(line: string): Line | null {
  const [chain = '', checksum = ''] = line.split(' ', 2);
  const text = line.slice(chain.length + checksum.length + 2);
  if (checksum !== checksumOf(text)) return null;
  const { id, change_no } = valuesOf({ text });
  return { chain, version: { id: Number(id), change: Number(change_no), checksum, text } };
}

export const NO_JOURNAL: JournalReading = { header: null, versions: [], damaged: false, end: 0, chain: '' };

function readBytes(bytes: Buffer): JournalReading {
  let last = bytes.length;
  while (last > 0 && bytes[last - 1] === 0) last -= 1;
  const end = bytes.lastIndexOf('\n', last - 1) + 1;
  const [first = '', ...lines] = bytes.toString('utf8', 0, end).split('\n').slice(0, -1);
  const header = headerOf(first);
  const versions: Version[] = [];
  let damaged = header === null;
  let chain = header?.chain ?? '';
  for (const text of lines) {
    const line = lineOf(text);
    if (line === null || line.chain !== chained(chain, line.version.checksum)) damaged = true;
    if (line === null) continue;
    chain = line.chain;
    versions.push(line.version);
  }
  return { header, versions, damaged, end, chain };
}

/** Never fails: what cannot be read counts as damaged. */
export function readJournalFile(path: string): JournalReading {
  try {
    const bytes = readPlainFileIfAny(path, MAX_JOURNAL_BYTES);
    return bytes === null ? NO_JOURNAL : readBytes(bytes);
  } catch {
    return { ...NO_JOURNAL, damaged: true };
  }
}
