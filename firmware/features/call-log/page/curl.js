/** A call as a line for a shell. @import { ConsoleState } from '../../../console/console-view.ts' */

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
export const isHere = LOOPBACK.test(location.hostname);

/** Characters that the quotes of some shell would change. */
const NEEDS_QUOTES = /[\\$`!%]/;

/** @typedef {{method: string, path: string, key?: string, body?: string}} CallToSend */

/**
 * The base address of tills' calls; seen from another machine, the device has the name in the address bar.
 * @param {ConsoleState} state
 */
export function baseOf({ terminalUrl, terminalOnNetwork }) {
  if (isHere || !terminalOnNetwork) return terminalUrl;
  return `${location.protocol}//${location.hostname}:${new URL(terminalUrl).port}`;
}

/** Quotes a text: every shell takes double quotes, that of Windows included, as long as the text has no special characters. @param {string} text */
function quoted(text) {
  return NEEDS_QUOTES.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text.replaceAll('"', '\\"')}"`;
}

/** @param {ConsoleState} state @param {CallToSend} call */
export function curlOf(state, { method, path, key = '', body = '' }) {
  const base = baseOf(state);
  const { certificate, needsToken } = state;
  const target = `${base}${path}`;
  const isUsual = method === (body === '' ? 'GET' : 'POST');
  return [
    'curl',
    base.startsWith('https:') && certificate?.own ? '--cacert laneware.pem' : '',
    isUsual ? '' : `-X ${method}`,
    /^[\w:/.[\]-]+$/.test(target) ? target : quoted(target),
    needsToken && !isHere ? '-H "Authorization: Bearer …"' : '',
    key === '' ? '' : `-H ${quoted(`Idempotency-Key: ${key}`)}`,
    body === '' ? '' : `-H "Content-Type: application/json" -d ${quoted(body)}`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}
