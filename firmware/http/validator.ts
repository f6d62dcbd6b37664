/** Validates with TypeBox: nothing is coerced, nothing is dropped, and the error names the field. */
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { describe, type FieldProblem, sentence } from '../store/schema.ts';
import { HttpFailure } from './failure.ts';

/**
 * Entries of a list that are looked at for what is wrong. A check stops at the first wrong one, but the description goes
 * through all of them, microseconds each: half a million integers would keep a payment waiting for seconds. Most lists are
 * wrong from the start; the second number is more than any list of ours may have, so that too long a one is still told.
 */
const LOOKED_AT = [100, 10_001];

/** The same value with the beginnings of its lists. */
function excerpt(value: unknown, entries: number): unknown {
  if (Array.isArray(value)) return value.slice(0, entries).map((entry) => excerpt(entry, entries));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, excerpt(member, entries)]));
}

export function validatorCompiler({ schema, httpPart }: { schema: unknown; httpPart?: string }) {
  const check = Compile(schema as TSchema);
  const whole = `the ${httpPart ?? 'request'}`;

  function problemOf(value: unknown): FieldProblem {
    for (const entries of LOOKED_AT) {
      const [problem] = describe(check.Errors(excerpt(value, entries)));
      if (problem !== undefined) return problem;
    }
    return { field: '', must: 'must fit what the call takes' };
  }

  return (value: unknown) => {
    if (check.Check(value)) return { value };
    const problem = problemOf(value);
    return { error: new HttpFailure('parameter', sentence(problem, whole), { field: problem.field }) };
  };
}
