/** Reads an OpenAPI document: the fields of a call, and how to type them as text. Imports nothing, for `lanectl`. */

export interface TypedField {
  readonly name: string;
  /** Where the value goes: `path`, `query` or `header`, else a member of the body. */
  readonly place: string;
  readonly isRequired: boolean;
  /** Description for people. */
  readonly about: string;
  /** The form of a text for the value. */
  readonly must: string;
  /** The value of a text; undefined for an invalid one. */
  readonly read: (text: string) => unknown;
}

/** Reads a named file whose content is sent. @returns Base64 */
type ReadFile = (file: string) => string;

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Types of JSON that are typed as JSON writes them. */
const KINDS: Readonly<Record<string, readonly [must: string, is: (value: unknown) => boolean]>> = {
  null: ['null', (value) => value === null],
  boolean: ['true or false', (value) => typeof value === 'boolean'],
  integer: ['a whole number', Number.isSafeInteger],
  number: ['a number', Number.isFinite],
  array: ['a list in JSON', Array.isArray],
  object: ['an object in JSON', isObject],
};

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller reports what the text must be
  }
}

/** Whether a field is a file: Base64, as the documents say. */
const isFile = ({ format }: Schema): boolean => format === 'byte';
/** Whether a field takes any text. */
const isText = ({ enum: values, type }: Schema): boolean => values === undefined && KINDS[String(type)] === undefined;

function wantedOf(schema: Schema): string {
  const { enum: values, type } = schema;
  if (Array.isArray(values)) return values.length === 1 ? String(values) : `one of ${values.join(', ')}`;
  return KINDS[String(type)]?.[0] ?? (isFile(schema) ? 'a file' : 'text');
}

function valueIn(schema: Schema, text: string, readFile: ReadFile): unknown {
  const { enum: values, type } = schema;
  if (Array.isArray(values)) return values.find((value) => String(value) === text);
  const [, is] = KINDS[String(type)] ?? [];
  if (is === undefined) return isFile(schema) ? readFile(text) : text;
  const value = json(text);
  return is(value) ? value : undefined;
}

/** The schema that a reference points to; without a reference, the schema itself. */
const resolved = ({ $ref, ...own }: Schema, { components }: Document): Schema => ({
  ...components?.schemas?.[String($ref).replace(/.*\//, '')],
  ...own,
});

function alternatives(schema: Schema, document: Document): readonly Schema[] {
  const whole = resolved(schema, document);
  return Array.isArray(whole.anyOf) ? whole.anyOf.flatMap((one) => alternatives(one, document)) : [whole];
}

function fieldOf(parameter: Parameter, document: Document, readFile: ReadFile): TypedField {
  const { name = '', in: place = 'body', required: isRequired = false, schema = {}, description } = parameter;
  const schemas = alternatives(schema, document);
  const must = schemas.map(wantedOf).join(' or ');
  const descriptions = [resolved(schema, document), ...schemas].map((each) => each.description);
  const about = description ?? descriptions.find((words) => typeof words === 'string') ?? '';
  const read = (text: string): unknown => {
    for (const each of schemas.toSorted((one, other) => Number(isText(one)) - Number(isText(other)))) {
      const value = valueIn(each, text, readFile);
      if (value !== undefined) return value;
    }
    return undefined;
  };
  return { name, place, isRequired, about: String(about), must, read };
}

/** The fields of a call. Of two with one name the one of path, query or header counts: the body can be sent whole. */
export function typedFields(
  { parameters = [], requestBody }: Operation,
  document: Document,
  readFile: ReadFile,
): readonly TypedField[] {
  const { properties, required } = resolved(requestBody?.content['application/json']?.schema ?? {}, document);
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const members = Object.entries(isObject(properties) ? properties : {})
    .filter(([name]) => !parameters.some((parameter) => parameter.name === name))
    .map(([name, schema]) => ({ name, schema: schema as Schema, required: needed.includes(name) }));
  return [...parameters, ...members].map((parameter) => fieldOf(parameter, document, readFile));
}

/** A JSON Schema; each member is a schema, a list or a map of schemas, or a rule for the value. */
export interface Schema {
  readonly [keyword: string]: unknown;
}
export interface Content {
  [mediaType: string]: { schema?: Schema; readonly example?: unknown };
}
export interface Answer {
  readonly content?: Content;
  readonly $ref?: string;
  readonly description?: string;
}
export interface Parameter {
  readonly in?: string;
  name?: string;
  schema?: Schema;
  readonly required?: boolean;
  readonly description?: string;
}
export interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: Parameter[];
  readonly requestBody?: { required?: boolean; readonly content: Content };
  readonly responses: { [status: string]: Answer };
}

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof METHODS)[number];

export interface Document {
  components?: { schemas?: { [name: string]: Schema }; responses?: { [name: string]: Answer } };
  readonly paths?: { readonly [path: string]: { readonly [method in Method]?: Operation } };
}

export interface Described {
  readonly url: string;
  readonly method: Method;
  readonly operation: Operation;
}

export const operationsOf = ({ paths = {} }: Document): readonly Described[] =>
  Object.entries(paths).flatMap(([url, path]) =>
    METHODS.flatMap((method) => {
      const operation = path[method];
      return operation === undefined ? [] : [{ url, method, operation }];
    }),
  );
