/**
 * The live list of calls: the newest first, filtered by path, status and origin.
 * @import { Static } from 'typebox'
 * @import { CallsPage } from '../routes.ts'
 */
import { html, useState } from '/console/assets/preact.js';
import { useDevice } from '../../../core/pages/app/device.js';
import { useFetched } from '../../../core/pages/app/fetched.js';
import { number, t, time } from '../../../core/pages/app/language.js';
import { hrefOf } from '../../../core/pages/app/route.js';
import { Button, Card, Choice, Form, Nothing, TextField } from '../../../core/pages/parts/parts.js';
import { Status } from './call.js';

/** @typedef {Static<typeof CallsPage>} Calls */
/** @typedef {Calls['calls'][number]} Summary */

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

/**
 * The origin whose calls are shown: tills, unless the address names another; empty for all.
 * @param {URLSearchParams} query
 */
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
export function Log({ query }) {
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
