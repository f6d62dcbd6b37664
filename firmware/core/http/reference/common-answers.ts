/** What any call may be answered before it reaches its route, or where it fails: added to all of them. */
import type { Envelope } from '../failure.ts';
import { JSON_TYPE } from '../failure-answers.ts';
import { isStrict } from '../problem.ts';
import { type Answer, type Document, type Operation, operationsOf, type Schema } from './operations.ts';

const PROBLEM = { $ref: '#/components/responses/Problem' };
const FAILURE = { $ref: '#/components/schemas/Failure' };
const REFUSAL = { $ref: '#/components/responses/Failure' };

const CLIENT_FAULT = /^4\d\d$/;
const SERVER_FAULT = /^5\d\d$/;

/** Takes what the route says of such statuses out of its answers. @returns the shared answer that stands for all of them */
function sharedFor(statuses: RegExp, responses: Operation['responses'], failure: Answer): Answer {
  const own = Object.entries(responses).filter(([status]) => statuses.test(status));
  for (const [status] of own) delete responses[status];
  const description = own.map(([status, answer]) => `${status}: ${answer.description}`).join('; ');
  return { ...failure, ...(description !== '' && { description }) };
}

/** Two answers stand for all refusals and failures, and name what the route says of its own. */
function shareFailures({ responses }: Operation, failure: Answer): void {
  responses['4XX'] = sharedFor(CLIENT_FAULT, responses, failure);
  responses.default = sharedFor(SERVER_FAULT, responses, failure);
}

/** What is sent piece by piece has begun with a success. */
const STREAM_TYPE = 'text/event-stream';

/** A handled failure is also answered under 200: always as JSON, even if a success is of another type. */
function addHandledFailures({ responses }: Operation, { failure: { examples: [example] = [] } }: Envelope): void {
  const content = responses[200]?.content;
  if (content === undefined || STREAM_TYPE in content) return;
  const media = content[JSON_TYPE];
  if (media === undefined) content[JSON_TYPE] = { schema: FAILURE, example };
  else if (media.schema !== undefined) media.schema = { anyOf: [media.schema, FAILURE] };
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
