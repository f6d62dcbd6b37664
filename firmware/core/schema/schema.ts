/** Checks values against TypeBox schemas. */
import type { Static, TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import { Check, Compile, Errors, type Validator } from 'typebox/schema';
import { type FieldProblem, problemsOfErrors } from './field-problems.ts';

export function fits<Schema extends TSchema>(schema: Schema, value: unknown): value is Static<Schema> {
  return Check(schema, value);
}

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

/** What is wrong with a value, one problem for each field; empty where it fits. */
export function problemsWith(schema: TSchema, value: unknown): FieldProblem[] {
  if (Check(schema, value)) return [];
  const [, errors] = Errors(schema, value);
  return problemsOfErrors(schema, value, errors);
}

/** A compiled check of values, much faster than one that reads its schema each time. */
export interface Compiled<T> {
  readonly schema: TSchema;
  fits(value: unknown): value is T;
  errorsOf(value: unknown): TLocalizedValidationError[];
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
    fits: (value): value is Static<Schema> => validator().Check(value),
    errorsOf: (value) => validator().Errors(value)[1],
  };
}
