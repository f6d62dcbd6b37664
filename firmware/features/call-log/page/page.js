/**
 * The page of tills' calls, for their programmers.
 * @import { FeaturePage } from '../../../core/pages/app/feature-pages.js'
 * @import { Route } from '../../../core/pages/app/route.js'
 * @import { CallAnswer, CallsPage } from '../routes.ts'
 * @import { Static } from 'typebox'
 */
import { html, useState } from '/console/assets/preact.js';
import { useDevice } from '../../../core/pages/app/device.js';
import { useFetched } from '../../../core/pages/app/fetched.js';
import { number, t, time, useWords } from '../../../core/pages/app/language.js';
import { hrefOf } from '../../../core/pages/app/route.js';
import { Copy } from '../../../core/pages/parts/copy.js';
import { Button, Card, Choice, Form, Nothing, TextField } from '../../../core/pages/parts/parts.js';
import { baseOf, CallView, curlOf, isHere, Status } from './call.js';

/** @typedef {Static<typeof CallsPage>} Calls */
/** @typedef {Calls['calls'][number]} Summary */
/** @typedef {Static<typeof CallAnswer>} WholeCall */
/** @typedef {NonNullable<WholeCall['request']>} Body */

const ORIGINS = /** @type {const} */ (['till', 'page', 'watch', '']);
const STATUSES = /** @type {const} */ (['', '2', '4', '5']);

/** @param {{call: Summary}} properties */
function Row({ call }) {
  const who = call.till ?? (call.origin === 'till' ? call.address : t(`calls.origin.${call.origin}`));
  const ms = call.stream ? t('calls.open') : t('calls.ms', { ms: number(Math.round(call.ms)) });
  return html`<li>
    <a href=${hrefOf('integrate', [String(call.n)])}>
      <${Status} status=${call.status} hungUp=${call.hungUp} />
      <code class="target">${call.method} ${call.path}</code>
      ${call.error !== null && html`<code class="reason">${call.error}</code>`}
      <span class="soft">${ms} · ${who}</span>
      <time datetime=${call.at}>${time(call.at)}</time>
    </a>
  </li>`;
}

/** @param {{query: URLSearchParams}} properties */
function Finder({ query }) {
  const [path, setPath] = useState(query.get('path') ?? '');
  /** @param {Record<string, string>} changed */
  const go = (changed) => {
    location.hash = hrefOf('integrate', [], { ...Object.fromEntries(query), ...changed });
  };
  return html`<${Form} class="finder" onSubmit=${() => go({ path: path.trim() })}>
    <${Choice} id="origin" label=${t('calls.who')} value=${originOf(query)} onChoose=${(/** @type {string} */ value) => go({ who: value === '' ? 'all' : value })}
      options=${ORIGINS.map((origin) => [origin, t(`calls.from.${origin === '' ? 'all' : origin}`)])} />
    <${Choice} id="status" label=${t('calls.status')} value=${query.get('status') ?? ''} onChoose=${(/** @type {string} */ value) => go({ status: value })}
      options=${STATUSES.map((status) => [status, t(`calls.status.${status === '' ? 'any' : status}`)])} />
    <${TextField} id="path" label=${t('calls.path')}
      type="search" value=${path} onText=${setPath} />
    <${Button} type="submit">${t('calls.find')}</${Button}>
  </${Form}>`;
}

/** The origin whose calls are shown: tills, unless another was chosen. @param {URLSearchParams} query */
function originOf(query) {
  const who = query.get('who') ?? 'till';
  return ORIGINS.find((origin) => origin === who) ?? '';
}

/** @param {URLSearchParams} query */
function searchOf(query) {
  const sought = { origin: originOf(query), status: query.get('status') ?? '', path: query.get('path') ?? '' };
  return new URLSearchParams(Object.entries(sought).filter(([, value]) => value !== '')).toString();
}

/** @param {{query: URLSearchParams}} properties */
function Log({ query }) {
  const { state } = useDevice();
  const now = state?.features['call-log'] ?? 0;
  const [held, setHeld] = useState(/** @type {number | null} */ (null));
  /** @type {import('../../../core/pages/app/fetched.js').Fetched<Calls>} */
  const { data, error } = useFetched(`/console/api/calls?${searchOf(query)}`, held ?? now);
  const hold = html`<${Button} pressed=${held !== null} onClick=${() => setHeld(held === null ? now : null)}>
    ${held === null ? t('calls.hold') : t('calls.goOn')}
  </${Button}>`;
  return html`<${Card} id="log" title=${t('calls.title')} aside=${hold} error=${error}>
    <p class="soft">${t('calls.kept')}</p>
    <details open=${query.size > 0}>
      <summary>${t('calls.filter')}</summary>
      <${Finder} key=${query.toString()} query=${query} />
    </details>
    ${data?.calls.length === 0 && html`<${Nothing}>${t('calls.none')}</${Nothing}>`}
    <div class="log" tabindex="0" role="region" aria-label=${t('calls.list')}>
      <ol class="rows">${data?.calls.map((call) => html`<${Row} key=${call.n} call=${call} />`)}</ol>
    </div>
  </${Card}>`;
}

/** Lines to copy, programs to begin with, and what describes the calls. @import { ConsoleState } from '../../../console/console-view.ts' @import { WordKey } from '../../../core/pages/app/language.js' */
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

/** @param {ConsoleState} state @returns {readonly {title: WordKey, line: string}[]} */
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

/** @param {{state: ConsoleState}} properties */
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
function Integrate({ route: { path, query } }) {
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

/** @type {FeaturePage} */
export default {
  name: 'integrate',
  place: 'rail',
  after: 'device',
  icon: 'M8 8l-5 4 5 4 M16 8l5 4-5 4 M14 5l-4 14',
  View: Integrate,
};
