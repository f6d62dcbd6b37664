/** A call of a person at the page, sent to the port that the page came from: no other one can a page reach. */
import { CallError, reach } from '../app/api.js';

/** Longer than the device itself takes for any call. */
const LIMIT_MS = 60_000;
const SHOWN_CHARACTERS = 256 * 1024;
const PRINTABLE = /^[ -~]*$/;

/** @typedef {{method: string, path: string, key: string, body: string}} Draft `key`, `body`: empty for none */
/** @typedef {{status: number, ms: number, text: string, cut: boolean}} Sent `cut`: only the beginning of the answer is here */

/** Whether the port of the page answers it: both ports answer the calls of payments, but only the terminal's the nine calls. @param {{path: string}} call */
export const isReachable = ({ path }) => path.startsWith('/v1/');

/** What a header can hold. @param {string} key */
export const isKey = (key) => PRINTABLE.test(key);

/** Of a stream, which does not end, nothing. @param {Response} response @returns {Promise<string | null>} */
async function textOf(response) {
  if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) return response.text();
  await response.body?.cancel();
  return null;
}

/** @param {Draft} draft @returns {Promise<Sent>} any answer, also of a failure @throws {CallError} without an answer */
export async function sendCall({ method, path, key, body }) {
  const headers = {
    ...(key === '' ? {} : { 'idempotency-key': key }),
    ...(body === '' ? {} : { 'content-type': 'application/json' }),
  };
  const begun = performance.now();
  const content = method === 'GET' || body === '' ? {} : { body };
  const response = await reach(path, { method, headers, limitMs: LIMIT_MS, ...content });
  const ms = performance.now() - begun;
  try {
    const text = await textOf(response);
    const { status } = response;
    if (text === null) return { status, ms, text: '', cut: true };
    return { status, ms, text: text.slice(0, SHOWN_CHARACTERS), cut: text.length > SHOWN_CHARACTERS };
  } catch (cause) {
    throw new CallError('unreadable', {}, cause);
  }
}
