/**
 * Checks each JSON answer of each server in this process against the schema of its call: it must have all that the
 * schema requires, nothing that the schema does not name, and no secret that a caller has sent. The device itself does
 * not check. A fault fails the test file as an unhandled rejection.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { problemsWith } from '../firmware/core/schema/schema.ts';

type Schema = Readonly<Record<string, unknown>>;
type Check = ReturnType<typeof Compile>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const eachOf = (named: unknown, change: (schema: unknown) => unknown): unknown =>
  Object.fromEntries(Object.entries(Object(named)).map(([name, schema]) => [name, change(schema)]));

/**
 * The same schema, but objects may have only named members.
 * @param isPart whether the schema is part of an `allOf`, where other parts name the other members
 */
function strict(schema: unknown, isPart = false): unknown {
  if (Array.isArray(schema)) return schema.map((each) => strict(each, isPart));
  if (!isSchema(schema)) return schema;
  const { properties, patternProperties, items, anyOf, oneOf, allOf, prefixItems, additionalProperties } = schema;
  const closes = !isPart && additionalProperties === undefined;
  return {
    ...schema,
    ...(properties !== undefined && { properties: eachOf(properties, (each) => strict(each)) }),
    ...(patternProperties !== undefined && { patternProperties: eachOf(patternProperties, (each) => strict(each)) }),
    ...(items !== undefined && { items: strict(items) }),
    ...(prefixItems !== undefined && { prefixItems: strict(prefixItems) }),
    ...(isSchema(additionalProperties) && { additionalProperties: strict(additionalProperties) }),
    ...(anyOf !== undefined && { anyOf: strict(anyOf, isPart) }),
    ...(oneOf !== undefined && { oneOf: strict(oneOf, isPart) }),
    ...(allOf !== undefined && { allOf: strict(allOf, true) }),
    ...(closes && properties !== undefined && allOf === undefined && { additionalProperties: false }),
    ...(closes && allOf !== undefined && { unevaluatedProperties: false }),
  };
}

const checks = new WeakMap<object, Check>();

function checkOf(schema: TSchema): Check {
  const check = checks.get(schema) ?? Compile(strict(schema) as TSchema);
  checks.set(schema, check);
  return check;
}

/** Schemas of failures that a route does not describe itself. */
async function failures(): Promise<TSchema[]> {
  const [{ terminalEnvelope }, { recognitionEnvelope }, { terminalProblems }] = await Promise.all([
    import('../firmware/payments/http/nine/envelope.ts'),
    import('../firmware/recognition/http/original/envelope.ts'),
    import('../firmware/payments/http/v1/problem.ts'),
  ]);
  return [terminalEnvelope, recognitionEnvelope, terminalProblems].map(({ failure }) => failure);
}

/** The schema of a route's answer with this status; null where the route describes none. */
function described({ routeOptions }: FastifyRequest, status: number, type: string): Schema | null {
  const answers = Object(Object(routeOptions.schema).response);
  const schema: unknown = answers[status] ?? answers[`${String(status)[0]}xx`] ?? answers.default;
  if (!isSchema(schema)) return null;
  if (!isSchema(schema.content)) return schema;
  const media = schema.content[type];
  return isSchema(media) && isSchema(media.schema) ? media.schema : null;
}

async function misfit(request: FastifyRequest, { statusCode }: FastifyReply, type: string, text: string) {
  const answer: unknown = JSON.parse(text);
  const own = described(request, statusCode, type);
  const failed = statusCode >= 400 || (isSchema(answer) && typeof answer.code === 'number' && answer.code !== 0);
  if (own === null && !failed) return null; // a document, or the answer of a page
  const may = [...(own === null ? [] : [own]), ...(failed ? await failures() : [])];
  if (may.some((schema) => checkOf(schema).Check(answer))) return null;
  const problems = problemsWith(strict(may[0]) as TSchema, answer);
  return problems.map(({ field, must }) => `${field} ${must}`).join('; ');
}

/** Calls whose answer is the secret that they made or received. */
const GIVES_SECRET: ReadonlySet<string> = new Set(['PUT /console/api/tokens/:role', 'POST /console/api/claim']);
/** Shorter texts may be in an answer by chance. */
const SHORTEST_SECRET = 8;

/** Secrets that callers have sent to a server, and that no answer may hold. */
class Secrets {
  readonly #known = new Set<string>();

  add(text: unknown): void {
    if (typeof text === 'string' && text.length >= SHORTEST_SECRET) this.#known.add(text);
  }

  /** Adds those texts of a body that its masked copy does not show. */
  addOf(body: unknown, masked: unknown): void {
    if (typeof body === 'object' && typeof masked === 'object')
      for (const [name, value] of Object.entries(Object(body))) this.addOf(value, Object(masked)[name]);
    else if (body !== masked) this.add(body);
  }

  /** @param address of the call, which a refusal may name */
  in(text: string, address: string): string | null {
    const isTold = (secret: string) => text.includes(JSON.stringify(secret).slice(1, -1)) && !address.includes(secret);
    return [...this.#known].find(isTold) ?? null;
  }
}

/** Whether the body came as JSON: a file has millions of bytes, and no fields of its own. */
const isParsed = (body: unknown): body is Schema => isSchema(body) && Object.getPrototypeOf(body) === Object.prototype;

const SECRET_HEADER = /^Bearer (.+)$/i;
/** No call takes a secret in a larger body; a list of hundreds of thousands of entries takes minutes to mask. */
const MOST_BYTES = 64 * 1024;

function watch(app: FastifyInstance): void {
  const secrets = new Secrets();
  app.addHook('preHandler', async ({ body, headers }) => {
    const { masked } = await import('../firmware/payments/settings/settings-secrets.ts');
    const isSmall = Number(headers['content-length'] ?? 0) <= MOST_BYTES;
    if (isSmall && isParsed(body)) secrets.addOf(body, masked(body));
    secrets.add(SECRET_HEADER.exec(headers.authorization ?? '')?.[1]);
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const [type = ''] = String(reply.getHeader('content-type')).split(';');
    if (!app.hasDecorator('describeApi')) return; // a server of a test's own, which describes nothing
    if (!type.endsWith('json') || (typeof payload !== 'string' && !Buffer.isBuffer(payload))) return;
    const text = String(payload);
    const problem = await misfit(request, reply, type, text);
    const call = `${request.method} ${request.routeOptions.url ?? request.url}`;
    const secret = GIVES_SECRET.has(call) ? null : secrets.in(text, request.originalUrl);
    const about = `${call} answers ${reply.statusCode}`;
    if (problem !== null) fail(`${about}, and its schema says: ${problem}: ${text.slice(0, 1000)}`);
    if (secret !== null) fail(`${about} with the secret ${secret}: ${text.slice(0, 1000)}`);
  });
}

function fail(problem: string): void {
  void Promise.reject(new Error(problem));
}

subscribe('fastify.initialization', (message) => watch((message as { fastify: FastifyInstance }).fastify));
