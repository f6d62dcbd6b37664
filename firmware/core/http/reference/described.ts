/**
 * Makes an OpenAPI document from routes, which it collects from a server that does not listen. Loaded when somebody
 * first reads a document.
 */

import { isDeepStrictEqual } from 'node:util';
import swagger from '@fastify/swagger';
import fastify, { type FastifyInstance, type RouteOptions } from 'fastify';
import { isFields } from '../../../../drivers/lib/strict-json.ts';
import { nextTurn } from '../../../../drivers/lib/turns.ts';
import { portablePattern } from '../../schema/index.ts';
import type { Envelope } from '../call/failure.ts';
import { spelledHeader, WITHOUT_COMPILERS } from '../call/query.ts';
import { isStrict, JSON_TYPE } from '../failure-answers.ts';
import { type Answer, type Document, type Operation, operationsOf, type Schema } from './operations.ts';

// Schemas with a `title` become components of that name, and places refer to them: a client gets one type for one
// thing, and the document describes each thing once. Validators and serialisers have whole schemas, as the routes name
// them.

/** Members of a schema that hold one schema. */
const ONE: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'contentSchema', 'not']);
const LISTS: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const MAPS: ReadonlySet<string> = new Set(['properties', 'patternProperties']);

const mapped = (schemas: object, map: (schema: unknown) => unknown): object =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, map(schema)]));

/** The demands of a schema, without descriptions: a place may describe it differently. */
function demandsOf({ description: _, examples: __, ...demands }: Schema): Schema {
  return demands;
}

const GREATEST_INT32 = 2 ** 31 - 1;
/** Whether a whole number may exceed the default type of a generator for Java or C#, so that it needs a format. */
const isLong = ({ type, maximum }: Schema): boolean =>
  type === 'integer' && !(typeof maximum === 'number' && maximum <= GREATEST_INT32);

/** Whether a schema is just a text or a number: its field gives the meaning, not its kind. */
const isPlain = ({ type, enum: values }: Schema): boolean =>
  (type === 'string' || type === 'integer') && values === undefined;

class Components {
  readonly schemas: { [name: string]: Schema } = {};

  /** Makes components of titled schemas. @throws {Error} where two schemas of one title demand different things */
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
    if (keyword === 'pattern' && typeof value === 'string') return portablePattern(value);
    return value;
  }

  #refer(title: string, whole: Schema): Schema {
    const known = this.schemas[title];
    if (known !== undefined && !isDeepStrictEqual(demandsOf(known), demandsOf(whole)))
      throw new Error(`two schemas of the OpenAPI document are called ${title}: give one of them another title`);
    const { description: words, ...wordless } = whole;
    const shared = { ...(isPlain(whole) ? wordless : whole), ...known };
    this.schemas[title] = shared;
    const own = words === undefined || words === shared.description;
    return { $ref: `#/components/schemas/${title}`, ...(!own && { description: words }) };
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

/** Places with a schema that are handled in one turn of the event loop. */
const HOLDERS_A_PIECE = 50;

/** Makes components of a document's schemas. @throws {Error} where two of one title demand different things */
export async function shareSchemas(document: Document): Promise<void> {
  const components = new Components();
  for (const [title, schema] of Object.entries(document.components?.schemas ?? {}))
    components.share({ ...schema, title });
  for (const [index, holder] of holdersOf(document).entries()) {
    if (index % HOLDERS_A_PIECE === 0) await nextTurn();
    if (holder.schema !== undefined) holder.schema = components.share(holder.schema) as Schema;
  }
  document.components = { ...document.components, schemas: components.schemas };
}

/** The shared answer for failures before a route, or in it: added to all calls. */
const PROBLEM = { $ref: '#/components/responses/Problem' };
const FAILURE = { $ref: '#/components/schemas/Failure' };
const REFUSAL = { $ref: '#/components/responses/Failure' };

const CLIENT_FAULT = /^4\d\d$/;
const SERVER_FAULT = /^5\d\d$/;

/** Removes a route's answers of such statuses. @returns the shared answer that replaces them */
function sharedFor(statuses: RegExp, responses: Operation['responses'], failure: Answer): Answer {
  const own = Object.entries(responses).filter(([status]) => statuses.test(status));
  for (const [status] of own) delete responses[status];
  const description = own.map(([status, answer]) => `${status}: ${answer.description}`).join('; ');
  return { ...failure, ...(description !== '' && { description }) };
}

/** Replaces all refusals and failures by two answers, which include the route's own words. */
function shareFailures({ responses }: Operation, failure: Answer): void {
  responses['4XX'] = sharedFor(CLIENT_FAULT, responses, failure);
  responses.default = sharedFor(SERVER_FAULT, responses, failure);
}

/** Media type of streams, which always begin with a success. */
const STREAM_TYPE = 'text/event-stream';

