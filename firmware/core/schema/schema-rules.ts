/**
 * Says what a schema requires, in words that need no knowledge of JSON: "a whole number from 0 to 65535".
 * Puts frozen records of names and meanings into schemas: the names are the values, the meanings are the documentation.
 */

import Type from 'typebox';
import { amountInWords } from '../../../drivers/lib/money.ts';
import { type Fields, isFields, memberOf } from '../../../drivers/lib/strict-json.ts';
import { MESSAGES_OF_PATTERNS } from './patterns.ts';

/** Schema of one of the names. @param title name in the OpenAPI document, where they are used in more than one place */
export const enumOf = <Name extends string>(meanings: Readonly<Record<Name, string>>, title?: string) =>
  Type.Enum(Object.keys(meanings) as Name[], title === undefined ? {} : { title });

export const describeNames = (meanings: Readonly<Record<string, string>>): string =>
  Object.entries(meanings)
    .map(([name, meaning]) => `\`${name}\` (${meaning})`)
    .join(', ');

/** Annotation of a number with a unit; the limits of kopecks are shown in roubles. */
const UNIT = 'x-unit';
/** Options of an integer that counts kopecks, to be spread. */
export const KOPECKS = Object.freeze({ [UNIT]: 'kopecks' });

/** Options of an integer that counts minutes. */
export const MINUTES = Object.freeze({ [UNIT]: 'minutes' });
/** Options of an integer that counts seconds. */
export const SECONDS = Object.freeze({ [UNIT]: 'seconds' });
/** Options of an integer that counts grams. */
export const GRAMS = Object.freeze({ [UNIT]: 'g' });

/** Annotation of a required field: what to do where it is missing. */
const WHEN_ABSENT = 'x-when-absent';
/** Options of a required field, to be spread. @param advice follows "key is required: " */
export const whenAbsent = (advice: string): Readonly<Record<string, string>> => ({ [WHEN_ABSENT]: advice });

/** Longest example in a sentence; longer ones stand only in the document. */
const LONGEST_EXAMPLE = 80;

/** The example of an object's field, where a sentence has room for it. */
function exampleOf(schema: unknown, name: string): string | null {
  const example = memberOf(memberOf(memberOf(schema, 'examples'), '0'), name);
  if (example === undefined || example === null) return null;
  const text = typeof example === 'string' ? example : JSON.stringify(example);
  return text.length > LONGEST_EXAMPLE ? null : `for example ${text}`;
}

/**
 * What a missing field of an object should be: its form or its limits, an example.
 * @param where when it is required, if not always: " beside to"
 */
export function absenceInWords(schema: unknown, name: string, where = ''): string {
  const field = memberOf(memberOf(schema, 'properties'), name);
  const { [WHEN_ABSENT]: advice, description } = isFields(field) ? field : {};
  const words = [advice ?? description, rulesOf(field), exampleOf(schema, name)].filter(
    (part) => typeof part === 'string',
  );
  return [`is required${where}`, words.join('; ')].filter((part) => part !== '').join(': ');
}

/** A limit of a number, as people read it. */
function limitInWords(schema: unknown, limit: number | bigint): string {
  const unit = memberOf(schema, UNIT);
  if (unit === 'kopecks') return amountInWords(Number(limit));
  return typeof unit === 'string' ? `${limit} ${unit}` : String(limit);
}

/** Says what a number beyond a limit must be. For a time or a weight it names both limits. */
export function outOfRange(schema: unknown, which: 'least' | 'most', limit: number | bigint): string {
  const { [UNIT]: unit, minimum, maximum } = isFields(schema) ? schema : {};
  if (typeof unit === 'string' && unit !== 'kopecks' && typeof minimum === 'number' && typeof maximum === 'number')
    return `must be from ${minimum} to ${maximum} ${unit}`;
  return `must be at ${which} ${limitInWords(schema, limit)}`;
}

export const countOf = (count: number, what: string, many = `${what}s`): string =>
  `${count} ${count === 1 ? what : many}`;

export const choice = (allowed: readonly unknown[]): string =>
  allowed.length === 1 ? JSON.stringify(allowed[0]) : `one of ${allowed.map(String).join(', ')}`;

/** "of 1 to 64 characters"; empty where there is no limit. */
function size(least: unknown, most: unknown, what: string, many?: string): string {
  if (typeof least === 'number' && typeof most === 'number') return ` of ${least} to ${countOf(most, what, many)}`;
  if (typeof least === 'number') return ` of at least ${countOf(least, what, many)}`;
  return typeof most === 'number' ? ` of at most ${countOf(most, what, many)}` : '';
}

/** "from 0 to 65535" */
function range(schema: Fields): string {
  const { minimum, maximum } = schema;
  if (typeof minimum === 'number' && typeof maximum === 'number')
    return ` from ${limitInWords(schema, minimum)} to ${limitInWords(schema, maximum)}`;
  if (typeof minimum === 'number') return ` of at least ${limitInWords(schema, minimum)}`;
  return typeof maximum === 'number' ? ` of at most ${limitInWords(schema, maximum)}` : '';
}

function textRule({ minLength, maxLength, pattern }: Fields): string {
  const words = typeof pattern === 'string' ? MESSAGES_OF_PATTERNS.get(pattern) : undefined;
  const length =
    minLength === 1 && maxLength === undefined ? ' that is not empty' : size(minLength, maxLength, 'character');
  return `a text${length}${words === undefined ? '' : ` (${words})`}`;
}

/** The rule of a schema without alternatives; null where it has no words. */
export function ruleOf(schema: unknown): string | null {
  if (!isFields(schema)) return null;
  if (Array.isArray(schema.enum)) return choice(schema.enum);
  if ('const' in schema) return JSON.stringify(schema.const);
  switch (schema.type) {
    case 'integer':
      return `a whole number${range(schema)}`;
    case 'number':
      return `a number${range(schema)}`;
    case 'string':
      return textRule(schema);
    case 'boolean':
      return 'true or false';
    case 'array':
      return `a list${size(schema.minItems, schema.maxItems, 'entry', 'entries')}`;
    case 'object':
      return 'an object';
    case 'null':
      return 'null';
    default:
      return null;
  }
}

/** The rule of a schema with alternatives: "a text or null". */
function rulesOf(schema: unknown): string | null {
  if (!isFields(schema) || !Array.isArray(schema.anyOf)) return ruleOf(schema);
  return schema.anyOf.map(ruleOf).join(' or ');
}

/** Names the type of a JSON value that has the wrong type; never the value, which may be a secret. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'string':
      return 'a text';
    case 'number':
      return Number.isInteger(value) ? 'a number' : 'a number with a fraction';
    case 'boolean':
      return String(value);
    default:
      return 'an object';
  }
}

/** The members of a JSON pointer ("/terminal/port"). */
export const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The value at a pointer; undefined for none. */
export const partAt = (whole: unknown, pointer: string): unknown => stepsOf(pointer).reduce(memberOf, whole);
