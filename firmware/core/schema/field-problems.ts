/** Words TypeBox's errors: sentences that name the field and the limit, merged to one for each field. */
import type { TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import { memberOf } from '../../../drivers/lib/strict-json.ts';
import { nearest, shortened } from '../../../drivers/lib/text.ts';
import { MESSAGES_OF_PATTERNS } from './patterns.ts';
import { absenceInWords, choice, countOf, kindOf, outOfRange, partAt, ruleOf, stepsOf } from './schema-rules.ts';

export interface FieldProblem {
  /** Dotted path of the field; empty for the whole value. */
  readonly field: string;
  /** The condition on it, without the field's name. */
  readonly must: string;
}

/** Longest path of a field that is named: a caller writes names of any length. */
const LONGEST_FIELD = 200;
const dotted = (pointer: string): string => shortened(stepsOf(pointer).join('.'), LONGEST_FIELD);

const join = (...parts: string[]): string => parts.filter((part) => part !== '').join('.');

/** The message for an unknown field: it names the nearest known field, else all known ones. */
function unknownField(name: string, schema: unknown): string {
  const known = Object.keys(Object(memberOf(schema, 'properties')));
  if (known.length === 0) return 'is not known here, nor is any other';
  const like = nearest(name, known);
  return `is not known here; ${like === null ? `known are ${known.join(', ')}` : `the nearest is ${like}`}`;
}
/** The sentence for a pattern without a message. */
const NO_MESSAGE = 'has not the form that it must have: /openapi.json names it';

interface Misfit {
  readonly schema: TSchema;
  readonly value: unknown;
}

const sizeRule = (least: 'least' | 'most', limit: number, what: string, many?: string): string =>
  `must have at ${least} ${countOf(limit, what, many)}`;

/** A problem, before problems of the same field are merged. */
interface RawProblem extends FieldProblem {
  /** The found type, where it is wrong. */
  readonly foundType?: string;
}

/** A wrong type is reported with the whole rule, and with the type that was found. */
function wrongType(
  { schema, value }: Misfit,
  { schemaPath, instancePath, message }: TLocalizedValidationError,
): Omit<RawProblem, 'field'> {
  const rule = ruleOf(partAt(schema, schemaPath));
  return { must: rule === null ? message : `must be ${rule}`, foundType: kindOf(partAt(value, instancePath)) };
}

const UNKNOWN_FIELD = '/additionalProperties';
/** Whether an error is about one unknown field; TypeBox reports it before the one for all unknown fields. */
const isAboutUnknown = ({ schemaPath }: TLocalizedValidationError): boolean => schemaPath.endsWith(UNKNOWN_FIELD);
const schemaOfUnknown = ({ schema }: Misfit, { schemaPath }: TLocalizedValidationError): unknown =>
  partAt(schema, schemaPath.slice(0, -UNKNOWN_FIELD.length));

function rawProblemsOf(misfit: Misfit, error: TLocalizedValidationError): RawProblem[] {
  const at = dotted(error.instancePath);
  const must = (words: string): RawProblem[] => [{ field: at, must: words }];
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({
        field: join(at, name),
        must: absenceInWords(partAt(misfit.schema, error.schemaPath), name),
      }));
    case 'type':
      return [{ field: at, ...wrongType(misfit, error) }];
    case 'enum':
      return must(`must be ${choice(error.params.allowedValues)}`);
    case 'const':
      return must(`must be ${choice([error.params.allowedValue])}`);
    case 'minimum':
      return must(outOfRange(partAt(misfit.schema, error.schemaPath), 'least', error.params.limit));
    case 'maximum':
      return must(outOfRange(partAt(misfit.schema, error.schemaPath), 'most', error.params.limit));
    case 'minLength':
      return must(error.params.limit === 1 ? 'must not be empty' : sizeRule('least', error.params.limit, 'character'));
    case 'maxLength':
      return must(sizeRule('most', error.params.limit, 'character'));
    case 'minItems':
      return must(sizeRule('least', error.params.limit, 'entry', 'entries'));
    case 'maxItems':
      return must(sizeRule('most', error.params.limit, 'entry', 'entries'));
    case 'minProperties':
      return must(sizeRule('least', error.params.limit, 'member'));
    case 'maxProperties':
      return must(sizeRule('most', error.params.limit, 'member'));
    case 'pattern':
      return must(MESSAGES_OF_PATTERNS.get(String(error.params.pattern)) ?? NO_MESSAGE);
    case 'boolean':
      return isAboutUnknown(error)
        ? must(unknownField(stepsOf(error.instancePath).at(-1) ?? '', schemaOfUnknown(misfit, error)))
        : [];
    case 'additionalProperties':
    case 'anyOf':
    case 'propertyNames':
      return []; // the errors beside it say more
    default:
      return must(error.message);
  }
}

/**
 * Rules whose sentence is left out where one of their better rules is broken, too: of a text that is too long and has a
 * wrong character, only the length is named.
 */
const BETTER_RULES: Readonly<Record<string, readonly string[]>> = {
  minimum: ['type'],
  maximum: ['type'],
  pattern: ['minLength', 'maxLength'],
};

/**
 * Whether an error adds nothing: a better rule for the same value is broken, or it is the one for null of a field that may
 * be null and holds another fault. Where `name` must be a text or null, and is too long, it "must be null" is left out.
 */
function isRedundant(error: TLocalizedValidationError, errors: readonly TLocalizedValidationError[]): boolean {
  const better = BETTER_RULES[error.keyword];
  if (better !== undefined)
    return errors.some(
      ({ keyword, instancePath, schemaPath }) =>
        better.includes(keyword) && instancePath === error.instancePath && schemaPath === error.schemaPath,
    );
  if (error.keyword !== 'type' || error.params.type !== 'null') return false;
  return errors.some(({ keyword, instancePath }) =>
    instancePath === error.instancePath
      ? !['type', 'anyOf'].includes(keyword)
      : instancePath.startsWith(`${error.instancePath}/`),
  );
}

/** "must be a text", "must be null" → "must be a text or null, not a number" */
function alternatives(problems: readonly RawProblem[]): string {
  const [first = '', ...others] = new Set(problems.map(({ must }) => must));
  const all = [first, ...others.map((must) => must.replace(/^must be /, ''))].join(' or ');
  const found = problems.every((problem) => problem.foundType !== undefined) ? problems[0]?.foundType : undefined;
  return found === undefined ? all : `${all}, not ${found}`;
}

/** Merges problems to one for each field, even if several alternatives failed. */
function merge(problems: readonly RawProblem[]): FieldProblem[] {
  const byField = Map.groupBy(problems, ({ field }) => field);
  return [...byField].map(([field, sameField]) => ({ field, must: alternatives(sameField) }));
}

/** Words TypeBox's errors: one problem for each field. @param value holds at least the wrong parts */
export function problemsOfErrors(
  schema: TSchema,
  value: unknown,
  errors: readonly TLocalizedValidationError[],
): FieldProblem[] {
  const useful = errors.filter((error) => !isRedundant(error, errors));
  return merge(useful.flatMap((error) => rawProblemsOf({ schema, value }, error)));
}

/**
 * A problem as a sentence: "amount must be at least 1".
 * @param whole name of the whole value, where all of it is wrong: "the body"
 */
export function sentence({ field, must }: FieldProblem, whole: string): string {
  return `${field === '' ? whole : field} ${must}`;
}
