/** Makes an OpenAPI document of routes: it collects them from a server that does not listen. Loaded once somebody reads a document. */
import swagger from '@fastify/swagger';
import fastify, { type FastifyInstance, type RouteOptions } from 'fastify';
import { WITHOUT_COMPILERS } from '../compilers.ts';
import type { Envelope } from '../failure.ts';
import { spelledHeader } from '../header-names.ts';
import { addCommonAnswers } from './common-answers.ts';
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

/** Headers are named as people write them. */
function spellHeaders(document: Document): void {
  for (const { operation } of operationsOf(document))
    for (const parameter of operation.parameters ?? [])
      if (parameter.in === 'header') parameter.name = spelledHeader(parameter.name ?? '');
}

function complete(document: Document, { envelope, problems }: Failing): object {
  spellHeaders(document);
  addCommonAnswers(document, envelope, problems);
  shareSchemas(document);
  return {
    ...document,
    components: { ...document.components, securitySchemes: SECURITY_SCHEMES },
    security: SECURITY,
  };
}

export async function describeRoutes(
  routes: readonly RouteOptions[],
  { title, version, description, tags }: About,
  failing: Failing,
): Promise<object> {
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
        license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      },
      servers: [{ url: '/', description: 'the device that this document comes from' }],
      tags: [...tags],
    },
    convertConstToEnum: false, // OpenAPI 3.1 has `const`
    transformObject: (document) =>
      'openapiObject' in document ? complete(document.openapiObject as object as Document, failing) : {},
  });
  for (const { method, url, schema = {} } of routes)
    scribe.route({ method, url, schema, handler: async () => undefined });
  await scribe.ready();
  return scribe.swagger();
}
