/** Schemas of calls: what a query, a path and a header take beside texts, what a stream sends, and how lists are paged on both ports. */
import Type, { type TSchema } from 'typebox';
import { patternWithMessage, SECONDS } from '../store/index.ts';

/** Headers of our own calls as people read them: Node hands them over, and schemas name them, in small letters. */
export const KEY_HEADER = 'Idempotency-Key';

const SPELLED: ReadonlyMap<string, string> = new Map(
  [KEY_HEADER, 'Last-Event-ID'].map((name) => [name.toLowerCase(), name]),
);

export const spelledHeader = (name: string): string => SPELLED.get(name) ?? name;

/** Of an answer that is of this moment, or for one caller alone. */
export const NO_STORE = { 'cache-control': 'no-store' } as const;

/**
 * For Fastify in place of the compilers that it loads by itself: one of answers, and an Ajv. No answer is checked or cut: its
 * schema describes it, and `test/answers.ts` holds each answer of a test to it. Who has schemas of requests sets a validator.
 */
export const WITHOUT_COMPILERS = Object.freeze({
  buildSerializer: () => () => JSON.stringify,
  buildValidator: (): never => {
    throw new Error('no validator is set');
  },
});

/** All of these numbers are exact in JSON. */
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
/** @param what is waited for */
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

/** How many entries a page has. */
export class Paging {
  readonly #usual: number;
  readonly #most: number;

  constructor(usual: number, most: number) {
    this.#usual = usual;
    this.#most = most;
  }

  /** @param what is listed */
  limit(what: string) {
    const description = `${what} at most, ${this.#most} in any case; ${this.#usual} when left out`;
    return Type.Optional(Type.Integer({ title: 'PageSize', minimum: 1, maximum: LARGEST_PAGE, description }));
  }

  sizeOf(limit: number | undefined): number {
    return Math.min(limit ?? this.#usual, this.#most);
  }
}

const CURSOR = patternWithMessage('^[1-9]\\d{0,14}$', 'must be the `cursor` of the page before');
/** Of a list that is in the order of numbers. */
export const cursor = Type.Optional(
  Type.String({ title: 'Cursor', pattern: CURSOR, description: '`cursor` of the page before' }),
);
/** @param cursor of a query; the first page has none */
export const beforeOf = (text: string | undefined): number => Number(text ?? Number.MAX_SAFE_INTEGER);

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const FROM_TEXT: Readonly<Record<string, (text: string) => unknown>> = {
  integer: (text) => (NUMBER.test(text) ? Number(text) : text),
  boolean: (text) => ({ true: true, false: false })[text] ?? text,
};

/** Makes of the texts of a query, a path or headers what their schema asks for; what is no number stays a text. */
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
