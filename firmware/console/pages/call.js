/** Calls of the page to its device. */
import { sentence } from './words.js';

const LIMIT_MS = 10_000;
/** Longer than the device itself takes to give up on a bank. */
const DEED_LIMIT_MS = 30_000;

/** An error in words for the person at the page. */
export class Told extends Error {}

/**
 * @typedef {object} Call
 * @property {'GET' | 'POST'} [method]
 * @property {unknown} [body] what is sent as JSON
 * @property {number} [limitMs]
 */

/**
 * @param {string} path
 * @param {Call} [options]
 * @returns {Promise<Response>}
 * @throws what `problemWith` words
 */
export async function request(path, { method = 'GET', body, limitMs = LIMIT_MS } = {}) {
  const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  try {
    const signal = AbortSignal.timeout(limitMs);
    return await fetch(path, { method, signal, ...(body === undefined ? {} : json) });
  } catch (cause) {
    const isLate = cause instanceof DOMException && cause.name === 'TimeoutError';
    throw new Told(isLate ? 'The device did not answer in time.' : 'The device does not answer. Check that it runs.');
  }
}

/**
 * @template Data
 * @param {string} path
 * @param {Call} [options]
 * @returns {Promise<{code: number, msg: string, data: Data}>} what the device answers, a refusal included; `msg` is of a refusal, `data` of a success
 * @throws what `problemWith` words, where there is no answer that can be read
 */
export async function ask(path, options) {
  const answer = await (await request(path, options)).json();
  if (typeof answer?.code !== 'number') throw new SyntaxError('an answer without a code');
  return answer;
}

/**
 * @template Data
 * @param {string} path
 * @returns {Promise<Data>} the data of an answer
 * @throws what `problemWith` words, a refusal included
 */
export async function dataOf(path) {
  const { code, msg, data } = await ask(path);
  if (code !== 0) throw new Told(sentence(msg));
  return data;
}

/**
 * Why an answer is not there, or why nothing could be made of it, in words.
 * @param {unknown} error
 */
export const problemWith = (error) =>
  error instanceof Told ? error.message : 'The device answered something unreadable: load this page again.';

/**
 * @param {string} path
 * @param {unknown} [body]
 * @param {string} [ifSilent] what to do where nobody knows whether it was done
 * @returns {Promise<string | null>} what went wrong, in words for the person at the page; null when it is done
 */
export async function call(path, body, ifSilent = '') {
  try {
    const { code, msg } = await ask(path, { method: 'POST', body, limitMs: DEED_LIMIT_MS });
    return code === 0 ? null : sentence(msg);
  } catch (error) {
    return `${problemWith(error)} ${ifSilent}`.trim();
  }
}
