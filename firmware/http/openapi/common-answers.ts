/** What any call may be answered before it reaches its route, or where it fails: added to all of them. */
import { type Envelope, STATUS_OF } from '../failure.ts';
import { isStrict } from '../problem.ts';
import { type Document, type Method, type Operation, operationsOf, type Schema } from './operations.ts';

/** What no operation is answered: they are answers of other paths, of other methods, and of the routes that name them. */
const NOT_OF_EVERY_CALL: ReadonlySet<number> = new Set([
  STATUS_OF['not-found'],
  STATUS_OF.method,
  STATUS_OF.undecodable,
]);
/** What a call without a body is not answered. */
const OF_BODIES: ReadonlySet<number> = new Set([STATUS_OF['too-large'], STATUS_OF['media-type']]);

const JSON_TYPE = 'application/json';
const PROBLEM_SHAPE = { $ref: '#/components/schemas/Problem' };
const PROBLEM = { $ref: '#/components/responses/Problem' };
const FAILURE = { $ref: '#/components/schemas/Failure' };
const REFUSAL = { $ref: '#/components/responses/Failure' };

const mayBe = (status: number, method: Method): boolean =>
  !NOT_OF_EVERY_CALL.has(status) && (method !== 'get' || !OF_BODIES.has(status));

function addFailures({ responses }: Operation, method: Method, refusal: { readonly $ref: string }): void {
  for (const status of new Set(Object.values(STATUS_OF))) if (mayBe(status, method)) responses[status] ??= refusal;
}

/** What is told piece by piece has begun with a success. */
const STREAM_TYPE = 'text/event-stream';

/** A handled outcome that is no success goes under 200, too: as JSON, whatever the success is. */
function addHandledFailures({ responses }: Operation, { failure: { examples: [example] = [] } }: Envelope): void {
  const content = responses[200]?.content;
  if (content === undefined || STREAM_TYPE in content) return;
  const media = content[JSON_TYPE];
  if (media === undefined) content[JSON_TYPE] = { schema: FAILURE, example };
  else if (media.schema !== undefined) media.schema = { anyOf: [media.schema, FAILURE] };
}

/** What a route describes of failures of its own is the one shape of them all. */
function shareFailure({ responses }: Operation, { mediaType = JSON_TYPE }: Envelope): void {
  for (const [status, response] of Object.entries(responses))
    if (Number(status) >= 400) responses[status] = { ...response, content: { [mediaType]: { schema: PROBLEM_SHAPE } } };
}

/** A body none of whose fields is required may be left out, unless it must have some field. */
function freeBody({ requestBody }: Operation): void {
  const schema = requestBody?.content[JSON_TYPE]?.schema;
  if (requestBody === undefined || schema === undefined) return;
  if (!('required' in schema) && !('minProperties' in schema)) requestBody.required = false;
}

/** A component of an envelope's failures. */
const responseOf = ({ mediaType = JSON_TYPE }: Envelope, name: string) => ({
  description: 'refused or failed',
  content: { [mediaType]: { schema: { $ref: `#/components/schemas/${name}` } } },
});

export function addCommonAnswers(document: Document, envelope: Envelope, problems: Envelope | null): void {
  for (const { url, method, operation } of operationsOf(document)) {
    const isProblem = problems !== null && isStrict(url);
    if (isProblem) shareFailure(operation, problems);
    addFailures(operation, method, isProblem ? PROBLEM : REFUSAL);
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
