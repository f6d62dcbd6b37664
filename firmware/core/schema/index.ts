/**
 * Schemas, compiled once: what fits, and in words what does not. The patterns and units that all schemas share stand here.
 * The interface documents are made of the same schemas.
 */

export { type FieldProblem, problemsOfErrors, sentence } from './field-problems.ts';
export {
  CALENDAR_DAY,
  CSV_NAME,
  folded,
  HALVES,
  HEADER_TEXT,
  MAX_ID,
  NO_ASCII_CONTROLS,
  NO_CONTROLS,
  patternWithMessage,
  portablePattern,
  WRITTEN,
} from './patterns.ts';
export { type Compiled, compiled, fits, jsonFitting, problemsWith } from './schema.ts';
export { CountedFromOne, id, MOST_COUNTED, maybe, orNull } from './schema-parts.ts';
export { absenceInWords, describeNames, enumOf, GRAMS, KOPECKS, MINUTES, SECONDS, whenAbsent } from './schema-rules.ts';
