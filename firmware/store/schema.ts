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

/** Text without control characters. */
export const NO_CONTROLS = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';

/** A path of a file whose name ends in .csv. */
export const CSV_NAME = '[^/\\\\]\\.[cC][sS][vV]$';

/** What a header carries unchanged: its edges are no spaces, all of it is ASCII. */
export const HEADER_TEXT = '^[!-~]([ -~]*[!-~])?$';

const LEAP_YEAR = '(?:19(?:7[26]|8[048]|9[26])|2(?:[048]00|\\d(?:0[48]|[2468][048]|[13579][26])))';
/** A day of the calendar, 1970 to 2999: `2026-11-21`. */
export const CALENDAR_DAY =
  '^(?:(?:19[7-9]\\d|2\\d{3})-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)' +
  `|${LEAP_YEAR}-02-29)$`;

/** What patterns mean, for people. */
const WORDS_OF_PATTERNS: ReadonlyMap<string, string> = new Map([
  [NO_CONTROLS, 'must hold whole characters, none of them a control character'],
  [CSV_NAME, 'must end in .csv'],
  [HEADER_TEXT, 'must be ASCII text without control characters, and neither begin nor end with a space'],
  [CALENDAR_DAY, 'must be a day of the calendar, as 2026-11-21'],
]);

function problemsOf(error: TLocalizedValidationError): FieldProblem[] {
  const at = dotted(error.instancePath);
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({ field: join(at, name), must: 'is required' }));
    case 'additionalProperties':
      return error.params.additionalProperties.map((name) => ({ field: join(at, name), must: 'is not known here' }));
    case 'enum':
      return [{ field: at, must: `must be one of ${error.params.allowedValues.map(String).join(', ')}` }];
    case 'minimum':
      return [{ field: at, must: `must be at least ${error.params.limit}` }];
    case 'maximum':
      return [{ field: at, must: `must be at most ${error.params.limit}` }];
    case 'minLength':
      return [{ field: at, must: `must have at least ${error.params.limit} characters` }];
    case 'maxLength':
      return [{ field: at, must: `must have at most ${error.params.limit} characters` }];
    case 'minItems':
      return [{ field: at, must: `must have at least ${error.params.limit} entries` }];
    case 'maxItems':
      return [{ field: at, must: `must have at most ${error.params.limit} entries` }];
    case 'minProperties':
      return [{ field: at, must: `must have at least ${error.params.limit} members` }];
    case 'maxProperties':
      return [{ field: at, must: `must have at most ${error.params.limit} members` }];
    case 'pattern':
      return [{ field: at, must: WORDS_OF_PATTERNS.get(String(error.params.pattern)) ?? error.message }];
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
