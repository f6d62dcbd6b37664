/** Schemas of calls: values in a query, a path and a header, messages of a stream, and pages of lists on both ports. */
import Type, { type TSchema } from 'typebox';
import { patternWithMessage, SECONDS } from '../../schema/index.ts';

/** Headers of Laneware's calls, spelt for people: Node gives them, and schemas name them, in lower case. */
export const KEY_HEADER = 'Idempotency-Key';

const SPELLED: ReadonlyMap<string, string> = new Map(
  [KEY_HEADER, 'Last-Event-ID'].map((name) => [name.toLowerCase(), name]),
);

export const spelledHeader = (name: string): string => SPELLED.get(name) ?? name;

/** Header of an answer for this moment, or for one caller only. */
export const NO_STORE = { 'cache-control': 'no-store' } as const;

/**
 * Replaces the compilers that Fastify loads by itself: a serialiser, and Ajv. No answer is checked or cut: its schema
 * describes it, and `test/answers.ts` checks the answers of tests. Servers with schemas of requests set a validator.
 */
export const WITHOUT_COMPILERS = Object.freeze({
  buildSerializer: () => () => JSON.stringify,
  buildValidator: (): never => {
    throw new Error('no validator is set');
  },
});

/** Largest number of a schema: all numbers up to it are exact in JSON. */
const GREATEST = 999_999_999_999_999;
const LONGEST_WAIT_S = 25;
const LARGEST_PAGE = 1000;

export const eventNumber = (description: string) =>
  Type.Optional(Type.Integer({ title: 'EventNumber', minimum: 0, maximum: GREATEST, description }));
/** A message of a stream of events. @param data of its JSON */
export const sentEvent = (title: string, event: TSchema, data: TSchema) =>
  Type.Object(
    {
      id: Type.String({ description: 'to be sent as `Last-Event-ID`: what comes after it is not missed' }),
      event,
      data: Type.Unsafe<string>({ type: 'string', contentMediaType: 'application/json', contentSchema: data }),
    },
    { title },
  );
export const ordinal = (description: string) =>
  Type.Integer({ title: 'Ordinal', minimum: 1, maximum: GREATEST, description });
/** @param what the thing that the caller waits for */
export const waitSeconds = (what: string) =>
  Type.Optional(
    Type.Integer({
      title: 'WaitSeconds',
      minimum: 0,
      maximum: LONGEST_WAIT_S,
      ...SECONDS,
      description: `seconds, ${LONGEST_WAIT_S} at most, for ${what}; 0 when left out`,
    }),
  );

/** Number of entries of a page. */
export class Paging {
  readonly #usual: number;
  readonly #most: number;

  constructor(usual: number, most: number) {
    this.#usual = usual;
    this.#most = most;
  }

  /** @param what the things listed */
  limit(what: string) {
    const description = `${what} at most, ${this.#most} in any case; ${this.#usual} when left out`;
    return Type.Optional(Type.Integer({ title: 'PageSize', minimum: 1, maximum: LARGEST_PAGE, description }));
  }

  sizeOf(limit: number | undefined): number {
    return Math.min(limit ?? this.#usual, this.#most);
  }
}

const CURSOR = patternWithMessage('^[1-9]\\d{0,14}$', 'must be the `cursor` of the page before');
/** Cursor of a list ordered by numbers. */
export const cursor = Type.Optional(
  Type.String({ title: 'Cursor', pattern: CURSOR, description: '`cursor` of the page before' }),
);
/** The number that a page's entries stay below. @param text the query's cursor; the first page has none */
export const beforeOf = (text: string | undefined): number => Number(text ?? Number.MAX_SAFE_INTEGER);

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const FROM_TEXT: Readonly<Record<string, (text: string) => unknown>> = {
  integer: (text) => (NUMBER.test(text) ? Number(text) : text),
  boolean: (text) => ({ true: true, false: false })[text] ?? text,
};

/** Converts texts of a query, a path or headers to the types of their schema; a text that is no number stays. */
export function typing(schema: unknown): (texts: unknown) => unknown {
  const { properties = {} } = Object(schema) as { readonly properties?: Readonly<Record<string, TSchema>> };
  const typed = Object.entries(properties).flatMap(([name, field]) => {
    const convert = FROM_TEXT[String(Object(field).type)];
    return convert === undefined ? [] : [{ name, convert }];
  });
  if (typed.length === 0) return (texts) => texts;
  return (texts) => {
    const all: Record<string, unknown> = { ...Object(texts) };
    for (const { name, convert } of typed) if (typeof all[name] === 'string') all[name] = convert(all[name]);
    return all;
  };
}
