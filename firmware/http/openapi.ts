/**
 * The OpenAPI document of a port. Routes describe what is theirs; what any call may be answered before it reaches its route,
 * or where it fails, is added to all of them here.
 */
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { type Envelope, STATUS_OF } from './failure.ts';

/** What no operation is answered: they are answers of other paths, of other methods, and of the routes that name them. */
const NOT_OF_EVERY_CALL: ReadonlySet<number> = new Set([
  STATUS_OF['not-found'],
  STATUS_OF.method,
  STATUS_OF.undecodable,
]);
/** What a call without a body is not answered. */
const OF_BODIES: ReadonlySet<number> = new Set([STATUS_OF['too-large'], STATUS_OF['media-type']]);

const JSON_TYPE = 'application/json';
/** Paths whose failures are worded otherwise. */
export interface OtherEnvelope {
  /** What the paths begin with. */
  readonly prefix: string;
  /** Its failures go under statuses of their own. */
  readonly envelope: Envelope;
}

const PROBLEM_SHAPE = { $ref: '#/components/schemas/Problem' };
const PROBLEM = { $ref: '#/components/responses/Problem' };
const FAILURE = { $ref: '#/components/schemas/Failure' };
const REFUSAL = { $ref: '#/components/responses/Failure' };

const METHODS = ['get', 'post', 'put'] as const;
type Method = (typeof METHODS)[number];

/** What is looked at of a document. */
interface Content {
  [mediaType: string]: { schema?: object };
}
interface Operation {
  readonly requestBody?: { required?: boolean; readonly content: Content };
  readonly responses: { [status: string]: { readonly content?: Content; readonly $ref?: string } };
}
interface Document {
  components?: { schemas?: object; responses?: object };
  readonly paths?: { readonly [path: string]: { readonly [method in Method]?: Operation } };
}

const mayBe = (status: number, method: Method): boolean =>
  !NOT_OF_EVERY_CALL.has(status) && (method !== 'get' || !OF_BODIES.has(status));

function addFailures({ responses }: Operation, method: Method, refusal: { readonly $ref: string }): void {
  for (const status of new Set(Object.values(STATUS_OF))) if (mayBe(status, method)) responses[status] ??= refusal;
}

/** A handled outcome that is no success goes under 200, too. */
function addHandledFailures({ responses }: Operation): void {
  const content = responses[200]?.content;
  if (content === undefined) return;
  const schema = content[JSON_TYPE]?.schema;
  content[JSON_TYPE] = { schema: schema === undefined ? FAILURE : { anyOf: [schema, FAILURE] } };
}

/** What a route describes of failures of its own is the one shape of them all. */
function shareFailure({ responses }: Operation, { mediaType = JSON_TYPE }: Envelope): void {
  for (const [status, response] of Object.entries(responses))
    if (Number(status) >= 400) responses[status] = { ...response, content: { [mediaType]: { schema: PROBLEM_SHAPE } } };
}

/** A body none of whose fields is required may be left out. */
function freeBody({ requestBody }: Operation): void {
  const schema = requestBody?.content[JSON_TYPE]?.schema;
  if (requestBody !== undefined && schema !== undefined && !('required' in schema)) requestBody.required = false;
}

/** A component of an envelope's failures. */
const responseOf = ({ mediaType = JSON_TYPE }: Envelope, name: string) => ({
  description: 'refused or failed',
  content: { [mediaType]: { schema: { $ref: `#/components/schemas/${name}` } } },
});

function complete(document: Document, envelope: Envelope, other: OtherEnvelope | null): object {
  const { failure, failsUnder200 } = envelope;
  for (const [url, path] of Object.entries(document.paths ?? {})) {
    const isOther = other !== null && url.startsWith(other.prefix);
    for (const method of METHODS) {
      const operation = path[method];
      if (operation === undefined) continue;
      if (isOther) shareFailure(operation, other.envelope);
      addFailures(operation, method, isOther ? PROBLEM : REFUSAL);
      if (failsUnder200 && !isOther) addHandledFailures(operation);
      freeBody(operation);
    }
  }
  const { schemas, responses } = document.components ?? {};
  return {
    ...document,
    components: {
      schemas: { ...schemas, Failure: failure, ...(other !== null && { Problem: other.envelope.failure }) },
      responses: {
        ...responses,
        Failure: responseOf(envelope, 'Failure'),
        ...(other !== null && { Problem: responseOf(other.envelope, 'Problem') }),
      },
    },
  };
}

export async function documentApi(
  app: FastifyInstance,
  about: { readonly title: string; readonly version: string },
  envelope: Envelope,
  other: OtherEnvelope | null,
): Promise<void> {
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title: about.title, version: about.version }, servers: [{ url: '/' }] },
    transformObject: (document) =>
      'openapiObject' in document ? complete(document.openapiObject as Document, envelope, other) : {},
  });
}
