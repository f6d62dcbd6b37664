/** Payments of a day, or that fit what is sought, or that somebody must look into; newest first. @import { Page, Payment } from './types.js' */
import { html, useState } from '/console/assets/preact.js';
import { ask, wordsOf } from '../app/api.js';
import { useFetched } from '../app/fetched.js';
import { useWords } from '../app/language.js';
import { hrefOf } from '../app/route.js';
import { roubles, time } from '../app/writing.js';
import { Button } from '../parts/action.js';
import { Card, Chip, Nothing } from '../parts/parts.js';
import { ledgerState } from './ledger-state.js';

const PAGE = 100;

/** @param {{payment: Payment}} properties */
function Row({ payment }) {
  const words = useWords();
  const [key, look] = ledgerState(payment);
  return html`<tr>
    <td><a href=${hrefOf('payments', [payment.id])}><time datetime=${payment.createdAt}>${time(words, payment.createdAt)}</time></a></td>
    <td class="sum">${roubles(words, payment.amount)}</td>
    <td><${Chip} look=${look}>${words.t(key)}</${Chip}>${payment.error !== null && html`<span class="reason">${payment.error}</span>`}</td>
    <td>${payment.purpose ?? ''}${payment.reference !== null && html` <code>${payment.reference}</code>`}</td>
    <td><code>${payment.number}</code></td>
  </tr>`;
}

/** @param {{payments: readonly Payment[], caption: string}} properties */
export function Table({ payments, caption }) {
  const { t } = useWords();
  return html`<div class="scrolled" tabindex="0" role="group" aria-label=${caption}>
    <table>
      <thead>
        <tr>
          <th scope="col">${t('list.time')}</th>
          <th scope="col">${t('list.amount')}</th>
          <th scope="col">${t('list.state')}</th>
          <th scope="col">${t('list.purpose')}</th>
          <th scope="col">${t('list.number')}</th>
        </tr>
      </thead>
      <tbody>${payments.map((payment) => html`<${Row} key=${payment.id} payment=${payment} />`)}</tbody>
    </table>
  </div>`;
}

/** @param {string} path @param {number} pages @returns {Promise<Page>} as if they were one @throws {import('../app/api.js').CallError} */
async function firstPages(path, pages) {
  /** @type {Page} */
  let { payments, cursor } = await ask(path);
  for (let page = 2; page <= pages && cursor !== null; page++) {
    /** @type {Page} */
    const next = await ask(`${path}&cursor=${cursor}`);
    payments = [...payments, ...next.payments];
    cursor = next.cursor;
  }
  return { payments, cursor };
}

/** @param {{id: string, title: string, search: string, revision: unknown}} properties `search`: what `GET /v1/payments` is asked */
export function List({ id, title, search, revision }) {
  const words = useWords();
  const path = `/v1/payments?${search}${search === '' ? '' : '&'}limit=${PAGE}`;
  const [wanted, setWanted] = useState({ path, pages: 1 });
  const pages = wanted.path === path ? wanted.pages : 1;
  // all that is shown is asked for again: a new payment moves the edge of each page
  /** @type {import('../app/fetched.js').Fetched<Page>} */
  const { data, error, isWaiting, again } = useFetched(path, `${revision} ${pages}`, () => firstPages(path, pages));
  const payments = data?.payments ?? [];
  const more = () => (error === null ? setWanted({ path, pages: pages + 1 }) : again());
  return html`<${Card} id=${id} title=${title}>
    ${error !== null && html`<p class="problem" role="alert">${wordsOf(words, error)}</p>`}
    ${data !== null && payments.length === 0 && html`<${Nothing}>${words.t('list.none')}</${Nothing}>`}
    ${payments.length > 0 && html`<${Table} payments=${payments} caption=${title} />`}
    ${data !== null && data.cursor !== null && html`<${Button} disabled=${isWaiting} onClick=${more}>${words.t('list.more')}</${Button}>`}
  </${Card}>`;
}
