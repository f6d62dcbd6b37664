/** The page of whoever makes a till call this device: lines to copy, and the reference. @import { ConsoleState } from '../../console-view.ts' @import { WordKey } from '../app/language.js' */
import { html } from '/console/assets/preact.js';
import { useDevice } from '../app/device.js';
import { useWords } from '../app/language.js';
import { Copy } from '../parts/copy.js';
import { Card } from '../parts/parts.js';

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const isHere = LOOPBACK.test(location.hostname);

/** Seen from another machine, the device has the name in the address bar. @param {ConsoleState} state */
function reachable({ terminalUrl, terminalOnNetwork }) {
  if (isHere || !terminalOnNetwork) return terminalUrl;
  return `${location.protocol}//${location.hostname}:${new URL(terminalUrl).port}`;
}

/** The quotes are those that every shell takes, that of Windows included. @param {string} base @param {ConsoleState} state @returns {readonly {title: WordKey, line: string}[]} */
function callsOf(base, { needsToken, certificate }) {
  const trust = base.startsWith('https:') && certificate?.own ? ' --cacert laneware.pem' : '';
  const token = needsToken && !isHere ? ' -H "Authorization: Bearer …"' : '';
  const body = '-H "Content-Type: application/json" -d "{\\"amount\\":12345,\\"purpose\\":\\"Receipt 1093\\"}"';
  return [
    { title: 'integrate.ask', line: `curl${trust} ${base}/showQR${token} ${body}` },
    { title: 'integrate.status', line: `curl${trust} ${base}/getDynamicQRStatus${token}` },
    {
      title: 'integrate.sale',
      line: `curl${trust} ${base}/v1/payments${token} -H "Idempotency-Key: receipt-1093" ${body}`,
    },
    { title: 'integrate.clear', line: `curl${trust} -X POST ${base}/clearScreen${token}` },
  ];
}

/** @param {{title: WordKey, line: string}} properties */
function Line({ title, line }) {
  const { t } = useWords();
  return html`<section class="call" aria-label=${t(title)}>
    <p class="line"><span>${t(title)}</span><${Copy} text=${line} of=${title} name=${t(title)} /></p>
    <code id=${title}>${line}</code>
  </section>`;
}

export function Integrate() {
  const { t } = useWords();
  const { state } = useDevice();
  if (state === null) return null;
  const base = reachable(state);
  const { certificate, needsToken } = state;
  return html`<div class="columns">
    <${Card} id="calls" title=${t('integrate.calls')}>
      <p class="soft">${t('integrate.kopecks')}</p>
      ${needsToken && !isHere && html`<p class="soft">${t('integrate.token')}</p>`}
      ${
        certificate !== null &&
        html`<p class="certificate soft">${t('integrate.certificate')} <a href="/certificate.pem">laneware.pem</a>; ${t('integrate.fingerprint')} <code class="fingerprint">${certificate.fingerprint}</code></p>`
      }
      ${callsOf(base, state).map((call) => html`<${Line} key=${call.title} ...${call} />`)}
    </${Card}>
    <${Card} id="reference" title=${t('integrate.reference')}>
      <ul class="links">
        <li><a href="${base}/reference">${t('integrate.terminal')}</a></li>
        <li><a href="/reference">${t('integrate.recognition')}</a></li>
        <li><a href="/errors">${t('integrate.errors')}</a></li>
      </ul>
    </${Card}>
  </div>`;
}
