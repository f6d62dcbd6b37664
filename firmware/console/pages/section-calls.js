/** The calls of a till, to copy. The quotes are those that every shell takes, that of Windows included. */
import { copyButton } from './copy.js';
import { element, fill } from './dom.js';

/** Seen from another machine, the device has the name in the address bar. */
function reachable(terminalUrl) {
  const url = new URL(terminalUrl);
  if (/^(0\.0\.0\.0|\[::\])$/.test(url.hostname)) url.hostname = location.hostname;
  return url.origin;
}

function callsOf(base, needsToken) {
  const token = needsToken ? ' -H "Authorization: Bearer …"' : '';
  const body = '-H "Content-Type: application/json" -d "{\\"amount\\":12345,\\"purpose\\":\\"Receipt 1093\\"}"';
  return [
    { title: 'Ask for a payment', line: `curl ${base}/showQR${token} ${body}` },
    { title: 'What has become of it', line: `curl ${base}/getDynamicQRStatus${token}` },
    { title: 'Clear the display', line: `curl -X POST ${base}/clearScreen${token}` },
  ];
}

function entry({ title, line }) {
  const text = element('code', {}, line);
  return element('li', {}, element('p', {}, title), copyButton(text, title), text);
}

export function mountCalls(root) {
  const list = root.querySelector('ul');
  const token = root.querySelector('.token');
  const terminalApi = root.querySelector('#terminal-api');
  return {
    onState({ terminalUrl, needsToken }) {
      const base = reachable(terminalUrl);
      fill(list, callsOf(base, needsToken), entry);
      token.hidden = !needsToken;
      terminalApi.href = `${base}/openapi.json`;
    },
  };
}
