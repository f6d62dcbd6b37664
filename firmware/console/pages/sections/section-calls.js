/**
 * The calls of a till, to copy. The quotes are those that every shell takes, that of Windows included.
 * @import { ConsoleState } from '../../console-view.ts'
 */
import { copyButton } from '../copy.js';
import { element, fill, part, setText } from '../dom.js';

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const isHere = LOOPBACK.test(location.hostname);

/**
 * Seen from another machine, the device has the name in the address bar.
 * @param {ConsoleState} state
 */
function reachable({ terminalUrl, terminalOnNetwork }) {
  if (isHere || !terminalOnNetwork) return terminalUrl;
  return `${location.protocol}//${location.hostname}:${new URL(terminalUrl).port}`;
}

/** @param {string} base @param {ConsoleState} state */
function callsOf(base, { needsToken, certificate }) {
  const trust = base.startsWith('https:') && certificate?.own ? ' --cacert laneware.pem' : '';
  const token = needsToken && !isHere ? ' -H "Authorization: Bearer …"' : '';
  const body = '-H "Content-Type: application/json" -d "{\\"amount\\":12345,\\"purpose\\":\\"Receipt 1093\\"}"';
  return [
    { title: 'Ask for a payment', line: `curl${trust} ${base}/showQR${token} ${body}` },
    { title: 'What has become of it', line: `curl${trust} ${base}/getDynamicQRStatus${token}` },
    { title: 'Clear the display', line: `curl${trust} -X POST ${base}/clearScreen${token}` },
  ];
}

/** @param {{title: string, line: string}} call */
function entry({ title, line }) {
  const text = element('code', {}, line);
  return element('li', {}, element('p', {}, title), copyButton(text, title), text);
}

/** @param {HTMLElement} root */
export function mountCalls(root) {
  const list = part(root, 'ul');
  const token = part(root, '.token');
  const certificate = part(root, '.certificate');
  const fingerprint = part(certificate, '.fingerprint');
  const terminalApi = part(root, '#terminal-api', HTMLAnchorElement);
  return {
    /** @param {ConsoleState} state */
    onState(state) {
      const base = reachable(state);
      fill(list, callsOf(base, state), entry);
      token.hidden = !state.needsToken || isHere;
      certificate.hidden = state.certificate === null;
      setText(fingerprint, state.certificate?.fingerprint ?? '');
      terminalApi.href = `${base}/reference`;
    },
  };
}
