/**
 * Schemas, compiled once: what fits, and in words what does not. The patterns and units that all schemas share stand here.
 * The interface documents are made of the same schemas.
 */
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
export {
  type Compiled,
  Counted,
  compiled,
  type FieldProblem,
  fieldProblems,
  fits,
  id,
  jsonFitting,
  MOST_COUNTED,
  maybe,
  orNull,
  problemsWith,
  sentence,
} from './schema.ts';
export { absenceInWords, describeNames, enumOf, GRAMS, KOPECKS, MINUTES, SECONDS, whenAbsent } from './schema-rules.ts';
