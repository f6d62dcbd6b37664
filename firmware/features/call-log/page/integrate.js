/**
 * The page for programmers of tills: the live list of calls, curl commands to copy, sample programs and the reference.
 * @import { Route } from '../../../core/pages/app/route.js'
 */
import { html } from '/console/assets/preact.js';
import { useDevice } from '../../../core/pages/app/device.js';
import { t, useWords } from '../../../core/pages/app/language.js';
import { Copy } from '../../../core/pages/parts/copy.js';
import { Card } from '../../../core/pages/parts/parts.js';
import { baseOf, CallView, curlOf, isHere } from './call.js';
import { Log } from './log.js';

/**
 * @import { DeviceState } from '../../../core/pages/app/device-state.d.ts'
 * @import { WordKey } from '../../../core/pages/app/language.js'
 */
const SALE = '{"amount":12345,"purpose":"Receipt 1093"}';
/** Files in the device's folder of samples, by programming language. */
const SAMPLES = /** @type {const} */ ({
  '1С': 'pay.bsl',
  'C#': 'Pay.cs',
  'C#, /v1/webhooks': 'Webhook.cs',
  JavaScript: 'pay.mjs',
  'JavaScript, /v1/events': 'events.mjs',
  PHP: 'pay.php',
  'PHP, /v1/webhooks': 'webhook.php',
  Python: 'pay.py',
  'Python, /v1/webhooks': 'webhook.py',
});

/** @param {DeviceState} state @returns {readonly {title: WordKey, line: string}[]} */
const linesOf = (state) => [
  {
    title: 'integrate.sale',
    line: curlOf(state, { method: 'POST', path: '/v1/payments', key: 'receipt-1093', body: SALE }),
  },
  { title: 'integrate.ask', line: curlOf(state, { method: 'POST', path: '/showQR', body: SALE }) },
  { title: 'integrate.status', line: curlOf(state, { method: 'GET', path: '/getDynamicQRStatus' }) },
  { title: 'integrate.clear', line: curlOf(state, { method: 'POST', path: '/clearScreen' }) },
];

/** @param {{title: WordKey, line: string}} properties */
function Line({ title, line }) {
  return html`<section class="call" aria-label=${t(title)}>
    <p class="line spread"><span>${t(title)}</span><${Copy} text=${line} of=${title} name=${t(title)} /></p>
    <code id=${title}>${line}</code>
  </section>`;
}

/** @param {{state: DeviceState}} properties */
function Samples({ state }) {
  const { certificate, needsToken } = state;
  return html`<${Card} id="calls" title=${t('integrate.calls')}>
    <p class="soft">${t('integrate.kopecks')}</p>
    ${needsToken && !isHere && html`<p class="soft">${t('integrate.token')}</p>`}
    ${
      certificate !== null &&
      html`<p class="certificate soft">${t('integrate.certificate')} <a href="/certificate.pem">laneware.pem</a>; ${t('integrate.fingerprint')} <code class="fingerprint">${certificate.fingerprint}</code></p>`
    }
    ${linesOf(state).map((call) => html`<${Line} key=${call.title} ...${call} />`)}
  </${Card}>`;
}

function Reference() {
  const { language } = useWords();
  const { state } = useDevice();
  if (state === null) return null;
  return html`<${Card} id="reference" title=${t('integrate.reference')}>
    <p class="soft">${t('integrate.tryOut')}</p>
    <ul class="links">
      <li><a href="${baseOf(state)}/reference">${t('integrate.terminal')}</a></li>
      <li><a href="/reference">${t('integrate.recognition')}</a></li>
      <li><a href="/errors?lang=${language}">${t('integrate.errors')}</a></li>
    </ul>
    <h3>${t('integrate.samples')}</h3>
    <p class="soft">${t('integrate.samplesHelp')}</p>
    <ul class="links line">
      ${Object.entries(SAMPLES).map(
        ([language, file]) => html`<li key=${file}>
          <a href="/console/assets/samples/${file}" target="_blank" rel="noopener">${language}</a>
        </li>`,
      )}
    </ul>
  </${Card}>`;
}

/** @param {{route: Route}} properties */
export function Integrate({ route: { path, query } }) {
  const { state } = useDevice();
  const [n] = path;
  if (n !== undefined) return html`<div class="column one-call"><${CallView} key=${n} n=${n} /></div>`;
  if (state === null) return null;
  return html`<div class="columns">
    <${Log} query=${query} />
    <div class="column">
      <${Samples} state=${state} />
      <${Reference} />
    </div>
  </div>`;
}
