/** Checks what a call has sent against its schemas: the refusal names the field. */
import type { TSchema } from 'typebox';
import { isFields } from '../../../../drivers/lib/strict-json.ts';
import { compiled, type FieldProblem, problemsOfErrors, sentence } from '../../schema/index.ts';
import { HttpFailure } from '../call/failure.ts';
import { spelledHeader, typing } from '../call/query.ts';

/**
 * Entries of a list that are described when it is wrong. A check stops at the first wrong entry, but the description
 * goes through all, microseconds each: half a million integers would delay a payment by seconds. The number exceeds any
 * list that a call takes, so that too long a list is still reported.
 */
const EXCERPT_ENTRIES = 10_001;

/** The value with only the beginnings of its lists. */
function excerpt(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, EXCERPT_ENTRIES).map(excerpt);
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, excerpt(member)]));
}

/** The problem of a query parameter named twice, which comes as a list. */
const repeated = (query: unknown, problem: FieldProblem): FieldProblem =>
  Object.entries(Object(query)).some(([name, value]) => name === problem.field && Array.isArray(value))
    ? { ...problem, must: 'must be named once' }
    : problem;

/** Validates with TypeBox: coerces and drops nothing of a body; the error names the field. */
export function validatorCompiler({ schema, httpPart }: { schema: unknown; httpPart?: string }) {
  const check = compiled(schema as TSchema);
  const whole = `the ${httpPart ?? 'request'}`;
  const typed = httpPart === 'body' ? (value: unknown) => value : typing(schema);

  function problemOf(value: unknown): FieldProblem {
    const beginning = excerpt(value);
    const [problem] = problemsOfErrors(schema as TSchema, beginning, check.errorsOf(beginning));
    return problem ?? { field: '', must: 'must fit what the call takes' };
  }

  return (sent: unknown) => {
    const value = typed(sent);
    if (check.fits(value)) return { value };
    const problem = httpPart === 'querystring' ? repeated(value, problemOf(value)) : problemOf(value);
    const field = httpPart === 'headers' ? spelledHeader(problem.field) : problem.field;
    const named = httpPart === 'headers' ? { ...problem, field: `the header ${field}` } : problem;
    return { error: new HttpFailure('parameter', sentence(named, whole), { field }) };
  };
}
