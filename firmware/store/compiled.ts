/** Checks of values, much faster than those that read a schema for each value. */
import type { Static, TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import { Compile, type Validator } from 'typebox/schema';

export interface Compiled<T> {
  readonly schema: TSchema;
  Check(value: unknown): value is T;
  Errors(value: unknown): TLocalizedValidationError[];
}

/** Compiled when it is needed first, which takes milliseconds: most starts need few of them. */
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
