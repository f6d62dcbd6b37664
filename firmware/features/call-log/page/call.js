/**
 * The page of one call: its request, its answer, and a curl command that sends it again. Also makes curl commands of
 * other calls.
 * @import { DeviceState } from '../../../core/pages/app/device-state.d.ts'
 * @import { Static } from 'typebox'
 * @import { CallAnswer } from '../routes.ts'
 */
import { html } from '/console/assets/preact.js';
import { useDevice } from '../../../core/pages/app/device.js';
import { useFetched } from '../../../core/pages/app/fetched.js';
import { number, size, t, time } from '../../../core/pages/app/language.js';
import { hrefOf } from '../../../core/pages/app/route.js';
import { Copy } from '../../../core/pages/parts/copy.js';
import { Card, Chip, Problem } from '../../../core/pages/parts/parts.js';

/** @typedef {Static<typeof CallAnswer>} WholeCall */
/** @typedef {NonNullable<WholeCall['request']>} Body */

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
export const isHere = LOOPBACK.test(location.hostname);

/** Characters that some shell changes inside double quotes. */
const NEEDS_QUOTES = /[\\$`!%]/;

/** @typedef {{method: string, path: string, key?: string, body?: string}} CallToSend */

/**
 * The base address of tills' calls. From another machine, the device has the host name of this page's address.
 * @param {DeviceState} state
 */
export function baseOf({ terminalUrl, terminalOnNetwork }) {
  if (isHere || !terminalOnNetwork) return terminalUrl;
  return `${location.protocol}//${location.hostname}:${new URL(terminalUrl).port}`;
}

/**
 * Quotes a text for a shell. Each shell, that of Windows included, takes double quotes where the text has no special
 * characters.
 * @param {string} text
 */
function quoted(text) {
  return NEEDS_QUOTES.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text.replaceAll('"', '\\"')}"`;
}

/** A curl command that makes a call. @param {DeviceState} state @param {CallToSend} call */
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

/** @param {number} status @returns {import('../../../core/pages/parts/parts.js').Look} */
const lookOf = (status) => (status >= 500 ? 'bad' : status >= 400 ? 'open' : 'good');

/** How a call ended, in a word and a colour. @param {{status: number, hungUp?: boolean}} properties */
export function Status({ status, hungUp = false }) {
  return html`<${Chip} look=${lookOf(status)}>${status}</${Chip}>${hungUp && html` <${Chip} look="bad">${t('calls.hungUp')}</${Chip}>`}`;
}

/** Whether the log has the whole request, so that it can be sent again. @param {WholeCall} call */
const isWhole = ({ request }) => request === null || (request.withheld === null && !request.cut);

/** @param {WholeCall} call */
const sendable = ({ method, path, key, request }) => ({ method, path, key: key ?? '', body: request?.text ?? '' });

/** @param {{call: WholeCall}} properties */
function Facts({ call }) {
  const who = [call.till, t(`credential.${call.credential}`), call.address].filter((part) => part !== null);
  /** @param {string | null} text */
  const code = (text) => (text === null ? '–' : html`<code>${text}</code>`);
  const facts = /** @type {const} */ ([
    ['calls.at', time(call.at)],
    ['calls.took', call.stream ? t('calls.open') : t('calls.ms', { ms: number(call.ms) })],
    ['calls.caller', who.join(', ')],
    ['calls.port', t(`calls.port.${call.port}`)],
    ['calls.key', code(call.key)],
    ['calls.requestId', code(call.requestId)],
    ['calls.error', code(call.error)],
  ]);
  return html`<dl class="facts">
    ${facts.map(([key, value]) => html`<div key=${key}><dt>${t(key)}</dt><dd>${value}</dd></div>`)}
  </dl>`;
}

/** JSON with lines and indents; any other text as it is. @param {string} text */
function formatted(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text; // no JSON, or only its beginning
  }
}

/** @param {{title: string, body: Body | null, stream?: boolean}} properties */
function BodyView({ title, body, stream = false }) {
  return html`<h3>${title}${body !== null && body.bytes > 0 && html` <span class="soft">${size(body.bytes)}</span>`}</h3>
    ${body === null && html`<p class="soft">${t(stream ? 'calls.stream' : 'calls.noBody')}</p>`}
    ${body?.withheld && html`<p class="soft">${t(`calls.withheld.${body.withheld}`)}</p>`}
    ${body !== null && body.withheld === null && html`<pre class="body" tabindex="0" role="region" aria-label=${title}>${formatted(body.text)}</pre>`}
    ${body?.cut && html`<p class="soft">${t('calls.cut')}</p>`}`;
}

/** @param {{call: WholeCall, state: DeviceState}} properties */
function Whole({ call, state }) {
  const line = isWhole(call) ? curlOf(state, sendable(call)) : '';
  return html`<${Card} id="call" title="${call.method} ${call.path}" aside=${html`<${Status} status=${call.status} hungUp=${call.hungUp} />`}>
      <${Facts} call=${call} />
      <${BodyView} title=${t('calls.request')} body=${call.request} />
      <${BodyView} title=${t('calls.answer')} body=${call.answer} stream=${call.stream} />
      ${
        line === ''
          ? html`<p class="soft">${t('calls.notAgain')}</p>`
          : html`<h3>curl</h3>
              <pre id="curl" class="body" tabindex="0" role="region" aria-label="curl">${line}</pre>
              <div class="buttons">
                <${Copy} text=${line} of="curl" name="curl" />
              </div>`
      }
    </${Card}>`;
}

/** @param {{n: string}} properties */
export function CallView({ n }) {
  const { state } = useDevice();
  /** @type {import('../../../core/pages/app/fetched.js').Fetched<WholeCall>} */
  const { data, error } = useFetched(`/console/api/calls/${encodeURIComponent(n)}`);
  return html`<p class="links"><a href=${hrefOf('integrate')}>${t('calls.back')}</a></p>
    <${Problem} error=${error} />
    ${data !== null && state !== null && html`<${Whole} key=${n} call=${data} state=${state} />`}`;
}
