/** Finds where a journal ends, and where its next line is written. */

import { type JournalFile, lineFiles } from './journal-files.ts';
import { headOf, linesAfter, type Place } from './journal-lines.ts';
import { headIn, linesOf } from './journal-reading.ts';
import { bytesOf, linesIn } from './journal-text.ts';

/** The end of a journal. */
export interface Tail extends Place {
  /** Number of the last event; new events get higher numbers. */
  readonly lastEvent: number;
  /** The log for the next line, and the place in it; null where a new one must begin. */
  readonly log: { readonly file: JournalFile; readonly end: number } | null;
}

/** The end of a journal; null for an unreadable or missing one. */
export function tailOf(folder: string): Tail | null {
  const files = lineFiles(folder);
  for (const [index, file] of files.toReversed().entries()) {
    const found = file.kind === 'log' ? tailOfLog(file) : tailOfLines(file);
    if (found === null) continue;
    return index === 0 ? found : { ...found, log: null };
  }
  return null;
}

function tailOfLines(file: JournalFile): Tail | null {
  let [place, lastEvent]: [Place | null, number] = [headIn(file), 0];
  for (const line of linesOf(file)) if (line !== null) [place, lastEvent] = [line, line.lastEvent];
  return place === null ? null : { commit: place.commit, hash: place.hash, lastEvent, log: null };
}

/**
 * The end of a log. An incomplete last line was cut short by a power cut: the next line overwrites it. After more damage
 * a new log begins, so that nothing is overwritten.
 */
function tailOfLog(file: JournalFile): Tail | null {
  const bytes = bytesOf(file.path);
  if (bytes === null) return null;
  const [first, ...others] = linesIn(bytes);
  const head = headOf(first?.text ?? '');
  let place: Place | null = head;
  let [hash, lastEvent, end, unsound] = [head?.hash ?? '', 0, first?.end ?? 0, 0];
  for (const { text, end: lineEnd } of others) {
    const { lines, claimed } = linesAfter(hash, text);
    hash = claimed;
    unsound += 1;
    const line = lines.at(-1) ?? null;
    if (line === null) continue;
    [place, lastEvent, end, unsound] = [line, line.lastEvent, lineEnd, 0];
  }
  if (place === null) return null;
  const isWhole = head !== null && unsound <= 1;
  return { commit: place.commit, hash: place.hash, lastEvent, log: isWhole ? { file, end } : null };
}
