/**
 * Finds fields that a call does not know. A till written for another device sends them to the older calls: they are
 * ignored, and the log names each once, so that a misspelling can be found. `/v1` and the console's calls refuse them:
 * in a body by its schema, in a query here.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { type Fields, isFields } from '../../../drivers/lib/strict-json.ts';
import { beginning } from '../../../drivers/lib/text.ts';
import { isStrict } from './failure-answers.ts';

/** Most fields logged: a client that invents names must not fill the log, nor the memory of logged names. */
export const MAX_FIELDS_LOGGED = 100;
const LONGEST_FIELD_LOGGED = 64;

/** The fields that the schema of a call's body names; null where it names none. */
function knownFields({ routeOptions }: FastifyRequest): Fields | null {
  const schema = routeOptions.schema?.body;
  return isFields(schema) && isFields(schema.properties) ? schema.properties : null;
}

const NO_PARAMETERS = Type.Object({}, { additionalProperties: false });

/** Refuses unknown query parameters of `/v1` and the console's calls; a call without a schema for its query takes none. */
export function refuseUnknownParameters(app: FastifyInstance): void {
  app.addHook('onRoute', ({ url, schema }) => {
    if (isStrict(url) && schema !== undefined) schema.querystring ??= NO_PARAMETERS;
  });
}

export function ignoreUnknownFields(app: FastifyInstance): void {
  const logged = new Set<string>();

  function log(request: FastifyRequest, name: string): void {
    const call = request.routeOptions.url ?? '';
    const field = beginning(name, LONGEST_FIELD_LOGGED);
    const both = `${call} ${field}`;
    if (logged.has(both) || logged.size === MAX_FIELDS_LOGGED) return;
    logged.add(both);
    request.log.warn({ call, field }, 'this call knows no such field: it is passed over');
  }

  app.addHook('preHandler', async (request) => {
    const known = knownFields(request);
    if (known === null || !isFields(request.body)) return;
    const sent = Object.entries(request.body);
    for (const [name] of sent) if (!Object.hasOwn(known, name)) log(request, name);
    request.body = Object.fromEntries(sent.filter(([name]) => Object.hasOwn(known, name)));
  });
}
