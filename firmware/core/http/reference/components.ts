/**
 * Schemas with a `title` become components of that name, and are referred to wherever they stand: a client gets one type for
 * one thing, and the document says each thing once. Checks and serialisers have the schemas whole, as the routes name them.
 */
import { isDeepStrictEqual } from 'node:util';
import { isFields } from '../../../../drivers/lib/fields.ts';
import { type Document, operationsOf, type Schema } from './operations.ts';

/** Members of a schema that are schemas, by how they hold them. */
const ONE: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'contentSchema', 'not']);
const LISTS: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const MAPS: ReadonlySet<string> = new Set(['properties', 'patternProperties']);

const mapped = (schemas: object, map: (schema: unknown) => unknown): object =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, map(schema)]));

/** What the schema demands, without its descriptions: a place may have more of these. */
function demandsOf({ description: _, examples: __, ...demands }: Schema): Schema {
  return demands;
}

const GREATEST_INT32 = 2 ** 31 - 1;
/** Of a whole number that may be too large for what a generator of Java or C# takes where no format is named. */
const isLong = ({ type, maximum }: Schema): boolean =>
  type === 'integer' && !(typeof maximum === 'number' && maximum <= GREATEST_INT32);

class Components {
  readonly schemas: { [name: string]: Schema } = {};

  /** @throws {Error} where two schemas of one title demand different things */
  share = (schema: unknown): unknown => {
    if (!isFields(schema)) return schema;
    const { title, ...whole } = Object.fromEntries(
      Object.entries(schema).map(([keyword, value]) => [keyword, this.#inside(keyword, value)]),
    );
    if (isLong(whole)) Object.assign(whole, { format: 'int64' });
    return typeof title === 'string' ? this.#refer(title, whole) : whole;
  };

  #inside(keyword: string, value: unknown): unknown {
    if (ONE.has(keyword)) return this.share(value);
    if (LISTS.has(keyword) && Array.isArray(value)) return value.map(this.share);
    if (MAPS.has(keyword) && isFields(value)) return mapped(value, this.share);
    return value;
  }

  #refer(title: string, whole: Schema): Schema {
    const known = this.schemas[title];
    if (known !== undefined && !isDeepStrictEqual(demandsOf(known), demandsOf(whole)))
      throw new Error(`two schemas of the OpenAPI document are called ${title}: give one of them another title`);
    const description = known?.description ?? whole.description;
    this.schemas[title] = { ...whole, ...known, ...(description !== undefined && { description }) };
    const own = whole.description === undefined || whole.description === description;
    return { $ref: `#/components/schemas/${title}`, ...(!own && { description: whole.description }) };
  }
}

interface Holder {
  schema?: Schema;
}

const holdersOf = (document: Document): Holder[] => [
  ...operationsOf(document).flatMap(({ operation }) => [
    ...(operation.parameters ?? []),
    ...Object.values(operation.requestBody?.content ?? {}),
    ...Object.values(operation.responses).flatMap(({ content = {} }) => Object.values(content)),
  ]),
  ...Object.values(document.components?.responses ?? {}).flatMap(({ content = {} }) => Object.values(content)),
];

/** @throws {Error} where two schemas of one title demand different things */
export function shareSchemas(document: Document): void {
  const components = new Components();
  for (const [title, schema] of Object.entries(document.components?.schemas ?? {}))
    components.share({ ...schema, title });
  for (const holder of holdersOf(document))
    if (holder.schema !== undefined) holder.schema = components.share(holder.schema) as Schema;
  document.components = { ...document.components, schemas: components.schemas };
}
