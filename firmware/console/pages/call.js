/** Calls of the page to its device. */
import { sentence } from './words.js';

const LIMIT_MS = 10_000;
/** Longer than the device itself takes to give up on a bank. */
const DEED_LIMIT_MS = 30_000;

/**
 * @returns {Promise<{code: number, msg?: string, data?: any}>} what the device answers, a refusal included
 * @throws what `problemWith` words, where there is no answer that can be read
 */
export async function ask(path, { method = 'GET', body, limitMs = LIMIT_MS } = {}) {
  const response = await fetch(path, {
    method,
    signal: AbortSignal.timeout(limitMs),
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (typeof answer?.code !== 'number') throw new SyntaxError('an answer without a code');
  return answer;
}

/** Why there is no answer, in words. */
export function problemWith(error) {
  if (error instanceof SyntaxError) return 'The device answered something unreadable: load this page again.';
  if (error.name === 'TimeoutError') return 'The device did not answer in time.';
  return 'The device does not answer. Check that it runs.';
}

/** @returns {Promise<string | null>} what went wrong, in words for the person at the page; null when it is done */
export async function call(path, body) {
  try {
    const { code, msg } = await ask(path, { method: 'POST', body, limitMs: DEED_LIMIT_MS });
    return code === 0 ? null : sentence(msg);
  } catch (error) {
    // what got no answer may have been done all the same
    return `${problemWith(error)} Look at the latest payment before you ask again.`;
  }
}
