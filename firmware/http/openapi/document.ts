/**
 * The OpenAPI document of a port. Routes describe what is theirs; what holds for all of them is added here: who answers, who
 * may call, what any call may be answered before it reaches its route, and the names of shared schemas.
 */
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
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

export async function documentApi(
  app: FastifyInstance,
  { title, version, description, tags }: About,
  envelope: Envelope,
  other: OtherEnvelope | null,
): Promise<void> {
  await app.register(swagger, {
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
}
