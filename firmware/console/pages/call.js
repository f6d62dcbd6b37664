/** Calls of the page to its device. */
import { sentence } from './words.js';

/** Longer than the device itself takes to give up on a bank. */
const LIMIT_MS = 30_000;

/** @returns {Promise<string | null>} what went wrong, in words for the person at the page; null when it is done */
export async function call(path, body) {
  try {
    const response = await fetch(path, {
      method: 'POST',
      signal: AbortSignal.timeout(LIMIT_MS),
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    return answer.code === 0 ? null : sentence(answer.msg);
  } catch (error) {
    return error.name === 'TimeoutError'
      ? 'The device did not answer in time. Look at the latest payment before you ask again.'
      : 'The device does not answer. Check that it runs, and ask again.';
  }
}
