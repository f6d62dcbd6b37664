/** What the records of codes say, as rows for people: of `/errors`, and of `docs/errors.md`. */
import { DEFAULT_LANGUAGE, type Language } from '../../../../drivers/lib/languages.ts';
import type { ErrorRecords } from '../../../../drivers/lib/records.ts';
import { KINDS } from '../failure.ts';
import { AGAIN } from '../words.ts';

/** The description of one code; between backticks stands what a program reads. */
export interface ErrorRow {
  readonly code: string;
  readonly statuses: string;
  readonly meaning: string;
  readonly todo: string;
  readonly again: string;
}

/** What goes wrong around a handler has several statuses by one code. */
function statusesOf(code: string, own: number): string {
  const ofKinds = Object.values(KINDS).flatMap(([status, of]) => (of === code ? [status] : []));
  return [...new Set(ofKinds.length === 0 ? [own] : ofKinds)].join(', ');
}

/** Of the codes that a till meets. */
export const errorRows = (records: ErrorRecords, language: Language): ErrorRow[] =>
  Object.entries(records)
    .flatMap(([code, { status, again, advice }]) =>
      advice === null || again === null
        ? []
        : [{ code, statuses: statusesOf(code, status), ...advice[language], again: AGAIN[language][again] }],
    )
    .toSorted((one, other) => one.code.localeCompare(other.code, DEFAULT_LANGUAGE));
