/**
 * Which files a journal has. `.log`: lines as they came, with free room after them. `.packed`: a day that has ended.
 * `.rows`: all rows after a commit (a beginning): a book can be rebuilt from the newest of these and the lines after it.
 * Names begin with the number of the commit before, as a clock may be wrong.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const KINDS = ['log', 'packed', 'rows'] as const;
export type JournalKind = (typeof KINDS)[number];

export interface JournalFile {
  readonly path: string;
  /** Number of the commit before its beginning; for `.rows` that of the commit it shows. */
  readonly after: number;
  /** Day of its beginning by the device's clock: `2026-11-28`. */
  readonly day: string;
  readonly kind: JournalKind;
}

export const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

export const journalOf = (path: string): string => `${path.replace(/\.db$/, '')}.journal`;

export const fileName = (after: number, day: string, kind: JournalKind): string =>
  `${String(after).padStart(12, '0')}-${day}.${kind}`;

const NAME = /^(\d{12,})-(\d{4}-\d{2}-\d{2})\.(log|packed|rows)$/;

/** The files in order, without logs of which the packed file exists, too. */
export function journalFiles(folder: string): JournalFile[] {
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  return names.flatMap((name) => {
    const [, after, day, end] = NAME.exec(name) ?? [];
    const kind = KINDS.find((each) => each === end);
    if (kind === undefined || day === undefined) return [];
    if (kind === 'log' && names.includes(name.replace(/log$/, 'packed'))) return [];
    return [{ path: join(folder, name), after: Number(after), day, kind }];
  });
}

export const lineFiles = (folder: string): JournalFile[] => journalFiles(folder).filter(({ kind }) => kind !== 'rows');

/** The day of the newest `.rows` file; null where there is none. */
export const newestBeginning = (folder: string): string | null =>
  journalFiles(folder).findLast(({ kind }) => kind === 'rows')?.day ?? null;

/** Whether a journal lacks its earlier history: it begins after the first commit, and no file holds all rows of that time. */
export function lacksEarlier(folder: string): boolean {
  const files = journalFiles(folder);
  return files.every(({ kind, after }) => kind !== 'rows' && after > 0);
}
