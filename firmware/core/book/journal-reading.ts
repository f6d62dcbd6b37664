/** Reads and checks the lines of a journal's files. */
import { basename } from 'node:path';
import { nextTurn } from '../../../drivers/lib/turns.ts';
import type { RowIds } from './findings.ts';
import { type JournalFile, lineFiles } from './journal-files.ts';
import { claimedBy, type Head, headOf, type Line, linesAfter, linkAfter, type Place } from './journal-lines.ts';
import { bytesOf, framesOf, textLines } from './journal-text.ts';
import type { Values } from './row.ts';

/**
 * A file's lines, each linked to the line before; null where something is damaged.
 * @param reading `isWanted` decides by a line's text, and unwanted lines are neither checked nor parsed; `known` as in
 * `linesAfter`
 */
export function* linesOf(
  file: JournalFile,
  {
    isWanted = () => true,
    known = null,
  }: { readonly isWanted?: (text: string) => boolean; readonly known?: string | null } = {},
): Generator<Line | null> {
  let head: Head | null | undefined;
  let hash = '';
  for (const text of textLines(file)) {
    if (head === undefined) {
      head = text === null ? null : headOf(text);
      hash = head?.hash ?? '';
      if (head === null) yield null;
      continue;
    }
    if (text === null) {
      yield null;
      continue;
    }
    if (!isWanted(text)) {
      hash = claimedBy(text);
      continue;
    }
    const { lines, claimed } = linesAfter(hash, text, known);
    hash = claimed;
    yield* lines;
  }
  if (head === undefined) yield null;
}

/** Places where files that follow each other are damaged, or one between them is missing, as "file behind commit 17". */
export function brokenLinks(files: readonly JournalFile[]): string[] {
  const breaks = new Set<string>();
  let last: Place | null = null;
  /** Whether no line of the file before could be read: what is missing after that file is reported with it. */
  let isUnread = false;
  for (const file of files) {
    const addBreak = (): void => void breaks.add(`${basename(file.path)} behind commit ${last?.commit ?? file.after}`);
    let hash: string | null = null;
    let isTorn = false;
    for (const text of textLines(file)) {
      if (hash === null) {
        const head = text === null ? null : headOf(text);
        if (head === null || (last !== null && head.hash !== last.hash && !isUnread)) addBreak();
        isUnread = head === null;
        hash = head?.hash ?? '';
        last = head ?? last;
        continue;
      }
      const link: ReturnType<typeof linkAfter> = text === null ? { hash, commit: null } : linkAfter(hash, text);
      hash = link.hash;
      if (link.commit === null) isTorn = true;
      else {
        if (isTorn) addBreak(); // a damaged last line is no break: a power cut leaves one
        [isTorn, isUnread] = [false, false];
        last = { commit: link.commit, hash };
      }
    }
    if (hash === null) {
      addBreak();
      isUnread = true;
    }
  }
  return [...breaks];
}

/** Where a line names the id of a row: texts within it have their quotation marks escaped. */
const ID = /"id":(\d+)[,}]/g;

/** Finds all versions of some rows in a file, the oldest first. Only the lines that may hold one are checked and parsed. */
export function readVersions(
  file: JournalFile,
  wanted: RowIds,
  onVersion: (table: string, values: Values) => void,
): void {
  const ids = new Set([...wanted.values()].flatMap((each) => [...each]));
  const isWanted = (text: string): boolean => [...text.matchAll(ID)].some(([, id]) => ids.has(Number(id)));
  for (const line of linesOf(file, { isWanted }))
    for (const [table, versions] of Object.entries(line?.rows ?? {}))
      for (const values of versions) if (wanted.get(table)?.has(Number(values.id)) === true) onVersion(table, values);
}

/** Whether nothing of a file is damaged. */
export function isWhole(file: JournalFile): boolean {
  for (const line of linesOf(file)) if (line === null) return false;
  return true;
}

/** The place after which a file continues; null where its head is damaged. */
export function headIn(file: JournalFile): Head | null {
  for (const text of textLines(file)) return text === null ? null : headOf(text);
  return null;
}

/** Characters of a line's hash. */
const HASH_CHARACTERS = 43;

/** The text of a file in pieces that end with a line; none where it cannot be read. */
function* piecesOf({ path, kind }: JournalFile): Generator<string> {
  const bytes = bytesOf(path);
  if (bytes === null) return;
  if (kind === 'log') yield bytes.toString('latin1');
  else for (const frame of framesOf(bytes)) if (frame !== null) yield frame;
}

/**
 * The hash of a journal up to a commit, as its line claims it; null where no file has that line. The event loop gets a
 * turn between the pieces of a file.
 */
export async function hashAt(folder: string, commit: number): Promise<string | null> {
  const file = lineFiles(folder).findLast(({ after }) => after <= commit);
  if (file === undefined) return null;
  if (file.after === commit) return headIn(file)?.hash ?? null;
  const wanted = ` {"n":${commit},`;
  for (const piece of piecesOf(file)) {
    const at = piece.indexOf(wanted);
    if (at >= HASH_CHARACTERS) return piece.slice(at - HASH_CHARACTERS, at);
    await nextTurn();
  }
  return null;
}
