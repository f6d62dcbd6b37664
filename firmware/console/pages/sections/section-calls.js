/** The calls of a till, to copy. The quotes are those that every shell takes, that of Windows included. */
import { copyButton } from '../copy.js';
import { element, fill, setText } from '../dom.js';

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const isHere = LOOPBACK.test(location.hostname);

/** Seen from another machine, the device has the name in the address bar. */
function reachable({ terminalUrl, terminalOnNetwork }) {
  if (isHere || !terminalOnNetwork) return terminalUrl;
  return `${location.protocol}//${location.hostname}:${new URL(terminalUrl).port}`;
}

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

function entry({ title, line }) {
  const text = element('code', {}, line);
  return element('li', {}, element('p', {}, title), copyButton(text, title), text);
}

export function mountCalls(root) {
  const list = root.querySelector('ul');
  const token = root.querySelector('.token');
  const certificate = root.querySelector('.certificate');
  const fingerprint = certificate.querySelector('.fingerprint');
  const terminalApi = root.querySelector('#terminal-api');
  return {
    onState(state) {
      const base = reachable(state);
      fill(list, callsOf(base, state), entry);
      token.hidden = !state.needsToken || isHere;
      certificate.hidden = state.certificate === null;
      setText(fingerprint, state.certificate?.fingerprint ?? '');
      terminalApi.href = `${base}/openapi.json`;
    },
  };
}
