/** The calls of a till, to copy. The quotes are those that every shell takes, that of Windows included. */
import { element, fill } from './dom.js';

const COPIED_MS = 2000;

/** Seen from another machine, the device has the name in the address bar. */
function reachable(terminalUrl) {
  const url = new URL(terminalUrl);
  if (/^(0\.0\.0\.0|\[::\])$/.test(url.hostname)) url.hostname = location.hostname;
  return url.origin;
}

const callsOf = (base) => [
  {
    title: 'Ask for a payment',
    line: `curl ${base}/showQR -H "Content-Type: application/json" -d "{\\"amount\\":12345,\\"purpose\\":\\"Receipt 1093\\"}"`,
  },
  { title: 'What has become of it', line: `curl ${base}/getDynamicQRStatus` },
  { title: 'Clear the display', line: `curl -X POST ${base}/clearScreen` },
];

/** Where the browser gives no clipboard (a page over plain http), the line is selected instead. */
async function copy(line, button) {
  try {
    await navigator.clipboard.writeText(line.textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, COPIED_MS);
  } catch {
    getSelection().selectAllChildren(line);
    button.textContent = 'Press Ctrl+C';
  }
}

function entry({ title, line }) {
  const text = element('code', {}, line);
  const button = element('button', { type: 'button' }, 'Copy');
  button.setAttribute('aria-label', `Copy: ${title}`);
  button.addEventListener('click', () => copy(text, button));
  return element('li', {}, element('p', {}, title), button, text);
}

export function mountCalls(root) {
  const list = root.querySelector('ul');
  const terminalApi = root.querySelector('#terminal-api');
  return {
    onState({ terminalUrl }) {
      const base = reachable(terminalUrl);
      fill(list, callsOf(base), entry);
      terminalApi.href = `${base}/openapi.json`;
    },
  };
}
