/** Checks values against TypeBox schemas and says what is wrong in sentences that name the field and the limit. */
import Type, { type Static, type TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import Value from 'typebox/value';

export interface FieldProblem {
  /** Dotted path of the field; empty for the whole value. */
  readonly field: string;
  /** What it must be, without the field's name. */
  readonly must: string;
}

const dotted = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');

const join = (...parts: string[]): string => parts.filter((part) => part !== '').join('.');

/** What patterns mean, for people. */
const WORDS_OF_PATTERNS = new Map<string, string>();
/** What is said of a pattern that came without words. */
const UNWORDED = 'has not the form that it must have: /openapi.json names it';

/**
 * A pattern of a schema that people are told in words, never as it stands.
 * @param must what a text that does not fit must do: "must end in .csv"
 */
export function worded(pattern: string, must: string): string {
  WORDS_OF_PATTERNS.set(pattern, must);
  return pattern;
}

/** Whether people are told in words what a text must do to fit. */
export const isWorded = (pattern: string): boolean => WORDS_OF_PATTERNS.has(pattern);

/** Text without control characters. */
export const NO_CONTROLS = worded(
  '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
  'must hold whole characters, none of them a control character',
);

/** Text without the control characters of ASCII. */
export const NO_ASCII_CONTROLS = worded('^[^\\u0000-\\u001f\\u007f]*$', 'must hold no control characters');

/** A path of a file whose name ends in .csv. */
export const CSV_NAME = worded('[^/\\\\]\\.[cC][sS][vV]$', 'must end in .csv');

/** What a header carries unchanged: its edges are no spaces, all of it is ASCII. */
export const HEADER_TEXT = worded(
  '^[!-~]([ -~]*[!-~])?$',
  'must be ASCII text without control characters, and neither begin nor end with a space',
);

/** A whole number in a query, which carries texts only. @param digits at most @param more words about it */
export const wholeNumber = (digits: number, more = ''): string =>
  worded(`^[1-9]\\d{0,${digits - 1}}$`, `must be a whole number from 1 to ${'9'.repeat(digits)}${more}`);

const LEAP_YEAR = '(?:19(?:7[26]|8[048]|9[26])|2(?:[048]00|\\d(?:0[48]|[2468][048]|[13579][26])))';
/** A day of the calendar, 1970 to 2999: `2026-11-21`. */
export const CALENDAR_DAY = worded(
  '^(?:(?:19[7-9]\\d|2\\d{3})-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)' +
    `|${LEAP_YEAR}-02-29)$`,
  'must be a day of the calendar, as 2026-11-21',
);

const characters = (count: number): string => `${count} character${count === 1 ? '' : 's'}`;

const choice = (allowed: readonly unknown[]): string =>
  allowed.length === 1 ? JSON.stringify(allowed[0]) : `one of ${allowed.map(String).join(', ')}`;

function problemsOf(error: TLocalizedValidationError): FieldProblem[] {
  const at = dotted(error.instancePath);
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({ field: join(at, name), must: 'is required' }));
    case 'additionalProperties':
      return error.params.additionalProperties.map((name) => ({ field: join(at, name), must: 'is not known here' }));
    case 'enum':
      return [{ field: at, must: `must be ${choice(error.params.allowedValues)}` }];
    case 'minimum':
      return [{ field: at, must: `must be at least ${error.params.limit}` }];
    case 'maximum':
      return [{ field: at, must: `must be at most ${error.params.limit}` }];
    case 'minLength':
      return [{ field: at, must: `must have at least ${characters(error.params.limit)}` }];
    case 'maxLength':
      return [{ field: at, must: `must have at most ${characters(error.params.limit)}` }];
    case 'minItems':
      return [{ field: at, must: `must have at least ${error.params.limit} entries` }];
    case 'maxItems':
      return [{ field: at, must: `must have at most ${error.params.limit} entries` }];
    case 'minProperties':
      return [{ field: at, must: `must have at least ${error.params.limit} members` }];
    case 'maxProperties':
      return [{ field: at, must: `must have at most ${error.params.limit} members` }];
    case 'pattern':
      return [{ field: at, must: WORDS_OF_PATTERNS.get(String(error.params.pattern)) ?? UNWORDED }];
    case 'boolean':
    case 'anyOf':
      return []; // said better by its sibling errors
    default:
      return [{ field: at, must: error.message }];
  }
}

const JUST_A_TYPE = /^must be \w+$/;

/** That a field may be null instead says little where its value is of the right type, but too small. */
const withoutNull = (musts: readonly string[]): readonly string[] =>
  musts.every((must) => JUST_A_TYPE.test(must)) ? musts : musts.filter((must) => must !== 'must be null');

/** Joins what a field may be where several alternatives failed ("must be string or null"). */
function merge(problems: readonly FieldProblem[]): FieldProblem[] {
  const byField = new Map<string, string[]>();
  for (const { field, must } of problems) {
    const known = byField.get(field) ?? [];
    if (!known.includes(must)) byField.set(field, [...known, must]);
  }
  return [...byField].map(([field, musts]) => ({
    field,
    must: withoutNull(musts)
      .map((must, index) => (index === 0 ? must : must.replace(/^must be /, '')))
      .join(' or '),
  }));
}

/** Shortens TypeBox's list of errors to one problem a field. */
export function describe(errors: readonly TLocalizedValidationError[]): FieldProblem[] {
  return merge(errors.flatMap(problemsOf));
}

/** A field that may be left out; one that is null is left out. */
export const maybe = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]));

/** Whether a value is what a schema says. */
export function fits<Schema extends TSchema>(schema: Schema, value: unknown): value is Static<Schema> {
  return Value.Check(schema, value);
}

/** Every problem of a value; empty when it fits. */
export function problemsWith(schema: TSchema, value: unknown): FieldProblem[] {
  return Value.Check(schema, value) ? [] : describe(Value.Errors(schema, value));
}

/**
 * One sentence: "amount must be at least 1".
 * @param whole what the value is called where all of it is wrong: "the body"
 */
export function sentence({ field, must }: FieldProblem, whole: string): string {
  return `${field === '' ? whole : field} ${must}`;
}
