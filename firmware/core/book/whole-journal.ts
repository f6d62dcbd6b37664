/**
 * Reads all that a book can be rebuilt from. A journal has two kinds of files. A beginning (`.rows`) has all rows as
 * they were after one commit. A file of lines (`.log`, and `.packed` once its day has ended) has a line for each later
 * commit, with the rows that it changed; its hash links it to the line before. So a book is rebuilt from the newest
 * beginning that is whole, and the lines after it.
 */
import { basename } from 'node:path';
import { type JournalFile, journalFiles, lineFiles } from './journal-files.ts';
import type { Line } from './journal-lines.ts';
import { headIn, isWhole, linesOf } from './journal-reading.ts';
import type { Values } from './row.ts';

/** The files from which a book can be rebuilt. */
interface CurrentFiles {
  /** The newest beginning that is whole; null where none is. */
  readonly begun: JournalFile | null;
  /** That beginning and the damaged ones after it, the newest last. */
  readonly rows: readonly JournalFile[];
  /** The files of lines from that beginning on. */
  readonly lines: readonly JournalFile[];
}

/** Files from the newest whole beginning on: what a damaged later beginning has lost is in them. */
export function currentFilesOf(folder: string): CurrentFiles {
  const beginnings = journalFiles(folder).filter(({ kind }) => kind === 'rows');
  const whole = beginnings.findLastIndex(isWhole);
  const begun = beginnings[whole] ?? null;
  const files = lineFiles(folder);
  const first = begun === null ? 0 : files.findLastIndex(({ after }) => after <= begun.after);
  return { begun, rows: beginnings.slice(Math.max(0, whole)), lines: files.slice(Math.max(0, first)) };
}

/**
 * Reads the newest whole `.rows` file, damaged ones after it, and all lines after it.
 * @param onRow gets each of their rows: of one row an older version may come after a newer one
 * @param lastOfBook number of the book's last commit, where known
 * @returns the places where lines are missing or unreadable
 */
export function readThrough(
  folder: string,
  onRow: (table: string, values: Values, line: Line) => void,
  lastOfBook = Number.POSITIVE_INFINITY,
) {
  const { begun, rows, lines } = currentFilesOf(folder);
  const breaks: string[] = [];
  const begunAt = begun === null ? null : headIn(begun);
  /** The commits up to this one need no lines: their rows are in the beginning. */
  const covered = begun?.after ?? 0;
  let lastRead = covered;
  /** Hash of the last line that was read. */
  let hash: string | null = null;
  /** Reports unreadable or missing lines, unless the `.rows` file has their content. */
  const addBreak = (file: JournalFile, next: number): void => {
    if (next > covered) breaks.push(`${basename(file.path)} behind commit ${lastRead}`);
  };
  const passRows = (line: Line): void => {
    for (const [table, of] of Object.entries(line.rows)) for (const values of of) onRow(table, values, line);
  };
  for (const file of rows)
    for (const line of linesOf(file)) {
      if (line === null) addBreak(file, Number.POSITIVE_INFINITY);
      else passRows(line);
    }
  for (const [index, file] of lines.entries()) {
    const head = headIn(file);
    const expected: string | null = hash ?? (begun !== null && file.after >= covered ? (begunAt?.hash ?? null) : null);
    if (head !== null && expected !== null && head.hash !== expected) addBreak(file, head.commit);
    let unreadable = 0;
    for (const line of linesOf(file)) {
      if (line === null) {
        unreadable += 1;
        continue;
      }
      if (unreadable > 0) addBreak(file, line.commit - 1);
      unreadable = 0;
      hash = line.hash;
      if (line.commit <= (begun?.after ?? -1)) continue;
      lastRead = line.commit;
      passRows(line);
    }
    // the very last line may be incomplete: being written, or cut short by a power cut
    const next = lines[index + 1];
    if (unreadable > (next === undefined ? 1 : 0)) addBreak(file, next?.after ?? lastOfBook);
    hash ??= head?.hash ?? null;
  }
  return { breaks: [...new Set(breaks)] };
}
