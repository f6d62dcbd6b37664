/**
 * Lines of a book's journal: one for each commit, with the whole rows that it made. Each begins with a hash over itself
 * and the hash of the line before, so that a changed, lost or added line shows, and two histories can be
 * distinguished.
 */
import { hash } from 'node:crypto';
import { isFields } from '../../../drivers/lib/strict-json.ts';
import type { Values } from './row.ts';

/** A place in a book's history: a commit. */
export interface Place {
  /** Number of the commit. */
  readonly commit: number;
  /** Hash over all lines up to this commit. */
  readonly hash: string;
}

/** A line of the journal, which is one commit. */
export interface Line extends Place {
  /** Hash up to the line before it. */
  readonly before: string;
  /** Wall clock, ms since 1970. */
  readonly at: number;
  /** Number of the last event, including those of this commit. */
  readonly lastEvent: number;
  /** The schema that a release must know to read it. */
  readonly readableFrom: number;
  /** Its rows by table, each as JSON of the columns without default values. */
  readonly rows: Readonly<Record<string, readonly Values[]>>;
}

/** The head of a file, which continues after this place. */
export interface Head extends Place {
  readonly kind: 'lines' | 'rows';
}

const KIND = 'laneware-money-1';

export const hashAfter = (before: string, json: string): string => hash('sha256', `${before} ${json}`, 'base64url');

export const headText = ({ kind, commit, hash: before }: Head): string => {
  const json = JSON.stringify({ journal: KIND, kind, after: commit, hash: before });
  return `${hashAfter('', json)} ${json}\n`;
};

/** The JSON of a line. @param rows texts of rows, by table */
export function lineJson(
  { commit, at, lastEvent, readableFrom }: Omit<Line, 'hash' | 'before' | 'rows'>,
  rows: ReadonlyMap<string, readonly string[]>,
): string {
  const tables = [...rows].map(([table, texts]) => `,${JSON.stringify(table)}:[${texts.join(',')}]`);
  return `{"n":${commit},"t":${at},"s":${readableFrom},"e":${lastEvent}${tables.join('')}}`;
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : null;
  } catch {
    return null; // a damaged line: its reader reports it
  }
}

/** A line's hash and its JSON; null for text that is no line. */
function split(line: string): { readonly hash: string; readonly json: string } | null {
  const end = line.indexOf(' ');
  return end < 0 ? null : { hash: line.slice(0, end), json: line.slice(end + 1) };
}

/** The place in a text where a damaged line without a line break meets the next line. */
const DAMAGED_END = /.(?=[\w-]{43} \{"n":)/su;
const BEGINNING = /^[\w-]{43} \{/;

export function headOf(line: string): Head | null {
  const found = split(line);
  if (found === null || found.hash !== hashAfter('', found.json)) return null;
  const { journal, kind, after, hash: before } = parsed(found.json) ?? {};
  if (journal !== KIND || (kind !== 'lines' && kind !== 'rows') || typeof before !== 'string') return null;
  return { kind, commit: Number(after), hash: before };
}

/** Whether a value of a line is a row; its hash proves that it is as written. */
const isRow = (row: unknown): row is Values => isFields(row);

/** The hash that a line claims to have, to check the next line; empty for text that is no line. */
export const claimedBy = (text: string): string => split(text)?.hash ?? '';

/** A line as a part of the chain alone; `commit` is null where its text is not as written. */
export function linkAfter(before: string, text: string): { readonly hash: string; readonly commit: number | null } {
  const found = split(text);
  const isSound = found !== null && found.hash === hashAfter(before, found.json);
  return { hash: found?.hash ?? '', commit: isSound ? Number(/^\{"n":(\d+)/.exec(found.json)?.[1]) : null };
}

function lineOver(before: string, text: string): Line | null {
  const found = split(text);
  const fields = found !== null && found.hash === hashAfter(before, found.json) ? parsed(found.json) : null;
  if (found === null || fields === null) return null;
  const { n, t, s, e, ...tables } = fields;
  const rows = Object.fromEntries(Object.entries(tables).map(([table, of]) => [table, [of].flat().filter(isRow)]));
  const place = { commit: Number(n), hash: found.hash, before };
  return { ...place, at: Number(t), lastEvent: Number(e), readableFrom: Number(s ?? 0), rows };
}

/**
 * Reads the line after another: of a commit, or of a `.rows` file, whose lines hold one row each and no commit. A damaged
 * line is null. A text in which a damaged line has lost its line break holds several lines.
 * @param known hash of a place that the caller knows from the database: it proves the next line where the line before
 * that is damaged
 * @returns `claimed`: the hash in the text, to check the next line
 */
export function linesAfter(
  before: string,
  text: string,
  known: string | null = null,
): { readonly lines: readonly (Line | null)[]; readonly claimed: string } {
  const whole = lineOver(before, text);
  if (whole !== null) return { lines: [whole], claimed: whole.hash };
  let claimed = before;
  const lines = text.split(DAMAGED_END).map((part) => {
    const line = lineOver(claimed, part) ?? (known === null ? null : lineOver(known, part));
    // a piece of a line has no hash: the next line may still follow the line before it
    if (BEGINNING.test(part)) claimed = split(part)?.hash ?? claimed;
    return line;
  });
  return { lines, claimed };
}
