/** The OpenAPI documents as tests look at them. */
import { Compile } from 'typebox/compile';
import { METHODS, type Method } from '../../firmware/core/http/reference/operations.ts';
import { problemsWith } from '../../firmware/core/schema/schema.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export interface JsonObject {
  readonly [name: string]: Json;
}

export interface Media {
  readonly schema?: JsonObject;
  readonly example?: Json;
  readonly examples?: Readonly<Record<string, { readonly value: Json }>>;
}
export interface Response {
  /** Until it is resolved. */
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, Media>>;
}
export interface Operation {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema?: JsonObject }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Response>>;
}
export interface ApiDocument {
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonObject>> };
}

export interface Call extends Operation {
  readonly url: string;
  readonly method: Method;
  /** For the words of a test. */
  readonly named: string;
}

/** A document with each reference in the place of what it means: ours lead back to none of them. */
export function resolved<T>(whole: ApiDocument, part: T): T {
  if (Array.isArray(part)) return part.map((each) => resolved(whole, each)) as T;
  if (typeof part !== 'object' || part === null) return part;
  const { $ref, ...beside } = part as { $ref?: unknown };
  if (typeof $ref !== 'string')
    return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, resolved(whole, value)])) as T;
  const meant = $ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, name) => Object(at)[name], whole);
  return { ...resolved(whole, meant as object), ...beside } as T;
}

/** Every call of a document, its references resolved. */
export const callsOf = (document: ApiDocument): Call[] =>
  Object.entries(document.paths).flatMap(([url, path]) =>
    METHODS.flatMap((method) => {
      const operation = path[method];
      return operation === undefined
        ? []
        : [{ ...resolved(document, operation), url, method, named: `${method.toUpperCase()} ${url}` }];
    }),
  );

export const examplesOf = ({ example, examples = {} }: Media): Json[] => [
  ...(example === undefined ? [] : [example]),
  ...Object.values(examples).map(({ value }) => value),
];

/** What is wrong with a value, in words; empty where it fits. */
export function misfits(schema: JsonObject, value: Json): string {
  if (Compile(schema).Check(value)) return '';
  return problemsWith(schema, value)
    .map(({ field, must }) => `${field} ${must}`)
    .join('; ');
}
