/**
 * Checks values against TypeBox schemas, and says what is wrong in sentences that name the field and the limit: TypeBox's
 * errors are worded, and merged to one for each field. Also the few schemas that many others are made of.
 */
import Type, { type Static, type TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import { Check, Compile, Errors, type Validator } from 'typebox/schema';
import { memberOf } from '../../../drivers/lib/strict-json.ts';
import { nearest, shortened } from '../../../drivers/lib/text.ts';
import { MAX_ID, MESSAGES_OF_PATTERNS, NO_CONTROLS } from './patterns.ts';
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
interface Finding extends FieldProblem {
  /** The found type, where it is wrong. */
  readonly found?: string;
}

/** A wrong type is reported with the whole rule, and with the type that was found. */
function wrongType(
  { schema, value }: Misfit,
  { schemaPath, instancePath, message }: TLocalizedValidationError,
): Omit<Finding, 'field'> {
  const rule = ruleOf(partAt(schema, schemaPath));
  return { must: rule === null ? message : `must be ${rule}`, found: kindOf(partAt(value, instancePath)) };
}

const UNKNOWN_FIELD = '/additionalProperties';
/** Whether an error is about one unknown field; TypeBox reports it before the one for all unknown fields. */
const isAboutUnknown = ({ schemaPath }: TLocalizedValidationError): boolean => schemaPath.endsWith(UNKNOWN_FIELD);
const schemaOfUnknown = ({ schema }: Misfit, { schemaPath }: TLocalizedValidationError): unknown =>
  partAt(schema, schemaPath.slice(0, -UNKNOWN_FIELD.length));

function problemsOf(misfit: Misfit, error: TLocalizedValidationError): Finding[] {
  const at = dotted(error.instancePath);
  const must = (words: string): Finding[] => [{ field: at, must: words }];
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

/** Rules of a schema, each with other rules for the same value: where both are broken, the other one has the better sentence. */
const BETTER_RULES: Readonly<Record<string, readonly string[]>> = {
  minimum: ['type'],
  maximum: ['type'],
  pattern: ['minLength', 'maxLength'],
};

/**
 * Whether an error adds nothing: another rule for the same value is the better sentence, or it says that null would do for
 * a value of which another rule, or a part, is broken.
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
function alternatives(findings: readonly Finding[]): string {
  const [first = '', ...others] = new Set(findings.map(({ must }) => must));
  const all = [first, ...others.map((must) => must.replace(/^must be /, ''))].join(' or ');
  const found = findings.every((finding) => finding.found !== undefined) ? findings[0]?.found : undefined;
  return found === undefined ? all : `${all}, not ${found}`;
}

/** Merges problems to one for each field, even if several alternatives failed. */
function merge(findings: readonly Finding[]): FieldProblem[] {
  const byField = Map.groupBy(findings, ({ field }) => field);
  return [...byField].map(([field, sameField]) => ({ field, must: alternatives(sameField) }));
}

/** Shortens TypeBox's errors to one problem for each field. @param value holds at least the wrong parts */
export function fieldProblems(
  schema: TSchema,
  value: unknown,
  errors: readonly TLocalizedValidationError[],
): FieldProblem[] {
  const useful = errors.filter((error) => !isRedundant(error, errors));
  return merge(useful.flatMap((error) => problemsOf({ schema, value }, error)));
}

/** A name or id that others give. */
export const id = (description: string) =>
  Type.String({ title: 'Id', minLength: 1, maxLength: MAX_ID, pattern: NO_CONTROLS, description });

/** A field that may be left out; null means the same. */
export const maybe = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]));

/** A field that is always present, and null for no value. */
export const orNull = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

export function fits<Schema extends TSchema>(schema: Schema, value: unknown): value is Static<Schema> {
  return Check(schema, value);
}

/** A compiled check of values, much faster than one that reads its schema each time. */
export interface Compiled<T> {
  readonly schema: TSchema;
  Check(value: unknown): value is T;
  Errors(value: unknown): TLocalizedValidationError[];
}

/** A check compiled on first use, which takes milliseconds: most starts need few. */
export function compiled<Schema extends TSchema>(schema: Schema): Compiled<Static<Schema>> {
  let made: Validator | null = null;
  const validator = (): Validator => {
    made ??= Compile(schema);
    return made;
  };
  return {
    schema,
    Check: (value): value is Static<Schema> => validator().Check(value),
    Errors: (value) => validator().Errors(value)[1],
  };
}

/** Largest counted number, far below 2^53: above that a number is not exact, and `node:sqlite` does not read it. */
export const MOST_COUNTED = 2 ** 52;
/** Number of a change that another device sends. */
export const Counted = Type.Integer({ minimum: 1, maximum: MOST_COUNTED });

/** The value of a received JSON text; null for invalid JSON, or another shape. */
export function jsonFitting<Schema extends TSchema>(schema: Schema, text: string): Static<Schema> | null {
  try {
    const value: unknown = JSON.parse(text);
    return fits(schema, value) ? value : null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}

export function problemsWith(schema: TSchema, value: unknown): FieldProblem[] {
  if (Check(schema, value)) return [];
  const [, errors] = Errors(schema, value);
  return fieldProblems(schema, value, errors);
}

/**
 * A problem as a sentence: "amount must be at least 1".
 * @param whole name of the whole value, where all of it is wrong: "the body"
 */
export function sentence({ field, must }: FieldProblem, whole: string): string {
  return `${field === '' ? whole : field} ${must}`;
}