/** Adds failures under 200 where a port sends them so: always JSON, even if a success is of another type. */
function addHandledFailures({ responses }: Operation, { failure: { examples: [example] = [] } }: Envelope): void {
  const content = responses[200]?.content;
  if (content === undefined || STREAM_TYPE in content) return;
  const media = content[JSON_TYPE];
  if (media === undefined) content[JSON_TYPE] = { schema: FAILURE, example };
  else if (media.schema !== undefined) media.schema = { anyOf: [media.schema, FAILURE] };
}

/** Makes a body optional if no field is required, unless it must have some field. */
function freeBody({ requestBody }: Operation): void {
  const schema = requestBody?.content[JSON_TYPE]?.schema;
  if (requestBody === undefined || schema === undefined) return;
  if (!('required' in schema) && !('minProperties' in schema)) requestBody.required = false;
}

/** A component for an envelope's failures. */
const responseOf = ({ mediaType = JSON_TYPE }: Envelope, name: string) => ({
  description: 'refused or failed',
  content: { [mediaType]: { schema: { $ref: `#/components/schemas/${name}` } } },
});

function addCommonAnswers(document: Document, envelope: Envelope, problems: Envelope | null): void {
  for (const { url, operation } of operationsOf(document)) {
    const isProblem = problems !== null && isStrict(url);
    shareFailures(operation, isProblem ? PROBLEM : REFUSAL);
    if (envelope.failsUnder200 && !isProblem) addHandledFailures(operation, envelope);
    freeBody(operation);
  }
  const { schemas, responses } = document.components ?? {};
  document.components = {
    schemas: {
      ...schemas,
      Failure: { ...envelope.failure } as Schema,
      ...(problems !== null && { Problem: { ...problems.failure } as Schema }),
    },
    responses: {
      ...responses,
      Failure: responseOf(envelope, 'Failure'),
      ...(problems !== null && { Problem: responseOf(problems, 'Problem') }),
    },
  };
}

/** The introduction of a port. */
export interface About {
  readonly title: string;
  readonly version: string;
  /** What the port is for, and where its calls are explained. */
  readonly description: string;
  /** The groups of calls, in reading order. */
  readonly tags: readonly { readonly name: string; readonly description: string }[];
}

export interface Failing {
  readonly envelope: Envelope;
  readonly problems: Envelope | null;
}

const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'a token of `api.tokens` or `api.token` of the configuration; a program on the device needs none',
  },
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'the same token as the password, with any name: what a browser asks its user for',
  },
} as const;

const SECURITY = [{}, { bearer: [] }, { basic: [] }];

/** Spells headers as people write them. */
function spellHeaders(document: Document): void {
  for (const { operation } of operationsOf(document))
    for (const parameter of operation.parameters ?? [])
      if (parameter.in === 'header') parameter.name = spelledHeader(parameter.name ?? '');
}

/** Routes described in one turn of the event loop: some milliseconds, as a sale may come in between. */
const ROUTES_A_PIECE = 10;

/** Describes some routes, as they are. */
async function describeSome(
  routes: readonly RouteOptions[],
  { title, version, description, tags }: About,
): Promise<Document> {
  const describer: FastifyInstance = fastify({
    exposeHeadRoutes: false,
    schemaController: { compilersFactory: WITHOUT_COMPILERS },
  });
  describer.setValidatorCompiler(() => () => true);
  await describer.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title,
        version,
        description,
        contact: { name: 'Laneware' },
        license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      },
      servers: [{ url: '/', description: 'the device that this document comes from' }],
      tags: [...tags],
    },
    convertConstToEnum: false, // OpenAPI 3.1 has `const`
  });
  for (const { method, url, schema = {} } of routes)
    describer.route({ method, url, schema, handler: async () => undefined });
  await describer.ready();
  return describer.swagger() as object as Document;
}

export async function describeRoutes(
  routes: readonly RouteOptions[],
  about: About,
  { envelope, problems }: Failing,
): Promise<object> {
  await nextTurn(); // loading this code took a turn
  const paths: Record<string, NonNullable<Document['paths']>[string]> = {};
  const document = { ...(await describeSome([], about)), paths };
  for (let at = 0; at < routes.length; at += ROUTES_A_PIECE) {
    await nextTurn();
    const some = await describeSome(routes.slice(at, at + ROUTES_A_PIECE), about);
    for (const [path, methods] of Object.entries(some.paths ?? {})) paths[path] = { ...paths[path], ...methods };
  }
  await nextTurn();
  spellHeaders(document);
  addCommonAnswers(document, envelope, problems);
  await shareSchemas(document);
  return {
    ...document,
    components: { ...document.components, securitySchemes: SECURITY_SCHEMES },
    security: SECURITY,
  };
}
