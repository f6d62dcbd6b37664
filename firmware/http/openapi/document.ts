/**
 * The OpenAPI document of a port. Routes describe what is theirs; what holds for all of them is added here: who answers, who
 * may call, what any call may be answered before it reaches its route, and the names of shared schemas.
 */
import fastify, { type FastifyInstance, type RouteOptions } from 'fastify';
import { WITHOUT_COMPILERS } from '../checks/compilers.ts';
import type { Envelope } from '../failure.ts';
import { spelledHeader } from '../header-names.ts';
import { addCommonAnswers, type OtherEnvelope } from './common-answers.ts';
import { shareSchemas } from './components.ts';
import { type Document, operationsOf } from './operations.ts';

/** What a port says of itself. */
export interface About {
  readonly title: string;
  readonly version: string;
  /** What the port is for, and where its calls are explained. */
  readonly description: string;
  /** What the calls are sorted under, in the order of a reader. */
  readonly tags: readonly { readonly name: string; readonly description: string }[];
}

/** A token opens the device to the network; a program on this machine sends none. */
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

/** Headers are told as people write them. */
function spellHeaders(document: Document): void {
  for (const { operation } of operationsOf(document))
    for (const parameter of operation.parameters ?? [])
      if (parameter.in === 'header') parameter.name = spelledHeader(parameter.name ?? '');
}

function complete(document: Document, envelope: Envelope, other: OtherEnvelope | null): object {
  spellHeaders(document);
  addCommonAnswers(document, envelope, other);
  shareSchemas(document);
  return {
    ...document,
    components: { ...document.components, securitySchemes: SECURITY_SCHEMES },
    security: SECURITY,
  };
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Its OpenAPI document. */
    readonly describeApi: () => Promise<object>;
  }
}

/** What makes a document is loaded once somebody reads one: it collects the same routes from a server that listens to nobody. */
async function describe(
  routes: readonly RouteOptions[],
  { title, version, description, tags }: About,
  envelope: Envelope,
  other: OtherEnvelope | null,
): Promise<object> {
  const { default: swagger } = await import('@fastify/swagger');
  const scribe: FastifyInstance = fastify({
    exposeHeadRoutes: false,
    schemaController: { compilersFactory: WITHOUT_COMPILERS },
  });
  scribe.setValidatorCompiler(() => () => true);
  await scribe.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title,
        version,
        description,
        contact: { name: 'Laneware' },
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'the device that this document comes from' }],
      tags: [...tags],
    },
    convertConstToEnum: false, // OpenAPI 3.1 has `const`
    transformObject: (document) =>
      'openapiObject' in document ? complete(document.openapiObject as object as Document, envelope, other) : {},
  });
  for (const { method, url, schema = {} } of routes)
    scribe.route({ method, url, schema, handler: async () => undefined });
  await scribe.ready();
  return scribe.swagger();
}

/** To be called before the first route is added. */
export function documentApi(app: FastifyInstance, about: About, envelope: Envelope, other: OtherEnvelope | null): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    routes.push(route);
  });
  let document: Promise<object> | null = null;
  app.decorate('describeApi', () => {
    document ??= describe(routes, about, envelope, other);
    return document;
  });
}
