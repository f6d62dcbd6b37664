/** What the calls of the original device share: their paths, and their place in the OpenAPI document. */
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { Done, success } from './envelope.ts';

type Group = 'camera' | 'device' | 'packages' | 'recognition' | 'synchronisation' | 'templates';

/** A body as a route gets it. */
type Sent<Body extends TSchema> = FastifyRequest<{ Body: Static<Body> }>['body'];

interface Described<Body extends TSchema> {
  /** Who may call it, and what it writes to the audit trail. */
  readonly config: FastifyContextConfig;
  /** Its operation in the document; its name when left out. */
  readonly operation?: string;
  readonly summary: string;
  readonly description: string;
  readonly body?: Body;
  readonly bodyLimit?: number;
}

/** A call that does something and answers only that it is done. */
interface Order<Body extends TSchema> extends Described<Body> {
  readonly answer?: never;
  readonly does: (body: Sent<Body>, request: FastifyRequest) => void | Promise<void>;
}

interface Question<Body extends TSchema, Answer extends TSchema> extends Described<Body> {
  readonly answer: Answer;
  readonly does: (body: Sent<Body>, request: FastifyRequest) => Static<Answer> | Promise<Static<Answer>>;
}

const DONE = Object.freeze(success(null));

const operationOf = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Adds calls of one group by their names, which follow `/api/`. */
export function originalCalls(app: FastifyInstance, group: Group) {
  const adding =
    (method: 'GET' | 'POST') =>
    <Body extends TSchema, Answer extends TSchema>(name: string, call: Order<Body> | Question<Body, Answer>): void => {
      const { config, operation = operationOf(name), summary, description, body, bodyLimit, answer, does } = call;
      app.route<{ Body: Static<Body> }>({
        method,
        url: `/api/${name}`,
        config,
        ...(bodyLimit !== undefined && { bodyLimit }),
        schema: {
          operationId: operation,
          tags: [`original device: ${group}`],
          summary,
          description,
          ...(body !== undefined && { body }),
          response: { 200: answer ?? Done },
        },
        handler: async (request) => {
          const answered = await does(request.body, request);
          return answer === undefined ? DONE : answered;
        },
      });
    };
  return { get: adding('GET'), post: adding('POST') };
}

/** Stands in the OpenAPI document: a client that checks only the status would take a failure for a picture. */
export const FAILS_AS_JSON =
  'A failure is JSON under HTTP 200 with a `code` below 0, as at the original device: look at `Content-Type` before the file is used.';
