/** The calls of the terminal, from its own document: what a person at the page can send. */
import { request } from '../app/api.js';

/**
 * @typedef {object} Known
 * @property {string} id
 * @property {string} method
 * @property {string} path
 * @property {string} body an example; empty where it takes none
 * @property {boolean} takesKey
 */

/**
 * @typedef {object} Operation
 * @property {string} operationId
 * @property {readonly {name: string}[]} [parameters]
 * @property {{content?: Readonly<Record<string, {example?: unknown, examples?: Readonly<Record<string, {value: unknown}>>}>>}} [requestBody]
 */

/** What cannot be sent from a page: a stream, and the calls by which the page itself asks. */
const LEFT_OUT = ['streamEvents', 'listCalls', 'getCall'];

/** @param {Operation} operation */
const takesKey = ({ parameters }) => parameters?.some(({ name }) => name === 'Idempotency-Key') === true;

/** @param {Operation} operation */
function exampleOf(operation) {
  const media = operation.requestBody?.content?.['application/json'];
  const example = media?.example ?? Object.values(media?.examples ?? {})[0]?.value;
  if (example === undefined) return '';
  const { id, ...rest } = Object(example);
  // an id in the body is the same as the key, of which each form makes a new one
  return JSON.stringify(takesKey(operation) ? rest : example, null, 2);
}

/** @param {string} address @returns {Promise<readonly Known[]>} */
export async function readKnownCalls(address) {
  const response = await request(address);
  /** @type {{paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>}} */
  const { paths } = await response.json();
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId }]) => !LEFT_OUT.includes(operationId))
      .map(([method, operation]) => ({
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        body: exampleOf(operation),
        takesKey: takesKey(operation),
      })),
  );
}
